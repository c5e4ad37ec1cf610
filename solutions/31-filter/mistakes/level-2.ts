/** Mistakes of level 2 · Taints. */
import type { Mistake } from '#harness/testing';

/** Level 2 · Taints. */
export const level2: readonly Mistake[] = [
  {
    id: 'preference-keeps-out',
    why: 'PreferNoSchedule rejects a pod, although it is only a preference.',
    origin: 'common',
    law: 'Preferences never reject',
    edits: [["(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&", "taint.effect !== '' &&"]],
  },
  {
    id: 'no-execute-is-not-for-us',
    why: 'NoExecute does not reject a pod, although the pod would be evicted as soon as it runs.',
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
    why: 'If several taints reject the pod, it returns the last one.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The reason is the same for every taint.',
    edits: [['return taints?.find(', 'return taints?.findLast(']],
  },
  {
    id: 'each-taint-a-reason',
    why: 'The reason contains the taint, as in Kubernetes before 1.35: the message counts nodes with different taints separately.',
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
    why: 'It claims that the removal of other pods could help, and preemption evicts them in vain.',
    origin: 'common',
    law: 'Stays unresolvable',
    edits: [
      ["framework.unresolvable('node(s) had untolerated", "framework.unschedulable('node(s) had untolerated"],
    ],
  },
];
