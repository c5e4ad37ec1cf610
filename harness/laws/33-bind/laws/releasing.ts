import { hasEnded } from '../../../api/predicates.ts';
import { lawAbout } from '../../../testing/holds.ts';
import type { Reservation, SchedulerHistory } from '../history/index.ts';
import { decisionsOf, podName } from '../history/reading.ts';

/**
 * After `reserve`, the scheduler calls `unreserve` unless it binds the pod to that node; in any case, it calls `unreserve`
 * before the next `reserve` of the same pod.
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
    // Reservations of an earlier incarnation ended with it.
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
