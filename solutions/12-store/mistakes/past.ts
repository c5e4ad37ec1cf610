import type { Mistake } from '#harness/testing';

/** Level 4 · The past */
export const past: readonly Mistake[] = [
  {
    id: 'a-past-without-order',
    why: 'A range of the past has the unchanged keys first, and then the others.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [['.sort((a, b) => (a.key < b.key ? -1 : 1))', '']],
  },
  {
    id: 'the-revision-of-the-past',
    why: 'A read of the past answers with the past revision instead of that of the store.',
    misconception: 'You seem to believe that the answer carries the revision that was asked for.',
    origin: 'common',
    law: 'Snapshot',
    edits: [
      [
        '    return { revision: this.revision, kvs, more',
        '    return { revision: revision ?? this.revision, kvs, more',
      ],
    ],
  },
  {
    id: 'undoes-in-the-wrong-order',
    why: 'Undoes the changes oldest first: a key that changed twice gets a state from the middle.',
    origin: 'common',
    law: 'Snapshot',
    edits: [['this.eventsFrom(revision + 1).reverse()', 'this.eventsFrom(revision + 1)']],
  },
  {
    id: 'undoes-one-too-many',
    why: 'Undoes the change of the revision itself.',
    misconception: 'You seem to believe that a read at a revision does not see its change.',
    origin: 'common',
    law: 'Snapshot',
    edits: [['this.eventsFrom(revision + 1).reverse()', 'this.eventsFrom(revision).reverse()']],
  },
  {
    id: 'deleted-keys-stay-deleted',
    why: 'A read of the past does not have the keys that were deleted since.',
    origin: 'common',
    law: 'Snapshot',
    edits: [
      [
        '    const restored = [...before.values()].filter((kv) => kv !== undefined);',
        '    const restored = [...before.values()].filter((kv) => kv !== undefined && this.present.get(kv.key));',
      ],
    ],
  },
  {
    id: 'compaction-forgets-the-present',
    why: 'A compaction also removes the keys that were not written since.',
    misconception: 'You seem to believe that a compaction keeps only newer writes.',
    origin: 'facts: compaction also forgets the present value of keys not written since',
    law: 'Compacted',
    edits: [
      [
        '    this.compactedRevision = revision;',
        `    this.compactedRevision = revision;
    for (const { key, modRevision } of this.present.all()) if (modRevision < revision) this.present.delete(key);`,
      ],
    ],
  },
  {
    id: 'serves-the-forgotten',
    why: 'Answers a read of a compacted revision with whatever is left.',
    origin: 'facts: a compacted read succeeds',
    law: 'Compacted',
    edits: [
      [
        `    if (revision < this.compactedRevision) throw new StoreError('Compacted');
`,
        '',
      ],
    ],
  },
  {
    id: 'forgets-one-too-many',
    why: 'Refuses a read at the compacted revision itself.',
    misconception: 'You seem to believe that the compacted revision is gone.',
    origin: 'common',
    law: 'Compacted',
    edits: [
      [
        `    if (revision < this.compactedRevision) throw new StoreError('Compacted');`,
        `    if (revision <= this.compactedRevision) throw new StoreError('Compacted');`,
      ],
    ],
  },
  {
    id: 'compacts-backwards',
    why: 'A compaction before the last one succeeds, and makes the forgotten past readable.',
    origin: 'common',
    law: 'Compacted',
    edits: [
      [
        `    if (revision <= this.compactedRevision) throw new StoreError('Compacted');
`,
        '',
      ],
    ],
  },
  {
    id: 'reads-the-future',
    why: 'A read at a future revision answers with the present: the reader believes that it has seen more.',
    misconception: 'You seem to believe that the present is all that a future read can have.',
    origin: 'common',
    law: 'Compacted',
    edits: [
      [
        `    if (revision > this.revision) throw new StoreError('FutureRevision');
    if (revision < this`,
        '    if (revision < this',
      ],
    ],
  },
  {
    id: 'forgets-the-change-at-the-compaction',
    why: 'A compaction also forgets the changes of its own revision: a watch from there misses them.',
    origin: 'etcd-io/etcd#19179, etcd-io/etcd#18089',
    law: 'No gap, no double',
    edits: [
      [
        '    this.history = this.eventsFrom(revision).map(',
        '    this.history = this.eventsFrom(revision + 1).map(',
      ],
    ],
  },
  {
    id: 'remembers-a-hundred-changes',
    why: 'Forgets changes that nobody has compacted: a read of an old revision has the wrong state.',
    misconception: 'You seem to believe that the newest changes are enough.',
    origin: 'common',
    law: 'Snapshot',
    edits: [
      [
        '      this.history.push(event);',
        '      this.history.push(event);\n      if (this.history.length > 100) this.history.shift();',
      ],
    ],
  },
];
