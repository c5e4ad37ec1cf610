import { hasEnded } from '../../api/predicates.ts';
import { lawAbout } from '../../testing/holds.ts';
import type { Reservation, SchedulerHistory } from './history.ts';
import { decisionsOf, podName } from './reading.ts';

/**
 * What plugins set aside for a pod on a node they are asked to give back, unless the pod is bound to that node; and in any case before
 * they are asked to set something aside for it again.
 */
export const givesBack = lawAbout<SchedulerHistory>(
  {
    name: 'a pod that could not be bound',
    isMet: (history) => decisionsOf(history).some(({ request }) => request.error !== undefined),
  },
  (history) => {
    const lastIncarnation = Math.max(0, ...history.attempts.map(({ incarnation }) => incarnation));
    const held = new Map<string, Reservation>();
    const kept: Reservation[] = [];
    for (const reservation of history.reservations) {
      const { incarnation, pod, what } = reservation;
      const key = `${incarnation} ${pod.metadata.uid}`;
      const before = held.get(key);
      if (what === 'reserve') {
        if (before) kept.push(before);
        held.set(key, reservation);
      } else {
        held.delete(key);
      }
    }
    // What an earlier life set aside went with it.
    const left = [...held.values()].filter(({ incarnation }) => incarnation === lastIncarnation);
    return [...kept, ...left.filter((reservation) => !wasBound(history, reservation))].map(
      ({ atMs, pod, node }) => ({
        atMs,
        message: `the scheduler called reserve for ${podName(pod)} on ${node}, did not bind it there, and never called unreserve`,
        object: podName(pod),
      }),
    );
  },
);

function wasBound({ pods }: SchedulerHistory, { pod, node }: Reservation): boolean {
  const { versions = [] } = pods.of(pod.metadata.uid) ?? {};
  return versions.some(({ object }) => object?.spec.nodeName === node || (object && hasEnded(object)));
}
