import type { Mistake } from '#harness/testing';

/** Level 11 ★ · Leases */
export const leases: readonly Mistake[] = [
  {
    id: 'a-lease-without-an-end',
    why: 'The end of a lease deletes nothing: events stay forever.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        `  space.write(space.present.all().flatMap(({ key, lease }) => (lease === id ? [{ key }] : [])));
`,
        '',
      ],
    ],
  },
  {
    id: 'a-revision-for-each-leased-key',
    why: 'The end of a lease deletes its keys one after the other, each at its own revision.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        '  space.write(space.present.all().flatMap(({ key, lease }) => (lease === id ? [{ key }] : [])));',
        '  for (const { key, lease } of space.present.all()) if (lease === id) space.write([{ key }]);',
      ],
    ],
  },
  {
    id: 'forgets-its-leases',
    why: 'A restart forgets when leases end: their keys stay forever.',
    misconception: 'You seem to believe that a timer survives a crash.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        `  for (const lease of space.leases.values()) start(lease);
`,
        '',
      ],
    ],
  },
  {
    id: 'any-lease',
    why: 'A put with a lease that does not exist succeeds.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        `    if ('put' in operation && operation.put.lease && !this.leases.has(operation.put.lease))
      throw new StoreError('LeaseNotFound');
`,
        '',
      ],
    ],
  },
  {
    id: 'leased-forever',
    why: 'A put without a lease keeps the lease of the put before: the end of the lease deletes the new value.',
    misconception: 'You seem to believe that a key keeps its lease.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        'lease === undefined ? {} : { lease };',
        'lease === undefined && previous?.lease === undefined ? {} : { lease: lease ?? (previous?.lease as string) };',
      ],
    ],
  },
  {
    id: 'a-used-id',
    why: 'Gives the id of an ended lease to a new one, or that of a living one.',
    origin: 'common',
    law: 'Leases',
    edits: [['id: String(granted + 1)', 'id: String(space.leases.size + 1)']],
  },
  {
    id: 'ends-too-early',
    why: 'A lease ends after half of its time.',
    origin: 'common',
    law: 'Leases',
    edits: [['clock.after(seconds * 1000,', 'clock.after(seconds * 500,']],
  },
  {
    id: 'ends-in-memory-only',
    why: 'The end of a lease is not in the log: after a restart, its keys are there again.',
    misconception: 'You seem to believe that only clients write.',
    origin: 'common',
    law: 'Leases',
    edits: [['() => void answer(() => write({ revoke: lease.id }))', '() => revokeLease(space, lease.id)']],
  },
  {
    id: 'revokes-anything',
    why: 'A revoke of a lease that does not exist succeeds.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        `  if (!space.leases.delete(id)) throw new StoreError('LeaseNotFound');`,
        '  space.leases.delete(id);',
      ],
    ],
  },
  {
    id: 'a-range-spares-leases',
    why: 'A delete of a range leaves the keys that have a lease.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        'this.present.within(range).map(({ key }) => ({ key }))',
        'this.present.within(range).flatMap(({ key, lease }) => (lease === undefined || range.end === undefined ? [{ key }] : []))',
      ],
    ],
  },
  {
    id: 'a-lease-creates-again',
    why: 'A put with another lease counts as the creation of its key.',
    origin: 'common',
    law: 'Leases',
    edits: [
      [
        '  const { createRevision = modRevision, version = 0 } = previous ?? {};',
        '  const { createRevision = modRevision, version = 0 } = { ...previous, ...(previous && previous.lease !== lease && { createRevision: modRevision }) };',
      ],
    ],
  },
];
