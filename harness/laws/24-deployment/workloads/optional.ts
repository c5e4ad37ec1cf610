import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { type DeploymentScenario, scenarios } from '../scenario/index.ts';
import {
  blind,
  calm,
  edit,
  image,
  quick,
  readyIn,
  rolling,
  type ScenarioParts,
  slowSets,
  wait,
  workload,
} from '../scenario/parts.ts';

type Parts = fc.Arbitrary<ScenarioParts>;

const RECREATE = { type: 'Recreate' };

/** A roll-out, stuck or in progress, is paused, and then scaled several times, perhaps before the controller syncs. */
const share: Parts = fc
  .tuple(
    fc.constantFrom(8, 7, 8, 6, 5),
    fc.constantFrom([1, 0], [2, 1], [1, 2], [3, 0]),
    fc.integer({ min: 450, max: 1_250 }),
    fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 3, maxLength: 4 }),
    fc.constantFrom(true, true, false),
    fc.constantFrom(undefined, undefined, rolling(0, 2)),
  )
  .map(([replicas, [surge = 1, unavailable = 0], soon, sizes, isCounted, strategy]) => ({
    deployment: {
      image: 'nginx:1.26',
      replicas,
      strategy: rolling(surge, unavailable),
      minReadySeconds: 0,
    },
    pods: readyIn(300, 600),
    steps: [
      image('1.27', 20_000),
      image('broken', soon),
      edit({ edit: 'pause' }, 20_000),
      ...(strategy === undefined ? [] : [edit({ edit: 'strategy', strategy }, 1_000)]),
      ...(isCounted ? [] : [slowSets(3_000)]),
      ...sizes.map((size) => edit({ edit: 'scale', replicas: size }, isCounted ? 4_000 : 300)),
      wait(5_000),
    ],
  }));

/** A change of size during a roll-out, while the ReplicaSet controller does not observe its ReplicaSets. */
const fewer: Parts = fc
  .tuple(
    fc.integer({ min: 6, max: 9 }),
    fc.integer({ min: 5_500, max: 9_000 }),
    fc.integer({ min: 2_800, max: 3_700 }),
    fc.constantFrom([2, 1], [3, 0], [1, 2]),
    fc.constantFrom(3_000, 6_000),
  )
  .map(([replicas, soon, later, [surge = 0, unavailable = 0], blindMs]) => ({
    deployment: { image: 'nginx:1.26', replicas, strategy: rolling(surge, unavailable), minReadySeconds: 0 },
    bystanders: [],
    pods: readyIn(4_000, 6_000),
    steps: [
      image('1.27', 20_000),
      image('1.28', soon),
      slowSets(blindMs, later),
      edit({ edit: 'scale', replicas: replicas - 2 }, 10),
      wait(20_000),
    ],
  }));

/**
 * A roll-out is stuck. A user scales the old ReplicaSet and the Deployment down, while the controller observes no ReplicaSets: the rest
 * makes one of the two ReplicaSets grow although the other shrinks.
 */
const leftOver: Parts = fc.tuple(fc.integer({ min: 9, max: 11 }), fc.boolean()).map(([replicas, more]) => ({
  deployment: { image: 'nginx:1.26', replicas, strategy: rolling(3, 0), minReadySeconds: 0 },
  bystanders: [],
  pods: quick,
  steps: [
    image('broken', 20_000),
    blind('replicasets', 8_000, 20_000),
    edit({ edit: 'scale-old', replicas: more ? 3 : 2 }, 100),
    edit({ edit: 'scale', replicas: replicas - 5 }, 20),
    wait(20_000),
  ],
}));

/** ★ Workloads that scale a Deployment during a roll-out or a pause. */
export const sizeWorkloads: readonly Workload<DeploymentScenario>[] = [
  { name: 'random operations and changes of size', scenarios: scenarios(['size']), runs: 12 },
  workload('a share of the size', share, { runs: 18, parts: ['size'] }),
  workload('fewer replicas during a roll-out', fewer, { runs: 14, parts: ['size'] }),
  workload('an old ReplicaSet scaled by hand', leftOver, { parts: ['size'] }),
];

/** Two ReplicaSets have pods when a paused roll-out gets another strategy and another size. */
const recreateScaled: Parts = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.constantFrom(1, 5))
  .map(([replicas, size]) => ({
    deployment: { image: 'nginx:1.26', replicas, strategy: rolling(1, 1) },
    pods: calm,
    steps: [
      image('broken', 60_000),
      edit({ edit: 'pause' }, 10_000),
      edit({ edit: 'strategy', strategy: RECREATE }),
      edit({ edit: 'scale', replicas: size }),
      edit({ edit: 'resume' }, 1_000),
      wait(3_000),
    ],
  }));

/** Recreate with an unreachable node, evicted pods, slow pods, or late watches. */
const recreateSlow: Parts = fc
  .tuple(fc.constantFrom('lost', 'evicted', 'slow', 'unheard'), fc.integer({ min: 2, max: 4 }), fc.boolean())
  .map(([how, replicas, again]) => ({
    deployment: { image: 'nginx:1.26', replicas, strategy: RECREATE, minReadySeconds: 0 },
    pods: {
      readyAfterMs: { min: 0, max: 100 },
      flappingPercent: 0,
      failingPercent: how === 'evicted' || how === 'unheard' ? 50 : 0,
      stopsAfterMs: { min: 3_000, max: 20_000 },
    },
    steps: [
      ...(again ? [image('1.27', 70_000)] : []),
      ...(how === 'lost' ? [edit({ edit: 'lose-pods', forMs: 40_000 }, 80_000)] : []),
      image(again ? '1.26' : '1.27', how === 'lost' ? 100 : 80_000),
      ...(how === 'unheard' ? [blind('pods', 40_000, 500)] : []),
      wait(150_000),
    ],
  }));

/** The node stays unreachable: only the deadline shows that the roll-out is stuck. */
const recreateStuck: Parts = fc.boolean().map((again) => ({
  deployment: {
    image: 'nginx:1.26',
    replicas: 2,
    strategy: RECREATE,
    minReadySeconds: 0,
    progressDeadlineSeconds: 60,
  },
  pods: quick,
  steps: [
    image('1.27', 20_000),
    edit({ edit: 'lose-pods' }, 60_000),
    image(again ? '1.26' : '1.28', 100),
    wait(150_000),
  ],
}));

/** ★ Workloads with the strategy Recreate. */
export const recreateWorkloads: readonly Workload<DeploymentScenario>[] = [
  { name: 'random operations and Recreate', scenarios: scenarios(['recreate']), runs: 12 },
  workload('Recreate with two ReplicaSets and another size', recreateScaled, { parts: ['recreate'] }),
  workload('Recreate with slow pods', recreateSlow, { runs: 12, parts: ['recreate'] }),
  workload('a stuck Recreate', recreateStuck, { parts: ['recreate'] }),
];

/** Several roll-outs were broken, and the last good ReplicaSet keeps its pods; then the limit of history is lowered. */
const fullHistory: Parts = fc.constantFrom(0, 1, 2).map((limit) => ({
  deployment: {
    image: 'nginx:1.26',
    replicas: 3,
    revisionHistoryLimit: 10,
    strategy: rolling(1, 0),
    minReadySeconds: 0,
  },
  pods: quick,
  steps: [
    image('a:broken', 20_000),
    image('b:broken', 5_000),
    image('c:broken', 5_000),
    edit({ edit: 'pause' }, 5_000),
    edit({ edit: 'resize-history', limit }, 1_000),
    wait(5_000),
  ],
}));

/** The limit of history is lowered after all roll-outs. */
const resizedHistory: Parts = fc.constantFrom(0, 1).map((limit) => ({
  deployment: { image: 'nginx:1.26', replicas: 1, revisionHistoryLimit: 10, minReadySeconds: 0 },
  pods: quick,
  steps: [
    image('1.27', 20_000),
    image('1.28', 20_000),
    edit({ edit: 'resize-history', limit }, 20_000),
    wait(5_000),
  ],
}));

/** A user scales an old ReplicaSet up, unobserved, when it exceeds the limit. */
const neededAgain: Parts = fc.integer({ min: 1, max: 2 }).map((replicas) => ({
  deployment: { image: 'nginx:1.26', replicas: 2, revisionHistoryLimit: 10, minReadySeconds: 0 },
  bystanders: [],
  pods: quick,
  steps: [
    image('1.27', 20_000),
    blind('replicasets', 8_000, 20_000),
    edit({ edit: 'scale-old', replicas }, 100),
    edit({ edit: 'resize-history', limit: 0 }, 20),
    wait(10_000),
  ],
}));

/**
 * A user scales an old ReplicaSet up and down again before its controller observes it, and lowers the limit of history: its status is of
 * an earlier generation.
 */
const unreported: Parts = fc.integer({ min: 1, max: 3 }).map((replicas) => ({
  deployment: { image: 'nginx:1.26', replicas: 2, revisionHistoryLimit: 10, minReadySeconds: 0 },
  bystanders: [],
  pods: quick,
  steps: [
    image('1.27', 20_000),
    slowSets(8_000, 20_000),
    edit({ edit: 'scale-old', replicas }, 100),
    edit({ edit: 'scale-old', replicas: 0 }),
    edit({ edit: 'resize-history', limit: 0 }),
    wait(10_000),
  ],
}));

/** Two templates alternate. */
const undoes: Parts = fc.tuple(fc.boolean(), fc.boolean()).map(([twice, beside]) => ({
  deployment: { image: 'nginx:1.26', replicas: 2, revisionHistoryLimit: 10 },
  bystanders: beside ? ['taken-second' as const] : [],
  pods: calm,
  steps: [
    image('1.27', 60_000),
    edit({ edit: 'undo' }, 60_000),
    ...(twice ? [edit({ edit: 'undo' }, 60_000)] : []),
    wait(20_000),
  ],
}));

/** ★ Workloads with rollbacks and a limited history. */
export const historyWorkloads: readonly Workload<DeploymentScenario>[] = [
  { name: 'random operations and history', scenarios: scenarios(['history']), runs: 12 },
  workload('a full history', fullHistory, { runs: 6, parts: ['history'] }),
  workload('a shorter history limit', resizedHistory, { parts: ['history'] }),
  workload('an old ReplicaSet needed again', neededAgain, { parts: ['history'] }),
  workload('an old ReplicaSet with an outdated status', unreported, { runs: 2, parts: ['history'] }),
  workload('there and back', undoes, { runs: 8, parts: ['history'] }),
];

/** ★ Random operations with every option. */
export const allWorkloads: readonly Workload<DeploymentScenario>[] = [
  {
    name: 'random operations with every option',
    scenarios: scenarios(['size', 'recreate', 'history']),
    runs: 20,
  },
];
