import type { Mistake } from '#harness/testing';

/** Mistakes of Level 3 · The cache. */
export const level3: readonly Mistake[] = [
  {
    id: 'a-node-takes-its-pods-along',
    why: 'A node that was away for a moment comes back empty, and is filled a second time.',
    origin: 'k#49280: pods of a node that is gone stay in the cache',
    law: 'Never overcommits',
    edits: [
      [
        'this.#podsWithoutNode.set(name, new Map(known.pods.map(({ pod }) => [pod.metadata.uid, pod])));',
        'for (const { pod } of known.pods) this.#pods.delete(pod.metadata.uid);',
      ],
    ],
  },
  {
    id: 'confirmed-is-counted-again',
    why: 'The watch shows a pod that was assumed, and it takes its room twice.',
    origin: 'common',
    law: 'The cache is true',
    edits: [
      [
        '    this.removePod(pod);\n    this.#addPod({ pod, assumed: false });',
        '    this.#addPod({ pod, assumed: false });',
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
    id: 'stale-snapshot',
    why: 'A snapshot is made when a node comes or goes, not when a pod does.',
    origin: 'common',
    law: 'Level 3',
    edits: [['    this.#changed.add(info.name);\n', '']],
  },
  {
    id: 'pods-before-their-node',
    why: 'Of two streams one is faster: a pod is seen before its node, and forgotten.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        '    this.#podsWithoutNode.set(nodeName, withoutNode.set(pod.metadata.uid, pod));',
        '    void withoutNode;',
      ],
    ],
  },
  {
    id: 'assumes-twice',
    why: 'A pod that is in the cache is assumed once more, and takes room on two nodes.',
    origin: 'k#26043',
    law: 'Level 3',
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
    edits: [
      [
        'removePod({ metadata: { uid } }: Pod): void {\n    const known = this.#pods.get(uid);\n    if (!known) return;',
        'removePod({ metadata: { uid }, spec }: Pod): void {\n    const known = this.#pods.get(uid);\n    if (!known || !spec.nodeName) return;',
      ],
    ],
  },
  {
    id: 'snapshot-of-old-namespaces',
    why: 'If no node has changed, the last snapshot is given out again, with labels of namespaces that have changed since.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'if (nothingNew && among === this.#last.namespaces) return this.#last;',
        'if (nothingNew) return this.#last;',
      ],
    ],
  },
];
