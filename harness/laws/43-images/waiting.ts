import type { Violation } from '../../testing/holds.ts';
import { isThrottled, violation } from './answers.ts';
import {
  type AskRead,
  type CallRead,
  fullName,
  isThereThroughout,
  policyOf,
  type Reading,
} from './reading.ts';

/** When a manager pulls, and what waits for what. */

const INITIAL_MS = 10_000;
const MAX_MS = 300_000;
const FORGOTTEN_MS = 600_000;
/** What needs only a few calls is done by then. */
export const SOON_MS = 2_000;

/** A failure, as precisely as it is known: when it was, and how long the pod waits after it. */
interface Failure {
  readonly fromMs: number;
  readonly toMs: number;
  readonly waits: readonly number[];
}

/** What is known of the back-off that each ask finds; nothing where there was no failure before. */
function failuresBefore(reading: Reading): ReadonlyMap<AskRead, Failure> {
  const known = failuresOf.get(reading);
  if (known) return known;
  const failures = new Map<AskRead, Failure>();
  for (const asks of byPod(reading)) {
    let last: Failure | undefined;
    for (const ask of asks) {
      if (last) failures.set(ask, last);
      last = failureOf(ask, last) ?? last;
    }
  }
  failuresOf.set(reading, failures);
  return failures;
}

const failuresOf = new WeakMap<Reading, ReadonlyMap<AskRead, Failure>>();

function failureOf(
  { refusal, pulls, beganMs, endedMs }: AskRead,
  before: Failure | undefined,
): Failure | undefined {
  const failed = pulls.length > 0 ? pulls.every(({ result }) => result === undefined) : isThrottled(refusal);
  if (!failed || endedMs === undefined) return undefined;
  const fromMs = pulls.at(-1)?.endedMs ?? beganMs;
  const waits = new Set<number>();
  if (!before || endedMs - before.fromMs > FORGOTTEN_MS) waits.add(INITIAL_MS);
  if (before && fromMs - before.toMs <= FORGOTTEN_MS) {
    for (const wait of before.waits) waits.add(Math.min(2 * wait, MAX_MS));
  }
  return { fromMs, toMs: endedMs, waits: [...waits] };
}

/** Safety, and owed. After each failure a pod waits twice as long, to the millisecond, and no pod waits for another's failure. */
export function backsOff(reading: Reading): readonly Violation[] {
  return byPod(reading).flatMap((asks) =>
    asks.flatMap((ask) => {
      const { pod, pulls, refusal, beganMs } = ask;
      const failure = failuresBefore(reading).get(ask);
      const [first] = pulls;
      if (first && failure && first.beganMs < failure.fromMs + Math.min(...failure.waits)) {
        const sinceMs = first.beganMs - failure.toMs;
        return violation(
          first.beganMs,
          `the manager pulled ${pod.image} for ${pod.name} again ${sinceMs} ms after the pull had failed; its back-off is ${failure.waits.join(' or ')} ms: ${RULE}`,
        );
      }
      if (refusal?.reason !== 'ImagePullBackOff' || ask.givenUpMs !== undefined) return [];
      if (!failure)
        return violation(
          ask.endedMs,
          `the manager refused ${pod.name} with ImagePullBackOff, although no pull of ${pod.image} has failed for this pod${lastAnswer(asks, ask)}: a back-off belongs to one pod and one image, and only a failed pull begins it`,
        );
      if (beganMs < failure.toMs + Math.max(...failure.waits)) return [];
      const sinceMs = beganMs - failure.fromMs;
      return violation(
        ask.endedMs,
        `the manager still refused ${pod.name} with ImagePullBackOff ${sinceMs} ms after its pull had failed; its back-off is ${failure.waits.join(' or ')} ms: ${RULE}`,
      );
    }),
  );
}

const RULE = `${INITIAL_MS} ms after the first failure, and after one that is more than ${FORGOTTEN_MS} ms old; otherwise twice the back-off before, at most ${MAX_MS} ms`;

/** The last refusal of a pod before an ask. */
function lastAnswer(asks: readonly AskRead[], ask: AskRead): string {
  const before = asks.slice(0, asks.indexOf(ask)).findLast(({ refusal }) => refusal);
  return before?.refusal
    ? `; it was refused before with ${before.refusal.reason} "${before.refusal.message}"`
    : '';
}

/** The asks of each pod for each image, in each life of the kubelet. */
export function byPod(reading: Reading): readonly (readonly AskRead[])[] {
  const known = groupsOf.get(reading);
  if (known) return known;
  const groups = new Map<string, AskRead[]>();
  for (const ask of reading.asks) {
    const key = `${ask.incarnation} ${ask.pod.uid} ${ask.pod.image}`;
    const group = groups.get(key);
    if (group) group.push(ask);
    else groups.set(key, [ask]);
  }
  groupsOf.set(reading, [...groups.values()]);
  return [...groups.values()];
}

const groupsOf = new WeakMap<Reading, readonly (readonly AskRead[])[]>();

/** Whether a pod's ask finds it in back-off, as far as can be told. */
export function isInBackOff(reading: Reading, ask: AskRead): boolean {
  const failure = failuresBefore(reading).get(ask);
  return failure !== undefined && ask.beganMs < failure.fromMs + Math.min(...failure.waits) - 100;
}

/** Safety. Never more pulls at once than there may be. */
export function withinLimit(reading: Reading): readonly Violation[] {
  const { serializeImagePulls = true, maxParallelImagePulls = Number.POSITIVE_INFINITY } =
    reading.history.scenario.configuration;
  const max = serializeImagePulls ? 1 : maxParallelImagePulls;
  const pulls = reading.calls.filter(({ verb }) => verb === 'pullImage');
  return pulls.flatMap((pull) => {
    const others = pulls.filter(
      (other) =>
        other.incarnation === pull.incarnation && other.began <= pull.began && endOf(other) > pull.began,
    );
    if (others.length <= max) return [];
    const images = others.map(({ args }) => (args[0] as { image: string }).image);
    return [
      {
        atMs: pull.beganMs,
        message: `the manager pulled ${images.join(' and ')} at the same time; at most ${max} pulls may run at once`,
      },
    ];
  });
}

function endOf({ ended = Number.POSITIVE_INFINITY }: CallRead): number {
  return ended;
}

/** Owed. What needs no pull, and what is wanted no more, waits for no pull. */
export function independent(reading: Reading): readonly Violation[] {
  return reading.asks.flatMap((ask) => {
    const { pod } = ask;
    const endMs =
      ask.endedMs ?? Math.min(reading.endMs, reading.incarnations.get(ask.incarnation)?.toMs ?? 0);
    if (ask.givenUpMs !== undefined) {
      const late = ask.pulls.find(({ began }) => began > (ask.givenUp ?? 0));
      if (late)
        return violation(
          late.beganMs,
          `the manager pulled ${pod.image} for ${pod.name}, although that pod had been deleted before (its signal was aborted)`,
        );
      if (endMs - ask.givenUpMs <= SOON_MS) return [];
      return violation(
        ask.givenUpMs + SOON_MS,
        `${pod.name} was deleted (its signal was aborted), but ensureImageExists for ${pod.image} has not ended ${SOON_MS} ms later`,
      );
    }
    if (!needsNoPull(reading, ask) || endMs - ask.beganMs <= SOON_MS) return [];
    return violation(
      ask.beganMs + SOON_MS,
      `${pod.name} needs no pull of ${pod.image}, but got no answer within ${SOON_MS} ms: only pulls may wait for other pulls`,
    );
  });
}

export function needsNoPull(reading: Reading, ask: AskRead): boolean {
  const { pod, began } = ask;
  if (fullName(pod.image) === undefined || policyOf(pod) === 'Never') return true;
  if (pod.isUnreadable || isInBackOff(reading, ask)) return true;
  const trusts =
    reading.history.scenario.configuration.imagePullCredentialsVerificationPolicy === 'NeverVerify';
  return (
    trusts &&
    policyOf(pod) === 'IfNotPresent' &&
    isThereThroughout(reading, pod.image, began, ask.ended ?? reading.history.entries.length)
  );
}

/** Owed. An ask that waits for its pull gets its turn as soon as there is one. */
export function goesOn(reading: Reading): readonly Violation[] {
  const { serializeImagePulls = true, maxParallelImagePulls = Number.POSITIVE_INFINITY } =
    reading.history.scenario.configuration;
  const max = serializeImagePulls ? 1 : maxParallelImagePulls;
  const pulls = reading.calls.filter(({ verb }) => verb === 'pullImage');
  return reading.asks.flatMap((ask) => {
    if (ask.givenUpMs !== undefined || (ask.endedMs ?? Number.POSITIVE_INFINITY) - ask.beganMs <= SOON_MS)
      return [];
    const endMs =
      ask.endedMs ?? Math.min(reading.endMs, reading.incarnations.get(ask.incarnation)?.toMs ?? 0);
    const busy = pulls.filter(
      ({ incarnation, beganMs, endedMs = endMs }) =>
        incarnation === ask.incarnation && beganMs <= endMs && endedMs >= ask.beganMs,
    );
    // The stretches in which nothing that it could wait for was under way.
    const own = ask.pulls.map((pull) => ({
      fromMs: pull.beganMs,
      toMs: pull.endedMs ?? Number.POSITIVE_INFINITY,
    }));
    const edges = [
      ask.beganMs,
      ...busy.flatMap(({ beganMs, endedMs = Number.POSITIVE_INFINITY }) => [beganMs, endedMs]),
      endMs,
    ]
      .filter((ms) => ms >= ask.beganMs && ms <= endMs)
      .sort((a, b) => a - b);
    for (const [i, fromMs] of edges.entries()) {
      const toMs = edges[i + 1] ?? fromMs;
      if (toMs - fromMs <= SOON_MS) continue;
      const isOwn = own.some((pull) => pull.fromMs <= fromMs && pull.toMs >= toMs);
      const under = busy.filter(
        ({ beganMs, endedMs = Number.POSITIVE_INFINITY }) => beganMs <= fromMs && endedMs >= toMs,
      ).length;
      if (isOwn || under >= max) continue;
      return violation(
        fromMs + SOON_MS,
        `${ask.pod.name} has waited ${SOON_MS} ms for ${ask.pod.image} although a pull slot is free${lastPull(pulls, ask, fromMs)}, and nothing was called for it since`,
      );
    }
    return [];
  });
}

function lastPull(pulls: readonly CallRead[], ask: AskRead, atMs: number): string {
  const last = pulls.findLast(
    ({ incarnation, endedMs = Number.POSITIVE_INFINITY }) =>
      incarnation === ask.incarnation && endedMs <= atMs,
  );
  if (!last) return '';
  const { image } = last.args[0] as { image: string };
  return `: the last pull, of ${image}, ${last.error === undefined ? 'succeeded' : 'failed'} at ${last.endedMs} ms`;
}

/** Safety. Pulls come no faster than they may, and are refused for that only if they would. */
export function throttled(reading: Reading): readonly Violation[] {
  const { registryPullQPS: qps = 5, registryBurst: burst = 10 } = reading.history.scenario.configuration;
  if (qps === 0) return [];
  return [...reading.incarnations].flatMap(([incarnation, { fromMs }]) => {
    let [tokens, atMs] = [burst, fromMs];
    const fill = (ms: number): void => {
      tokens = Math.min(burst, tokens + ((ms - atMs) * qps) / 1_000);
      atMs = ms;
    };
    const asks = reading.asks
      .filter((ask) => ask.incarnation === incarnation && (ask.pulls.length > 0 || isThrottled(ask.refusal)))
      .map((ask) => ({ ask, whenMs: ask.pulls[0]?.beganMs ?? ask.events.at(-1)?.atMs ?? ask.beganMs }))
      .sort((a, b) => a.whenMs - b.whenMs);
    return asks.flatMap(({ ask, whenMs }) => {
      fill(whenMs);
      const refused = ask.pulls.length === 0;
      if (refused && tokens >= 1.01)
        return violation(
          whenMs,
          `the manager refused the pull of ${ask.pod.name} with "pull QPS exceeded", although the rate limiter has tokens: ${qps} a second, burst ${burst}`,
        );
      if (refused) return [];
      if (tokens < 0.99)
        return violation(
          whenMs,
          `the manager pulled ${ask.pod.image} faster than registryPullQPS ${qps} with registryBurst ${burst} allows: the limiter has ${tokens.toFixed(2)} tokens, begins with ${burst}, gains ${qps} a second, and each pull takes 1`,
        );
      tokens -= 1;
      return [];
    });
  });
}
