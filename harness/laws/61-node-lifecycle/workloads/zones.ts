import fc from 'fast-check';
import { crashes } from '../../../testing/arbitraries/faults.ts';
import { type AskedPod, LIFECYCLE, type OfNode, type Step } from '../operations.ts';
import type { AskedNode } from '../scenario.ts';
import { BEGUN_MS, enduring, JUDGED_MS, nodesIn, perhaps, type Story, step, wait } from './parts.ts';

/** Returns steps that do the same with several nodes, one after the other. */
function all(
  nodes: readonly number[],
  everyMs: number,
  operation: (node: number) => OfNode,
): readonly Step[] {
  return nodes.map((node, i) => step(i === 0 ? 0 : everyMs, operation(node)));
}

const dies = (node: number): OfNode => ({ do: 'die', node });
const returns = (node: number): OfNode => ({ do: 'return', node });
const fails = (node: number): OfNode => ({ do: 'report', node, isReady: false, pressures: [] });
const recovers = (node: number): OfNode => ({ do: 'report', node, isReady: true, pressures: [] });

/** A way in which nodes are lost, and the way back. */
const losses = fc.constantFrom(
  { loses: dies, finds: returns, noticedMs: JUDGED_MS },
  { loses: fails, finds: recovers, noticedMs: 10_000 },
);

function podOn(node: number, seconds: number, pod = node + 1): AskedPod {
  return { pod, node, tolerations: enduring(seconds) };
}

/** Two or more nodes of a zone stop: one at a time is tainted. */
export const several: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'a', 'a', 'a', 'a', 'b'),
    count: fc.integer({ min: 2, max: 3 }),
    everyMs: fc.constantFrom(0, 2_000),
    loss: losses,
    firstBackMs: perhaps(fc.constantFrom(4_000, 14_000)),
  })
  .map(({ nodes, count, everyMs, loss, firstBackMs }) => {
    const lost = [0, 1, 2].slice(0, count);
    return {
      nodes,
      present: lost.map((node) => podOn(node, 20)),
      steps: [
        wait(BEGUN_MS),
        ...all(lost, everyMs, loss.loses),
        ...(firstBackMs === null
          ? [wait(JUDGED_MS + 30_000)]
          : [step(loss.noticedMs - 10_000 + firstBackMs, loss.finds(count - 1)), wait(40_000)]),
      ],
    };
  });

/** In a small zone more nodes stop than remain; later some return, or some are deleted. */
export const most: fc.Arbitrary<Story> = fc
  .record({
    shape: fc.constantFrom(
      { size: 4, lost: 3 },
      { size: 5, lost: 3 },
      { size: 6, lost: 3 },
      { size: 6, lost: 4 },
    ),
    brakedMs: fc.constantFrom(20_000, 20_000, 120_000),
    others: fc.constantFrom(1, 2),
    loss: losses,
    everyMs: fc.constantFrom(0, 3_000),
    end: fc.constantFrom('one returns', 'all return', 'stays', 'one is deleted'),
  })
  .chain(({ shape: { size, lost }, others, loss, everyMs, end, brakedMs }) => {
    const zones = [...Array.from({ length: size }, () => 'a'), ...Array.from({ length: others }, () => 'b')];
    const gone = Array.from({ length: lost }, (_, i) => i);
    const ends: Readonly<Record<string, readonly Step[]>> = {
      'one returns': [step(0, loss.finds(0)), wait(60_000)],
      'all return': all(gone, 1_000, loss.finds),
      stays: [wait(30_000)],
      'one is deleted': [step(0, { do: 'delete-node', node: 0 }), wait(40_000)],
    };
    return nodesIn(...zones).map((nodes) => ({
      nodes,
      present: [podOn(0, 15), podOn(1, 15)],
      steps: [
        wait(BEGUN_MS),
        ...all(gone, everyMs, loss.loses),
        wait(loss.noticedMs + brakedMs),
        ...(ends[end] ?? []),
      ],
    }));
  });

/** Nodes wait for their taints. Another node, which has one, must exchange it, or lose it, at the same time. */
export const besidesQueue: fc.Arbitrary<Story> = fc
  .record({ nodes: nodesIn('a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'b'), stops: fc.boolean() })
  .map(({ nodes, stops }) => ({
    nodes,
    present: [podOn(3, 60)],
    steps: [
      step(BEGUN_MS, fails(3)),
      wait(20_000),
      ...(stops ? all([0, 1, 2, 3], 0, dies) : [...all([0, 1, 2], 0, fails), step(0, recovers(3))]),
      wait(JUDGED_MS + 20_000),
    ],
  }));

/** Two of three nodes stop: two are too few for a brake. */
export const two: fc.Arbitrary<Story> = fc
  .record({ nodes: nodesIn('a', 'a', 'a', 'b'), loss: losses })
  .map(({ nodes, loss }) => ({
    nodes,
    present: [podOn(0, 15), podOn(1, 15)],
    steps: [wait(BEGUN_MS), ...all([0, 1], 0, loss.loses), wait(loss.noticedMs + 30_000)],
  }));

/** Exactly 55 % of the nodes of a zone are not ready. */
export const exactly: fc.Arbitrary<Story> = losses.map((loss) => ({
  nodes: [...Array.from({ length: 20 }, () => ({ zone: 'a' })), { zone: 'b' }],
  present: [podOn(0, 15)],
  renewMs: 20_000,
  steps: [
    wait(BEGUN_MS + 10_000),
    step(0, { do: 'each', nodes: Array.from({ length: 11 }, (_, i) => i), then: loss.loses(0) }),
    wait(loss.noticedMs + 20_000),
  ],
}));

/** All nodes of one zone stop; another zone is well. */
export const wholeZone: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'a', 'b', 'b'),
    loss: losses,
    end: fc.constantFrom('stays', 'returns'),
  })
  .map(({ nodes, loss, end }) => ({
    nodes,
    present: [podOn(0, 15), podOn(1, 60), podOn(3, 15, 3)],
    steps: [
      wait(BEGUN_MS),
      ...all([0, 1, 2], 0, loss.loses),
      wait(loss.noticedMs + 35_000),
      ...(end === 'returns' ? all([0, 1, 2], 2_000, loss.finds) : []),
    ],
  }));

/** All nodes of all zones stop, one zone perhaps earlier; then some return, or the controller restarts meanwhile. */
export const everything: fc.Arbitrary<Story> = fc
  .record({
    nodes: fc.oneof(
      nodesIn('a'),
      nodesIn('a', 'a', 'b'),
      nodesIn('a', 'a', 'b'),
      nodesIn('a', 'a', 'b', 'c'),
    ),
    loss: losses,
    laterMs: fc.constantFrom(0, 30_000, 70_000, 70_000),
    crash: perhaps(crashes(LIFECYCLE)),
    end: fc.constantFrom('one returns', 'one returns', 'all return', 'stays'),
  })
  .map(({ nodes, loss, laterMs, crash, end }) => {
    const indices = [...nodes.keys()];
    const [first = 0, ...rest] = indices;
    const ends: Readonly<Record<string, readonly Step[]>> = {
      'one returns': [step(0, loss.finds(first)), wait(70_000)],
      'all return': all(indices, 100, loss.finds),
      stays: [],
    };
    return {
      nodes,
      present: [podOn(0, 10), ...(nodes.length > 1 ? [podOn(1, 60)] : [])],
      steps: [
        wait(BEGUN_MS),
        step(0, loss.loses(first)),
        wait(laterMs),
        ...all(rest, 0, loss.loses),
        wait(loss.noticedMs + 10_000),
        ...(crash === null ? [] : [{ strike: crash, afterMs: 0 }]),
        wait(30_000),
        ...(ends[end] ?? []),
      ],
    };
  });

/** In a zone of more than 50 nodes, or of exactly 50, most are not ready. */
export const large = (size: fc.Arbitrary<number>): fc.Arbitrary<Story> =>
  fc.record({ size, lost: fc.constantFrom(29, 30) }).map(({ size: count, lost }) => {
    const nodes: AskedNode[] = [...Array.from({ length: count }, () => ({ zone: 'a' })), { zone: 'b' }];
    const indices = Array.from({ length: lost }, (_, i) => i);
    return {
      nodes,
      present: [podOn(0, 10), podOn(1, 10)],
      // Fewer renewals: each of them costs time.
      renewMs: 30_000,
      steps: [
        wait(32_000),
        step(0, { do: 'each', nodes: indices, then: fails(0) }),
        wait(150_000),
        step(0, { do: 'each', nodes: indices, then: recovers(0) }),
        wait(20_000),
      ],
    };
  });

/** Nodes that do not count for their zone: two of them stop, or the others. */
export const excluded: fc.Arbitrary<Story> = fc
  .record({ loss: losses, lost: fc.constantFrom([0, 1, 2], [0, 1, 3], [2, 3, 4], [2, 3]) })
  .map(({ loss, lost }) => ({
    nodes: [
      { zone: 'a', isExcluded: true },
      { zone: 'a', isExcluded: true },
      { zone: 'a' },
      { zone: 'a' },
      { zone: 'a' },
      { zone: 'b' },
    ],
    present: [podOn(0, 15), podOn(2, 15)],
    steps: [wait(BEGUN_MS), ...all(lost, 0, loss.loses), wait(loss.noticedMs + 40_000)],
  }));
