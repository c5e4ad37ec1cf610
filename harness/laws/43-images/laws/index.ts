import { type Law, lawAbout, type Violation } from '../../../testing/holds.ts';
import type { ImagesHistory } from '../history.ts';
import { fullName, policyOf, type Reading, readingOf } from '../oracle/reading.ts';
import * as answers from './answers.ts';
import * as collecting from './collecting.ts';
import * as events from './events.ts';
import * as permission from './permission.ts';
import * as waiting from './waiting.ts';

/** Finds the violations of a law in one run. */
type Check = (reading: Reading) => readonly Violation[];

/** @param situation - completes "There was never …" in the message about a law without a situation */
function law(check: Check, situation: string, isMet: (reading: Reading) => boolean): Law<ImagesHistory> {
  const read = (history: ImagesHistory): Reading => readingOf(history);
  return lawAbout({ name: situation, isMet: (history) => isMet(read(history)) }, (history) =>
    check(read(history)),
  );
}

/** Safety. An image is pulled if the policy requires a pull, and only then. */
export const followsPolicy = law(answers.followsPolicy, 'a pod that used a present image', ({ asks }) =>
  asks.some(
    ({ imageRef, pulls, pod }) =>
      imageRef !== undefined && pulls.length === 0 && policyOf(pod) === 'IfNotPresent',
  ),
);

/** Safety. Each refusal has the reason and the message of its cause. */
export const rightReason = law(answers.rightReason, 'a pod that was refused', ({ asks }) =>
  asks.some(({ refusal }) => refusal),
);

/** Safety. The events about a container report the outcome of each request. */
export const emitsEvents = law(events.emitsEvents, 'a pull that succeeded', ({ asks }) =>
  asks.some(({ pulls, imageRef }) => imageRef !== undefined && pulls.length > 0),
);

/** Safety. A pull tries the credentials of the pod, most specific first, then those of the node, until one succeeds. */
export const triesEach = law(answers.triesEach, 'a pull with several credentials', ({ asks }) =>
  asks.some(({ pulls }) => pulls.length > 1),
);

/** Safety and liveness. A pod waits twice as long after each failure. */
export const backsOff = law(waiting.backsOff, 'a pod whose pull failed twice', (reading) =>
  waiting
    .byPod(reading)
    .some(
      (asks) => asks.filter(({ pulls, imageRef }) => pulls.length > 0 && imageRef === undefined).length > 1,
    ),
);

/** Safety. Two pulls never overlap. */
export const oneAtATime = law(
  waiting.withinLimit,
  'a pull that another pod had to wait for',
  ({ asks, history }) =>
    history.scenario.configuration.serializeImagePulls !== false &&
    asks.some(({ pulls: [first], beganMs }) => first && first.beganMs - beganMs > 500),
);

/** Liveness. A request without a pull never waits for pulls, and a deleted pod never waits. */
export const independent = law(waiting.independent, 'a pod that was deleted while it waited', ({ asks }) =>
  asks.some(({ givenUpMs }) => givenUpMs !== undefined),
);

/** Liveness. The next pull starts when the previous one has succeeded, failed or been aborted. */
export const neverStalls = law(waiting.neverStalls, 'a pull after a failed pull', ({ calls }) =>
  calls.some(
    ({ verb, error, ended = 0, incarnation }) =>
      verb === 'pullImage' &&
      error !== undefined &&
      calls.some(
        (other) => other.verb === 'pullImage' && other.incarnation === incarnation && other.began > ended,
      ),
  ),
);

/** Safety. Pulls start no faster than the limiter allows. */
export const rateLimit = law(waiting.rateLimit, 'a pull that exceeded the rate limit', ({ asks }) =>
  asks.some(({ refusal }) => answers.isThrottled(refusal)),
);

/** Safety. An image of a container, or a pinned image, is never removed. */
export const keepsUsed = law(
  collecting.keepsUsed,
  'a removal of an image while another one was in use',
  collecting.someRemovalBesideUse,
);

/** Safety. An image that this kubelet has not known for long enough is never removed. */
export const keepsNew = law(
  collecting.keepsNew,
  'a collection after a restart on a full disk',
  (reading) =>
    reading.incarnations.size > 1 &&
    collecting.someRun(reading, ({ wanted, removed }) => wanted > 0 && removed === 0),
);

/** Safety. Images are removed only if the disk is too full, and only as many as necessary. */
export const noExcess = law(
  collecting.noExcess,
  'a collection on a disk that was not full',
  (reading) =>
    collecting.someRun(reading, ({ wanted, ended }) => ended && wanted <= 0) &&
    collecting.someRun(reading, ({ removed }) => removed > 0),
);

/** Safety. The image that has been unused for longest is removed first. */
export const longestUnusedFirst = law(
  collecting.longestUnusedFirst,
  'a choice between two images that could be removed',
  collecting.someChoice,
);

/** Liveness. A collection frees enough space, or reports that it could not. */
export const freesEnough = law(collecting.freesEnough, 'a collection that could not free enough', (reading) =>
  reading.runs.some(({ error }) => error?.startsWith('Insufficient')),
);

/** Safety. The manager pulls, removes and writes only during a request or a collection. */
export const quiet = law(collecting.quiet, 'an invalid image name', ({ asks }) =>
  asks.some(({ pod }) => fullName(pod.image) === undefined),
);

/** ★ Safety. No pod gets a present private image unless it could have pulled it. */
export const verifies = law(
  permission.verifies,
  'a pod that had to prove its access to an image',
  ({ asks }) => asks.some(({ refusal, pulls }) => refusal !== undefined && pulls.length > 0),
);

/** ★ Liveness. The kubelet does not pull an image again that is on the node and that the pod may use. */
export const trusts = law(permission.trusts, 'a pod that used the image of another pod', ({ asks }) =>
  asks.some(({ imageRef, pulls }) => imageRef !== undefined && pulls.length === 0),
);

const severalPulls = ({ calls, history }: Reading): boolean =>
  (history.scenario.configuration.maxParallelImagePulls ?? 0) > 1 &&
  calls.some(
    (one) =>
      one.verb === 'pullImage' &&
      calls.some(
        ({ verb, incarnation, began }) =>
          verb === 'pullImage' &&
          incarnation === one.incarnation &&
          began > one.began &&
          began < (one.ended ?? 0),
      ),
  );

/** ★ Safety. No more pulls run at once than `maxParallelImagePulls`. */
export const withinLimit = law(waiting.withinLimit, 'a moment with several pulls', severalPulls);

/** ★ Liveness. No pull waits while fewer than `maxParallelImagePulls` run. */
export const usesLimit = law(waiting.neverStalls, 'a moment with several pulls', severalPulls);
