import type { PodSandboxConfig } from '../../../contracts/node/cri/index.ts';
import type { Violation } from '../../../testing/holds.ts';
import {
  type AskRead,
  type CallRead,
  fullName,
  isThereThroughout,
  policyOf,
  type Reading,
} from '../oracle/reading.ts';
import { isThrottled, violation } from './answers.ts';

/** The times of pulls, and the waits of pods. */

const INITIAL_MS = 10_000;
const MAX_MS = 300_000;
const FORGOTTEN_MS = 600_000;
/** The time in which a request without a pull must end. */
export const SOON_MS = 2_000;

/** A failed pull: the possible range of its time, and the possible waits after it. */
interface Failure {
  readonly fromMs: number;
  readonly toMs: number;
  readonly waits: readonly number[];
}

/** Returns the failure before each request; a request without one is missing in the map. */
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

/** Safety and liveness. A pod waits twice as long after each failure, to the millisecond, and no other pod waits for it. */
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

/** Describes the last refusal of a pod before a request. */
function lastAnswer(asks: readonly AskRead[], ask: AskRead): string {
  const before = asks.slice(0, asks.indexOf(ask)).findLast(({ refusal }) => refusal);
  return before?.refusal
    ? `; it was refused before with ${before.refusal.reason} "${before.refusal.message}"`
    : '';
}

/** Groups the requests by incarnation of the kubelet, pod and image. */
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

/** Whether a request certainly comes during a back-off. */
export function isInBackOff(reading: Reading, ask: AskRead): boolean {
  const failure = failuresBefore(reading).get(ask);
  return failure !== undefined && ask.beganMs < failure.fromMs + Math.min(...failure.waits) - 100;
}

/** Safety. No more pulls run at once than the configuration allows. */
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

/** Liveness. A request without a pull never waits for pulls, and a deleted pod never waits. */
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
        `${pod.name} was deleted (its signal was aborted) at ${ask.givenUpMs} ms, but its ensureImageExists for ${pod.image} has not ended ${SOON_MS} ms later${waitAfterAbort(reading, ask, ask.givenUpMs)}`,
      );
    }
    if (!needsNoPull(reading, ask) || endMs - ask.beganMs <= SOON_MS) return [];
    return violation(
      ask.beganMs + SOON_MS,
      `${pod.name} needs no pull of ${pod.image}, but got no answer within ${SOON_MS} ms: only pulls may wait for other pulls`,
    );
  });
}

/** Explains the wait of a request that did not end at its abort. */
function waitAfterAbort({ calls }: Reading, { incarnation, pulls }: AskRead, abortMs: number): string {
  const isRunning = ({ beganMs, endedMs = Number.POSITIVE_INFINITY }: CallRead): boolean =>
    beganMs <= abortMs && endedMs > abortMs;
  if (pulls.some(isRunning)) return ': its own pull was running, and pullImage must get the signal';
  const other = calls.find(
    (call) => call.verb === 'pullImage' && call.incarnation === incarnation && isRunning(call),
  );
  if (!other) return '';
  const [{ image }, , sandbox] = other.args as [{ image: string }, unknown, PodSandboxConfig | undefined];
  return `: it was waiting for its turn behind the pull of ${image} for ${sandbox?.metadata.name ?? 'another pod'}, and this wait must end at the abort, too`;
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

/** Liveness. A waiting pull starts as soon as a slot is free. */
export function neverStalls(reading: Reading): readonly Violation[] {
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
    // The times of its own pulls; it does not wait during them.
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

/** Safety. Pulls start no faster than the limiter allows, and are refused for that only if the limiter has no token. */
export function rateLimit(reading: Reading): readonly Violation[] {
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
