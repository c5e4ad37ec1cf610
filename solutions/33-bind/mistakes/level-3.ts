import type { Mistake } from '#harness/testing';

/** Mistakes of Level 3 · The cache. */
export const level3: readonly Mistake[] = [
  {
    id: 'confirmed-is-counted-again',
    why: 'When the watch shows an assumed pod, its resources count twice.',
    misconception: 'You seem to believe that a pod that the watch shows is new to you.',
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
    id: 'confirmed-as-it-was-assumed',
    why: 'When the watch shows an assumed pod, its old version stays on the node, with labels that it no longer has.',
    misconception: 'You seem to believe that a pod does not change between your decision and its bind.',
    origin: 'common',
    law: 'The cache is true',
    edits: [
      [
        '    this.removePod(pod);\n    this.states.set(pod.metadata.uid, { pod, assumed: false });',
        '    const known = this.states.get(pod.metadata.uid);\n    if (known?.assumed && known.pod.spec.nodeName === pod.spec.nodeName) {\n      this.states.set(pod.metadata.uid, { pod: known.pod, assumed: false });\n      return;\n    }\n    this.removePod(pod);\n    this.states.set(pod.metadata.uid, { pod, assumed: false });',
      ],
    ],
  },
  {
    id: 'forgets-what-is-confirmed',
    why: 'A bind fails late, and the pod is removed from its node, although the watch has already shown it there.',
    misconception: 'You seem to believe that an error outweighs what the watch has shown.',
    origin: 'common',
    law: 'Level 3',
    edits: [['    if (!this.isAssumedPod(pod)) return false;\n', '']],
  },
  {
    id: 'assumes-twice',
    why: 'A pod that is already in the cache is assumed again, and its resources count on two nodes.',
    origin: 'k#26043',
    law: 'Level 3',
    hidden: 'A pod in the cache is never scheduled: it is skipped before.',
    edits: [
      [
        '    if (known) {\n      throw new Error(\n        `Failed to assume',
        '    if (known?.assumed === false) {\n      throw new Error(\n        `Failed to assume',
      ],
    ],
  },
  {
    id: 'removes-where-it-is-said-to-be',
    why: 'The last known state of a deleted pod may have no node yet; then its room stays allocated forever.',
    origin: 'common; upstream reckons with it',
    law: 'Level 3',
    hidden: 'podChanged passes the pod from the cache, with its node.',
    edits: [
      [
        'removePod({ metadata: { uid } }: Pod): void {\n    const known = this.states.get(uid);\n    if (!known) return;',
        'removePod({ metadata: { uid }, spec }: Pod): void {\n    const known = this.states.get(uid);\n    if (!known || !spec.nodeName) return;',
      ],
    ],
  },
];
