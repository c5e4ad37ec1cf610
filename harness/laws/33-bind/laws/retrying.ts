import type { Node } from '../../../api/objects.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { Attempt, SchedulerHistory } from '../history/index.ts';
import { changesOf, type Law, podName, seconds } from '../history/reading.ts';
import { isWaiting } from '../oracle/truth.ts';
import { pickyPlugins } from '../simulation/filters.ts';

/** Five minutes, after which a pod is retried in any case, a flush interval of 30 s, and a margin. */
const LAST_CHANCE_MS = 300_000 + 30_000 + 5_000;

/** A rejected pod that no event wakes is retried after five minutes. */
export const triesOnceMore = lawAbout<SchedulerHistory>(
  {
    name: 'a pod that waited for five minutes without an event that could help it',
    isMet: (history) => history.attempts.some((attempt) => isOwedOnceMore(history, attempt)),
  },
  (history) =>
    history.attempts.flatMap((attempt): readonly Violation[] => {
      if (!isOwedOnceMore(history, attempt)) return [];
      const dueMs = attempt.atMs + LAST_CHANCE_MS;
      if (isTriedBetween(history, attempt, dueMs)) return [];
      const name = podName(attempt.pod);
      const message = `filters rejected ${name} ${seconds(LAST_CHANCE_MS)} ago, and the scheduler has not retried it since; a pod must not stay in the unschedulable pods for more than five minutes`;
      return [{ atMs: dueMs, message, object: name }];
    }),
);

function isOwedOnceMore(history: SchedulerHistory, { atMs, pod, diagnosis }: Attempt): boolean {
  const { restedMs, quietMs, pods } = history;
  const dueMs = atMs + LAST_CHANCE_MS;
  if (restedMs === undefined || atMs < restedMs || dueMs > quietMs.to) return false;
  if (!diagnosis.unschedulablePlugins.has(pickyPlugins.deaf)) return false;
  const since = pods.of(pod.metadata.uid)?.duringMs(atMs, atMs + 300_000) ?? [];
  return since.every((version) => version && isWaiting(version));
}

function isTriedBetween({ attempts }: SchedulerHistory, { as, pod }: Attempt, untilMs: number): boolean {
  return attempts.some(
    (other) => other.as > as && other.pod.metadata.uid === pod.metadata.uid && other.atMs <= untilMs,
  );
}

/** A pod that an event wakes is tried within this time after the event and the longest backoff. */
const WOKEN_WITHIN_MS = 3_000;
const BACKOFF_MAX_MS = 10_000;

/** Without faults, a hint that throws counts as Queue. */
export const brokenHintsWake: Law = (history) => {
  const { restedMs, quietMs, pods } = history;
  if (restedMs === undefined) return [];
  const relabelled = changesOf(history).filter(
    ({ resource, type, previous, object, atMs }) =>
      resource.plural === 'nodes' &&
      type === 'MODIFIED' &&
      atMs >= restedMs &&
      JSON.stringify((previous as Node).metadata.labels) !== JSON.stringify(object.metadata.labels),
  );
  return history.attempts.flatMap((attempt): readonly Violation[] => {
    const { atMs, pod, diagnosis } = attempt;
    if (atMs < restedMs || !diagnosis.unschedulablePlugins.has(pickyPlugins.broken)) return [];
    const wake = relabelled.find((entry) => entry.atMs > atMs);
    if (!wake) return [];
    const dueMs = Math.max(wake.atMs, atMs + BACKOFF_MAX_MS) + WOKEN_WITHIN_MS;
    const since = pods.of(pod.metadata.uid)?.duringMs(atMs, dueMs) ?? [];
    const stays = since.every((version) => version && isWaiting(version));
    if (!stays || dueMs > quietMs.to || isTriedBetween(history, attempt, dueMs)) return [];
    const name = podName(pod);
    const message = `${name} still waits after ${wake.object.metadata.name} was relabelled: the plugin that rejected it had registered for that event, and its hint throws, which counts as Queue`;
    return [{ atMs: dueMs, message, object: name }];
  });
};
