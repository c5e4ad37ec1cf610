import type { Mistake } from '#harness/testing';

/** Level 6 · A log on a disk */
export const log: readonly Mistake[] = [
  {
    id: 'answers-without-a-sync',
    why: 'Answers when the text is in the file, but not safe: a power cut takes an answered write.',
    misconception: 'You seem to believe that appended text survives a crash.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `    await this.#log.sync();
`,
        '',
      ],
    ],
  },
  {
    id: 'answers-at-once',
    why: 'Answers before the log has the write.',
    misconception: 'You seem to believe that the log can follow later.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `    } finally {
      await journal.safe();`,
        `    } finally {
      void journal.safe();`,
      ],
    ],
  },
  {
    id: 'joins-the-running-sync',
    why: 'A write that comes during a sync shares it, although its text was not in the file yet.',
    misconception: 'You seem to believe that a running sync also covers later text.',
    origin: 'etcd-io/etcd#13908, in its spirit',
    law: 'Durable',
    edits: [['    while (this.#flushed < wanted) {', '    if (this.#flushed < wanted) {']],
  },
  {
    id: 'believes-torn-lines',
    why: 'Reads lines without their checksum: a torn line counts.',
    misconception: 'You seem to believe that a line that is there is right.',
    origin: 'common',
    law: 'Durable',
    edits: [
      ['unseal(text.slice(length, end))', 'text.slice(length, end).slice(9)'],
      [
        '    replay(JSON.parse(record) as R);',
        `    try {
      replay(JSON.parse(record) as R);
    } catch {}`,
      ],
    ],
  },
  {
    id: 'leaves-the-torn-end',
    why: 'Leaves a torn line in the file: the next line is appended to it, and lost at the next start.',
    misconception: 'You seem to believe that a torn line is harmless.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `  await log.truncate(length);
`,
        `  void length;
`,
      ],
    ],
  },
  {
    id: 'does-not-open',
    why: 'Refuses to open a log with a torn end.',
    misconception: 'You seem to believe that a torn line means a broken disk.',
    origin: 'common',
    law: 'Answers',
    edits: [
      [
        '    if (record === undefined) break;',
        `    if (record === undefined && length < text.length) throw new Error('The log is torn.');
    if (record === undefined) break;`,
      ],
    ],
  },
  {
    id: 'a-line-for-each-key',
    why: 'Writes a line for each key of a transaction: a crash keeps a part of it.',
    misconception: 'You seem to believe that lines that are written together are kept together.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        '        if (changes.length > 0) journal.add({ changes });',
        '        for (const change of changes) journal.add({ changes: [change] });',
      ],
    ],
  },
  {
    id: 'forgets-compactions',
    why: 'A compaction is not in the log: after a restart, the forgotten past is there again.',
    origin: 'etcd-io/etcd#17864: revisions fell back after a restart',
    law: 'Durable',
    edits: [['write({ compact: revision });', 'space.compact(revision);']],
  },
  {
    id: 'reads-ahead-of-the-disk',
    why: 'A read returns a write that is not safe yet: after a crash it is gone.',
    misconception: 'You seem to believe that only writes must wait for the disk.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        'range: (request) => answer(() => space.range(request))',
        'range: async (request) => space.range(request)',
      ],
    ],
  },
  {
    id: 'only-the-last-line',
    why: 'Keeps the last line only: it opens with one write.',
    origin: 'common',
    law: 'Durable',
    edits: [
      [
        `    replay(JSON.parse(record) as R);
    length = end + 1;`,
        `    if (text.indexOf('\\n', end + 1) < 0) replay(JSON.parse(record) as R);
    length = end + 1;`,
      ],
    ],
  },
];
