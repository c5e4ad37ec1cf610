import { lawAbout, type Violation } from '../../testing/holds.ts';
import type { KubeletHistory, RuntimeCall } from './history.ts';
import { isStartUnknown, knownOf, type Law, violation } from './reading.ts';

/**
 * Safety. Of a pod that was not deleted, the newest sandbox is kept, and the newest attempt at each container: they say what
 * has become of it.
 *
 * What is kept, what is left, and what is left alone.
 */
export const keepsTheNewest: Law = lawAbout(
  {
    name: 'a container that was removed',
    isMet: ({ machine }) => machine.containers.some(({ removedMs }) => removedMs < Number.POSITIVE_INFINITY),
  },
  (history) => {
    const { machine, pods, calls } = history;
    const isLive = (uid: string, atMs: number): boolean =>
      knownOf(history, uid, { atMs, forMs: 5_000 }).every((pod) => pod && !pod.metadata.deletionTimestamp);
    // A runtime itself may clean up, when the machine has lost its power.
    const isAsked = (atMs: number, ...ids: readonly string[]): boolean =>
      calls.some(({ verb, id, sentMs }) => verb.startsWith('remove') && ids.includes(id) && sentMs <= atMs);
    const violations: Violation[] = [];
    for (const { uid, id, removedMs, readyMs } of machine.sandboxes) {
      // One that never was ready may go.
      if (readyMs === Number.POSITIVE_INFINITY) continue;
      const pod = pods.of(uid)?.last;
      if (
        !pod ||
        removedMs === Number.POSITIVE_INFINITY ||
        !isLive(uid, removedMs) ||
        !isAsked(removedMs, id)
      )
        continue;
      if (machine.sandboxesOf(uid, removedMs).some((each) => each.readyMs > readyMs)) continue;
      violations.push(
        violation(removedMs, pod, `removed its newest sandbox ${id}, which its status still needs`),
      );
    }
    for (const { uid, id, sandboxId, name, removedMs, createdMs, startedMs } of machine.containers) {
      const pod = pods.of(uid)?.last;
      const isMain = pod?.spec.containers.some((each) => each.name === name);
      if (!pod || !isMain || startedMs === Number.POSITIVE_INFINITY || removedMs === Number.POSITIVE_INFINITY)
        continue;
      if (!isLive(uid, removedMs) || !isAsked(removedMs, id, sandboxId) || isStartUnknown(id, history))
        continue;
      if (
        machine.attempts(uid, name).some((each) => each.createdMs > createdMs && each.createdMs <= removedMs)
      )
        continue;
      violations.push(
        violation(
          removedMs,
          pod,
          `removed ${id}, the newest attempt of ${name}, which its status still needs`,
        ),
      );
    }
    return violations;
  },
);

/** Owed. When all is as it should be and nothing happens, the kubelet writes nothing, and starts and stops nothing. */
export const quiet: Law = (history) => {
  const { from, to } = history.quietMs;
  const during = (atMs: number): boolean => atMs > from && atMs <= to;
  return [
    ...history.writes
      .filter(({ atMs }) => during(atMs))
      .map(({ atMs, object: pod, verb }) =>
        violation(atMs, pod, `wrote it (${verb}), although nothing has changed since ${from} ms`),
      ),
    ...history.requests
      .filter(({ verb, sentMs, resource }) => !READS.has(verb) && resource === 'pods' && during(sentMs))
      .map(({ sentMs, verb, name }) => ({
        atMs: sentMs,
        message: `the kubelet sent ${verb} ${name}, although nothing has changed since ${from} ms`,
      })),
    ...history.calls
      .filter(
        ({ verb, sentMs, id }) =>
          OPERATIONS.has(verb) && during(sentMs) && !isCleaningUp(verb, id, sentMs, history),
      )
      .map(({ sentMs, verb, id }) => ({
        atMs: sentMs,
        message: `the kubelet called ${verb} ${id}, although nothing has changed since ${from} ms`,
      })),
  ];
};

/** Before a sandbox that is dead is removed it is stopped once more. */
function isCleaningUp(verb: string, id: string, atMs: number, { machine }: KubeletHistory): boolean {
  return verb === 'stopPodSandbox' && !machine.isReady(id, atMs);
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** What the kubelet asks of the runtime to change something. What is dead it may remove at any time. */
const OPERATIONS: ReadonlySet<RuntimeCall['verb']> = new Set([
  'runPodSandbox',
  'stopPodSandbox',
  'createContainer',
  'startContainer',
  'stopContainer',
]);

/** So long it may take to end what it is in the middle of. */
const ENDED_WITHIN_MS = 1_000;

/** Safety. When the kubelet was told to stop, it ends what it is in the middle of, and asks for nothing more. */
export const stops: Law = ({ requests, calls, stoppedMs }) =>
  [
    ...requests.map(({ sentMs, verb, resource }) => ({
      sentMs,
      what: `sent a request (${verb} ${resource})`,
    })),
    ...calls.map(({ sentMs, verb, id }) => ({
      sentMs,
      what: `called the runtime (${[verb, id].join(' ').trim()})`,
    })),
  ]
    .filter(({ sentMs }) => sentMs > stoppedMs + ENDED_WITHIN_MS)
    .map(({ sentMs, what }) => ({
      atMs: sentMs,
      message: `the kubelet still ${what} ${Math.round(sentMs - stoppedMs)} ms after context.signal was aborted; each of its loops must end when the signal is aborted, also during a sleep`,
    }));

/** Owed. Once faults stop, all comes to be as it should. */
export const comesToRest: Law = ({ restedMs, healedMs, machine }) => {
  if (restedMs !== undefined) return [];
  const last = machine.events.slice(-3).map(({ event, pod }) => `${event} of ${pod?.name}`);
  return [
    {
      atMs: healedMs,
      message: `the node did not reach its desired state after the faults; the last events on the machine: ${last.join(', ')}`,
    },
  ];
};
