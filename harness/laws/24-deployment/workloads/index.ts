import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { PROCESS } from '../operations.ts';
import { type Bystander, type DeploymentScenario, scenarios } from '../scenario/index.ts';
import {
  blind,
  calm,
  edit,
  image,
  quick,
  readyIn,
  refuse,
  rolling,
  type ScenarioParts,
  slowSets,
  strike,
  wait,
  workload,
} from '../scenario/parts.ts';
import * as deadlines from './deadlines.ts';

type Parts = fc.Arbitrary<ScenarioParts>;

/** Three templates in quick succession: two old ReplicaSets, both with pods. */
const succession: Parts = fc
  .tuple(
    fc.integer({ min: 4, max: 7 }),
    // A tenth of so few pods rounds down to 0.
    fc.constantFrom([1, '10%'], [2, 1], [1, 1], ['50%', '10%'], [0, '10%']),
    fc.integer({ min: 900, max: 6_000 }),
    fc.constantFrom('1.28', 'broken', '1.28'),
    fc.constantFrom(0, 0, 3),
  )
  .map(([replicas, [surge = 1, unavailable = 0], soon, last, minReadySeconds]) => ({
    deployment: {
      image: 'nginx:1.26',
      replicas,
      strategy: rolling(surge, unavailable),
      minReadySeconds,
    },
    pods: readyIn(300, 2_000),
    steps: [image('1.27', 10_000), image(last, soon), wait(20_000)],
  }));

/** New pods become ready one by one, while the ReplicaSet controller does not observe its ReplicaSets. */
const staleReports: Parts = fc
  .tuple(fc.integer({ min: 5, max: 7 }), fc.integer({ min: 3, max: 4 }), fc.constantFrom(0, 1))
  .map(([replicas, surge, unavailable]) => ({
    deployment: {
      image: 'nginx:1.26',
      replicas,
      strategy: rolling(surge, unavailable),
      minReadySeconds: 0,
    },
    pods: readyIn(2_000, 6_000),
    replicas: 1,
    steps: [image('1.27', 20_000), slowSets(20_000, 1_000), wait(30_000)],
  }));

/** Old pods become unready while new pods never become ready. */
const flicker: Parts = fc
  .tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 1, max: 3 }))
  .map(([replicas, missing]) => ({
    deployment: {
      image: 'nginx:1.26',
      replicas,
      strategy: rolling(1, missing),
      minReadySeconds: 0,
    },
    pods: { failingPercent: 0, flappingPercent: 60, readyAfterMs: { min: 0, max: 100 } },
    steps: [image('broken', 4_000), wait(20_000)],
  }));

/** The Deployment gets another template while it is paused; perhaps it is resumed. */
const pause: Parts = fc
  .tuple(fc.constantFrom('1.27', 'broken'), fc.boolean(), fc.boolean(), fc.integer({ min: 0, max: 1_500 }))
  .map(([tag, inTheMiddle, resumes, afterMs]) => ({
    deployment: { replicas: 3, image: 'nginx:1.26', strategy: rolling(1, 1) },
    pods: readyIn(300, 1_000),
    steps: [
      ...(inTheMiddle ? [image('1.28', 20_000)] : [wait(20_000)]),
      edit({ edit: 'pause' }, afterMs),
      image(tag, 3_000),
      ...(resumes ? [edit({ edit: 'resume' }, 10_000)] : []),
      wait(5_000),
    ],
  }));

/** The Deployment is paused after its roll-out, and scaled; perhaps it gets another template, too. */
const pausedSize: Parts = fc
  .tuple(fc.constantFrom(0, 1, 4), fc.boolean(), fc.boolean())
  .map(([replicas, changes, resumes]) => ({
    deployment: { replicas: 2, image: 'nginx:1.26' },
    bystanders: [],
    pods: quick,
    steps: [
      edit({ edit: 'pause' }, 60_000),
      edit({ edit: 'scale-at-rest', replicas }, 3_000),
      ...(changes ? [image('1.27', 10)] : []),
      ...(resumes ? [edit({ edit: 'resume' }, 10_000)] : []),
      wait(5_000),
    ],
  }));

/**
 * The name exists, twice: another client uses it, and then a ReplicaSet of the Deployment with another template; or earlier Deployments of
 * the same name left it.
 */
const collision: Parts = fc.boolean().map((byStrangers) => ({
  deployment: { replicas: 2 },
  pods: calm,
  steps: byStrangers
    ? [edit({ edit: 'squat' }, 3_000), image('1.27'), edit({ edit: 'squat', owned: true }, 5), wait(3_000)]
    : [edit({ edit: 'recreate' }, 3_000), edit({ edit: 'recreate' }, 5_000), wait(3_000)],
}));

/** The Deployment is being deleted, or was recreated, which the controller has not observed. An orphan appears. */
const lateOrphan: Parts = fc
  .tuple(fc.boolean(), fc.integer({ min: 1, max: 3_000 }))
  .map(([again, afterMs]) => ({
    pods: calm,
    steps: [
      wait(10_000),
      blind('deployments', 8_000),
      edit({ edit: again ? 'recreate' : 'go' }, 100),
      edit({ edit: 'orphan', dying: false }, 1_500 + afterMs),
      wait(9_000),
    ],
  }));

/** A ReplicaSet that is being deleted becomes selected. */
const dyingOrphan: Parts = fc.constant({
  pods: calm,
  steps: [edit({ edit: 'orphan', dying: true }, 5_000), wait(3_000)],
});

/** An orphan cannot be adopted at first; meanwhile another ReplicaSet replaces it under its name, unobserved. */
const namesake: Parts = fc.integer({ min: 6, max: 9 }).map((requests) => ({
  pods: calm,
  bystanders: [],
  steps: [
    refuse(requests, 20_000),
    edit({ edit: 'orphan', dying: false }),
    blind('replicasets', 8_000, 20),
    edit({ edit: 'replace-orphan' }, 20),
    wait(9_000),
  ],
}));

/** The Deployment is being deleted: its ReplicaSet is removed, a user edits it, and orphans appear. */
const going: Parts = fc.tuple(fc.boolean(), fc.boolean()).map(([edited, finds]) => ({
  pods: calm,
  steps: [
    edit({ edit: 'go' }, 5_000),
    ...(edited ? [image('1.28', 3_000)] : []),
    ...(finds ? [edit({ edit: 'orphan', dying: false }, 1_000)] : []),
    edit({ edit: 'delete-set' }, 3_000),
    wait(3_000),
  ],
}));

/**
 * Another client and the controller both write to one ReplicaSet, which is new or becomes old. The controller may not have
 * observed the other write.
 */
const lostUpdate = (what: 'annotate-set' | 'take-set'): Parts =>
  fc
    .record({
      replicas: fc.integer({ min: 0, max: 4 }),
      isBlind: fc.boolean(),
      last: fc.constantFrom(edit({ edit: 'min-ready', seconds: 3 }, 50), image('1.27', 50)),
    })
    .map(({ replicas, isBlind, last }) => ({
      deployment: { replicas: 2 },
      bystanders: [],
      pods: quick,
      steps: [
        isBlind ? blind('replicasets', 8_000, 40_000) : wait(40_000),
        edit({ edit: what }, 20),
        edit({ edit: 'scale-at-rest', replicas }, 50),
        last,
        wait(9_000),
      ],
    }));

/** The last request is rejected, or gets no response, and no event follows. */
const refusedAtLast: Parts = fc
  .tuple(fc.constantFrom('refused', 'lost', 'not done'), fc.integer({ min: 1, max: 3 }), fc.boolean())
  .map(([how, requests, scales]) => ({
    deployment: { replicas: 2 },
    bystanders: [],
    pods: calm,
    steps: [
      wait(90_000),
      how === 'refused'
        ? refuse(requests)
        : strike({ fault: 'time-out', process: PROCESS, performed: how === 'lost' }),
      scales ? edit({ edit: 'scale-at-rest', replicas: 4 }) : image('1.27'),
      wait(500),
    ],
  }));

/** The last status write is rejected; the availability of the pods is the last event. */
const refusedStatus: Parts = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(1, 2))
  .map(([replicas, requests]) => ({
    deployment: { replicas, image: 'nginx:1.26', minReadySeconds: 0 },
    bystanders: [],
    pods: readyIn(5_000, 5_000),
    steps: [refuse(requests, 4_950), wait(500)],
  }));

/** A user takes the ReplicaSet away, deletes it or scales it, observed or not. */
const byHand: Parts = fc
  .tuple(
    fc.constantFrom('take-set', 'delete-set', 'delete-set', 'scale-set'),
    fc.boolean(),
    fc.constantFrom(0, 5, 7),
  )
  .map(([what, unseen, replicas]) => ({
    deployment: { replicas: 2 },
    pods: calm,
    steps: [
      wait(60_000),
      ...(unseen ? [strike({ fault: 'cut-watches', process: PROCESS })] : []),
      edit(
        what === 'scale-set'
          ? { edit: what, replicas }
          : { edit: what === 'take-set' ? 'take-set' : 'delete-set' },
      ),
      ...(unseen ? [strike({ fault: 'compact' })] : []),
      wait(5_000),
    ],
  }));

/** An equal template, written differently, while the controller observes its ReplicaSets or not. */
const retyped: Parts = fc.tuple(fc.boolean(), fc.boolean()).map(([unseen, empties]) => ({
  deployment: { replicas: 1, image: 'nginx:1.26' },
  pods: calm,
  steps: unseen
    ? [
        wait(20_000),
        blind('replicasets', 8_000),
        image('1.27', 10),
        image('1.28', 500),
        edit({ edit: 'retype', image: 'nginx:1.27', empties }, 500),
        wait(9_000),
      ]
    : [edit({ edit: 'retype', empties }, 20_000), edit({ edit: 'retype', empties }, 20_000), wait(3_000)],
}));

/** ReplicaSets of other controllers, and without a controller. */
const others: Parts = fc
  .subarray<Bystander>(['taken', 'orphan', 'stranger'], { minLength: 2 })
  .map((bystanders) => ({
    deployment: { replicas: 2, image: 'nginx:1.26' },
    bystanders,
    pods: quick,
    steps: [wait(5_000)],
  }));

/** Two ReplicaSets have the first template, or one is too large. */
const twins: Parts = fc
  .constantFrom<readonly Bystander[]>(['twin', 'other-twin'], ['big-twin'])
  .map((bystanders) => ({
    deployment: { replicas: 2, image: 'nginx:1.26' },
    bystanders,
    pods: calm,
    steps: [wait(20_000)],
  }));

/** The Deployment gets an annotation or another minReadySeconds, which its ReplicaSet must copy. */
const copied: Parts = fc.constantFrom(0, 10, 45).map((seconds) => ({
  deployment: { replicas: 2, image: 'nginx:1.26', minReadySeconds: 5 },
  pods: calm,
  steps: [
    edit({ edit: 'annotate' }, 20_000),
    edit({ edit: 'min-ready', seconds }, 10_000),
    image('1.27', 10_000),
    wait(5_000),
  ],
}));

/** From revision 9 to 10, and back, each time later than the deadline of a roll-out. */
const tenth: Parts = fc.constant({
  bystanders: ['eighth' as const],
  deployment: {
    image: 'nginx:1.26',
    replicas: 1,
    revisionHistoryLimit: 10,
    minReadySeconds: 0,
    progressDeadlineSeconds: 30,
  },
  pods: quick,
  steps: [image('1.27', 60_000), image('1.26', 60_000), wait(60_000)],
});

/** The name is so long that the name of a ReplicaSet truncates it. */
const longName: Parts = fc.integer({ min: 243, max: 253 }).map((length) => ({
  deployment: { name: 'w'.repeat(length), image: 'nginx:1.26', replicas: 1 },
  bystanders: [],
  pods: quick,
  steps: [image('1.27', 20_000), wait(20_000)],
}));

/** Random operations, and one workload for each rare situation, without optional parts. */
export const workloads: readonly Workload<DeploymentScenario>[] = [
  { name: 'random operations', scenarios: scenarios(), runs: 30 },
  workload('ReplicaSets of other controllers', others),
  workload('three templates in quick succession', succession, { runs: 8 }),
  workload('late reports', staleReports),
  workload('old pods with flapping readiness', flicker),
  workload('slow progress', deadlines.slowProgress),
  workload('a deadline set later', deadlines.deadlineLater),
  workload('a pause', pause),
  workload('a change of size during a pause', pausedSize),
  workload('a stuck roll-out', deadlines.stuck, { runs: 6 }),
  workload('a restart just before the deadline', deadlines.restartAtDeadline, { runs: 2 }),
  workload('pods lost after the roll-out', deadlines.lostPods),
  workload('an exhausted quota', deadlines.quota),
  workload('a hash collision', collision, { runs: 6 }),
  workload('a late orphan', lateOrphan, { runs: 8 }),
  workload('an orphan being deleted', dyingOrphan, { runs: 2 }),
  workload('an orphan replaced under its name', namesake),
  workload('a Deployment being deleted', going),
  workload('an annotation by another client', lostUpdate('annotate-set')),
  workload('a ReplicaSet taken by another controller', lostUpdate('take-set')),
  workload('a final rejected request', refusedAtLast, { runs: 8 }),
  workload('a final rejected status write', refusedStatus),
  workload('a ReplicaSet changed by hand', byHand, { runs: 8 }),
  workload('an equal template written differently', retyped, { runs: 6 }),
  workload('several ReplicaSets of one template', twins),
  workload('the tenth revision', tenth, { runs: 2 }),
  workload('fields copied from the Deployment', copied, { runs: 2 }),
  workload('a very long name', longName, { runs: 2 }),
];
