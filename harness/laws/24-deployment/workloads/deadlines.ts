import fc from 'fast-check';
import { OTHER_PROCESS, PROCESS } from '../operations.ts';
import { NEVER } from '../oracle/truth.ts';
import {
  calm,
  edit,
  image,
  quick,
  readyIn,
  rolling,
  type ScenarioParts,
  slowSets,
  strike,
  wait,
} from '../scenario/parts.ts';

/*
 * Recipes about the progress of a roll-out and its deadline.
 */

type Parts = fc.Arbitrary<ScenarioParts>;

/** Each step keeps the deadline, but all steps together do not; or old pods are removed slowly. */
export const slowProgress: Parts = fc.boolean().map((goesSlowly) => ({
  deployment: {
    image: 'nginx:1.26',
    replicas: 4,
    strategy: goesSlowly ? rolling(0, 1) : rolling(1, 0),
    minReadySeconds: 0,
    progressDeadlineSeconds: 60,
  },
  pods: goesSlowly ? quick : readyIn(30_000, 40_000),
  steps: [image('1.27', 60_000), ...(goesSlowly ? [slowSets(9_000, 5), wait(20_000)] : [wait(250_000)])],
}));

/** A stuck roll-out gets a deadline, perhaps during a pause. */
export const deadlineLater: Parts = fc.boolean().map((pauses) => ({
  deployment: { image: 'nginx:1.26', replicas: 2, strategy: rolling(1, 0), progressDeadlineSeconds: NEVER },
  pods: calm,
  steps: [
    image('broken', 60_000),
    edit({ edit: 'deadline', seconds: 60 }, 20_000),
    ...(pauses ? [edit({ edit: 'pause' }, 2_000), edit({ edit: 'resume' }, 5_000)] : []),
    wait(150_000),
  ],
}));

/** A roll-out is stuck, and its deadline passes; perhaps some pods become unready from time to time. */
export const stuck: Parts = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.constantFrom(true, true, false), fc.boolean())
  .map(([replicas, flaps, recovers]) => ({
    deployment: {
      image: 'nginx:1.26',
      replicas,
      strategy: rolling(1, 0),
      minReadySeconds: 0,
      progressDeadlineSeconds: 60,
    },
    pods: { ...quick, flappingPercent: flaps ? 80 : 0 },
    steps: [image('broken', 30_000), wait(100_000), ...(recovers ? [image('1.27'), wait(20_000)] : [])],
  }));

/** A roll-out is stuck, and the controller restarts less than a second before the deadline: no timer of before is left. */
export const restartAtDeadline: Parts = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 59_150, max: 59_700 }))
  .map(([replicas, afterMs]) => ({
    deployment: {
      image: 'nginx:1.26',
      replicas,
      strategy: rolling(1, 0),
      minReadySeconds: 0,
      progressDeadlineSeconds: 60,
    },
    bystanders: [],
    pods: quick,
    steps: [
      image('broken', 30_000),
      strike({ fault: 'crash', process: PROCESS, skip: 0, performed: true, restartAfterMs: 20 }, afterMs),
      edit({ edit: 'annotate' }),
      wait(100_000),
    ],
  }));

/** Pods are lost after the roll-out, and come back or are replaced. */
export const lostPods: Parts = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.boolean(), fc.constantFrom(20_000, 90_000))
  .map(([replicas, evicts, forMs]) => ({
    deployment: { image: 'nginx:1.26', replicas, minReadySeconds: 0, progressDeadlineSeconds: 60 },
    bystanders: [],
    pods: { ...quick, failingPercent: evicts ? 70 : 0 },
    steps: [...(evicts ? [] : [edit({ edit: 'lose-pods', forMs }, 20_000)]), wait(150_000)],
  }));

/** A quota rejects all creates of pods for a while. */
export const quota: Parts = fc
  .tuple(fc.boolean(), fc.integer({ min: 8, max: 14 }))
  .map(([atFirst, requests]) => {
    const used = strike({ fault: 'refuse', process: OTHER_PROCESS, reason: 'Forbidden', requests });
    return {
      deployment: { image: 'nginx:1.26', replicas: 2, progressDeadlineSeconds: 60 },
      bystanders: [],
      pods: quick,
      steps: [...(atFirst ? [used] : [wait(20_000), used, image('1.27')]), wait(150_000)],
    };
  });
