import fc from 'fast-check';
import type { NodePlan, Operation } from '../operations.ts';
import { nodeIndexes, plain, podPlans } from './plans.ts';

type Snapshot = fc.Arbitrary<readonly Operation[]>;

/** One pod requests exactly the free cpu of a node, and a second pod requests 1m more. */
const filled: Snapshot = nodeIndexes.map((node) => [{ do: 'fill', node }]);

const ROOMY: NodePlan = { cpu: 16_000, pods: 20, disk: 'ssd' };

/** Several pods wait for one cordoned node, which is then uncordoned: they must be bound by priority. */
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

/** Events that cannot help a waiting pod. */
const idle: Snapshot = fc.tuple(nodeIndexes, podPlans, fc.constantFrom(500, 4000)).map(([node, pod, cpu]) => [
  { do: 'add-node', node, as: { cpu: 1000, pods: 8, disk: 'hdd' } },
  { do: 'create', pod: { ...pod, cpu: 8000 } },
  { do: 'heartbeat', node },
  { do: 'redisk', node, disk: 'ssd' },
  { do: 'resize', node, cpu },
  { do: 'dedicate', node, on: true },
]);

/** Pods that fit nowhere, and a pod that fits. */
const crowded: Snapshot = fc.tuple(nodeIndexes, fc.integer({ min: 1, max: 3 })).map(([node, giants]) => [
  { do: 'add-node', node, as: ROOMY },
  { do: 'crowd', giants },
]);

/** An event makes room for a waiting pod. */
const relieved: Snapshot = fc
  .tuple(nodeIndexes, fc.constantFrom('end' as const, 'delete' as const, 'resize' as const))
  .map(([node, how]): readonly Operation[] => [
    { do: 'add-node', node, as: { cpu: 1000, pods: 8, disk: 'hdd' } },
    { do: 'fill', node },
    ...(how === 'end' ? [0, 1, 2].map((pod): Operation => ({ do: 'end', pod, phase: 'Succeeded' })) : []),
    ...(how === 'delete' ? ([{ do: 'delete', pod: 0 }, { do: 'reap' }] as const) : []),
    ...(how === 'resize' ? ([{ do: 'resize', node, cpu: 4000 }] as const) : []),
  ]);

/** A filter accepts a pod that it rejected, and its hint throws. */
const brokenHint: Snapshot = nodeIndexes.map((node): readonly Operation[] => [
  { do: 'add-node', node, as: ROOMY },
  { do: 'whim', whim: 'broken' },
  { do: 'crowd', giants: 1 },
  { do: 'redisk', node, disk: 'hdd' },
  { do: 'redisk', node, disk: 'ssd' },
]);

/** A filter throws in the only attempt, and nothing else happens: the pod must be retried without any event. */
const failed: Snapshot = nodeIndexes.map((node): readonly Operation[] => [
  { do: 'add-node', node, as: ROOMY },
  { do: 'whim', whim: 'erring' },
]);

/** A pod waits because of the label of a pod that has a node, and that label changes. */
const relabelled = (['alone', 'near-db'] as const).map(
  (wish): Snapshot =>
    fc.constant([
      { do: 'begin-anew', as: ROOMY },
      { do: 'create', pod: plain(500) },
      { do: 'create', pod: { ...plain(500), wish } },
      { do: 'relabel', pod: 0, app: 'db' },
    ]),
);

/** Groups of operations for the time after the faults. */
export const all: readonly Snapshot[] = [
  filled,
  opened,
  idle,
  relieved,
  crowded,
  brokenHint,
  failed,
  ...relabelled,
];
