/** Mistakes of level 2 · Taints. */
import type { Mistake } from '#harness/testing';

/** Level 2 · Taints. */
export const level2: readonly Mistake[] = [
  {
    id: 'preference-keeps-out',
    why: 'PreferNoSchedule is a wish: whoever has nowhere else to go, may come.',
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
    why: 'Of several taints that keep a pod away it names the last, so that the sentence for users counts otherwise.',
    origin: 'common',
    law: 'Names its reason',
    edits: [['return taints?.find(', 'return taints?.findLast(']],
  },
  {
    id: 'taints-might-go',
    why: 'It says that it could help if other pods went, and preemption evicts them for nothing.',
    origin: 'common',
    law: 'Means never',
    edits: [
      [
        'return framework.unresolvable(`node(s) had untolerated',
        'return framework.unschedulable(`node(s) had untolerated',
      ],
    ],
  },
];
