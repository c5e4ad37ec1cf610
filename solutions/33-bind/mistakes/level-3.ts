import type { Mistake } from '#harness/testing';

/** Mistakes of Level 3 · The cache. */
export const level3: readonly Mistake[] = [
  {
    id: 'confirmed-is-counted-again',
    why: 'The watch shows a pod that was assumed, and it takes its room twice.',
    origin: 'common',
    law: 'The cache is true',
    edits: [
      [
        '    this.removePod(pod);\n    this.states.set(pod.metadata.uid, { pod, assumed: false });',
        '    this.states.set(pod.metadata.uid, { pod, assumed: false });',
      ],
    ],
  },
  {
    id: 'forgets-what-is-confirmed',
    why: 'A bind fails late, and the pod that the watch has shown on its node is taken off it.',
    origin: 'common',
    law: 'Level 3',
    edits: [['    if (!this.isAssumedPod(pod)) return false;\n', '']],
  },
  {
    id: 'assumes-twice',
    why: 'A pod that is in the cache is assumed once more, and takes room on two nodes.',
    origin: 'k#26043',
    law: 'Level 3',
    hidden: 'A pod that is in the cache is never scheduled: it is skipped before.',
    edits: [
      [
        '    if (known) {\n      throw new Error(\n        `Failed to assume',
        '    if (known?.assumed === false) {\n      throw new Error(\n        `Failed to assume',
      ],
    ],
  },
  {
    id: 'removes-where-it-is-said-to-be',
    why: 'The last known state of a pod that is gone may be from before it had a node; its room is then taken for ever.',
    origin: 'common; upstream reckons with it',
    law: 'Level 3',
    hidden: 'podChanged hands over the pod as the cache has it, with its node.',
    edits: [
      [
        'removePod({ metadata: { uid } }: Pod): void {\n    const known = this.states.get(uid);\n    if (!known) return;',
        'removePod({ metadata: { uid }, spec }: Pod): void {\n    const known = this.states.get(uid);\n    if (!known || !spec.nodeName) return;',
      ],
    ],
  },
];
