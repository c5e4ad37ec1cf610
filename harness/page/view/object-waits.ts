import type { Deployment, KubeObject, Pod, ReplicaSet } from '../../api/objects.ts';
import { deployments, groupResource, pods, type Resource, replicaSets } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Observation } from '../../cluster/observation.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Waited } from '../protocol/details.ts';
import type { ComponentView } from '../protocol/view.ts';
import { cachesOf } from './component-views.ts';
import { kubeletWaits, unscheduledWaits } from './pod-waits.ts';
import { deploymentWaits, replicaSetWaits } from './workload-waits.ts';

/** A component, and the facts that explain its waits. */
interface ObjectWaitsOptions {
  readonly part: ComponentView['part'] | undefined;
  readonly observed: Observation | undefined;
  /** Its calls to its node, oldest first. */
  readonly calls: readonly TraceEntry[];
  readonly cluster: Pick<Cluster, 'clock' | 'sim'>;
}

/** Describes the objects whose change a component waits for, as its own caches show them. */
export function objectWaits({ part, observed, calls, cluster }: ObjectWaitsOptions): readonly Waited[] {
  const clockMs = cluster.clock.now();
  switch (part) {
    case 'deploymentController':
      return deploymentWaits({ ...workloadsIn(observed), clockMs });
    case 'replicaSetController':
      return replicaSetWaits({ ...workloadsIn(observed), clockMs });
    case 'scheduler':
      return unscheduledWaits(cached<Pod>(observed, pods));
    case 'kubelet':
      return kubeletWaits({
        pods: cached<Pod>(observed, pods),
        calls,
        nowMs: cluster.sim.elapsedMs,
        clockMs,
      });
    default:
      return [];
  }
}

function workloadsIn(observed: Observation | undefined) {
  return {
    deployments: cached<Deployment>(observed, deployments),
    replicaSets: cached<ReplicaSet>(observed, replicaSets),
    pods: cached<Pod>(observed, pods),
  };
}

/** Returns the objects of a resource that a process has in its cache, by their keys. */
function cached<T extends KubeObject>(
  observed: Observation | undefined,
  resource: Resource<T>,
): readonly T[] {
  const cache = cachesOf(observed).find((each) => each.resource === groupResource(resource));
  return (cache?.keys() ?? []).toSorted().flatMap((key) => (cache?.get(key) as T | undefined) ?? []);
}
