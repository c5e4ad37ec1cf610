import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6 · Recreate. */
export const level6: readonly Mistake[] = [
  {
    id: 'recreate-does-not-wait',
    why: 'Old and new run side by side, which is what Recreate is there to prevent.',
    origin: 'common',
    law: 'Never overlaps',
    edits: [['if (down.length > 0 || oldPodsRunning(before.old, oldPods)) {', 'if (down.length > 0) {']],
  },
  {
    id: 'recreate-believes-replica-sets',
    why: 'A ReplicaSet no longer counts a pod that is being deleted, but it runs until it is gone.',
    origin: 'k#27362: Recreate must wait for the old pods themselves',
    law: 'Never overlaps',
    edits: [
      [
        "  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        '  return oldPods.length < 0;',
      ],
    ],
  },
  {
    id: 'recreate-ignores-the-unknown',
    why: 'A node that does not answer may still run its pods.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        "status.phase === 'Pending' || status.phase === 'Running');",
      ],
    ],
  },
  {
    id: 'recreate-sleeps-on',
    why: 'Nobody says when the last pod is gone, and nobody looks.',
    origin: 'common: does not watch pods',
    law: 'Level 9',
    edits: [
      [
        'podInformer.addEventHandler({ onDelete: (gone) => this.#podDeleted(lastState(gone)) });',
        'podInformer.addEventHandler({ onDelete: (gone) => void lastState(gone) });',
      ],
    ],
  },
  {
    id: 'recreate-waits-for-the-dead',
    why: 'A pod that has failed is never deleted, and so the last one that is never comes.',
    origin: 'k#128798: a Recreate stalled until its deadline where an old pod had been evicted',
    law: 'Level 9',
    edits: [
      [
        'this.#podDeleted(lastState(gone))',
        "podInformer.indexer.byIndex('controller', controllerOf(lastState(gone))?.uid ?? '').length === 0 && this.#podDeleted(lastState(gone))",
      ],
    ],
  },
];
