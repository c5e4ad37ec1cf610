import fc from 'fast-check';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import type { AskedPod, Operation, Step } from '../operations.ts';
import { EVICTION, LIFECYCLE } from '../operations.ts';
import {
  BEGUN_MS,
  enduring,
  JUDGED_MS,
  nodesIn,
  perhaps,
  type Story,
  skews,
  step,
  tolerations,
  wait,
} from './parts.ts';

/** A pause before something that must happen around a verdict. */
const aroundVerdict = fc.oneof(
  fc.integer({ min: 38_000, max: 62_000 }),
  fc.integer({ min: 62_000, max: 100_000 }),
);

/** Two pods on the first node, and one on the second. */
const pods: fc.Arbitrary<readonly AskedPod[]> = fc
  .tuple(tolerations, tolerations, tolerations)
  .map((each) => each.map((tolerated, i) => ({ pod: i + 1, node: i === 2 ? 1 : 0, tolerations: tolerated })));

/** The first node stops, and perhaps returns. */
export const death: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    present: pods,
    beforeMs: fc.integer({ min: BEGUN_MS, max: BEGUN_MS + 10_000 }),
    awayMs: perhaps(fc.oneof(fc.integer({ min: 5_000, max: 48_000 }), aroundVerdict, fc.constant(150_000))),
    areThere: fc.boolean(),
  })
  .map(({ nodes, present, beforeMs, awayMs, areThere }) => ({
    nodes,
    present,
    steps: [
      step(3_000, { do: 'routes', node: 0, areThere }),
      step(beforeMs, { do: 'die', node: 0 }),
      ...(awayMs === null ? [wait(JUDGED_MS)] : [step(awayMs, { do: 'return', node: 0 })]),
    ],
  }));

/** One pod of a silent node cannot be marked, because another client changes it all the time. */
export const contested: fc.Arbitrary<Story> = fc
  .record({ nodes: nodesIn('a', 'a', 'b'), pod: fc.constantFrom(1, 2) })
  .map(({ nodes, pod }) => ({
    nodes,
    present: [1, 2, 3].map((number) => ({ pod: number, node: 0, tolerations: enduring(30) })),
    steps: [step(BEGUN_MS, { do: 'contest', pod }), step(0, { do: 'die', node: 0 }), wait(JUDGED_MS)],
  }));

/** No kubelet is ready, and one of them stops; then another one recovers, before the first is silent for long. */
export const forgiven: fc.Arbitrary<Story> = fc
  .record({ nodes: nodesIn('a', 'a', 'b'), silentMs: fc.constantFrom(25_000, 33_000, 40_000) })
  .map(({ nodes, silentMs }) => {
    const reports = (node: number, isReady: boolean, afterMs = 0): Step =>
      step(afterMs, { do: 'report', node, isReady, pressures: [] });
    return {
      nodes,
      present: [{ pod: 1, node: 0, tolerations: enduring(30) }],
      steps: [
        wait(BEGUN_MS),
        ...[0, 1, 2].map((node) => reports(node, false)),
        step(15_000, { do: 'die', node: 0 }),
        reports(1, true, silentMs),
        wait(JUDGED_MS),
      ],
    };
  });

/** The clock of a machine moves, forward and back. */
export const clocks: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'b'),
    byMs: fc.constantFrom(3_600_000, -3_600_000, -30_000),
    stops: fc.boolean(),
  })
  .map(({ nodes, byMs, stops }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: enduring(20) }],
    steps: [
      step(BEGUN_MS, { do: 'clock', node: 0, byMs }),
      wait(75_000),
      ...(stops ? [step(0, { do: 'die', node: 0 }), wait(JUDGED_MS)] : []),
    ],
  }));

/** A kubelet without leases, as before Kubernetes 1.14: it stops, or lives. */
export const withoutLease: fc.Arbitrary<Story> = fc
  .record({ skew: skews, stops: fc.boolean(), present: pods })
  .map(({ skew, stops, present }) => ({
    nodes: [{ zone: 'a', hasNoLease: true, ...(skew ? { skewMs: skew } : {}) }, { zone: 'a' }, { zone: 'b' }],
    present,
    steps: [wait(90_000), ...(stops ? [step(0, { do: 'die', node: 0 }), wait(JUDGED_MS)] : [])],
  }));

/** A kubelet reports right when the controller writes its verdict. */
export const lastReport: fc.Arbitrary<Story> = fc
  .record({ nodes: nodesIn('a', 'a', 'b'), beforeMs: fc.constantFrom(0, 40_000), hasNoLease: fc.boolean() })
  .map(({ nodes, beforeMs, hasNoLease }) => ({
    nodes: nodes.map((node, i) => (i === 0 ? { ...node, hasNoLease } : node)),
    present: [{ pod: 1, node: 0, tolerations: enduring(20) }],
    steps: [
      step(BEGUN_MS, { do: 'die', node: 0 }),
      step(beforeMs, { do: 'trap-node', trapped: 0, then: { do: 'return', node: 0 } }),
      wait(JUDGED_MS),
    ],
  }));

/** A user changes the Node right when the controller writes its verdict, or its taint. */
export const lastMoment: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    beforeMs: fc.constantFrom(0, 40_000, 60_000),
    then: fc.constantFrom<Operation>(
      { do: 'taint', node: 0, taint: { key: 'example.com/maintenance', effect: 'NoSchedule' } },
      { do: 'label', node: 0, value: 'x' },
      { do: 'cordon', node: 0, isCordoned: true },
    ),
  })
  .map(({ nodes, beforeMs, then }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: enduring(20) }],
    steps: [
      step(BEGUN_MS, { do: 'die', node: 0 }),
      step(beforeMs, { do: 'trap-node', trapped: 0, then }),
      wait(JUDGED_MS),
    ],
  }));

/** A node stops and returns several times. */
export const flapping: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    present: pods,
    pauses: fc.array(fc.tuple(aroundVerdict, fc.integer({ min: 1_000, max: 30_000 })), {
      minLength: 2,
      maxLength: 3,
    }),
  })
  .map(({ nodes, present, pauses }) => ({
    nodes,
    present,
    steps: [
      wait(BEGUN_MS),
      ...pauses.flatMap(([awayMs, backMs]) => [
        step(0, { do: 'die', node: 0 }),
        step(awayMs, { do: 'return', node: 0 }),
        wait(backMs),
      ]),
    ],
  }));

/** A kubelet that never starts, and perhaps one that stops early. */
export const mute: fc.Arbitrary<Story> = fc
  .record({
    skew: skews,
    returnsMs: perhaps(fc.integer({ min: 30_000, max: 120_000 })),
    present: pods,
    crash: perhaps(crashes(LIFECYCLE)),
  })
  .map(({ skew, returnsMs, present, crash }) => ({
    nodes: [{ zone: 'a', isMute: true }, { zone: 'a', skewMs: skew }, { zone: 'b' }],
    present,
    steps: [
      ...(crash === null ? [] : [{ strike: { ...crash, skip: 0, restartAfterMs: 1_000 }, afterMs: 48_000 }]),
      returnsMs === null ? wait(JUDGED_MS) : step(returnsMs, { do: 'return', node: 0 }),
    ],
  }));

/** The kubelet itself reports that its node is not ready; then it stops, or recovers, or both. */
export const notReady: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    present: pods,
    laterMs: fc.constantFrom(0, 3_000, 30_000),
    end: fc.constantFrom('stops', 'recovers', 'stops and returns', 'stays'),
  })
  .map(({ nodes, present, laterMs, end }) => {
    const reports = (isReady: boolean, afterMs: number): Step =>
      step(afterMs, { do: 'report', node: 0, isReady, pressures: [] });
    const rest: Readonly<Record<string, readonly Step[]>> = {
      stops: [step(laterMs, { do: 'die', node: 0 }), wait(JUDGED_MS)],
      recovers: [reports(true, laterMs)],
      'stops and returns': [
        step(laterMs, { do: 'die', node: 0 }),
        step(JUDGED_MS, { do: 'return', node: 0 }),
      ],
      stays: [wait(30_000)],
    };
    return { nodes, present, steps: [reports(false, BEGUN_MS), ...(rest[end] ?? [])] };
  });

/** A node stops; around the verdict one of the controllers crashes, or a request fails. */
export const deathAmidFaults: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    present: pods,
    faults: fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 20_000 }),
        fc.oneof(crashes(LIFECYCLE), crashes(EVICTION), apiFaults(LIFECYCLE), apiFaults(EVICTION)),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    returns: fc.boolean(),
  })
  .map(({ nodes, present, faults, returns }) => ({
    nodes,
    present,
    steps: [
      step(BEGUN_MS, { do: 'die', node: 0 }),
      wait(35_000),
      ...faults.map(([afterMs, strike]): Step => ({ strike, afterMs })),
      wait(60_000),
      ...(returns ? [step(0, { do: 'return', node: 0 })] : []),
    ],
  }));

/** The controller crashes at each request around the verdict, before or after it took effect. */
export const crashAtVerdict: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    skip: fc.integer({ min: 0, max: 7 }),
    performed: fc.boolean(),
    restartAfterMs: fc.constantFrom(10, 3_000, 40_000),
  })
  .map(({ nodes, ...crash }) => ({
    nodes,
    present: [
      { pod: 1, node: 0, tolerations: enduring(60) },
      { pod: 2, node: 0, tolerations: enduring(60) },
    ],
    steps: [
      step(BEGUN_MS, { do: 'die', node: 0 }),
      { strike: { fault: 'crash', process: LIFECYCLE, ...crash }, afterMs: 20_000 },
      wait(90_000),
    ],
  }));

/** Writes of one verb fail several times around the verdict. */
export const refusals: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    process: fc.constantFrom(LIFECYCLE, EVICTION),
    verb: fc.constantFrom('updateStatus', 'patch', 'delete', 'update', 'get'),
    reason: fc.constantFrom('Conflict' as const, 'InternalError' as const, 'ServiceUnavailable' as const),
    requests: fc.constantFrom(1, 2, 4, 7, 12),
    returns: fc.boolean(),
  })
  .map(({ nodes, returns, ...refused }) => ({
    nodes,
    present: [
      { pod: 1, node: 0, tolerations: enduring(0) },
      { pod: 2, node: 0, tolerations: enduring(20) },
    ],
    steps: [
      step(BEGUN_MS, { do: 'die', node: 0 }),
      { strike: { fault: 'refuse', ...refused }, afterMs: 25_000 },
      wait(JUDGED_MS),
      ...(returns ? [step(0, { do: 'return', node: 0 })] : []),
    ],
  }));
