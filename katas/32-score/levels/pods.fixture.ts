import type { framework, Pod } from '#harness';
import { aSchedulingPod } from '#laws/scheduling';

/** A pod's spec. */
export type Spec = Pod['spec'];
/** A container of a pod. */
export type Container = Spec['containers'][number];

/** A pod whose containers ask for these. */
export function podAsking(...requests: readonly framework.ResourceList[]): Pod {
  return aSchedulingPod({ spec: { containers: containersAsking(requests) } });
}

/** A container for each of these requests. */
export function containersAsking(all: readonly framework.ResourceList[]): Container[] {
  return all.map((requests, i) => ({
    name: `c${i}`,
    image: 'nginx:1',
    resources: { requests: Object.fromEntries(Object.entries(requests).map(([k, v]) => [k, String(v)])) },
  }));
}

/** Pods that are there already: the requests of their one container, by the name of the node. */
export function running(byNode: Readonly<Record<string, readonly framework.ResourceList[]>>): Pod[] {
  return Object.entries(byNode).flatMap(([nodeName, all]) =>
    all.map((requests, i) => aSchedulingPod({ name: `${nodeName}-${i}`, nodeName, requests })),
  );
}
