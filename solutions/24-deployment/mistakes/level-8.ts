import type { Mistake } from '#harness/testing';

/** Mistakes of Level 8 · History and rollback. */
export const level8: readonly Mistake[] = [
  {
    id: 'revision-as-text',
    why: 'After revision 9, none is higher than 9.',
    origin: 'k#49355: revisions were compared as texts',
    law: 'Level 8',
    edits: [
      [
        'if (Number(old) >= newRevision) return annotations;',
        'if (old >= String(newRevision)) return annotations;',
      ],
    ],
  },
  {
    id: 'revision-is-a-count',
    why: 'When history was trimmed, the next revision has been there before.',
    origin: 'common',
    law: 'Moves the revision',
    edits: [['const newRevision = maxRevision(old) + 1;', 'const newRevision = old.length + 1;']],
  },
  {
    id: 'revision-stays-on-rollback',
    why: 'A ReplicaSet that is gone back to keeps its old revision, so that the next undo goes to itself.',
    origin: 'common',
    law: 'Trims history',
    edits: [
      ['if (Number(old) >= newRevision) return annotations;', 'if (Number(old) > 0) return annotations;'],
    ],
  },
  {
    id: 'revision-counts-itself',
    why: 'The new ReplicaSet is among those that it has to surpass, and so surpasses itself for ever.',
    origin: 'common',
    law: 'Comes to rest',
    edits: [['      maxRevision(old) + 1,\n', '      maxRevision(allOf(rollout)) + 1,\n']],
  },
  {
    id: 'history-newest-first',
    why: 'What is deleted is what one would want to go back to.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '    .toSorted(byRevision)\n    .slice(0,',
        '    .toSorted((a, b) => byRevision(b, a))\n    .slice(0,',
      ],
    ],
  },
  {
    id: 'history-with-pods',
    why: 'A ReplicaSet that has pods still is deleted, and they with it.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      ['        spec.replicas === 0 &&\n        status.replicas === 0 &&\n', '        spec !== status &&\n'],
    ],
  },
  {
    id: 'history-never-trimmed',
    why: 'Old ReplicaSets pile up.',
    origin: 'common',
    law: 'Trims history',
    edits: [
      [
        'if (changes.length === 0) await this.#cleanupIfComplete(rollout);',
        'if (changes.length < 0) await this.#cleanupIfComplete(rollout);',
      ],
    ],
  },
  {
    id: 'history-in-the-place-of-another',
    why: 'For one that cannot go the next one has to, though it is not too old.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '.slice(0, Math.max(0, alive.length - limit))\n    .filter(\n      ({ metadata, spec, status }) =>\n        spec.replicas === 0 &&\n        status.replicas === 0 &&\n        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),\n    );',
        '.filter(({ spec, status }) => spec.replicas === 0 && status.replicas === 0)\n    .slice(0, Math.max(0, alive.length - limit));',
      ],
    ],
  },
  {
    id: 'rollback-keeps-the-hash',
    why: 'The template gets the label of an old ReplicaSet, and is another one for ever.',
    origin: 'kubectl removes it on purpose',
    law: 'Level 8',
    edits: [['value: withoutHash(target.spec.template as PodTemplateSpec)', 'value: target.spec.template']],
  },
];
