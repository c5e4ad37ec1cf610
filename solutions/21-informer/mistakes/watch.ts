/** Level 5 · Watch. */
import type { Mistake } from '#harness/testing';

export const watch: readonly Mistake[] = [
  {
    id: 'watches-from-now',
    why: 'It watches from now on, and not from where it was: what happened between is never known.',
    origin: 'k#87472 has the symptom',
    law: 'Frugal',
    edits: [['listerWatcher.watch(this.lastSyncResourceVersion, signal)', "listerWatcher.watch('', signal)"]],
  },
  {
    id: 'resumes-at-the-list',
    why: 'It remembers the version of the list only: each new stream tells again what happened since.',
    origin: 'common',
    law: 'Frugal',
    edits: [
      [
        '      this.lastSyncResourceVersion = event.object.metadata.resourceVersion;\n      count++;',
        '      count++;',
      ],
    ],
  },
  {
    id: 'bookmarks-ignored',
    why: 'Where little happens, its version grows old. Each end of a stream then means a 410 and a list.',
    origin: 'common; bookmarks are there since Kubernetes 1.15',
    law: 'Frugal',
    edits: [
      [
        'this.lastSyncResourceVersion = event.object',
        "if (event.type !== 'BOOKMARK') this.lastSyncResourceVersion = event.object",
      ],
    ],
  },
  {
    id: 'bookmarks-not-handed-on',
    why: 'A bookmark moves the reflector on, and the cache never hears of it.',
    origin: 'common',
    law: 'Level 5',
    edits: [['queue.push(deltaOf(event));', "if (event.type !== 'BOOKMARK') queue.push(deltaOf(event));"]],
  },
  {
    id: 'bookmarks-do-not-count',
    why: 'A stream that brought a bookmark only is taken for one that brought nothing.',
    origin: 'common',
    law: 'Level 5',
    hidden:
      'The first bookmark of a watch comes after a minute, and a stream that lasted a second is not short.',
    edits: [
      [
        '      count++;\n    }\n    return count;',
        "      if (event.type !== 'BOOKMARK') count++;\n    }\n    return count;",
      ],
    ],
  },
  {
    id: 'highest-version-wins',
    why: 'It compares versions. The last event says where the stream is.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The versions in one stream only grow.',
    edits: [
      [
        'this.lastSyncResourceVersion = event.object.metadata.resourceVersion;\n      count++;',
        `const { resourceVersion } = event.object.metadata;
      if (Number(resourceVersion) > Number(this.lastSyncResourceVersion)) this.lastSyncResourceVersion = resourceVersion;
      count++;`,
      ],
    ],
  },
  {
    id: 'takes-in-strangers',
    why: 'It takes in whatever comes, of whatever kind.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'A server sends objects of the kind that was asked for.',
    edits: [['if (event.object.kind !== resource.kind) continue;\n      queue.push', 'queue.push']],
  },
  {
    id: 'version-of-a-stranger',
    why: 'An object of another kind is passed over, and its version is remembered.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'A server sends objects of the kind that was asked for.',
    edits: [
      [
        'if (event.object.kind !== resource.kind) continue;\n      queue.push(deltaOf(event));',
        'if (event.object.kind === resource.kind) queue.push(deltaOf(event));',
      ],
    ],
  },
  {
    id: 'deletion-is-an-update',
    why: 'A `DELETED` carries an object, too, and is taken for one more state of it.',
    origin: 'common',
    law: 'Converges',
    edits: [
      [
        "return { type: 'Deleted', object: event.object };",
        "return { type: 'Updated', object: event.object };",
      ],
    ],
  },
  {
    id: 'error-event-ignored',
    why: 'An `ERROR` is taken for one more event, and the watch goes on although the server said that it cannot.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        "if (signal.aborted) break;\n      if (event.type === 'ERROR') throw new StatusError(event.object);",
        "if (signal.aborted) break;\n      if (event.type === 'ERROR') continue;",
      ],
    ],
  },
  {
    id: 'events-after-the-abort',
    why: 'What a stream still has is taken in after the abort.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The client ends the stream at the abort.',
    edits: [['      if (signal.aborted) break;\n', '']],
  },
  {
    id: 'watch-left-open',
    why: 'The stream is not closed when the informer is stopped: it goes on until the server ends it.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [
      [
        'listerWatcher.watch(this.lastSyncResourceVersion, signal)',
        'listerWatcher.watch(this.lastSyncResourceVersion, new AbortController().signal)',
      ],
    ],
  },
  {
    id: 'reads-the-ended-stream',
    why: 'When a stream ends, it reads the same stream again, which brings nothing.',
    origin: 'common',
    law: 'Frugal',
    edits: [['      events = undefined;\n', '']],
  },
  {
    id: 'lists-at-every-end',
    why: 'It lists whenever a stream ends, which is every few minutes, for each informer of the cluster.',
    origin: 'common',
    law: 'Frugal',
    edits: [
      [
        'if (!signal.aborted) this.#throwIfShort(count, startedMs);',
        'if (!signal.aborted) throw new Error(`ended: ` + count + startedMs);',
      ],
    ],
  },
  {
    id: 'short-watches-in-a-row',
    why: 'Where a stream ends as soon as it is open, it opens the next, as fast as it can.',
    origin: 'common',
    law: 'Calm',
    edits: [
      [
        'if (!signal.aborted) this.#throwIfShort(count, startedMs);',
        'if (count < 0) this.#throwIfShort(count, startedMs);',
      ],
    ],
  },
  {
    id: 'a-second-is-short-enough',
    why: 'A stream that ended within a second is a failure, although it brought events.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'if (!signal.aborted) this.#throwIfShort(count, startedMs);',
        'if (!signal.aborted) this.#throwIfShort(0 * count, startedMs);',
      ],
    ],
  },
  {
    id: 'gone-and-asks-again',
    why: 'It answers a 410 by a watch from the version that is gone, for ever.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Converges',
    edits: [['if (!isAway(error)) throw error;', 'if (!isAway(error) && !isExpired(error)) throw error;']],
  },
  {
    id: 'busy-means-list',
    why: 'It asks a server that is too busy for a watch to make a whole list instead.',
    origin: 'common; client-go did so before v0.22',
    law: 'Level 5',
    edits: [['if (!isAway(error)) throw error;', 'if (!isConnectionRefused(error)) throw error;']],
  },
  {
    id: 'away-means-list',
    why: 'A server that is not there for a moment costs a whole list.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!isAway(error)) throw error;', 'if (!isTooManyRequests(error)) throw error;']],
  },
  {
    id: 'away-and-asks-at-once',
    why: 'A watch that is refused is asked for again at once.',
    origin: 'k#87794',
    law: 'Calm',
    edits: [['        await this.#pause(error, signal);\n      }\n      events', '      }\n      events']],
  },
];
