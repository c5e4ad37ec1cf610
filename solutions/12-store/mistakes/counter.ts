import type { Mistake } from '#harness/testing';

/** Level 1 · One counter */
export const counter: readonly Mistake[] = [
  {
    id: 'a-counter-for-each-key',
    why: 'Counts the revisions of each key by themselves: a client cannot order the writes of two keys.',
    misconception: 'You seem to believe that each key counts its own writes.',
    origin: 'facts: resourceVersion per object instead of per store',
    law: 'One counter',
    edits: [
      [
        'const event = eventOf(change, this.present.get(change.key), revision);',
        `const previous = this.present.get(change.key);
      const event = eventOf(change, previous, (previous?.modRevision ?? 1) + 1);`,
      ],
    ],
  },
  {
    id: 'a-revision-for-each-operation',
    why: 'Each operation of a transaction has its own revision: a reader sees half of it.',
    misconception: 'You seem to believe that each put is a revision.',
    origin: 'common',
    law: 'One counter',
    edits: [['      this.write(own, revision);', '      this.write(own);']],
  },
  {
    id: 'a-failed-condition-counts',
    why: 'A transaction whose condition fails moves the revision, although it has changed nothing.',
    misconception: 'You seem to believe that each transaction moves the counter.',
    origin: 'common',
    law: 'One counter',
    edits: [
      [
        '    return { revision: this.revision, succeeded, results, changes };',
        `    if (!succeeded) this.revision = Math.max(this.revision, revision);
    return { revision: this.revision, succeeded, results, changes };`,
      ],
    ],
  },
  {
    id: 'deleting-nothing-counts',
    why: 'A delete of a missing key moves the revision.',
    misconception: 'You seem to believe that a delete always changes something.',
    origin: 'common',
    law: 'One counter',
    edits: [
      [
        '      changes.push(...own);',
        `      changes.push(...own);
      if (own.length === 0) this.revision = revision;`,
      ],
    ],
  },
  {
    id: 'created-by-the-last-write',
    why: 'Each put counts as the creation of its key.',
    misconception: 'You seem to believe that a put replaces a key by a new one.',
    origin: 'common',
    law: 'One counter',
    edits: [
      [
        '  const { createRevision = modRevision, version = 0 } = previous ?? {};',
        `  const createRevision = modRevision;
  const { version = 0 } = previous ?? {};`,
      ],
    ],
  },
  {
    id: 'always-the-first-version',
    why: 'The version of a key does not count its writes.',
    origin: 'common',
    law: 'One counter',
    edits: [['version: version + 1', 'version: 1']],
  },
  {
    id: 'an-equal-put-is-no-write',
    why: 'A put of the present value is dropped: the client gets a revision at which nothing happened.',
    misconception: 'You seem to believe that a put of an equal value is no write.',
    origin: 'common',
    law: 'One counter',
    edits: [
      [
        '      if (!event) continue;',
        '      if (!event || (event.previous !== undefined && event.previous.value === event.kv.value)) continue;',
      ],
    ],
  },
  {
    id: 'a-version-of-one-byte',
    why: 'The version of a key starts again after 255 writes.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'No run writes a key so often, and the apiserver does not read the version.',
    edits: [['version: version + 1', 'version: (version + 1) & 0xff']],
  },
];
