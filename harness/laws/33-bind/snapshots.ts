import fc from 'fast-check';
import { nodeIndexes, plain, podPlans } from './operations.ts';
import type { NodePlan, Operation } from './step.ts';

type Snapshot = fc.Arbitrary<readonly Operation[]>;

/** There is exactly so much room, and exactly so much is asked for; and one crumb more. */
const filled: Snapshot = nodeIndexes.map((node) => [{ do: 'fill', node }]);

const ROOMY: NodePlan = { cpu: 16_000, pods: 20, disk: 'ssd' };

/** Many want one node that is closed, and it is opened: they go by their importance. */
const opened: Snapshot = fc
  .tuple(fc.array(fc.constantFrom(0, 10, 100), { minLength: 2, maxLength: 3 }))
  .map(([priorities]) => [
    { do: 'add-node', node: 0, as: ROOMY },
    { do: 'rebuild-node', node: 0, as: ROOMY },
    ...([0, 1, 2, 3] as const).map((node): Operation => ({ do: 'cordon', node, on: true })),
    ...priorities.map(
      (priority): Operation => ({ do: 'create', pod: { ...plain(500, priority), wish: 'ssd' } }),
    ),
    { do: 'cordon', node: 0, on: false },
  ]);

/** Things that could help no pod, while one waits. */
const idle: Snapshot = fc.tuple(nodeIndexes, podPlans, fc.constantFrom(500, 4000)).map(([node, pod, cpu]) => [
  { do: 'add-node', node, as: { cpu: 1000, pods: 8, disk: 'hdd' } },
  { do: 'create', pod: { ...pod, cpu: 8000 } },
  { do: 'heartbeat', node },
  { do: 'redisk', node, disk: 'ssd' },
  { do: 'resize', node, cpu },
  { do: 'dedicate', node, on: true },
]);

/** Some come that can run nowhere, and one that can. */
const crowded: Snapshot = fc.tuple(nodeIndexes, fc.integer({ min: 1, max: 3 })).map(([node, giants]) => [
  { do: 'add-node', node, as: ROOMY },
  { do: 'crowd', giants },
]);

/** Room is made for a pod that waits. */
const relieved: Snapshot = fc
  .tuple(nodeIndexes, fc.constantFrom('end' as const, 'delete' as const, 'resize' as const))
  .map(([node, how]): readonly Operation[] => [
    { do: 'add-node', node, as: { cpu: 1000, pods: 8, disk: 'hdd' } },
    { do: 'fill', node },
    ...(how === 'end' ? [0, 1, 2].map((pod): Operation => ({ do: 'end', pod, phase: 'Succeeded' })) : []),
    ...(how === 'delete' ? ([{ do: 'delete', pod: 0 }, { do: 'reap' }] as const) : []),
    ...(how === 'resize' ? ([{ do: 'resize', node, cpu: 4000 }] as const) : []),
  ]);

/** A plugin changes its mind, and its hint about that is broken. */
const brokenHint: Snapshot = nodeIndexes.map((node): readonly Operation[] => [
  { do: 'add-node', node, as: ROOMY },
  { do: 'whim', whim: 'broken' },
  { do: 'crowd', giants: 1 },
  { do: 'redisk', node, disk: 'hdd' },
  { do: 'redisk', node, disk: 'ssd' },
]);

/** What happens after the faults, when the scheduler is watched at its leisure. */
export const all: readonly Snapshot[] = [filled, opened, idle, relieved, crowded, brokenHint];
