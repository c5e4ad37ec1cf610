import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import type { Law as LawOf, Violation } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import type { ContainerHistory } from '../history/machine.ts';
import { nameOf } from '../oracle/truth.ts';

/** A law of a kubelet. */
export type Law = LawOf<KubeletHistory>;

/** A created container with the last version of its pod. */
export interface Start {
  readonly container: ContainerHistory;
  readonly pod: Pod;
  /** The container in the pod's spec. */
  readonly spec: core.Container | undefined;
}

/** Returns every container that was created for a pod. */
export function made({ machine, pods }: KubeletHistory): readonly Start[] {
  return machine.containers.flatMap((container) => {
    const pod = pods.of(container.uid)?.last;
    return pod ? [{ container, pod, spec: specOf(pod, container.name) }] : [];
  });
}

/** Returns every container that was started. */
export function starts(history: KubeletHistory): readonly Start[] {
  return made(history).filter(({ container }) => container.startedMs < Number.POSITIVE_INFINITY);
}

/** Returns the container of this name in a pod's spec. */
export function specOf(pod: Pod, name: string): core.Container | undefined {
  return [...initsOf(pod), ...pod.spec.containers].find((each) => each.name === name);
}

/** Returns the init containers of a pod, in order. */
export function initsOf({ spec }: Pod): readonly core.Container[] {
  return spec.initContainers ?? [];
}

/**
 * Returns the versions of a pod that the kubelet can have known when it acted at `atMs`, after a decision up to `forMs` before: the
 * version that it had observed then, and each later one. `undefined` stands for a pod that does not exist.
 */
export function knownOf(
  { pods, observed }: KubeletHistory,
  uid: string,
  { atMs, forMs }: { readonly atMs: number; readonly forMs: number },
): readonly (Pod | undefined)[] {
  const past = pods.of(uid);
  const now = past?.versions.findLast((version) => version.atMs <= atMs)?.revision;
  if (!past || now === undefined) return [undefined];
  return past.between(Math.min(observed.atThought(Math.max(0, atMs - forMs)).pods, now), now);
}

/** Builds a violation by the kubelet; the timeline shows the rows of the pod. */
export function violation(atMs: number, pod: Pod, what: string): Violation {
  return { atMs, message: `${nameOf(pod)}: the kubelet ${what}`, object: nameOf(pod) };
}

/**
 * Whether a kubelet crashed before the answer to its startContainer. The next one may have read the runtime before the start, and
 * concluded that the container never started.
 */
export function isStartUnknown(containerId: string, { calls }: KubeletHistory): boolean {
  return calls.some(
    ({ verb, id, answeredMs }) => verb === 'startContainer' && id === containerId && answeredMs === undefined,
  );
}
