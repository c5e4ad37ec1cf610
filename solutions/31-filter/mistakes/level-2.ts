/** Mistakes of level 2 · Taints. */
import type { Mistake } from '#harness/testing';

/** Level 2 · Taints. */
export const level2: readonly Mistake[] = [
  {
    id: 'preference-keeps-out',
    why: 'PreferNoSchedule is a wish: a pod that has nowhere else to go may come.',
    origin: 'common',
    law: 'Wishes decide nothing',
    edits: [["(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&", "taint.effect !== '' &&"]],
  },
  {
    id: 'no-execute-is-not-for-us',
    why: 'What is thrown off a node as soon as it runs should not be sent there.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        "(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&",
        "taint.effect === 'NoSchedule' &&",
      ],
    ],
  },
  {
    id: 'names-the-last-taint',
    why: 'Of several taints that keep a pod away it finds the last.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Whichever taint it is, the reason is the same.',
    edits: [['return taints?.find(', 'return taints?.findLast(']],
  },
  {
    id: 'each-taint-a-reason',
    why: 'Names the taint, as Kubernetes did before 1.35: nodes with different taints are counted apart in the sentence.',
    origin: 'k#134740',
    law: 'Names its reason',
    edits: [
      [
        'return findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations) ? tainted : framework.success;',
        'const taint = findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations);\n    return taint ? framework.unresolvable("node(s) had untolerated taint " + taint.key) : framework.success;',
      ],
    ],
  },
  {
    id: 'taints-might-go',
    why: 'It says that it could help if other pods went, and preemption evicts them for nothing.',
    origin: 'common',
    law: 'Stays unresolvable',
    edits: [
      ["framework.unresolvable('node(s) had untolerated", "framework.unschedulable('node(s) had untolerated"],
    ],
  },
];
