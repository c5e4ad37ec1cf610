import type { Message } from '../../protocol/message.ts';
import type { ApiServerView, ClusterView, ComponentView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { useRun } from '../page-context.ts';
import { texts } from '../texts.ts';
import { Box } from './box.tsx';
import { ComponentBox } from './component-box.tsx';
import { briefName } from './component-words.ts';

/** The components that have boxes with two lines: those on the way of an apply. The others have chips. */
const MAJOR: ReadonlySet<ComponentView['part']> = new Set<ComponentView['part']>([
  'replicaSetController',
  'deploymentController',
  'garbageCollector',
  'scheduler',
  'endpointSliceController',
  'nodeLifecycleController',
]);

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
    const working = components.filter(({ waitsFor }) => waitsFor === undefined);
    const boxOf = (component: ComponentView, isMinor: boolean) => (
      <ComponentBox
        key={component.name}
        component={component}
        isMinor={isMinor}
        hasErred={isNews(component.error, atMs)}
      />
    );
    const sideOf = (side: 0 | 1) => (
      <div class="components">
        {halfOf(working.filter(isMajor), side).map((component) => boxOf(component, false))}
        <div class="chips">
          {halfOf(working.filter(isMinor), side).map((component) => boxOf(component, true))}
        </div>
        {side === 1 && <Waiting components={components} />}
      </div>
    );
    return (
      <section class="control-plane" aria-label={texts.regions.controlPlane}>
        <h2 class="sr-only">{texts.regions.controlPlane}</h2>
        {sideOf(0)}
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
        {sideOf(1)}
      </section>
    );
  },
  'ControlPlane',
);

/** The controllers that wait for the first object of their kind, folded into one line. */
const Waiting = memo(({ components }: Pick<ClusterView, 'components'>) => {
  const waiting = components.filter(({ waitsFor }) => waitsFor !== undefined);
  if (waiting.length === 0) return null;
  const names = waiting.map(({ name }) => briefName(name)).join(', ');
  return (
    <p class="waiting" title={names}>
      {texts.component.waiting(waiting.length, names)}
    </p>
  );
}, 'Waiting');

const isMajor = ({ part }: ComponentView): boolean => MAJOR.has(part);
const isMinor = (component: ComponentView): boolean => !isMajor(component);

/** The components of one side. */
function halfOf(components: readonly ComponentView[], side: 0 | 1): readonly ComponentView[] {
  const middle = Math.ceil(components.length / 2);
  return side === 0 ? components.slice(0, middle) : components.slice(middle);
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
