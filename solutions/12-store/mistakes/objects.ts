import type { Mistake } from '#harness/testing';

/** Level 7 · Objects */
export const objects: readonly Mistake[] = [
  {
    id: 'the-last-writer-wins',
    why: 'Writes without a condition: the change of another writer is lost.',
    misconception: 'You seem to believe that nobody else writes between your read and your write.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        `        compare: [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],`,
        '        compare: [],',
      ],
    ],
  },
  {
    id: 'retries-with-the-first-state',
    why: 'Tries again with the new revision, but the old object: the change in between is lost.',
    misconception: 'You seem to believe that only the revision is stale after a conflict.',
    origin: 'facts: the retry loop keeps the first object',
    law: 'No lost update',
    edits: [
      [
        `      kv = now && 'range' in now ? now.range.kvs[0] : undefined;`,
        `      const fresh = now && 'range' in now ? now.range.kvs[0] : undefined;
      kv = fresh && { ...kv, modRevision: fresh.modRevision };`,
      ],
    ],
  },
  {
    id: 'gives-up-after-a-conflict',
    why: 'Reports a conflict to a client that set no precondition.',
    misconception: 'You seem to believe that a conflict is the client’s affair.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        `      kv = now && 'range' in now ? now.range.kvs[0] : undefined;`,
        `      kv = now && 'range' in now ? now.range.kvs[0] : undefined;
      this.#errors.mustFulfil(current, { resourceVersion: String(revision) });`,
      ],
    ],
  },
  {
    id: 'creates-over-the-old',
    why: 'A create replaces an object that exists.',
    origin: 'common',
    law: 'No lost update',
    edits: [[`      compare: [{ key, target: 'modRevision', is: '=', to: 0 }],`, '      compare: [],']],
  },
  {
    id: 'writes-no-change',
    why: 'Writes an object that has not changed: its watchers wake, write again, and never rest.',
    misconception: 'You seem to believe that an equal write is harmless.',
    origin: 'kubernetes/kubernetes#116865',
    law: 'No empty write',
    edits: [
      [
        `      if (next && isSameState(next, current)) return current;
`,
        '',
      ],
    ],
  },
  {
    id: 'deleted-at-its-last-version',
    why: 'A delete answers with the version of the last write instead of its own.',
    misconception: 'You seem to believe that a delete has no revision.',
    origin: 'kubernetes/kubernetes#113369',
    law: 'Own version',
    edits: [
      [
        '      if (succeeded) return decode({ value, modRevision: revision });',
        '      if (succeeded) return next ? decode({ value, modRevision: revision }) : current;',
      ],
    ],
  },
  {
    id: 'stores-the-version',
    why: 'Stores the resourceVersion inside the value, where it is always the one before.',
    origin: 'common',
    law: 'Own version',
    edits: [
      [
        '      const value = next ? encode(next) : kv.value;',
        '      const value = next ? JSON.stringify(next) : kv.value;',
      ],
    ],
  },
  {
    id: 'checks-preconditions-once',
    why: 'Checks the preconditions only before the first attempt: a retry deletes the successor of the same name.',
    misconception: 'You seem to believe that a precondition that held still holds.',
    origin: 'facts: UID precondition checked before the retry only',
    law: 'Guarded',
    edits: [
      [
        `    for (;;) {
      if (!kv) throw this.#errors.notFound(place);`,
        `    for (let attempt = 0; ; attempt++) {
      if (!kv) throw this.#errors.notFound(place);`,
      ],
      [
        '      this.#errors.mustFulfil(current, preconditions);',
        '      if (attempt === 0) this.#errors.mustFulfil(current, preconditions);',
      ],
    ],
  },
  {
    id: 'deletes-without-preconditions',
    why: 'A delete ignores its preconditions: a stale client deletes the successor.',
    origin: 'kubernetes/kubernetes#105913, in its spirit',
    law: 'Guarded',
    edits: [
      [
        'delete: (place, preconditions) => writer.write(place, () => undefined, preconditions)',
        'delete: (place) => writer.write(place, () => undefined)',
      ],
    ],
  },
  {
    id: 'deletes-what-it-read',
    why: 'A delete has no condition: it removes an object that it has never seen.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        `        compare: [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],`,
        `        compare: next ? [{ key, target: 'modRevision', is: '=', to: kv.modRevision }] : [],`,
      ],
    ],
  },
];
