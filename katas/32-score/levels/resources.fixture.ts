import type { framework, Pod } from '#harness';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { containersAsking, podAsking } from './pods.fixture.ts';

/** Bytes in a MiB. */
export const MIB = 1024 * 1024;
/** A resource that only some nodes have. */
export const GPU = 'example.com/gpu';

/** CPU and memory count the same. */
export const EVENLY: readonly framework.ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** A row of upstream's tables about resources. */
export interface ResourceRow {
  readonly podContainers?: readonly framework.ResourceList[];
  readonly podContainersMilli?: readonly framework.ResourceList[];
  readonly nodes: readonly { readonly name: string; readonly allocatable: framework.ResourceList }[];
  readonly existing?: readonly {
    readonly node: string;
    readonly requests: readonly framework.ResourceList[];
  }[];
  readonly resources: readonly framework.ResourceSpec[] | null;
}

/** The pod and the cluster of a row about resources. */
export function resourcesOf(row: ResourceRow): { readonly pod: Pod; readonly snapshot: framework.Snapshot } {
  const { podContainers, podContainersMilli, nodes, existing = [] } = row;
  const milli = (requests: framework.ResourceList): framework.ResourceList =>
    podContainersMilli && 'cpu' in requests ? { ...requests, cpu: `${requests.cpu}m` } : requests;
  const there = existing.map(({ node, requests }, i) =>
    aSchedulingPod({
      name: `there-${i}`,
      nodeName: node,
      spec: { containers: containersAsking(requests.map(milli)) },
    }),
  );
  const all = nodes.map(({ name, allocatable }) => aSchedulingNode(name, { allocatable }));
  return {
    pod: podAsking(...(podContainers ?? podContainersMilli ?? []).map(milli)),
    snapshot: aSnapshot(all, there),
  };
}
