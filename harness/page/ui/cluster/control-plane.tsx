import type { Message } from '../../protocol/message.ts';
import type { ApiServerView, ClusterView, ComponentView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { useRun } from '../page-context.ts';
import { texts } from '../texts.ts';
import { Box } from './box.tsx';
import { ComponentBox } from './component-box.tsx';

/**
 * The number of components that have boxes with two lines: those on the way of an apply. The table of components begins
 * with them. The others have one line.
 */
const MAJOR = 6;

/** The time for which an error that a component survived is news, in virtual ms. */
const NEWS_MS = 20_000;

/** The control plane: the apiserver with the tail of its log, and the components around it. */
export const ControlPlane = memo(
  ({
    components,
    apiservers,
    revision,
    atMs,
  }: Pick<ClusterView, 'components' | 'apiservers' | 'revision' | 'atMs'>) => {
    const sides = [halfOf(components, 0), halfOf(components, 1)].map((side) => (
      <div class="components">
        {side.map(({ component, isMinor }) => (
          <ComponentBox
            key={component.name}
            component={component}
            isMinor={isMinor}
            hasErred={isNews(component.error, atMs)}
          />
        ))}
      </div>
    ));
    return (
      <section class="control-plane" aria-label={texts.regions.controlPlane}>
        <h2 class="sr-only">{texts.regions.controlPlane}</h2>
        {sides[0]}
        <div class="hub">
          <Box place="user:kubectl" drawer="prompt" label={texts.workloads.kubectlLabel} className="user">
            {texts.workloads.kubectl}
          </Box>
          {apiservers.map((apiserver) => (
            <ApiServer
              key={apiserver.index}
              apiserver={apiserver}
              revision={revision}
              isOnly={apiservers.length === 1}
              isFirst={apiserver.index === 0}
            />
          ))}
        </div>
        {sides[1]}
      </section>
    );
  },
  'ControlPlane',
);

/** The components of one side: half of the major ones, then half of the others. */
function halfOf(components: readonly ComponentView[], side: 0 | 1) {
  const half = (part: readonly ComponentView[], isMinor: boolean) => {
    const middle = Math.ceil(part.length / 2);
    const own = side === 0 ? part.slice(0, middle) : part.slice(middle);
    return own.map((component) => ({ component, isMinor }));
  };
  return [...half(components.slice(0, MAJOR), false), ...half(components.slice(MAJOR), true)];
}

/** Whether an error is recent, and did not happen before the cluster stood. */
const isNews = (error: ComponentView['error'], atMs: number): boolean =>
  error !== undefined && error.atMs >= 0 && error.atMs > atMs - NEWS_MS;

interface ApiServerProps {
  readonly apiserver: ApiServerView;
  readonly revision: number;
  readonly isOnly: boolean;
  readonly isFirst: boolean;
}

const ApiServer = memo(({ apiserver, revision, isOnly, isFirst }: ApiServerProps) => {
  const { index, isUp, cacheRevision } = apiserver;
  const behind = Math.max(0, revision - cacheRevision);
  const words = texts.apiserver;
  return (
    <Box
      place={`apiserver:${index}`}
      subject={{ kind: 'apiserver', index }}
      label={words.label(index, revision, isUp, behind)}
      className={`apiserver ${isUp ? '' : 'is-crashed'}`}
    >
      <span class="apiserver-head">
        <span class="apiserver-name">{isOnly ? words.name : words.indexed(index)}</span>
        <span class={isUp && behind === 0 ? 'apiserver-revision' : 'apiserver-revision tone-bad'}>
          {isUp ? (behind > 0 ? words.behind(behind) : words.revision(revision)) : words.down}
        </span>
      </span>
      {isFirst && <LogTail />}
    </Box>
  );
}, 'ApiServer');

/** The newest lines of the log of revisions. */
function LogTail() {
  const writes = useRun(({ writes }) => writes);
  return (
    <span class="log-tail">
      {writes.length === 0 && <span class="log-empty">{texts.apiserver.empty}</span>}
      {writes.slice(0, 8).map((write) => (
        <LogLine key={write.id} write={write} />
      ))}
    </span>
  );
}

const LogLine = memo(
  ({ write }: { readonly write: Message }) => (
    <span class="log-line">
      <span class="log-revision">{write.revision}</span>
      <span class="log-verb">{write.verb}</span>
      <span class="log-object">{shortObject(write.object ?? '')}</span>
    </span>
  ),
  'LogLine',
);

/** `pods/web-1` for `pods/default/web-1`. */
const shortObject = (object: string): string => object.replace('/default/', '/');
