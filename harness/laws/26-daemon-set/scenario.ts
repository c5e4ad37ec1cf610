import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'daemonset-controller';

/** The number of machines. */
export const NODES = 3;

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation; nodes have numbers from 0. */
export type Operation =
  /** A user gives the set another template. With `onlySsd`, it selects nodes with the label `disk=ssd`. */
  | { readonly do: 'edit'; readonly version: number; readonly onlySsd: boolean }
  | { readonly do: 'strategy'; readonly strategy: Strategy }
  | { readonly do: 'label'; readonly node: number; readonly ssd: boolean }
  | { readonly do: 'taint'; readonly node: number; readonly effect: 'NoSchedule' | 'NoExecute' | 'none' }
  | { readonly do: 'cordon'; readonly node: number }
  /** A Node is deleted, with the pods that are bound to it. */
  | { readonly do: 'leave'; readonly node: number }
  | { readonly do: 'join'; readonly node: number }
  /** The pod of a node ends, or a user deletes it. */
  | { readonly do: 'fail' | 'succeed' | 'delete'; readonly node: number }
  /** A user creates a pod like those of the set, without an owner. */
  | { readonly do: 'orphan'; readonly node: number }
  /** A user deletes the set with everything that it owns, and creates it again. */
  | { readonly do: 'recreate' }
  /** Another client takes the name of the next revision with this version, and then a user gives the set that version. */
  | { readonly do: 'collide'; readonly version: number };

/** A strategy of the set. */
export interface Strategy {
  readonly type: 'RollingUpdate' | 'OnDelete';
  readonly maxUnavailable: number | string;
  readonly maxSurge: number;
}

/** A scenario for the controller. */
export interface DaemonSetScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  /** Whether the apiservers serve streaming lists. Without them, the first list of a controller may be stale. */
  readonly streams: boolean;
  readonly strategy: Strategy;
  readonly minReadySeconds: number;
  readonly steps: readonly Step[];
}

const node = fc.nat({ max: NODES - 1 });
const version = fc.integer({ min: 1, max: 3 });
const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const of = <K extends Operation['do']>(kind: K): fc.Arbitrary<K> => fc.constant(kind);

const rolling = (maxUnavailable: number | string): Strategy => ({
  type: 'RollingUpdate',
  maxUnavailable,
  maxSurge: 0,
});
const ONE = rolling(1);
const SURGE: Strategy = { type: 'RollingUpdate', maxUnavailable: 0, maxSurge: 1 };
const ON_DELETE: Strategy = { type: 'OnDelete', maxUnavailable: 0, maxSurge: 0 };
const strategies = fc.constantFrom(ONE, ONE, rolling(2), rolling('50%'), SURGE, ON_DELETE);

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.record({ do: of('edit'), version, onlySsd: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ do: of('edit'), version, onlySsd: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ do: of('strategy'), strategy: strategies }) },
  { weight: 2, arbitrary: fc.record({ do: of('label'), node, ssd: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: of('taint'),
      node,
      effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const, 'none' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: of('cordon'), node }) },
  { weight: 1, arbitrary: fc.record({ do: of('leave'), node }) },
  { weight: 2, arbitrary: fc.record({ do: of('join'), node }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('fail' as const, 'succeed' as const, 'delete' as const),
      node,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: of('orphan'), node }) },
  { weight: 1, arbitrary: fc.record({ do: of('recreate') }) },
  { weight: 1, arbitrary: fc.record({ do: of('collide'), version }) },
);

const crash = crashes(PROCESS);
const faults = fc.oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 2, arbitrary: crash });

const one = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** A new template, while the events of pods are late or a response is lost. */
const blindUpdate = fc
  .tuple(
    fc.constantFrom(2, 3),
    fc.oneof(
      fc.record({
        fault: fc.constant('delay-watches' as const),
        process: fc.constant(PROCESS),
        forMs: fc.integer({ min: 500, max: 4_000 }),
        resource: fc.constant('pods'),
      }),
      fc.record({
        fault: fc.constant('time-out' as const),
        process: fc.constant(PROCESS),
        performed: fc.constant(true),
        verb: fc.constantFrom('create', 'delete'),
      }),
      crash,
    ),
    fc.integer({ min: 0, max: 1_500 }),
  )
  .map(([next, fault, pauseMs]): readonly Step[] => [
    at({ do: 'edit', version: next, onlySsd: false }, 3_000),
    strike(fault, pauseMs),
    at({ do: 'delete', node: next }, 200),
  ]);

/** The events of pods are late while the controller creates its first pods, or after a restart. */
const blindStart = fc
  .tuple(fc.integer({ min: 1_000, max: 6_000 }), fc.boolean(), fc.nat({ max: 4 }), node)
  .map(([forMs, crashes, skip, left]): readonly Step[] => [
    strike({ fault: 'lag', replica: 0, forMs }),
    at({ do: 'recreate' }, 10),
    ...(crashes
      ? [strike({ fault: 'crash' as const, process: PROCESS, skip, performed: true, restartAfterMs: 60 })]
      : []),
    at({ do: 'label', node: left, ssd: true }, 500),
  ]);

/** A pod fails whenever it runs. */
const failing = fc
  .tuple(node, fc.integer({ min: 4, max: 6 }))
  .map(([each, times]): readonly Step[] =>
    Array.from({ length: times * 5 }, () => at({ do: 'fail', node: each }, 400)),
  );

/** A node gets a taint, and nothing else happens. */
const tainted = fc
  .tuple(node, fc.constantFrom('NoSchedule' as const, 'NoSchedule' as const, 'NoExecute' as const))
  .map(([each, effect]): readonly Step[] => [at({ do: 'taint', node: each, effect }, 4_000)]);

/** The set moves to nodes with another label, and a node gets that label. */
const moved = node.map((each): readonly Step[] => [
  at({ do: 'edit', version: 2, onlySsd: true }, 3_000),
  at({ do: 'label', node: each, ssd: true }, 2_000),
]);

/** A pod ends, or a user creates one without an owner, and nothing else happens. */
const unexpected = fc
  .tuple(node, fc.constantFrom('fail' as const, 'succeed' as const, 'orphan' as const))
  .map(([each, kind]): readonly Step[] => [at({ do: kind, node: each }, 4_000)]);

const usually = fc.constantFrom(true, true, true, true, false);

/** The controller learns late that a node was deleted, and creates a pod for it. */
const nodeLeft = fc.tuple(node, usually).map(([each, isLate]): readonly Step[] => [
  ...(isLate
    ? [strike({ fault: 'delay-watches' as const, process: PROCESS, forMs: 1_500, resource: 'nodes' }, 4_000)]
    : []),
  at({ do: 'leave', node: each }, isLate ? 0 : 4_000),
  // The node does not exist. Until now, its events are late.
  at({ do: 'label', node: each, ssd: true }, 1_000),
]);

/** A node leaves before its pod is bound. */
const neverBound = fc
  .tuple(node, fc.integer({ min: 1, max: 80 }))
  .map(([each, ms]): readonly Step[] => [
    at({ do: 'leave', node: each }, 2_500),
    at({ do: 'join', node: each }, 500),
    at({ do: 'leave', node: each }, ms),
  ]);

/**
 * A node becomes eligible again. The controller creates a pod and crashes, and the replica that it starts with has not
 * seen the pod.
 */
const forgotten = fc
  .tuple(node, fc.integer({ min: 1_000, max: 5_000 }), usually)
  .map(([each, forMs, performed]): readonly Step[] => [
    at({ do: 'taint', node: each, effect: 'NoExecute' }, 3_000),
    at({ do: 'taint', node: each, effect: 'none' }, 3_000),
    strike({ fault: 'lag', replica: 0, forMs }),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed, restartAfterMs: 60 }),
    at({ do: 'label', node: each, ssd: true }, forMs),
  ]);

/** Another template, and one deletion. */
const byHand = node.map((each): readonly Step[] => [
  at({ do: 'edit', version: 2, onlySsd: false }, 4_000),
  at({ do: 'delete', node: each }, 2_000),
]);

/** Another client has the name of the next revision. */
const collision = fc
  .tuple(fc.constantFrom(2, 3), fc.boolean())
  .map(([next, returns]): readonly Step[] => [
    at({ do: 'collide', version: next }, 3_000),
    ...(returns ? [at({ do: 'edit' as const, version: 1, onlySsd: false }, 3_000)] : []),
  ]);

/** Templates come and go, so that old revisions return and others become too old. */
const history = fc
  .tuple(
    fc.shuffledSubarray([1, 2, 3], { minLength: 3 }),
    fc.array(fc.oneof(version, version, fc.constant(0)), { maxLength: 2 }),
  )
  .map(([all, more]): readonly Step[] =>
    [...all, ...more].map((each) =>
      at(each === 0 ? { do: 'collide', version: 2 } : { do: 'edit', version: each, onlySsd: false }, 2_500),
    ),
  );

interface ScenarioOptions {
  readonly strategy?: fc.Arbitrary<Strategy>;
  readonly streams?: fc.Arbitrary<boolean>;
}

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
  { strategy = strategies, streams = fc.constantFrom(true, true, false) }: ScenarioOptions = {},
): fc.Arbitrary<DaemonSetScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    streams,
    strategy,
    minReadySeconds: fc.constantFrom(0, 0, 3),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const updating = fc.constantFrom(ONE, rolling(2), SURGE);

/** Scenarios of a DaemonSet whose nodes and pods change. */
export function scenarios(): readonly Workload<DaemonSetScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(one, 10), runs: 14 },
    {
      name: 'an update with a late view',
      scenarios: scenariosWith(blindUpdate, 2, { strategy: updating }),
      runs: 9,
    },
    { name: 'a start with a late view', scenarios: scenariosWith(blindStart, 1), runs: 4 },
    {
      name: 'a pod that fails again and again',
      scenarios: scenariosWith(failing, 1, { strategy: fc.constant(ONE) }),
      runs: 2,
    },
    { name: 'a node with a taint', scenarios: scenariosWith(tainted, 1), runs: 5 },
    {
      name: 'updates by hand',
      scenarios: scenariosWith(byHand, 1, { strategy: fc.constant(ON_DELETE) }),
      runs: 3,
    },
    { name: 'a set that moves', scenarios: scenariosWith(moved, 1), runs: 2 },
    { name: 'a pod that ends, or has no owner', scenarios: scenariosWith(unexpected, 1), runs: 6 },
    { name: 'a node that leaves', scenarios: scenariosWith(nodeLeft, 1), runs: 5 },
    { name: 'a node that leaves early', scenarios: scenariosWith(neverBound, 1), runs: 3 },
    {
      name: 'a pod that was forgotten',
      scenarios: scenariosWith(forgotten, 1, { streams: fc.constant(false) }),
      runs: 6,
    },
    {
      name: 'templates that return',
      scenarios: scenariosWith(history, 1, { strategy: fc.constantFrom(ONE, rolling('50%')) }),
      runs: 4,
    },
    { name: 'a collision of names', scenarios: scenariosWith(collision, 1), runs: 3 },
  ];
}

function describeScenario(scenario: DaemonSetScenario): readonly string[] {
  const { strategy, minReadySeconds, steps } = scenario;
  const ready = minReadySeconds > 0 ? [`minReadySeconds: ${minReadySeconds}`] : [];
  return [
    ...sayCircumstances(scenario),
    ...(scenario.streams ? [] : ['without streaming lists']),
    `a DaemonSet on ${NODES} nodes, ${[sayStrategy(strategy), ...ready].join(', ')}`,
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : sayOperation(step))),
    ...sayHealing(steps),
  ];
}

function sayStrategy({ type, maxUnavailable, maxSurge }: Strategy): string {
  if (type === 'OnDelete') return type;
  return maxSurge > 0 ? `maxSurge: ${maxSurge}` : `maxUnavailable: ${maxUnavailable}`;
}

function sayOperation(operation: Operation): string {
  const name = 'node' in operation ? `node-${operation.node + 1}` : '';
  switch (operation.do) {
    case 'edit':
      return `a user sets the image agent:${operation.version}${operation.onlySsd ? ', for nodes with disk=ssd' : ''}`;
    case 'strategy':
      return `a user sets ${sayStrategy(operation.strategy)}`;
    case 'label':
      return operation.ssd ? `${name} gets the label disk=ssd` : `${name} loses the label disk`;
    case 'taint':
      return operation.effect === 'none'
        ? `${name} loses its taints`
        : `${name} gets a ${operation.effect} taint`;
    case 'cordon':
      return `${name} becomes unschedulable`;
    case 'leave':
      return `${name} is deleted, with its pods`;
    case 'join':
      return `${name} joins`;
    case 'orphan':
      return `a user creates a pod without an owner on ${name}`;
    case 'recreate':
      return 'a user deletes the DaemonSet, and creates it again';
    case 'collide':
      return `another client takes the name of the revision of agent:${operation.version}, and a user sets that image`;
    default:
      return {
        fail: `the pod on ${name} fails`,
        succeed: `the pod on ${name} ends`,
        delete: `a user deletes the pod on ${name}`,
      }[operation.do];
  }
}
