import type { Mistake } from '#harness/testing';

/** Level 2 · All or nothing */
export const transactions: readonly Mistake[] = [
  {
    id: 'no-otherwise',
    why: 'A transaction whose condition fails runs nothing: the apiserver does not get the state that came in between.',
    origin: 'common',
    law: 'All or nothing',
    edits: [
      ['const operations = succeeded ? then : otherwise;', 'const operations = succeeded ? then : [];'],
    ],
  },
  {
    id: 'one-condition-is-enough',
    why: 'A transaction runs its first list if any condition holds.',
    misconception: 'You seem to believe that one condition that holds is enough.',
    origin: 'common',
    law: 'All or nothing',
    edits: [
      [
        'compare.every((each) => holds(each, this.present.get(each.key)))',
        'compare.length === 0 || compare.some((each) => holds(each, this.present.get(each.key)))',
      ],
    ],
  },
  {
    id: 'checks-on-the-way',
    why: 'Checks each operation just before it runs: a refused transaction leaves the operations before it.',
    misconception: 'You seem to believe that an error undoes what has been done before.',
    origin: 'etcd-io/etcd#18799: a panic in a transaction left a part of it',
    law: 'All or nothing',
    edits: [
      [
        `    for (const operation of operations) this.#mustBePossible(operation);
`,
        '',
      ],
      [
        `    const results = operations.map((operation) => {
`,
        `    const results = operations.map((operation) => {
      this.#mustBePossible(operation);
`,
      ],
    ],
  },
  {
    id: 'puts-a-key-twice',
    why: 'Accepts two puts of a key in one transaction.',
    misconception: 'You seem to believe that the last put of a key counts.',
    origin: 'common',
    law: 'All or nothing',
    edits: [
      [
        `    for (const branch of [then, otherwise]) if (writesTwice(branch)) throw new StoreError('DuplicateKey');
`,
        '',
      ],
    ],
  },
  {
    id: 'duplicates-only-in-the-first-list',
    why: 'Looks for duplicate keys only in the first list.',
    origin: 'common',
    law: 'All or nothing',
    edits: [['for (const branch of [then, otherwise])', 'for (const branch of [then])']],
  },
  {
    id: 'checks-the-list-that-does-not-run',
    why: 'Refuses a transaction because of an operation that does not run.',
    origin: 'common',
    law: 'Compacted',
    edits: [
      [
        '    for (const operation of operations) this.#mustBePossible(operation);',
        '    for (const operation of [...then, ...otherwise]) this.#mustBePossible(operation);',
      ],
    ],
  },
  {
    id: 'reads-before-it-writes',
    why: 'A range in a transaction does not see the operations before it.',
    misconception: 'You seem to believe that a range in a transaction reads the state before it.',
    origin: 'common',
    law: 'One counter',
    edits: [
      [
        `    const results = operations.map((operation) => {
      if ('range' in operation) return { range: this.range(operation.range) };`,
        `    const reads = operations.map((one) => ('range' in one ? { range: this.range(one.range) } : undefined));
    const results = operations.map((operation, i) => {
      const read = reads[i];
      if (read) return read;
      if ('range' in operation) return { range: this.range(operation.range) };`,
      ],
    ],
  },
  {
    id: 'compares-then-waits',
    why: 'Checks the conditions, waits for the disk, and then writes: another write comes in between.',
    misconception: 'You seem to believe that nothing happens between your check and your write.',
    origin: 'facts: compare on a copy',
    law: 'All or nothing',
    edits: [
      [
        `    transact: (transaction) =>
      answer(() => {
        const { changes, ...result } = space.transact(transaction);
        if (changes.length > 0) journal.add({ changes });
        return result;
      }),`,
        `    transact: async (transaction) => {
      const { succeeded } = space.transact({ ...transaction, then: [], otherwise: [] });
      await journal.safe();
      return await answer(() => {
        const then = succeeded ? transaction.then : (transaction.otherwise ?? []);
        const { changes, ...result } = space.transact({ then });
        if (changes.length > 0) journal.add({ changes });
        return { ...result, succeeded };
      });
    },`,
      ],
    ],
  },
  {
    id: 'no-limit-in-a-transaction',
    why: 'A range in a transaction ignores its limit.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [
      [
        "if ('range' in operation) return { range: this.range(operation.range) };",
        "if ('range' in operation) return { range: this.range({ ...operation.range, limit: 0 }) };",
      ],
    ],
  },
  {
    id: 'deletes-ten-keys',
    why: 'A delete of a range removes at most ten keys.',
    origin: 'common',
    law: 'All or nothing',
    edits: [
      [
        'this.present.within(range).map(({ key }) => ({ key }))',
        'this.present.within(range).slice(0, 10).map(({ key }) => ({ key }))',
      ],
    ],
  },
  {
    id: 'sixteen-operations',
    why: 'Drops the operations of a transaction after the sixteenth.',
    origin: 'common',
    law: 'All or nothing',
    edits: [
      [
        'const operations = succeeded ? then : otherwise;',
        'const operations = (succeeded ? then : otherwise).slice(0, 16);',
      ],
    ],
  },
];
