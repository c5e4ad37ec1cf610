import type { Mistake } from '#harness/testing';

/** Level 8 · Lists and pages */
export const lists: readonly Mistake[] = [
  {
    id: 'continues-at-the-newest',
    why: 'Each page shows the newest state: objects are left out, or come twice.',
    misconception: 'You seem to believe that a page shows the present.',
    origin: 'kubernetes/kubernetes#94002',
    law: 'Pages',
    edits: [
      [
        `    return revision > 0 ? { state: 'exact', revision, start } : { state: 'newest', start };`,
        `    return { state: 'newest', start };`,
      ],
    ],
  },
  {
    id: 'repeats-the-last-key',
    why: 'The next page begins with the last object of the page before.',
    origin: 'common',
    law: 'Pages',
    edits: [['last.slice(prefix.length)}\\0`,', 'last.slice(prefix.length)}`,']],
  },
  {
    id: 'the-version-of-the-newest-item',
    why: 'A list has the version of its newest object instead of that of the store; an empty list has none.',
    misconception: 'You seem to believe that the version of a list is that of its objects.',
    origin: 'facts: the list’s version is the maximum of its items',
    law: 'Own version',
    edits: [
      [
        '    return { revision: this.cache.position, entries: this.cache.list({ key: key + start, end }) };',
        `    const entries = this.cache.list({ key: key + start, end });
    return { revision: Math.max(0, ...entries.map(([, one]) => Number(one.metadata.resourceVersion))), entries };`,
      ],
    ],
  },
  {
    id: 'a-limit-means-nothing',
    why: 'A limited list at a revision shows a newer state.',
    origin: 'kubernetes/kubernetes#83651',
    law: 'Asked state',
    edits: [[`const isExact = match ? match === 'Exact' : limit > 0;`, `const isExact = match === 'Exact';`]],
  },
  {
    id: 'exact-means-not-older',
    why: 'A list at an exact revision shows a newer state.',
    origin: 'common',
    law: 'Asked state',
    edits: [
      [
        `const isExact = match ? match === 'Exact' : limit > 0;`,
        'const isExact = match === undefined && limit > 0;',
      ],
    ],
  },
  {
    id: 'any-state-will-do',
    why: 'A list without a version shows whatever the cache has: a client does not see its own write.',
    misconception: 'You seem to believe that the cache is always fresh.',
    origin: 'facts: the cache after an own write is stale',
    law: 'Asked state',
    edits: [
      [
        `  if (revision === undefined) return { state: 'newest' };`,
        `  if (revision === undefined) return { state: 'any' };`,
      ],
    ],
  },
  {
    id: 'a-namespace-is-a-prefix',
    why: 'A list of namespace a also has the objects of a-b.',
    misconception: 'You seem to believe that no namespace begins like another.',
    origin: 'kubernetes/kubernetes#113756, in its spirit',
    law: 'Neighbours',
    edits: [
      [
        `    const range = rangeIn(this.context.prefix, options.namespace);
    const wanted`,
        `    const { key: whole, end: after } = rangeIn(this.context.prefix, undefined);
    const own = \`\${whole}\${options.namespace ?? ''}\`;
    const range = { key: own, end: options.namespace ? \`\${own}~\` : after };
    const wanted`,
      ],
    ],
  },
  {
    id: 'loses-the-limit',
    why: 'A list has more objects than its limit.',
    origin: 'common',
    law: 'Pages',
    edits: [
      [
        '    if (limit > 0 && items.length === limit) break;',
        '    if (limit > 0 && items.length > limit) break;',
      ],
    ],
  },
];
