import type { Pod } from '../../../api/objects.ts';
import { lawAbout } from '../../../testing/holds.ts';
import type { KubeletHistory } from '../history/index.ts';
import type { ContainerHistory } from '../history/machine.ts';
import { isSidecar } from '../oracle/truth.ts';
import { initsOf, type Law, violation } from './reading.ts';

/**
 * Safety. A sidecar gets SIGTERM after the containers and the sidecars after it have stopped. It does not wait for programs that
 * ignore SIGTERM.
 */
export const sidecarsStopLast: Law = lawAbout(
  {
    name: 'a sidecar that got SIGTERM',
    isMet: (history) => partings(history).length > 0,
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
