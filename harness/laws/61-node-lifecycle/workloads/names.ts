import fc from 'fast-check';
import type * as core from '#api/core/v1';
import { crashes } from '../../../testing/arbitraries/faults.ts';
import { EVICTION, type Operation, OTHER_NAMESPACE, type Step } from '../operations.ts';
import {
  BEGUN_MS,
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

const maintenance: core.Taint = { key: MAINTENANCE, effect: 'NoExecute' };
const taints: Operation = { do: 'taint', node: 0, taint: maintenance };

/** While a pod waits for its eviction, another pod takes its name, elsewhere or on the same node. */
export const replacedPod: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a'),
    limit: fc.constantFrom(10, 30),
    afterMs: fc.constantFrom(100, 4_000, 9_000),
    node: fc.constantFrom(1, 1, 0),
    tolerated: tolerations,
  })
  .map(({ nodes, limit, afterMs, node, tolerated }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: [maintained(limit)] }],
    steps: [
      step(BEGUN_MS, taints),
      step(afterMs, { do: 'replace-pod', pod: 1, node, tolerations: tolerated }),
      wait(45_000),
    ],
  }));

/** Another pod takes the name between the decision and its first request. */
export const replacedBefore: fc.Arbitrary<Story> = fc
  .record({ nodes: nodesIn('a', 'a'), limit: fc.constantFrom(0, 10), isSameNode: fc.boolean() })
  .map(({ nodes, limit, isSameNode }) => {
    const where = isSameNode ? { node: 0, tolerations: [maintained(60)] } : { node: 1, tolerations: [] };
    const then: Operation = { do: 'replace-pod', pod: 1, ...where };
    return {
      nodes,
      present: [{ pod: 1, node: 0, tolerations: [maintained(limit)] }],
      steps: [step(BEGUN_MS, { do: 'trap', pod: 1, when: 'decided', then }), step(0, taints), wait(30_000)],
    };
  });

/** Another pod takes the name of a pod on a silent node, right before the controller marks the pod. */
export const replacedBeforeMark: fc.Arbitrary<Story> = nodesIn('a', 'a').map((nodes) => {
  const then: Operation = { do: 'replace-pod', pod: 1, node: 1, tolerations: [] };
  return {
    nodes,
    present: [{ pod: 1, node: 0, tolerations: [] }],
    steps: [
      step(BEGUN_MS, { do: 'die', node: 0 }),
      step(0, { do: 'trap', pod: 1, when: 'decided', then }),
      wait(JUDGED_MS),
    ],
  };
});

/** Another pod takes the name between two requests of the controller. */
export const replacedMeanwhile: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a'),
    limit: fc.constantFrom(0, 10),
    when: fc.constantFrom('read' as const, 'written' as const, 'written' as const),
    isGone: fc.boolean(),
  })
  .map(({ nodes, limit, when, isGone }) => {
    const then: Operation = isGone
      ? { do: 'delete-pod', pod: 1 }
      : { do: 'replace-pod', pod: 1, node: 1, tolerations: [] };
    return {
      nodes,
      present: [{ pod: 1, node: 0, tolerations: [maintained(limit)] }],
      steps: [step(BEGUN_MS, { do: 'trap', pod: 1, when, then }), step(0, taints), wait(30_000)],
    };
  });

/** Pods of two namespaces have the same name. Each has its own node and grace period. */
export const twoNamespaces: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a'),
    limits: fc.tuple(fc.constantFrom(0, 5), fc.constantFrom(0, 20)),
    graces: fc.constantFrom([5, 120], [120, 5]),
    isOther: fc.boolean(),
    areBoth: fc.boolean(),
  })
  .map(({ nodes, limits, graces: [first, second], isOther, areBoth }) => ({
    nodes,
    present: [
      { pod: 1, node: isOther ? 1 : 0, tolerations: [maintained(limits[0])], graceSeconds: first },
      {
        pod: 1,
        namespace: OTHER_NAMESPACE,
        node: isOther || areBoth ? 0 : 1,
        tolerations: [maintained(limits[1])],
        graceSeconds: second,
      },
    ],
    steps: [step(BEGUN_MS, taints), wait(30_000)],
  }));

/** An evicted pod is followed by another of its name on the same node, as by that of a StatefulSet. */
export const evictedAgain: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a'),
    limits: fc.tuple(fc.constantFrom(0, 5), fc.constantFrom(0, 5, 20)),
    isHeld: fc.boolean(),
  })
  .map(({ nodes, limits: [first, second], isHeld }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: [maintained(first)], isHeld }],
    steps: [
      step(BEGUN_MS, taints),
      wait(9_000),
      step(0, { do: 'release-pod', pod: 1 }),
      wait(3_000),
      step(0, { do: 'create-pod', pod: 1, node: 0, tolerations: [maintained(second)] }),
      wait(30_000),
    ],
  }));

/** Pods come to a node that is tainted or silent already. */
export const newcomers: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    isSilent: fc.boolean(),
    first: tolerations,
    second: tolerations,
    ended: fc.constantFrom('Succeeded' as const, 'Failed' as const),
    crash: perhaps(crashes(EVICTION)),
  })
  .map(({ nodes, isSilent, first, second, ended, crash }) => ({
    nodes,
    present: [{ pod: 4, node: 0, tolerations: [maintained(20), ...enduring(20)], ended }],
    steps: [
      step(BEGUN_MS, isSilent ? { do: 'die', node: 0 } : taints),
      wait(isSilent ? JUDGED_MS : 3_000),
      step(0, { do: 'create-pod', pod: 1, node: 0, tolerations: first }),
      ...(crash === null ? [] : [{ strike: crash, afterMs: 0 }]),
      step(2_000, { do: 'create-pod', pod: 2, node: 0, tolerations: second }),
      wait(30_000),
    ],
  }));

/** A Node is deleted, and perhaps created again, with or without its machine. */
export const deletedNode: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a', 'b'),
    diesMs: perhaps(fc.constantFrom(1_000, 45_000, JUDGED_MS)),
    againMs: perhaps(fc.constantFrom(1, 2_000, 30_000)),
    returns: fc.boolean(),
    isTainted: fc.boolean(),
  })
  .map(({ nodes, diesMs, againMs, returns, isTainted }): Story => {
    const again: readonly Step[] =
      againMs === null ? [] : [step(againMs, { do: 'create-node', node: 0 }), wait(JUDGED_MS)];
    return {
      nodes,
      present: [
        { pod: 1, node: 0, tolerations: [maintained(20), ...enduring(30)] },
        { pod: 2, node: 0, tolerations: [maintained(20)] },
      ],
      steps: [
        wait(BEGUN_MS),
        ...(isTainted ? [step(0, taints)] : []),
        ...(diesMs === null ? [] : [step(0, { do: 'die', node: 0 }), wait(diesMs)]),
        step(0, { do: 'delete-node', node: 0 }),
        ...again,
        ...(returns ? [step(1_000, { do: 'return', node: 0 })] : []),
        wait(20_000),
      ],
    };
  });

/** Deletions are refused again and again, then no more. */
export const refusedEviction: fc.Arbitrary<Story> = fc
  .record({
    nodes: nodesIn('a', 'a'),
    limit: fc.constantFrom(0, 10),
    verb: fc.constantFrom('delete', 'delete', 'patch', 'patch', 'get'),
    reason: fc.constantFrom(
      'InternalError' as const,
      'ServiceUnavailable' as const,
      'TooManyRequests' as const,
    ),
    requests: fc.constantFrom(1, 4, 9, 9),
    isTimeout: fc.constantFrom(false, false, true),
    performed: fc.boolean(),
  })
  .map(({ nodes, limit, isTimeout, performed, ...refused }) => ({
    nodes,
    present: [{ pod: 1, node: 0, tolerations: [maintained(limit)] }],
    steps: [
      isTimeout
        ? {
            strike: { fault: 'time-out', process: EVICTION, performed, verb: refused.verb },
            afterMs: BEGUN_MS,
          }
        : { strike: { fault: 'refuse', process: EVICTION, ...refused }, afterMs: BEGUN_MS },
      step(0, taints),
      wait(60_000),
    ],
  }));
