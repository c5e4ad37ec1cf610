import type { Mistake } from '#harness/testing';

/** Level 3 · Ranges */
export const ranges: readonly Mistake[] = [
  {
    id: 'counts-the-page',
    why: 'Counts only the keys that it returns.',
    misconception: 'You seem to believe that the count is the number of the returned keys.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [['count: found.length', 'count: kvs.length']],
  },
  {
    id: 'never-more',
    why: 'Never says that the range has more keys: a client stops after the first page.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [['more: kvs.length < found.length', 'more: false']],
  },
  {
    id: 'full-means-more',
    why: 'Says that there is more whenever the limit is reached.',
    misconception: 'You seem to believe that a full page is never the last one.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [['more: kvs.length < found.length', 'more: limit !== undefined && kvs.length === limit']],
  },
  {
    id: 'the-last-keys',
    why: 'Keeps the last keys of the range instead of the first.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [['found.slice(0, limit)', 'found.slice(-limit)']],
  },
  {
    id: 'the-end-is-in',
    why: 'The end of a range belongs to it.',
    misconception: 'You seem to believe that a range includes its end.',
    origin: 'common',
    law: 'Whole ranges',
    edits: [
      [
        '    const found = revision ? this.at(revision, range) : this.present.within(range);',
        `    const wide = range.end === undefined ? range : { ...range, end: \`\${range.end}\\0\` };
    const found = revision ? this.at(revision, range) : this.present.within(wide);`,
      ],
    ],
  },
  {
    id: 'a-key-is-a-prefix',
    why: 'A range of one key has all keys that begin with it: a read of pods/a returns pods/ab, too.',
    misconception: 'You seem to believe that a key is the beginning of a key.',
    origin: 'facts: the prefix /pods/a matches /pods/ab',
    law: 'Whole ranges',
    edits: [
      [
        '    const found = revision ? this.at(revision, range) : this.present.within(range);',
        `    const wide = range.end === undefined ? { ...range, end: \`\${range.key}~\` } : range;
    const found = revision ? this.at(revision, range) : this.present.within(wide);`,
      ],
    ],
  },
];
