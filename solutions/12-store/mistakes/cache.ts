import type { Mistake } from '#harness/testing';

/** Levels 9 and 10 · The watch cache */
export const cache: readonly Mistake[] = [
  {
    id: 'leaving-is-a-change',
    why: 'An object that leaves the selection is sent as MODIFIED: the watcher keeps it.',
    misconception: 'You seem to believe that only a delete takes an object away from a watcher.',
    origin: 'facts: leaving a selector is MODIFIED',
    law: 'In and out',
    edits: [['  if (object && matches(object)) return', '  if (object && (was || matches(object))) return']],
  },
  {
    id: 'entering-is-a-change',
    why: 'An object that enters the selection is sent as MODIFIED.',
    origin: 'common',
    law: 'In and out',
    edits: [
      [`{ type: was ? 'MODIFIED' : 'ADDED', object }`, `{ type: previous ? 'MODIFIED' : 'ADDED', object }`],
    ],
  },
  {
    id: 'deleted-at-the-old-version',
    why: 'DELETED has the last version of the object: a client that resumes there sees the delete again.',
    origin: 'kubernetes/kubernetes#58547',
    law: 'Own version',
    edits: [['object: atRevision(was, revision)', 'object: was']],
  },
  {
    id: 'deleted-as-it-is-now',
    why: 'An object that leaves the selection is sent in its new state.',
    origin: 'kubernetes/kubernetes#58547',
    law: 'In and out',
    edits: [['object: atRevision(was, revision)', 'object: atRevision(object ?? was, revision)']],
  },
  {
    id: 'sends-its-start-again',
    why: 'A watch from a version sends the change of this version again.',
    misconception: 'You seem to believe that a watch begins with its version.',
    origin: 'kubernetes/kubernetes#24004',
    law: 'Nothing missing',
    edits: [['change.revision > after ?', 'change.revision >= after ?']],
  },
  {
    id: 'accepts-any-start',
    why: 'A watch from before the cache begins with what is left.',
    origin: 'kubernetes/kubernetes#49992, kubernetes/kubernetes#91417',
    law: 'Caught up',
    edits: [
      [
        `    if (after < this.oldest) throw errors.tooOldResourceVersion(after, this.oldest);
`,
        '',
      ],
    ],
  },
  {
    id: 'refuses-the-list-itself',
    why: 'Refuses a watch from exactly the version of the list: a client lists forever.',
    origin: 'kubernetes/kubernetes#68065',
    law: 'Nothing missing',
    edits: [['    if (after < this.oldest) throw', '    if (after <= this.oldest) throw']],
  },
  {
    id: 'watches-survive-a-gap',
    why: 'After a gap in the changes, watches go on: they have missed the changes of the gap.',
    misconception: 'You seem to believe that a new list repairs the watches, too.',
    origin: 'kubernetes/kubernetes#116172',
    law: 'Caught up',
    edits: [
      [
        `    // The changes before this list are unknown: whoever watches must start again.
    this.endWatches();
`,
        '',
      ],
    ],
  },
  {
    id: 'a-list-only-adds',
    why: 'A new list leaves the objects that are gone.',
    misconception: 'You seem to believe that a list mentions deleted objects.',
    origin: 'common',
    law: 'Caught up',
    edits: [
      [
        `    for (const [key] of this.#objects.all()) this.#objects.delete(key);
`,
        '',
      ],
    ],
  },
  {
    id: 'ahead-of-its-changes',
    why: 'Takes the revision of a message with changes for its progress: later changes come after it.',
    misconception: 'You seem to believe that each message is a promise.',
    origin: 'etcd-io/etcd#15695, on the other side',
    law: 'Own version',
    edits: [['events.at(-1)?.kv.modRevision ?? revision', 'revision']],
  },
  {
    id: 'deaf-to-progress',
    why: 'Ignores progress: a quiet resource never becomes fresh.',
    origin: 'kubernetes/kubernetes#123676, in its spirit',
    law: 'Fresh in time',
    edits: [['events.at(-1)?.kv.modRevision ?? revision', 'events.at(-1)?.kv.modRevision ?? this.position']],
  },
  {
    id: 'waits-too-long',
    why: 'Waits half a minute for a revision.',
    origin: 'common',
    law: 'Fresh in time',
    edits: [['export const FRESH_WITHIN_MS = 3_000;', 'export const FRESH_WITHIN_MS = 30_000;']],
  },
  {
    id: 'waits-too-short',
    why: 'Refuses a read that would have been fresh a moment later.',
    origin: 'common',
    law: 'Fresh in time',
    edits: [['export const FRESH_WITHIN_MS = 3_000;', 'export const FRESH_WITHIN_MS = 1_000;']],
  },
  {
    id: 'no-way-around-the-cache',
    why: 'A read of the newest state fails if the cache is late.',
    origin: 'kubernetes/kubernetes#132244, in its spirit',
    law: 'Fresh in time',
    edits: [
      [
        `      if (newest === undefined || !isTooLargeResourceVersion(error)) throw error;
      return this.fromStore({ key, end }, { start });`,
        '      throw isTooLargeResourceVersion(error) ? error : error;',
      ],
    ],
  },
  {
    id: 'no-end-of-the-state',
    why: 'The state of a watch has no end: its client never has a full cache.',
    origin: 'common',
    law: 'Nothing missing',
    edits: [
      [
        `    if (sendInitialEvents && allowWatchBookmarks) stream.push(bookmarkOf(this.context.resource, after, true));
`,
        '',
      ],
    ],
  },
  {
    id: 'always-the-state-first',
    why: 'A watch from a version begins with the state.',
    origin: 'common',
    law: 'Nothing missing',
    edits: [['sendInitialEvents ?? !revision;', 'sendInitialEvents ?? true;']],
  },
  {
    id: 'zero-is-now',
    why: 'A watch from version 0 begins with the next change: its client never sees the state.',
    misconception: 'You seem to believe that 0 means from now on.',
    origin: 'kubernetes/kubernetes#13809',
    law: 'Caught up',
    edits: [['sendInitialEvents ?? !revision;', 'sendInitialEvents ?? revision === undefined;']],
  },
  {
    id: 'watches-all-namespaces',
    why: 'A watch of a namespace gets the changes of all namespaces.',
    origin: 'common',
    law: 'Nothing missing',
    edits: [
      [
        '=> namespace === undefined || metadata.namespace === namespace;',
        `=> metadata.namespace !== '' || metadata.namespace === namespace;`,
      ],
    ],
  },
  {
    id: 'a-state-without-selection',
    why: 'The state at the beginning of a watch has objects outside its selection.',
    origin: 'common',
    law: 'Nothing missing',
    edits: [
      [
        `      if (matches(object)) stream.push({ type: 'ADDED', object });`,
        `      stream.push({ type: 'ADDED', object });`,
      ],
    ],
  },
  {
    id: 'a-state-from-another-time',
    why: 'A watch begins with a state that is newer than its first change: an object goes back in time.',
    misconception: 'You seem to believe that nothing changes while you wait.',
    origin: 'kubernetes/kubernetes#73845, kubernetes/kubernetes#127500',
    law: 'Nothing missing',
    edits: [
      [
        '    const after = isInitial || !revision ? this.cache.position : revision;',
        `    const after = isInitial || !revision ? this.cache.position : revision;
    await this.newest();`,
      ],
    ],
  },
  {
    id: 'an-impatient-client',
    why: 'Asks for progress only once: a later change of another resource is never noticed.',
    origin: 'common',
    law: 'Fresh in time',
    edits: [
      [
        '    while (this.position < revision) {',
        `    this.requestProgress();
    while (this.position < revision) {`,
      ],
      [
        `      this.requestProgress();
      await`,
        '      await',
      ],
    ],
  },
];
