import fc from 'fast-check';
import type * as core from '#api/core/v1';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { EVICTION, LIFECYCLE, type Operation, PRESSURES, type Step } from '../operations.ts';
import { NOT_READY, UNREACHABLE } from '../oracle/taints.ts';
import {
  BEGUN_MS,
  EVERYTHING,
  enduring,
  JUDGED_MS,
  MAINTENANCE,
  maintained,
  nodesIn,
  perhaps,
  type Story,
  step,
  tolerations,
  wait,
} from './parts.ts';

const maintenance: core.Taint = { key: MAINTENANCE, effect: 'NoExecute', value: 'disk' };
const taint = (afterMs: number, one: core.Taint = maintenance, node = 0): Step =>
  step(afterMs, { do: 'taint', node, taint: one });
const untaint = (afterMs: number, key = MAINTENANCE, node = 0): Step =>
  step(afterMs, { do: 'untaint', node, key });
const pair = nodesIn('a', 'a');

/** A user taints a node, and removes the taint: before or after the pods have left. */
export const taintedByHand: fc.Arbitrary<Story> = fc
  .record({
    nodes: pair,
    first: tolerations,
    second: tolerations,
    heldMs: fc.constantFrom(500, 3_000, 10_000, 22_000, 40_000),
    again: perhaps(fc.constantFrom(100, 4_000, 15_000)),
  })
  .map(({ nodes, first, second, heldMs, again }) => ({
    nodes,
    present: [
      { pod: 1, node: 0, tolerations: first },
      { pod: 2, node: 0, tolerations: second },
      { pod: 3, node: 0, tolerations: [maintained(30)] },
      { pod: 4, node: 1, tolerations: [] },
    ],
    steps: [
      taint(BEGUN_MS),
      untaint(heldMs),
      ...(again === null ? [] : [taint(again), wait(45_000)]),
      wait(20_000),
    ],
  }));

/** Several taints of users; a pod tolerates some, some of them for a time. */
export const severalTaints: fc.Arbitrary<Story> = fc
  .record({
    nodes: pair,
    limits: fc.tuple(fc.constantFrom(undefined, 10, 40), fc.constantFrom(undefined, 15, 30)),
    betweenMs: fc.constantFrom(0, 5_000, 20_000),
    firstGoes: fc.boolean(),
    operator: fc.constantFrom('Exists' as const, 'Equal' as const),
    value: fc.constantFrom('disk', 'other'),
  })
  .map(({ nodes, limits: [first, second], betweenMs, firstGoes, operator, value }) => {
    const other: core.Toleration = {
      key: 'example.com/other',
      effect: 'NoExecute',
      ...(operator === 'Equal' ? { operator, value } : { operator }),
      ...(second === undefined ? {} : { tolerationSeconds: second }),
    };
    return {
      nodes,
      present: [
        { pod: 1, node: 0, tolerations: [maintained(first), other] },
        { pod: 2, node: 0, tolerations: [other, maintained(first), EVERYTHING] },
        { pod: 3, node: 0, tolerations: [maintained(12), maintained(3)] },
      ],
      steps: [
        taint(BEGUN_MS),
        taint(betweenMs, { key: 'example.com/other', effect: 'NoExecute', value: 'disk' }),
        ...(firstGoes ? [untaint(3_000)] : []),
        wait(60_000),
      ],
    };
  });

/** Taints with another effect move no pod, and belong to users. */
export const otherEffects: fc.Arbitrary<Story> = fc
  .record({
    nodes: pair,
    key: fc.constantFrom(MAINTENANCE, UNREACHABLE, NOT_READY, 'node.kubernetes.io/memory-pressure'),
    effect: fc.constantFrom('NoSchedule' as const, 'PreferNoSchedule' as const),
    dies: fc.boolean(),
  })
  .map(({ nodes, key, effect, dies }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: enduring(20) }],
    steps: [
      taint(BEGUN_MS, { key, effect, value: 'mine' }),
      taint(1_000, { key: MAINTENANCE, effect: 'PreferNoSchedule' }),
      ...(dies ? [step(0, { do: 'die', node: 0 }), wait(JUDGED_MS + 40_000)] : [wait(15_000)]),
      step(0, { do: 'return', node: 0 }),
    ],
  }));

/** A user changes the tolerations of a pod that waits. */
export const changedTolerations: fc.Arbitrary<Story> = fc
  .record({
    nodes: pair,
    from: fc.constantFrom(20, 60, 60),
    to: fc.constantFrom(5, 5, 5, 40, 90, 600),
    afterMs: fc.constantFrom(2_000, 15_000),
    unlimited: fc.constantFrom(false, false, false, true),
    crash: perhaps(crashes(EVICTION)),
  })
  .map(({ nodes, from, to, afterMs, unlimited, crash }) => ({
    nodes,
    present: [
      { pod: 1, node: 0, tolerations: [maintained(from)] },
      { pod: 2, node: 0, tolerations: [maintained(25)] },
    ],
    steps: [
      taint(BEGUN_MS),
      ...(crash === null ? [] : [{ strike: crash, afterMs: 500 }]),
      step(afterMs, {
        do: 'tolerate',
        pod: 1,
        tolerations: unlimited ? [{ key: MAINTENANCE, operator: 'Exists' }] : [maintained(to)],
      }),
      wait(120_000),
      untaint(0),
    ],
  }));

/** A user removes taints of the controller, or adds them to a node that is well. */
export const undone: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'a', 'b'),
    key: fc.constantFrom(NOT_READY, UNREACHABLE),
    effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const),
    isDead: fc.boolean(),
    afterMs: fc.constantFrom(1_000, 13_000, 30_000),
  })
  .map(({ nodes, key, effect, isDead, afterMs }) => ({
    nodes,
    present: [
      { pod: 1, node: 0, tolerations: enduring(45) },
      { pod: 2, node: 0, tolerations: enduring(120) },
    ],
    steps: isDead
      ? [
          step(BEGUN_MS, { do: 'die', node: 0 }),
          wait(JUDGED_MS),
          step(afterMs, { do: 'untaint', node: 0, key: UNREACHABLE, effect }),
          wait(50_000),
        ]
      : [taint(BEGUN_MS, { key, effect }), wait(25_000)],
  }));

/** A kubelet reports pressures, the cloud reports routes, a user cordons. */
export const conditions: fc.Arbitrary<Story> = fc
  .record({
    nodes: pair,
    changes: fc.array(
      fc.tuple(
        fc.constantFrom(0, 20, 1_000, 8_000),
        fc.oneof(
          fc
            .subarray([...PRESSURES])
            .map((pressures): Operation => ({ do: 'report', node: 0, isReady: true, pressures })),
          fc.boolean().map((areThere): Operation => ({ do: 'routes', node: 0, areThere })),
          fc.boolean().map((isCordoned): Operation => ({ do: 'cordon', node: 0, isCordoned })),
          fc.constantFrom('x', 'y').map((value): Operation => ({ do: 'label', node: 0, value })),
          fc.constant<Operation>({ do: 'taint', node: 0, taint: { key: MAINTENANCE, effect: 'NoSchedule' } }),
        ),
      ),
      { minLength: 2, maxLength: 6 },
    ),
    fault: perhaps(fc.oneof(apiFaults(LIFECYCLE), crashes(LIFECYCLE))),
  })
  .map(({ nodes, changes, fault }) => ({
    nodes,
    steps: [
      wait(BEGUN_MS),
      ...(fault === null ? [] : [{ strike: fault, afterMs: 0 }]),
      ...changes.map(([afterMs, operation]) => step(afterMs, operation)),
    ],
  }));

/** The status of a node cannot be tainted for a while: the writes of its taints are refused, and nothing follows. */
export const refusedTaints: fc.Arbitrary<Story> = fc
  .record({
    nodes: pair,
    verb: fc.constantFrom('patch', 'get', 'update'),
    requests: fc.constantFrom(1, 3, 6, 10),
    operation: fc.oneof(
      fc.constant<Operation>({ do: 'cordon', node: 0, isCordoned: true }),
      fc.constant<Operation>({ do: 'report', node: 0, isReady: true, pressures: ['DiskPressure'] }),
      fc.constant<Operation>({ do: 'report', node: 0, isReady: false, pressures: [] }),
    ),
  })
  .map(({ nodes, operation, ...refused }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: enduring(10) }],
    steps: [
      {
        strike: { fault: 'refuse', process: LIFECYCLE, reason: 'InternalError', ...refused },
        afterMs: BEGUN_MS,
      },
      step(0, operation),
      wait(60_000),
    ],
  }));
