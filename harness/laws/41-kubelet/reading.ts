import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { Law as LawOf, Violation } from '../../testing/holds.ts';
import type { KubeletHistory } from './history.ts';
import type { ContainerHistory } from './machine-history.ts';
import { nameOf } from './truth.ts';

/** A law of a kubelet. */
export type Law = LawOf<KubeletHistory>;

/** A container that was made, with the pod that it is of, as that was last. */
export interface Start {
  readonly container: ContainerHistory;
  readonly pod: Pod;
  /** What the pod's spec says of it. */
  readonly spec: core.Container | undefined;
}

/** Every container that was made for a pod. */
export function made({ machine, pods }: KubeletHistory): readonly Start[] {
  return machine.containers.flatMap((container) => {
    const pod = pods.of(container.uid)?.last;
    return pod ? [{ container, pod, spec: specOf(pod, container.name) }] : [];
  });
}

/** Every container that was started. */
export function starts(history: KubeletHistory): readonly Start[] {
  return made(history).filter(({ container }) => container.startedMs < Number.POSITIVE_INFINITY);
}

/** What a pod's spec says of a container of this name. */
export function specOf(pod: Pod, name: string): core.Container | undefined {
  return [...initsOf(pod), ...pod.spec.containers].find((each) => each.name === name);
}

/** Its init containers, in turn. */
export function initsOf({ spec }: Pod): readonly core.Container[] {
  return spec.initContainers ?? [];
}

/**
 * What the kubelet can have taken the pod for that did something at `atMs`, having begun up to `forMs` before: as it had been
 * told then, and each state since. Absent stands for: not there.
 */
export function knownOf(
  { pods, told }: KubeletHistory,
  uid: string,
  { atMs, forMs }: { readonly atMs: number; readonly forMs: number },
): readonly (Pod | undefined)[] {
  const past = pods.of(uid);
  const now = past?.versions.findLast((version) => version.atMs <= atMs)?.revision;
  if (!past || now === undefined) return [undefined];
  return past.between(Math.min(told.atThought(Math.max(0, atMs - forMs)).pods, now), now);
}

/** A violation by a kubelet, of which its pod tells. */
export function violation(atMs: number, pod: Pod, what: string): Violation {
  return { atMs, message: `${nameOf(pod)}: the kubelet ${what}`, object: nameOf(pod) };
}

/**
 * Did a kubelet die before it heard that a container was started? The next one may have looked before it was, and taken it for one
 * that was never started.
 */
export function isStartUnknown(containerId: string, { calls }: KubeletHistory): boolean {
  return calls.some(
    ({ verb, id, answeredMs }) => verb === 'startContainer' && id === containerId && answeredMs === undefined,
  );
}
