import type { Message } from '../../protocol/message.ts';
import type { ApiServerView, ClusterView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { useRun } from '../page-context.ts';
import { texts } from '../texts.ts';
import { Box } from './box.tsx';
import { ComponentBox } from './component-box.tsx';

/** The control plane: the apiserver with the tail of its log, and the components around it. */
export const ControlPlane = memo(
  ({ components, apiservers, revision }: Pick<ClusterView, 'components' | 'apiservers' | 'revision'>) => {
    const half = Math.ceil(components.length / 2);
    return (
      <section class="control-plane" aria-label={texts.regions.controlPlane}>
        <h2 class="sr-only">{texts.regions.controlPlane}</h2>
        <div class="components">
          {components.slice(0, half).map((component) => (
            <ComponentBox key={component.name} component={component} />
          ))}
        </div>
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
        <div class="components">
          {components.slice(half).map((component) => (
            <ComponentBox key={component.name} component={component} />
          ))}
        </div>
      </section>
    );
  },
  'ControlPlane',
);

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
      {writes.slice(0, 6).map((write) => (
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
