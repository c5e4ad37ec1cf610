import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { KubeletHistory, RuntimeCall } from '../history/index.ts';
import { isStartUnknown, knownOf, type Law, violation } from './reading.ts';

/**
 * Safety. The newest sandbox and the newest attempt of each container of a pod that was not deleted are kept: its status needs
 * them.
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
    // After a power failure the runtime itself may remove containers.
    const isAsked = (atMs: number, ...ids: readonly string[]): boolean =>
      calls.some(({ verb, id, sentMs }) => verb.startsWith('remove') && ids.includes(id) && sentMs <= atMs);
    const violations: Violation[] = [];
    for (const { uid, id, removedMs, readyMs } of machine.sandboxes) {
      // The kubelet may remove a sandbox that was never ready.
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

/** Liveness. In the desired state, without events, the kubelet writes, starts and stops nothing. */
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

/** Whether a call stops a dead sandbox again before its removal. */
function isCleaningUp(verb: string, id: string, atMs: number, { machine }: KubeletHistory): boolean {
  return verb === 'stopPodSandbox' && !machine.isReady(id, atMs);
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Runtime calls that change something. The kubelet may remove dead containers and sandboxes at any time. */
const OPERATIONS: ReadonlySet<RuntimeCall['verb']> = new Set([
  'runPodSandbox',
  'stopPodSandbox',
  'createContainer',
  'startContainer',
  'stopContainer',
]);

/** Time for calls in progress to end, besides that of a late list. */
const ENDED_WITHIN_MS = 1_000;

/** Safety. After its signal is aborted the kubelet finishes calls in progress and makes no more. */
export const stops: Law = ({ requests, calls, stoppedMs, scenario: { listsAfterMs = 0 } }) =>
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
    .filter(({ sentMs }) => sentMs > stoppedMs + ENDED_WITHIN_MS + listsAfterMs)
    .map(({ sentMs, what }) => ({
      atMs: sentMs,
      message: `the kubelet still ${what} ${Math.round(sentMs - stoppedMs)} ms after context.signal was aborted; each of its loops must end when the signal is aborted, also during a sleep`,
    }));

/** Liveness. Once faults stop, the node reaches its desired state. */
export const converges: Law = ({ restedMs, healedMs, machine }) => {
  if (restedMs !== undefined) return [];
  const last = machine.events.slice(-3).map(({ event, pod }) => `${event} of ${pod?.name}`);
  return [
    {
      atMs: healedMs,
      message: `the node did not reach its desired state after the faults; the last events on the machine: ${last.join(', ')}`,
    },
  ];
};
