import type { DeploymentView, ServiceView, WorkloadView } from '../../protocol/view.ts';
import { memo } from '../memo.ts';
import { texts } from '../texts.ts';
import { Box } from './box.tsx';
import { MarkGlyph } from './mark-glyph.tsx';
import type { OwnerMarks } from './owner-marks.ts';
import { rolloutWords } from './rollout-words.ts';

const words = texts.workloads;

/** Properties of the column. */
export interface WorkloadsProps {
  readonly deployments: readonly DeploymentView[];
  readonly workloads: readonly WorkloadView[];
  readonly services: readonly ServiceView[];
  readonly marks: OwnerMarks;
}

/** The column beside the nodes: Deployments, other workloads, Services, and the hosts outside. */
export const Workloads = memo(({ deployments, workloads, services, marks }: WorkloadsProps) => {
  const othersPx = count(workloads) * WORKLOAD_PX;
  const isCrowded = count(deployments) * DEPLOYMENT_PX + othersPx + count(services) * SERVICE_PX > ROOM_PX;
  return (
    <section class="workloads" aria-label={texts.regions.workloads}>
      <div class={`workload-list${isCrowded ? ' is-crowded' : ''}`}>
        <h2>{words.deployments}</h2>
        {deployments.length === 0 && <p class="empty">{words.noDeployments}</p>}
        {ownFirst(deployments).map((deployment) => {
          const { namespace, name } = deployment;
          const { colour } = marks.ofDeployment(deployment);
          return <DeploymentBox key={`${namespace}/${name}`} deployment={deployment} colour={colour ?? -1} />;
        })}
        {workloads.length > 0 && <h2>{words.others}</h2>}
        {ownFirst(workloads).map((workload) => {
          const { kind, namespace, name } = workload;
          const { colour } = marks.ofWorkload(workload);
          return (
            <WorkloadBox key={`${kind} ${namespace}/${name}`} workload={workload} colour={colour ?? -1} />
          );
        })}
        <h2>{words.services}</h2>
        {services.length === 0 && <p class="empty">{words.noServices}</p>}
        {ownFirst(services).map((service) => (
          <ServiceBox key={`${service.namespace}/${service.name}`} service={service} />
        ))}
      </div>
      <div class="outside">
        <Box place="outside:laptop" label={words.laptopLabel} className="host" menu={LAPTOP}>
          {words.laptop}
        </Box>
      </div>
    </section>
  );
}, 'Workloads');

const DeploymentBox = memo(
  ({ deployment, colour }: { readonly deployment: DeploymentView; readonly colour: number }) => {
    const { namespace, name, ready, desired, isComplete, replicaSets } = deployment;
    const shown = replicaSets.filter((one, index) => index === 0 || one.desired > 0 || one.current > 0);
    const state = rolloutWords(deployment);
    return (
      <div
        class={`workload${isSystem(deployment) ? ' is-brief' : ''}${shown.length === 1 ? ' is-single' : ''}`}
      >
        <Box
          subject={{ kind: 'object', resource: 'deployments.apps', key: `${namespace}/${name}` }}
          label={words.deploymentLabel(`${namespace}/${name}`, ready, desired, state)}
          className={`deployment owner-${colour < 0 ? 'none' : colour}`}
        >
          <span class="swatch" />
          <span class="workload-name">{name}</span>
          <span class={`workload-count ${ready < desired ? 'tone-warn' : 'tone-soft'}`}>
            {words.ready(ready, desired)}
          </span>
          {!isComplete && <span class="workload-state tone-warn">{state}</span>}
        </Box>
        {shown.map((one, index) => (
          <Box
            key={one.name}
            subject={{ kind: 'object', resource: 'replicasets.apps', key: `${namespace}/${one.name}` }}
            label={words.replicaSetLabel(one.name, one.ready, one.current, one.desired)}
            className={`replica-set owner-${colour < 0 ? 'none' : colour}${index > 0 ? ' is-old' : ''}`}
          >
            <span class="swatch" />
            <span class="workload-name">
              {one.name.startsWith(`${name}-`) ? one.name.slice(name.length) : one.name}
            </span>
            <span class="bar" style={{ '--share': share(one.ready, Math.max(one.desired, one.current)) }} />
            <span class={`workload-count ${one.ready < one.desired ? 'tone-warn' : ''}`}>
              {words.ready(one.ready, Math.max(one.desired, one.current))}
            </span>
          </Box>
        ))}
      </div>
    );
  },
  'DeploymentBox',
);

/** The tone of each state, if its words stand in a second line. */
const TONES = { progresses: 'warn', failed: 'bad', suspended: 'soft', complete: undefined } as const;

const WorkloadBox = memo(
  ({ workload, colour }: { readonly workload: WorkloadView; readonly colour: number }) => {
    const { kind, resource, namespace, name, done, wanted, state, note } = workload;
    const counts = done === undefined || wanted === undefined ? undefined : `${done}/${wanted}`;
    const tone = TONES[state];
    const stateText = [words.states[state], note].filter(Boolean).join(': ');
    return (
      <Box
        subject={{ kind: 'object', resource, key: `${namespace}/${name}` }}
        label={words.workloadLabel(
          kind,
          `${namespace}/${name}`,
          [counts, stateText].filter(Boolean).join(', '),
        )}
        className={`deployment owner-${colour < 0 ? 'none' : colour}`}
      >
        {colour >= 0 && <span class="swatch" />}
        <span class="workload-name">{name}</span>
        <span class="workload-kind">{words.kinds[kind]}</span>
        <span class={`workload-count workload-note tone-${tone ?? 'soft'}`}>{counts ?? note}</span>
        {tone !== undefined && kind !== 'PersistentVolumeClaim' && (
          <span class={`workload-state tone-${tone}`}>{stateText}</span>
        )}
      </Box>
    );
  },
  'WorkloadBox',
);

const ServiceBox = memo(({ service }: { readonly service: ServiceView }) => {
  const { namespace, name, clusterIP, ports, endpoints } = service;
  const terminating = endpoints.filter(({ isTerminating }) => isTerminating).length;
  const ready = endpoints.filter(({ isReady, isTerminating }) => isReady && !isTerminating).length;
  const unready = endpoints.length - ready - terminating;
  const address = `${clusterIP === undefined || clusterIP === 'None' ? words.headless : clusterIP} ${ports.join(', ')}`;
  const isApi = `${namespace}/${name}` === API_SERVICE;
  const counts = endpoints.length === 0 ? words.noEndpoints : words.endpoints(ready, unready, terminating);
  return (
    <Box
      place={`service:${namespace}/${name}`}
      subject={{ kind: 'object', resource: 'services', key: `${namespace}/${name}` }}
      label={words.serviceLabel(`${namespace}/${name}`, address, counts)}
      className={`service${isSystem(service) ? ' is-brief' : ''}`}
    >
      <span class="workload-name">{name}</span>
      <span class="service-address">{address}</span>
      <span class={`service-endpoints ${ready === 0 && !isApi ? 'tone-warn' : 'tone-soft'}`}>
        {endpoints.slice(0, 12).map(({ address, isReady, isTerminating }) => (
          <MarkGlyph
            key={address}
            shape={isTerminating ? 'minus' : isReady ? 'disc' : 'half'}
            tone={isTerminating ? 'soft' : isReady ? 'good' : 'warn'}
          />
        ))}
        <span>{counts}</span>
      </span>
    </Box>
  );
}, 'ServiceBox');

/** The heights of boxes in full, and of the room for those of the reader, in px. */
const DEPLOYMENT_PX = 50;
const SERVICE_PX = 66;
const WORKLOAD_PX = 27;
const ROOM_PX = 240;

/** Returns the number of workloads of the reader. */
const count = (list: readonly Named[]): number => list.filter((one) => !isSystem(one)).length;

/** Puts the parts of the cluster itself behind those of the reader. */
function ownFirst<T extends Named>(list: readonly T[]): readonly T[] {
  return [...list.filter((one) => !isSystem(one)), ...list.filter(isSystem)];
}

type Named = Pick<ServiceView, 'namespace' | 'name'>;

const isSystem = (one: Named): boolean => one.namespace === 'kube-system' || keyOf(one) === API_SERVICE;

const keyOf = ({ namespace, name }: Named): string => `${namespace}/${name}`;

const LAPTOP = { kind: 'host', name: 'laptop' } as const;

/** The Service of the apiserver, which selects no pods. */
const API_SERVICE = 'default/kubernetes';

const share = (part: number, whole: number): string => String(whole > 0 ? Math.min(1, part / whole) : 0);
