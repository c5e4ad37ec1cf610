import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import * as answers from './answers.ts';
import * as collecting from './collecting.ts';
import * as events from './events.ts';
import type { ImagesHistory } from './history.ts';
import * as permission from './permission.ts';
import { fullName, policyOf, type Reading, readingOf } from './reading.ts';
import * as waiting from './waiting.ts';

/** What is read off one life. */
type Check = (reading: Reading) => readonly Violation[];

/** @param situation what the law speaks of: "There was never …" */
function law(check: Check, situation: string, isMet: (reading: Reading) => boolean): Law<ImagesHistory> {
  const read = (history: ImagesHistory): Reading => readingOf(history);
  return lawAbout({ name: situation, isMet: (history) => isMet(read(history)) }, (history) =>
    check(read(history)),
  );
}

/**
 * Safety. A pull only where the policy wants one, and no image without one where it does.
 *
 * The laws of an image manager. Safety laws say what never happens; what is owed is done as soon as it can be.
 */
export const obeys = law(answers.obeys, 'a pod that used what was there', ({ asks }) =>
  asks.some(
    ({ imageRef, pulls, pod }) =>
      imageRef !== undefined && pulls.length === 0 && policyOf(pod) === 'IfNotPresent',
  ),
);

/** Safety. Each refusal has the reason and the message that belong to what went wrong. */
export const saysWhy = law(answers.saysWhy, 'a pod that was refused', ({ asks }) =>
  asks.some(({ refusal }) => refusal),
);

/** Safety. Events tell what came of each ask. */
export const tells = law(events.tells, 'a pull that succeeded', ({ asks }) =>
  asks.some(({ pulls, imageRef }) => imageRef !== undefined && pulls.length > 0),
);

/** Safety. The pod's credentials, most specific first, then the node's, until one can pull. */
export const triesEach = law(
  answers.triesEach,
  'a pull for which there were several credentials',
  ({ asks }) => asks.some(({ pulls }) => pulls.length > 1),
);

/** Safety, and owed. After each failure a pod waits twice as long. */
export const backsOff = law(waiting.backsOff, 'a pod that was refused a second pull', (reading) =>
  waiting
    .byPod(reading)
    .some(
      (asks) => asks.filter(({ pulls, imageRef }) => pulls.length > 0 && imageRef === undefined).length > 1,
    ),
);

/** Safety. Never two pulls at once. */
export const oneAtATime = law(
  waiting.withinLimit,
  'a pull that another pod had to wait for',
  ({ asks, history }) =>
    history.scenario.configuration.serializeImagePulls !== false &&
    asks.some(({ pulls: [first], beganMs }) => first && first.beganMs - beganMs > 500),
);

/** Owed. What needs no pull, or is wanted no more, waits for no pull. */
export const independent = law(waiting.independent, 'a pod that was deleted while it waited', ({ asks }) =>
  asks.some(({ givenUpMs }) => givenUpMs !== undefined),
);

/** Owed. An ask that waits gets its turn as soon as there is one. */
export const goesOn = law(waiting.goesOn, 'a pull that came after one that failed', ({ calls }) =>
  calls.some(
    ({ verb, error, ended = 0, incarnation }) =>
      verb === 'pullImage' &&
      error !== undefined &&
      calls.some(
        (other) => other.verb === 'pullImage' && other.incarnation === incarnation && other.began > ended,
      ),
  ),
);

/** Safety. Pulls come no faster than they may. */
export const throttled = law(waiting.throttled, 'a pull that came too fast', ({ asks }) =>
  asks.some(({ refusal }) => answers.isThrottled(refusal)),
);

/** Safety. What a container was made from stays, and what is pinned. */
export const sparesUsed = law(
  collecting.sparesUsed,
  'an image that went while another was in use',
  collecting.someRemovalBesideUse,
);

/** Safety. What this kubelet has not known for long stays. */
export const sparesYoung = law(
  collecting.sparesYoung,
  'a collection after a restart on a full disk',
  (reading) =>
    reading.incarnations.size > 1 &&
    collecting.someRun(reading, ({ wanted, removed }) => wanted > 0 && removed === 0),
);

/** Safety. Images go only when the disk is too full, and no more of them than it takes. */
export const removesNoMore = law(
  collecting.removesNoMore,
  'a collection on a disk that was not full',
  (reading) =>
    collecting.someRun(reading, ({ wanted, ended }) => ended && wanted <= 0) &&
    collecting.someRun(reading, ({ removed }) => removed > 0),
);

/** Safety. What has not been used for longest goes first. */
export const longestUnusedFirst = law(
  collecting.longestUnusedFirst,
  'an image that went before another one that could go',
  collecting.someChoice,
);

/** Owed. A collection frees enough, or says that it could not. */
export const freesEnough = law(collecting.freesEnough, 'a collection that could not free enough', (reading) =>
  reading.runs.some(({ error }) => error?.startsWith('Insufficient')),
);

/** Safety. Nothing is pulled, removed or written unless it is asked for. */
export const quiet = law(collecting.quiet, 'a name that is none', ({ asks }) =>
  asks.some(({ pod }) => fullName(pod.image) === undefined),
);

/** ★ Safety. No pod runs a private image that is there, unless it could have pulled it. */
export const verifies = law(
  permission.verifies,
  'a pod that was to prove that it may have an image',
  ({ asks }) => asks.some(({ refusal, pulls }) => refusal !== undefined && pulls.length > 0),
);

/** ★ Owed. What a pod may use and is there is used, and not pulled again. */
export const trusts = law(permission.trusts, 'a pod that used what another had pulled', ({ asks }) =>
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

/** ★ Safety. Never more pulls at once than there may be. */
export const withinLimit = law(waiting.withinLimit, 'a moment with several pulls', severalPulls);

/** ★ Owed. As many pulls at once as there may be, if so many are wanted. */
export const usesLimit = law(waiting.goesOn, 'a moment with several pulls', severalPulls);
