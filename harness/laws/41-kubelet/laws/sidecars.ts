import type { Pod } from '../../../api/objects.ts';
import { lawAbout } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import type { ContainerHistory } from '../history/machine.ts';
import { isSidecar } from '../oracle/truth.ts';
import { endsInTime } from './ending.ts';
import { initsOf, type Law, starts, violation } from './reading.ts';
import { initsInOrder } from './running.ts';

/** Safety. A sidecar starts before the next init container, and before the containers. */
export const sidecarsInOrder: Law = lawAbout(
  {
    name: 'a container that started while a sidecar ran that serves it',
    isMet: (history) =>
      starts(history).some(({ container, pod }) =>
        hasRunningSidecar(pod, container, container.startedMs, history),
      ),
  },
  initsInOrder,
);

/** Safety. A deleted pod with sidecars stops within its grace period. */
export const sidecarsEndInTime: Law = lawAbout(
  {
    name: 'a pod that was deleted while a sidecar and a container that it serves ran',
    isMet: (history) =>
      history.pods.all.some(({ versions }) => {
        const deleted = versions.find(({ object }) => object?.metadata.deletionTimestamp !== undefined);
        if (!deleted?.object) return false;
        const { atMs, object: pod } = deleted;
        return history.machine
          .running(pod.metadata.uid, atMs)
          .some((container) => hasRunningSidecar(pod, container, atMs, history));
      }),
  },
  endsInTime,
);

/**
 * Safety. A sidecar gets SIGTERM after the containers and the sidecars after it have stopped. It does not wait for programs that
 * ignore SIGTERM.
 */
export const sidecarsStopLast: Law = lawAbout(
  {
    name: 'a sidecar that got SIGTERM after a container that it serves had run',
    isMet: (history) =>
      partings(history).some(({ pod, sidecar, atMs }) =>
        history.machine
          .of(sidecar.uid)
          .some((each) => isServedBy(sidecar.name, each.name, pod) && each.startedMs <= atMs),
      ),
  },
  (history) =>
    partings(history).flatMap(({ pod, sidecar, atMs }) => {
      const left = history.machine
        .running(sidecar.uid, atMs)
        .find((each) => isServedBy(sidecar.name, each.name, pod) && !isDeaf(each, history));
      if (!left) return [];
      return [
        violation(
          atMs,
          pod,
          `sent SIGTERM to the sidecar ${sidecar.name} while ${left.name}, which it serves, still ran`,
        ),
      ];
    }),
);

/** Whether a sidecar of the pod runs that serves this container. */
function hasRunningSidecar(
  pod: Pod,
  { uid, name }: ContainerHistory,
  atMs: number,
  { machine }: KubeletHistory,
): boolean {
  return initsOf(pod).some(
    (each) =>
      isSidecar(each) &&
      isServedBy(each.name, name, pod) &&
      machine.running(uid, atMs).some((other) => other.name === each.name),
  );
}

interface Parting {
  readonly pod: Pod;
  readonly sidecar: ContainerHistory;
  readonly atMs: number;
}

/** Returns each SIGTERM of a sidecar. */
function partings({ signals, machine, pods }: KubeletHistory): readonly Parting[] {
  return signals.flatMap(({ containerId, atMs }) => {
    const container = machine.containers.find(({ id }) => id === containerId);
    const pod = container && pods.of(container.uid)?.last;
    const isOne = pod && initsOf(pod).some((each) => each.name === container.name && isSidecar(each));
    return isOne ? [{ pod, sidecar: container, atMs }] : [];
  });
}

/** Whether a sidecar serves this container: a container of `spec.containers`, or a sidecar that starts later. */
export function isServedBy(sidecar: string, name: string, pod: Pod): boolean {
  const sidecars = initsOf(pod).filter(isSidecar);
  const own = sidecars.findIndex((each) => each.name === sidecar);
  return (
    pod.spec.containers.some((each) => each.name === name) ||
    sidecars.findIndex((each) => each.name === name) > own
  );
}

/** Whether the program of a container ignores SIGTERM. */
function isDeaf({ uid, name }: ContainerHistory, { plans }: KubeletHistory): boolean {
  const plan = plans.get(uid);
  const all = [...(plan?.inits ?? []), ...(plan?.containers ?? [])];
  return all.find((each) => each.name === name)?.onTerm === 'ignores';
}
