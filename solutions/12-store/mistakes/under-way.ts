import type { Mistake } from '#harness/testing';

/** States ahead of the disk or of the cache, and the edges of calls. */
export const underWay: readonly Mistake[] = [
  {
    id: 'idle-transactions-do-not-wait',
    why: 'A transaction that writes nothing answers before the disk has the write that it shows.',
    misconception: 'You seem to believe that only writes must wait for the disk.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `    transact: (transaction) =>
      answer(() => {
        const { changes, ...result } = space.transact(transaction);
        if (changes.length > 0) journal.add({ changes });
        return result;
      }),`,
        `    transact: async (transaction) => {
      const { changes, ...result } = space.transact(transaction);
      if (changes.length === 0) return result;
      return await answer(() => {
        journal.add({ changes });
        return result;
      });
    },`,
      ],
    ],
  },
  {
    id: 'refusals-do-not-wait',
    why: 'A refusal does not wait for the disk: a crash takes the compaction that it shows.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `      return act();
    } finally {
      await journal.safe();`,
        `      const value = act();
      await journal.safe();
      return value;
    } finally {`,
      ],
    ],
  },
  {
    id: 'replayed-lines-are-not-synced',
    why: 'Does not sync the lines that it has replayed: a second crash takes them.',
    misconception: 'You seem to believe that a line that was read is safe.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `  await log.truncate(length);
`,
        `  if (length < text.length) await log.truncate(length);
`,
      ],
    ],
  },
  {
    id: 'a-line-without-its-end',
    why: 'Accepts a last line without its newline: the next line is glued to it.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `const record = end < 0 ? undefined : unseal(text.slice(length, end));`,
        `const record = unseal(text.slice(length, end < 0 ? undefined : end));`,
      ],
      [`    length = end + 1;`, `    length = end < 0 ? text.length : end + 1;`],
    ],
  },
  {
    id: 'counts-bytes',
    why: 'Truncates at a number of bytes: values outside ASCII leave a part of the damaged line.',
    misconception: 'You seem to believe that a character is a byte.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `  await log.truncate(length);`,
        `  await log.truncate(new TextEncoder().encode(text.slice(0, length)).length);`,
      ],
    ],
  },
  {
    id: 'skips-a-damaged-line',
    why: 'Skips a damaged line, and replays the lines after it, which depend on it.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `    if (record === undefined) break;
    replay(JSON.parse(record) as R);`,
        `    if (end < 0) break;
    if (record !== undefined) replay(JSON.parse(record) as R);`,
      ],
    ],
  },
  {
    id: 'a-refused-watch-promises',
    why: 'A watch whose start is compacted still promises progress.',
    origin: 'common',
    law: 'Progress is a promise',
    edits: [
      [
        `    stream.requestProgress = () => {};
`,
        ``,
      ],
    ],
  },
  {
    id: 'the-state-before-the-compaction',
    why: 'A change at the compacted revision has the state before it, which is forgotten.',
    origin: 'common',
    law: 'No gap, no double',
    edits: [[`previous && event.kv.modRevision > revision ?`, `previous ?`]],
  },
  {
    id: 'counts-more-of-a-selection',
    why: 'Counts the remaining objects of a selection, although nobody has looked at them.',
    origin: 'common',
    law: 'Pages',
    edits: [[`remaining: matches ? undefined : entries.length - seen`, `remaining: entries.length - seen`]],
  },
  {
    id: 'refuses-zero-with-a-token',
    why: 'Refuses version 0 beside a continue token.',
    origin: 'common',
    law: 'Served',
    edits: [[`if (resourceVersion && resourceVersion !== '0')`, `if (resourceVersion)`]],
  },
  {
    id: 'an-invalid-version-is-an-internal-error',
    why: 'Answers an invalid resourceVersion with an internal error.',
    origin: 'common',
    law: 'Served',
    edits: [
      [
        `parseResourceVersion(resourceVersion, (why) =>
    errors.badRequest(\`invalid resource version: \${why}\`),
  );`,
        `parseResourceVersion(resourceVersion);`,
      ],
    ],
  },
];
