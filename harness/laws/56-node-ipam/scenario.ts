import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'node-ipam-controller';

/** The range: eight blocks, so that they run out. The last block belongs to the Services. */
export const RANGE = {
  clusterCIDR: '10.244.0.0/21',
  nodeCIDRMaskSize: 24,
  serviceClusterIPRange: '10.244.7.0/24',
} as const;
/** The number of blocks for nodes. */
export const BLOCKS = 7;

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation; nodes have numbers. */
export type Operation =
  /** A node joins, if it does not exist. With `block`, it already has this block. */
  | { readonly do: 'join'; readonly node: number; readonly block?: number }
  | { readonly do: 'leave'; readonly node: number }
  /** A node is deleted, and another one joins under its name. */
  | { readonly do: 'replace'; readonly node: number }
  /** A kubelet reports its node's status. */
  | { readonly do: 'report'; readonly node: number };

/** A scenario for the controller. */
export interface NodeIpamScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  /** The blocks of nodes that exist before the controller starts; nodes without a block wait for it. */
  readonly before: readonly (number | undefined)[];
  readonly steps: readonly Step[];
}

const node = fc.nat({ max: 9 });
const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('join' as const), node }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leave' as const), node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('report' as const), node }) },
);

const crash = crashes(PROCESS);
const faults = fc.oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 2, arbitrary: crash });

/** Nodes join, and the writes for them are rejected, or their responses are lost. */
const unanswered = fc
  .tuple(
    fc.array(node, { minLength: 2, maxLength: 4 }),
    fc.oneof(
      fc.record({
        fault: fc.constant('time-out' as const),
        process: fc.constant(PROCESS),
        performed: fc.boolean(),
      }),
      fc.record({
        fault: fc.constant('refuse' as const),
        process: fc.constant(PROCESS),
        reason: fc.constantFrom('InternalError' as const, 'TooManyRequests' as const),
        requests: fc.integer({ min: 3, max: 4 }),
      }),
    ),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([nodes, fault, more]): readonly Step[] => [
    strike(fault, 1_000),
    ...Array.from({ length: more }, () => strike(fault)),
    ...nodes.map((each) => at({ do: 'join', node: each })),
  ]);

/** The controller crashes while it allocates a block, and restarts with a replica that is behind. */
const reborn = fc
  .tuple(
    crash,
    fc.array(node, { minLength: 2, maxLength: 4 }),
    fc.boolean(),
    fc.integer({ min: 100, max: 4_000 }),
  )
  .map(([fault, nodes, lags, forMs]): readonly Step[] => [
    ...(lags ? [strike({ fault: 'lag', replica: 0, forMs }, 1_000)] : []),
    strike({ ...fault, ...('skip' in fault ? { skip: fault.skip % 3 } : {}) }),
    ...nodes.map((each, i) => at({ do: 'join', node: each }, i * 30)),
  ]);

/**
 * One of two nodes gets its block, and the controller crashes; it restarts with a replica that has not seen the
 * write.
 */
const forgotten = fc
  .tuple(
    fc.integer({ min: 5, max: 9 }),
    fc.nat({ max: 4 }),
    fc.integer({ min: 1_000, max: 8_000 }),
    fc.boolean(),
  )
  .map(([high, low, forMs, performed]): readonly Step[] => [
    at({ do: 'join', node: high }, 2_000),
    at({ do: 'join', node: low }),
    strike({ fault: 'lag', replica: 0, forMs }),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed, restartAfterMs: 60 }),
    at({ do: 'report', node: high }, forMs),
  ]);

/** One block is left, and two nodes need it. */
const lastBlock = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 5 }), fc.boolean())
  .map(([requests, leaves, isLate]): readonly Step[] => [
    ...(requests > 0
      ? [strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }, 2_000)]
      : []),
    at({ do: 'join', node: 8 }, requests > 0 ? 0 : 2_000),
    at({ do: 'join', node: 9 }),
    at({ do: 'leave', node: leaves }, isLate ? 4_000 : 5),
  ]);

/** A node joins with the last block, while no other node waits. Then more nodes join than there are blocks. */
const ownBlock = fc
  .tuple(fc.nat({ max: 7 }), fc.integer({ min: 0, max: 2_000 }))
  .map(([first, pauseMs]): readonly Step[] => [
    at({ do: 'join', node: 9, block: BLOCKS - 1 }, 4_000),
    ...Array.from({ length: BLOCKS + 1 }, (_, i) =>
      at({ do: 'join', node: (first + i) % (BLOCKS + 1) }, i === 0 ? 2_000 + pauseMs : 0),
    ),
  ]);

/** Nodes join and leave, one after the other. */
const churn = fc
  .array(node, { minLength: 3, maxLength: 6 })
  .map((nodes): readonly Step[] =>
    nodes.flatMap((each) => [at({ do: 'join', node: each }, 1_500), at({ do: 'leave', node: each }, 1_500)]),
  );

const anyBefore: fc.Arbitrary<NodeIpamScenario['before']> = fc
  .tuple(fc.nat({ max: 2 }), fc.uniqueArray(fc.nat({ max: BLOCKS - 1 }), { maxLength: 4 }))
  .map(([waiting, others]) => [...Array<undefined>(waiting).fill(undefined), ...others]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
  before: NodeIpamScenario['before'] | undefined = undefined,
): fc.Arbitrary<NodeIpamScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    before: before ? fc.constant(before) : anyBefore,
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const one = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios of nodes that join and leave. */
export function scenarios(): readonly Workload<NodeIpamScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(one, 12), runs: 40 },
    {
      name: 'writes without an answer',
      scenarios: scenariosWith(fc.oneof(unanswered, unanswered, one), 3),
      runs: 20,
    },
    {
      name: 'a controller that starts again',
      scenarios: scenariosWith(fc.oneof(reborn, reborn, one), 3),
      runs: 20,
    },
    { name: 'a replica that has not seen it', scenarios: scenariosWith(forgotten, 1), runs: 12 },
    { name: 'the last block', scenarios: scenariosWith(lastBlock, 1, [0, 1, 2, 3, 4, 5]), runs: 12 },
    { name: 'a node with its own block', scenarios: scenariosWith(ownBlock, 1, [0, 1]), runs: 4 },
    { name: 'nodes that come and go', scenarios: scenariosWith(churn, 2), runs: 10 },
  ];
}

function describeScenario(scenario: NodeIpamScenario): readonly string[] {
  const { before, steps } = scenario;
  const there = before.map((block, i) => `node-${i}${block === undefined ? '' : ` with block ${block}`}`);
  return [
    ...sayCircumstances(scenario),
    ...(there.length > 0 ? [`before the controller starts: ${there.join(', ')}`] : []),
    ...saySteps(steps, (step) =>
      'strike' in step
        ? sayFault(step.strike)
        : `${SAID[step.do](`node-${step.node}`)}${'block' in step ? ` with block ${step.block}` : ''}`,
    ),
    ...sayHealing(steps),
  ];
}

const SAID: Readonly<Record<Operation['do'], (node: string) => string>> = {
  join: (node) => `${node} joins`,
  leave: (node) => `${node} is deleted`,
  replace: (node) => `${node} is deleted, and joins again`,
  report: (node) => `${node} reports`,
};
