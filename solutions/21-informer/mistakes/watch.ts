/** Level 5 · Watch. */
import type { Mistake } from '#harness/testing';

export const watch: readonly Mistake[] = [
  {
    id: 'watches-from-now',
    why: 'The watch starts at the latest version, not at its last one: the changes in between are lost.',
    origin: 'k#87472 has the symptom',
    law: 'Frugal',
    edits: [['listerWatcher.watch(this.lastSyncResourceVersion, signal)', "listerWatcher.watch('', signal)"]],
  },
  {
    id: 'resumes-at-the-list',
    why: 'It records only the version of the list: each new stream repeats the changes since then.',
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
    why: 'If few objects change, its version becomes old, and each end of a stream causes a 410 and a list.',
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
    why: 'A bookmark updates the reflector, but not the cache.',
    origin: 'common',
    law: 'Level 5',
    edits: [['queue.push(deltaOf(event));', "if (event.type !== 'BOOKMARK') queue.push(deltaOf(event));"]],
  },
  {
    id: 'bookmarks-do-not-count',
    why: 'A stream with only a bookmark counts as one without events.',
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
    why: 'It keeps the highest version, but the position of the stream is the version of the last event.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The versions in one stream only increase.',
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
    why: 'It accepts objects of any kind.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'A server sends only objects of the requested kind.',
    edits: [['if (event.object.kind !== resource.kind) continue;\n      queue.push', 'queue.push']],
  },
  {
    id: 'version-of-a-stranger',
    why: 'An object of another kind is ignored, but its version is recorded.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'A server sends only objects of the requested kind.',
    edits: [
      [
        'if (event.object.kind !== resource.kind) continue;\n      queue.push(deltaOf(event));',
        'if (event.object.kind === resource.kind) queue.push(deltaOf(event));',
      ],
    ],
  },
  {
    id: 'deletion-is-an-update',
    why: 'A `DELETED` event also contains an object, and counts as an update of it.',
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
    why: 'An `ERROR` event is ignored, and the watch continues although the server has ended it.',
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
    why: 'The remaining events of a stream are processed after the abort.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The client ends the stream at the abort.',
    edits: [['      if (signal.aborted) break;\n', '']],
  },
  {
    id: 'watch-left-open',
    why: 'The stream is not closed when the informer stops: it continues until the server ends it.',
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
    why: 'When a stream ends, it reads the same stream again, without any result.',
    origin: 'common',
    law: 'Frugal',
    edits: [['      events = undefined;\n', '']],
  },
  {
    id: 'lists-at-every-end',
    why: 'It lists whenever a stream ends: every few minutes, for each informer of the cluster.',
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
    why: 'If a stream ends at once, it opens the next one without a back-off, in a hot loop.',
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
    why: 'A stream that ends within a second is a failure, even if it had events.',
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
    why: 'After a 410 it watches from the expired version again, forever.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Converges',
    edits: [['if (!isAway(error)) throw error;', 'if (!isAway(error) && !isExpired(error)) throw error;']],
  },
  {
    id: 'busy-means-list',
    why: 'If a server is too busy for a watch, it requests a whole list instead.',
    origin: 'common; client-go did so before v0.22',
    law: 'Level 5',
    edits: [['if (!isAway(error)) throw error;', 'if (!isConnectionRefused(error)) throw error;']],
  },
  {
    id: 'away-means-list',
    why: 'A server that is unreachable for a moment costs a whole list.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!isAway(error)) throw error;', 'if (!isTooManyRequests(error)) throw error;']],
  },
  {
    id: 'away-and-asks-at-once',
    why: 'A refused watch is retried without a back-off.',
    origin: 'k#87794',
    law: 'Calm',
    edits: [['        await this.#pause(error, signal);\n      }\n      events', '      }\n      events']],
  },
];
