import type { Mistake } from '#harness/testing';

/** Level 7 · Objects: attempts, preconditions, and updates that change nothing */
export const updates: readonly Mistake[] = [
  {
    id: 'forgets-preconditions-of-no-change',
    why: 'An update that changes nothing succeeds, although its preconditions do not hold.',
    misconception: 'You seem to believe that preconditions protect only against writes.',
    origin: 'common',
    law: 'Guarded',
    edits: [
      [
        `      this.#errors.mustFulfil(current, preconditions);
      const next = change(current);
      if (next && isSameState(next, current)) return current;`,
        `      const next = change(current);
      if (next && isSameState(next, current)) return current;
      this.#errors.mustFulfil(current, preconditions);`,
      ],
    ],
  },
  {
    id: 'no-version-for-no-change',
    why: 'An update that changes nothing ignores the resourceVersion of its precondition.',
    origin: 'common',
    law: 'Guarded',
    edits: [
      [
        `      this.#errors.mustFulfil(current, preconditions);
      const next = change(current);
      if (next && isSameState(next, current)) return current;`,
        `      const next = change(current);
      const { uid } = preconditions;
      const isSame = next !== undefined && isSameState(next, current);
      this.#errors.mustFulfil(current, isSame ? (uid === undefined ? {} : { uid }) : preconditions);
      if (isSame) return current;`,
      ],
    ],
  },
  {
    id: 'a-version-is-a-lower-bound',
    why: 'A precondition with a resourceVersion of the future holds.',
    misconception: 'You seem to believe that a resourceVersion only says how new the state is.',
    origin: 'common',
    law: 'Guarded',
    edits: [
      [
        `      this.#errors.mustFulfil(current, preconditions);
`,
        `      const { resourceVersion = '0', ...rest } = preconditions;
      this.#errors.mustFulfil(current, Number(resourceVersion) > kv.modRevision ? rest : preconditions);
`,
      ],
    ],
  },
  {
    id: 'asks-the-new-state',
    why: 'Checks the preconditions against the new state: a client that sends an old copy gets a conflict.',
    misconception: 'You seem to believe that a precondition is about the object that the client sends.',
    origin: 'common',
    law: 'Guarded',
    edits: [
      [
        `      this.#errors.mustFulfil(current, preconditions);
      const next = change(current);
`,
        `      const next = change(current);
      this.#errors.mustFulfil(next ?? current, preconditions);
`,
      ],
    ],
  },
  {
    id: 'compares-values',
    why: 'A write is conditional on the value: the object may have changed to and fro, and its precondition no longer holds.',
    misconception: 'You seem to believe that an equal value means that nothing happened.',
    origin: 'common',
    law: 'Guarded',
    edits: [
      [
        `        compare: [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],`,
        `        compare: [{ key, target: 'value', is: '=', to: kv.value }],`,
      ],
    ],
  },
  {
    id: 'forces-the-tenth-attempt',
    why: 'Writes without a condition after nine conflicts.',
    misconception: 'You seem to believe that a client that has waited long enough is in the right.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        `    for (;;) {
      if (!kv) throw this.#errors.notFound(place);`,
        `    for (let attempt = 0; ; attempt++) {
      if (!kv) throw this.#errors.notFound(place);`,
      ],
      [
        `        compare: [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],`,
        `        compare: attempt > 8 ? [] : [{ key, target: 'modRevision', is: '=', to: kv.modRevision }],`,
      ],
    ],
  },
  {
    id: 'gives-up-after-twenty-attempts',
    why: 'Reports a conflict after twenty attempts: in a crowd, some clients fail.',
    misconception: 'You seem to believe that so many conflicts in a row mean an error.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        `    for (;;) {
      if (!kv) throw this.#errors.notFound(place);`,
        `    for (let attempt = 0; ; attempt++) {
      if (attempt === 20) this.#errors.mustFulfil(decode(kv as KeyValue), { resourceVersion: '?' });
      if (!kv) throw this.#errors.notFound(place);`,
      ],
    ],
  },
  {
    id: 'no-change-only-at-first',
    why: 'Looks only in its first attempt whether nothing changes.',
    origin: 'common',
    law: 'No empty write',
    edits: [
      [
        `    for (;;) {
      if (!kv) throw this.#errors.notFound(place);`,
        `    for (let attempt = 0; ; attempt++) {
      if (!kv) throw this.#errors.notFound(place);`,
      ],
      [
        '      if (next && isSameState(next, current)) return current;',
        '      if (attempt === 0 && next && isSameState(next, current)) return current;',
      ],
    ],
  },
  {
    id: 'no-change-of-the-first-state',
    why: 'An update that finds in a later attempt that nothing changes returns the state of its first attempt.',
    origin: 'common',
    law: 'Own version',
    edits: [
      [
        `    for (;;) {
      if (!kv)`,
        `    let first: KubeObject | undefined;
    for (;;) {
      if (!kv)`,
      ],
      [
        `      const current = decode(kv);
`,
        `      const current = decode(kv);
      first ??= current;
`,
      ],
      [
        '      if (next && isSameState(next, current)) return current;',
        '      if (next && isSameState(next, current)) return first;',
      ],
    ],
  },
  {
    id: 'no-change-is-the-wish',
    why: 'An update that changes nothing returns the object of the client, with its old version.',
    origin: 'common',
    law: 'Own version',
    edits: [
      [
        '      if (next && isSameState(next, current)) return current;',
        '      if (next && isSameState(next, current)) return next;',
      ],
    ],
  },
  {
    id: 'never-writes-the-status',
    why: 'An update keeps the old status.',
    misconception: 'You seem to believe that the store knows subresources.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        '      const value = next ? encode(next) : kv.value;',
        `      const value = next ? encode('status' in current ? { ...next, status: current.status } as KubeObject : next) : kv.value;`,
      ],
    ],
  },
  {
    id: 'drops-annotations',
    why: 'An update writes the object without its annotations.',
    origin: 'common',
    law: 'No lost update',
    edits: [
      [
        '      const value = next ? encode(next) : kv.value;',
        `      const bare = next && { ...next, metadata: { ...next.metadata, annotations: undefined } };
      const value = bare ? encode(bare as unknown as KubeObject) : kv.value;`,
      ],
    ],
  },
  {
    id: 'creates-with-a-version',
    why: 'A create stores the resourceVersion of a copy inside the value.',
    origin: 'common',
    law: 'Own version',
    edits: [['    const value = encode(object);', '    const value = JSON.stringify(object);']],
  },
  {
    id: 'a-namespace-of-its-own',
    why: 'A create without a namespace succeeds: it puts the object into `default`.',
    misconception: 'You seem to believe that each object has a namespace.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'The apiserver sets the namespace of each object that has one.',
    edits: [
      [
        "const { namespace = '', name } = object.metadata;",
        "const { namespace = 'default', name } = object.metadata;",
      ],
    ],
  },
];
