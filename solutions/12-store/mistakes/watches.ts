import type { Mistake } from '#harness/testing';

/** Level 5 · Watches */
export const watches: readonly Mistake[] = [
  {
    id: 'starts-after-its-start',
    why: 'A watch begins after its start instead of with it.',
    misconception: 'You seem to believe that a watch begins after its start.',
    origin: 'facts: watch from a revision inclusive or not',
    law: 'No gap, no double',
    edits: [
      [
        'next: request.startRevision ?? this.visible + 1',
        'next: (request.startRevision ?? this.visible) + 1',
      ],
    ],
  },
  {
    id: 'starts-with-the-last-change',
    why: 'A watch without a start sends the last change again.',
    origin: 'common',
    law: 'No gap, no double',
    edits: [
      ['next: request.startRevision ?? this.visible + 1', 'next: request.startRevision ?? this.visible'],
    ],
  },
  {
    id: 'starts-now',
    why: 'A watch ignores its start: the changes between a list and its watch are lost.',
    misconception: 'You seem to believe that a watch begins when it is opened.',
    origin: 'facts: watch from "now"',
    law: 'No gap, no double',
    edits: [['next: request.startRevision ?? this.visible + 1', 'next: this.visible + 1']],
  },
  {
    id: 'a-response-for-each-key',
    why: 'Sends the changes of one revision in several responses: a client that resumes in between misses the rest.',
    misconception: 'You seem to believe that a response is a change of a key.',
    origin: 'common',
    law: 'No gap, no double',
    edits: [
      [
        'for (const group of groupByRevision(events)) watch.stream.push({ revision, events: group });',
        'for (const event of groupByRevision(events).flat()) watch.stream.push({ revision, events: [event] });',
      ],
    ],
  },
  {
    id: 'sends-again',
    why: 'A watch is sent changes that are not on disk yet, and again when they are.',
    origin: 'etcd-io/etcd#15274: duplicates after a blocked send',
    law: 'Progress is a promise',
    edits: [['kv.modRevision <= revision && rangeHas', 'rangeHas']],
  },
  {
    id: 'sends-what-a-crash-can-take',
    why: 'Sends changes before they are on disk: after a crash, a watcher has seen a change that never was.',
    misconception: 'You seem to believe that a watch may be ahead of the disk.',
    origin: 'etcd-io/etcd#14370',
    law: 'No gap, no double',
    edits: [
      [
        `    const { revision } = space;
    return () => {
      if (!signal.aborted) watches.advance(revision);
    };`,
        `    const { revision } = space;
    if (!signal.aborted) watches.advance(revision);
    return () => {};`,
      ],
    ],
  },
  {
    id: 'promises-too-much',
    why: 'A progress response promises changes that have not been sent.',
    misconception: 'You seem to believe that the revision of the store is the progress of each watch.',
    origin: 'etcd-io/etcd#15695',
    law: 'Progress is a promise',
    edits: [
      [
        '() => stream.push({ revision: this.visible, events: [] })',
        '() => stream.push({ revision: this.#space.revision, events: [] })',
      ],
    ],
  },
  {
    id: 'never-promises',
    why: 'A request for progress gets no answer: a quiet cache never becomes fresh.',
    origin: 'etcd before 3.4.25',
    law: 'Progress is a promise',
    edits: [['() => stream.push({ revision: this.visible, events: [] })', '() => {}']],
  },
  {
    id: 'waits-for-the-forgotten',
    why: 'A watch from a compacted revision begins with what is left, without a word.',
    misconception: 'You seem to believe that a watcher notices missing changes by itself.',
    origin: 'kubernetes/kubernetes#91417',
    law: 'No gap, no double',
    edits: [
      [
        `    if (watch.next < this.#space.compactedRevision) void this.refuse(watch);
    else this.send(watch);
    return stream;`,
        `    this.send(watch);
    return stream;`,
      ],
    ],
  },
  {
    id: 'refuses-the-compacted-revision',
    why: 'Refuses a watch from the compacted revision itself.',
    origin: 'kubernetes/kubernetes#68065, in another place',
    law: 'Compacted',
    edits: [
      [
        `    if (watch.next < this.#space.compactedRevision) void this.refuse(watch);
    else this.send(watch);
    return stream;`,
        `    if (watch.next <= this.#space.compactedRevision) void this.refuse(watch);
    else this.send(watch);
    return stream;`,
      ],
    ],
  },
  {
    id: 'compaction-overtakes-changes',
    why: 'A compaction of changes that are not on disk yet takes them away from open watches.',
    misconception: 'You seem to believe that only the past can be compacted.',
    origin: 'the first version of this reference',
    law: 'No gap, no double',
    edits: [
      [
        `      await journal.safe();
      return answer(() => {`,
        '      return answer(() => {',
      ],
    ],
  },
  {
    id: 'watches-everything',
    why: 'A watch gets the changes of all keys.',
    origin: 'common',
    law: 'No gap, no double',
    edits: [['kv.modRevision <= revision && rangeHas(watch.request, kv.key)', 'kv.modRevision <= revision']],
  },
  {
    id: 'forgets-the-future-start',
    why: 'A watch from a future revision gets all changes from now on.',
    origin: 'etcd-io/etcd#20290',
    law: 'No gap, no double',
    edits: [['watch.next = Math.max(watch.next, revision + 1);', 'watch.next = revision + 1;']],
  },
  {
    id: 'watches-outlive-the-process',
    why: 'Watches stay open when the process ends: their clients wait forever.',
    origin: 'common',
    law: 'Answers',
    edits: [
      [
        `  signal.addEventListener('abort', () => watches.end(), { once: true });
`,
        '',
      ],
    ],
  },
];
