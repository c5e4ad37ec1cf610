import fc from 'fast-check';
import type { NodeIndex, NodePlan, Operation, PodPlan, Wish } from '../operations.ts';

/** Generates the index of one of four nodes. */
export const nodeIndexes: fc.Arbitrary<NodeIndex> = fc.constantFrom<NodeIndex[]>(0, 1, 2, 3);

/** Generates nodes, simplest first. */
export const nodePlans: fc.Arbitrary<NodePlan> = fc.record({
  cpu: fc.constantFrom(1000, 500, 2000),
  pods: fc.constantFrom(8, 8, 8, 2),
  disk: fc.constantFrom('hdd' as const, 'ssd' as const),
});

const wishes: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('anywhere' as const) },
  { weight: 2, arbitrary: fc.constantFrom('ssd' as const, 'zone-a' as const) },
  { weight: 1, arbitrary: fc.constantFrom('port' as const, 'tolerant' as const) },
  { weight: 1, arbitrary: fc.constantFrom('alone' as const, 'near-db' as const, 'spread' as const) },
);

/** Generates pods, simplest first. */
export const podPlans: fc.Arbitrary<PodPlan> = fc.record({
  cpu: fc.constantFrom(500, 250, 1000, 2000, 0),
  priority: fc.constantFrom(0, 0, 10, 100),
  app: fc.constantFrom('web' as const, 'db' as const),
  wish: wishes,
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('plain' as const) },
    { weight: 1, arbitrary: fc.constantFrom('gated' as const, 'held' as const, 'theirs' as const) },
  ),
});

/** Returns a pod with this cpu request and no other requirement. */
export function plain(cpu: number, priority = 0): PodPlan {
  return { cpu, priority, app: 'web', wish: 'anywhere', kind: 'plain' };
}

/** A pod that no node has room for. It makes the scheduler take a snapshot of all nodes. */
export const giant: PodPlan = plain(64_000, 100);

const somePod = fc.nat({ max: 9 });
const sizes = fc.constantFrom(500, 1000, 250, 2000, 4000);
const onOff = fc.boolean();

const podOperations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('create' as const), pod: podPlans }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), pod: somePod }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('recreate' as const), pod: somePod, as: podPlans }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ungate' as const), pod: somePod }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tolerate' as const), pod: somePod }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('relabel' as const),
      pod: somePod,
      app: fc.constantFrom('web' as const, 'db' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('bind' as const), pod: somePod, node: fc.nat({ max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('place' as const, 'pass' as const),
      node: nodeIndexes,
      cpu: fc.constantFrom(250, 500),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      pod: somePod,
      phase: fc.constantFrom('Succeeded' as const, 'Failed' as const),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'reap' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'collect' as const }) },
);

const nodeOperations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('add-node' as const), node: nodeIndexes, as: nodePlans }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove-node' as const), node: nodeIndexes }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rebuild-node' as const), node: nodeIndexes, as: nodePlans }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cordon' as const, 'dedicate' as const),
      node: nodeIndexes,
      on: onOff,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('redisk' as const),
      node: nodeIndexes,
      disk: fc.constantFrom('ssd' as const, 'hdd' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('resize' as const), node: nodeIndexes, cpu: sizes }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), node: nodeIndexes }) },
);

/** Generates operations; common ones come more often. */
export const any: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: podOperations },
  { weight: 3, arbitrary: nodeOperations },
);
