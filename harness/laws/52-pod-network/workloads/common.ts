import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { CallFault, NodePlan, PodNetworkScenario, PodPlan, Step } from '../scenario/index.ts';
import { scenariosWith } from '../scenario/parts.ts';

const GIVES = ['a gateway', 'no gateway', 'a default route', 'a bare default route'] as const;

/** Within the work of a plugin, between two plugins, or at quiescence. */
const pauses = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 3, arbitrary: fc.integer({ min: 100, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 15_000 }) },
);

const plainNode: NodePlan = { bridge: 'none', podCIDRAfterMs: 0 };

const nodePlans = (min: number, max: number): fc.Arbitrary<NodePlan[]> =>
  fc.array(
    fc.record({
      bridge: fc.constantFrom(
        'none' as const,
        'bare' as const,
        'with its address' as const,
        'with a port' as const,
      ),
      podCIDRAfterMs: fc.constantFrom(0, 0, 0, 800),
    }),
    { minLength: min, maxLength: max },
  );

const podPlans = (
  nodeCount: number,
  afterFailure: readonly PodPlan['afterFailure'][] = ['fresh'],
): fc.Arbitrary<PodPlan[]> =>
  fc
    .array(
      fc.record({
        node: fc.nat({ max: nodeCount - 1 }),
        hasPort: fc.boolean(),
        afterFailure: fc.constantFrom(...afterFailure),
      }),
      { minLength: 2, maxLength: 4 },
    )
    .map((plans) =>
      plans.map(({ hasPort, ...plan }, i): PodPlan => (hasPort ? { ...plan, hostPort: 8080 + i } : plan)),
    );

const pod = fc.nat({ max: 3 });
const netns = fc.constantFrom('there' as const, 'gone' as const, 'not told' as const);

const start = fc.record({ afterMs: pauses, do: fc.constant('start' as const), pod });
const stop = fc.record({
  afterMs: pauses,
  do: fc.constant('stop' as const),
  pod,
  netns,
  again: fc.boolean(),
});
const replace = fc.record({ afterMs: pauses, do: fc.constant('replace' as const), pod });
const check = fc.record({ afterMs: pauses, do: fc.constant('check' as const), pod });
const gc = fc.record({ afterMs: pauses, do: fc.constant('gc' as const), node: fc.nat({ max: 1 }) });

/** Starts all pods, a moment after the start of the agents. */
const allStart: readonly Step[] = [0, 1, 2, 3].map((index) => ({
  afterMs: index === 0 ? 150 : 20,
  do: 'start',
  pod: index,
}));

/** Starts all pods, and then runs some of these steps. */
const then = (...kinds: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(fc.oneof({ withCrossShrink: true }, ...kinds.map((arbitrary) => ({ weight: 1, arbitrary }))), {
      minLength: 1,
      maxLength: 7,
    })
    .map((steps) => [...allStart, ...steps]);

const faultsOf = (
  of: readonly CallFault['of'][],
  how: readonly CallFault['how'][],
  nodeCount = 1,
): fc.Arbitrary<CallFault[]> =>
  fc.array(
    fc.record({
      atMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_500 })),
      node: fc.nat({ max: nodeCount - 1 }),
      of: fc.constantFrom(...of),
      skip: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 24 })),
      how: fc.constantFrom(...how),
      performed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  );

/** Starts each pod after the previous one is connected. */
const spaced = (steps: readonly Step[]): readonly Step[] =>
  steps.map((step, i) => (i > 0 && i < allStart.length ? { ...step, afterMs: 150 } : step));

/** The address manager fails to release an address. */
const clumsy: fc.Arbitrary<CallFault[]> = fc
  .record({ atMs: fc.constant(0), skip: fc.constantFrom(1, 2, 2) })
  .map((when) => [{ ...when, node: 0, of: 'DEL', how: 'fails', performed: false }]);

const fresh: PodPlan = { node: 0, afterFailure: 'fresh' };
const fourPods: fc.Arbitrary<PodPlan[]> = fc.constant([fresh, fresh, fresh, fresh]);

/** Faults after the creation of the pair, or after the allocation of the address. */
const late: fc.Arbitrary<CallFault[]> = fc
  .oneof(fc.constantFrom(8, 9), fc.integer({ min: 12, max: 23 }), fc.integer({ min: 19, max: 23 }))
  .map((skip) => [{ atMs: 0, skip, node: 0, of: 'ADD', how: 'dies', performed: true }]);

/** Faults after a pod got its address, while others are about to get theirs. */
const tardy: fc.Arbitrary<CallFault[]> = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 200 }),
    node: fc.constant(0),
    of: fc.constant('ADD' as const),
    skip: fc.integer({ min: 13, max: 30 }),
    how: fc.constant('fails' as const),
    performed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 2 },
);

/** A command fails at its end, and a pod that starts at this moment gets the released address. */
const atTheEnd = (of: 'ADD' | 'DEL', min: number, max: number): fc.Arbitrary<CallFault[]> =>
  fc.integer({ min, max }).map((skip) => [{ atMs: 0, skip, node: 0, of, how: 'fails', performed: false }]);

const two: fc.Arbitrary<readonly Step[]> = fc
  .integer({ min: 20, max: 60 })
  .map((afterMs): readonly Step[] => [
    { afterMs: 150, do: 'start', pod: 0 },
    { afterMs, do: 'start', pod: 1 },
  ]);

/** One pod stops, and the next one starts during its DEL. */
const relay: fc.Arbitrary<readonly Step[]> = fc
  .integer({ min: 0, max: 30 })
  .map((afterMs): readonly Step[] => [
    ...spaced(allStart).slice(0, 3),
    { afterMs: 300, do: 'stop', pod: 0, netns: 'there', again: false },
    { afterMs, do: 'start', pod: 3 },
  ]);

const dying = faultsOf(['ADD', 'ADD', 'DEL', 'GC'], ['dies']);
const failing = faultsOf(['ADD', 'ADD', 'DEL', 'GC'], ['fails']);

const reboot = fc.record({ afterMs: pauses, do: fc.constant('reboot' as const), node: fc.nat({ max: 1 }) });

const SPOILED = ['address', 'route', 'port', 'down', 'interface', 'mac', 'reservation'] as const;

/** A user changes several things, one after the other, and each pod is repaired. */
const spoils: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.shuffledSubarray([...SPOILED], { minLength: 4, maxLength: 5 }), fc.array(check, { maxLength: 2 }))
  .map(([kinds, checks]) => [
    ...allStart,
    ...kinds.map((what, i): Step => ({ afterMs: 500, do: 'spoil', pod: i % 2, what })),
    ...checks,
  ]);

// Nodes

const nodeIndex = fc.nat({ max: 2 });
const leave = fc.record({ afterMs: pauses, do: fc.constant('leave' as const), node: nodeIndex });
const join = fc.record({
  afterMs: pauses,
  do: fc.constant('join' as const),
  node: nodeIndex,
  keeps: fc.constantFrom('podCIDR' as const, 'address' as const, 'nothing' as const),
  reachable: fc.constant(true),
});
const crashAgent = fc.record({
  afterMs: pauses,
  do: fc.constant('crash agent' as const),
  node: nodeIndex,
  forMs: fc.integer({ min: 100, max: 3_000 }),
});
const cutWatches = fc.record({ afterMs: pauses, do: fc.constant('cut watches' as const), node: nodeIndex });
const lose = fc.record({
  afterMs: fc.integer({ min: 1_500, max: 15_000 }),
  do: fc.constantFrom('lose route' as const, 'lose rules' as const),
  node: nodeIndex,
});
const foreign = fc.record({ afterMs: pauses, do: fc.constant('foreign route' as const), node: nodeIndex });

/** A node leaves, or joins again with other settings, while the agent of another node is down. */
const unseen: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom('podCIDR' as const, 'address' as const, 'nothing' as const), fc.boolean())
  .map(([keeps, comesBack]): readonly Step[] => [
    { afterMs: 3_000, do: 'crash agent', node: 0, forMs: 2_500 },
    { afterMs: 200, do: 'leave', node: 1 },
    ...(comesBack ? [{ afterMs: 500, do: 'join', node: 1, keeps, reachable: true } as const] : []),
  ]);

/** The agent of a node restarts when all routes exist. */
const restarts: fc.Arbitrary<readonly Step[]> = fc
  .array(crashAgent, { minLength: 1, maxLength: 3 })
  .map((crashes) => [...allStart, ...crashes.map((crash) => ({ ...crash, afterMs: crash.afterMs + 4_000 }))]);

const threeNodes: fc.Arbitrary<NodePlan[]> = fc.constant([plainNode, plainNode, plainNode]);

/** The scenarios of the laws. */
export const workloads: readonly Workload<PodNetworkScenario>[] = [
  {
    name: 'pods start and stop',
    runs: 10,
    scenarios: scenariosWith({
      nodes: nodePlans(1, 1),
      pods: podPlans(1),
      steps: then(start, stop, replace, check, stop),
    }),
  },
  {
    name: 'pods on several nodes',
    runs: 10,
    scenarios: scenariosWith({ nodes: nodePlans(2, 3), pods: podPlans(3), steps: then(start, stop, check) }),
  },
  {
    name: 'plugins crash',
    runs: 20,
    scenarios: scenariosWith({
      nodes: nodePlans(1, 1),
      pods: podPlans(1, ['same', 'fresh', 'forgets']),
      steps: then(start, stop, replace, gc),
      faults: dying,
    }),
  },
  {
    name: 'commands fail',
    runs: 12,
    scenarios: scenariosWith({
      nodes: nodePlans(1, 1),
      pods: podPlans(1, ['same', 'fresh', 'forgets']),
      steps: then(start, stop, gc),
      faults: failing,
    }),
  },
  ...GIVES.map((gives) => ({
    name: `one node without an agent, address manager with ${gives}`,
    runs: 4,
    scenarios: scenariosWith({
      network: 'alone',
      alone: fc.record({ bridge: fc.constantFrom('cni0', 'br7'), gives: fc.constant(gives) }),
      nodes: nodePlans(1, 1),
      pods: podPlans(1),
      steps: then(start, stop, replace, check, stop),
    }),
  })),
  {
    name: 'one node without an agent, plugins crash and tools fail',
    runs: 16,
    scenarios: scenariosWith({
      network: 'alone',
      nodes: nodePlans(1, 1),
      pods: podPlans(1, ['same', 'fresh', 'forgets']),
      steps: then(start, stop, replace, gc),
      faults: faultsOf(['ADD', 'ADD', 'DEL', 'GC'], ['dies', 'fails']),
    }),
  },
  {
    name: 'a plugin crashes, and the runtime forgets the pod',
    runs: 14,
    scenarios: scenariosWith({
      network: 'alone',
      nodes: nodePlans(1, 1),
      pods: podPlans(1, ['same', 'forgets', 'forgets']),
      steps: then(start, stop, gc).map(spaced),
      faults: late,
    }),
  },
  {
    name: 'a command fails late',
    runs: 8,
    scenarios: scenariosWith({
      nodes: nodePlans(1, 1),
      pods: podPlans(1, ['same']),
      steps: then(start, stop),
      faults: tardy,
    }),
  },
  {
    name: 'a DEL fails between two others',
    runs: 4,
    scenarios: scenariosWith({
      nodes: nodePlans(1, 1),
      pods: fourPods,
      steps: then(stop, stop),
      faults: clumsy,
    }),
  },
  {
    name: 'an ADD fails late, with ipMasq',
    runs: 14,
    scenarios: scenariosWith({
      network: 'alone',
      nodes: nodePlans(1, 1),
      pods: podPlans(1, ['same']),
      steps: two,
      faults: atTheEnd('ADD', 19, 25),
    }),
  },
  {
    name: 'a DEL fails late, with ipMasq',
    runs: 6,
    scenarios: scenariosWith({
      network: 'alone',
      nodes: nodePlans(1, 1),
      pods: fourPods,
      steps: relay,
      faults: atTheEnd('DEL', 2, 5),
    }),
  },
  {
    name: 'reboots',
    scenarios: scenariosWith({
      nodes: nodePlans(1, 2),
      pods: podPlans(2),
      steps: then(start, stop, reboot, gc),
    }),
  },
  {
    name: 'a user changes the network of a pod',
    runs: 8,
    scenarios: scenariosWith({ nodes: nodePlans(1, 1), pods: podPlans(1), steps: spoils }),
  },
  {
    name: 'nodes join and leave',
    runs: 12,
    scenarios: scenariosWith({
      nodes: threeNodes,
      pods: podPlans(3),
      steps: then(leave, join, leave, crashAgent, cutWatches),
    }),
  },
  {
    name: 'changes while an agent is down',
    runs: 8,
    scenarios: scenariosWith({ nodes: threeNodes, pods: podPlans(3), steps: unseen }),
  },
  {
    name: 'agents restart',
    scenarios: scenariosWith({ nodes: threeNodes, pods: podPlans(3), steps: restarts }),
  },
  {
    name: 'commands of agents fail',
    runs: 8,
    scenarios: scenariosWith({
      nodes: threeNodes,
      pods: podPlans(3),
      steps: then(leave, join, crashAgent),
      faults: faultsOf(['agent'], ['dies', 'fails'], 3),
    }),
  },
  {
    name: 'a user removes routes and rules',
    runs: 8,
    scenarios: scenariosWith({ nodes: threeNodes, pods: podPlans(3), steps: then(lose, lose, foreign) }),
  },
  {
    name: 'an unreachable node',
    scenarios: scenariosWith({
      nodes: nodePlans(2, 2),
      pods: podPlans(2),
      steps: then(leave, join).map((steps): readonly Step[] => [
        { afterMs: 0, do: 'join', node: 2, keeps: 'nothing', reachable: false },
        ...steps.filter((step) => !('node' in step) || step.node !== 2),
      ]),
    }),
  },
];
