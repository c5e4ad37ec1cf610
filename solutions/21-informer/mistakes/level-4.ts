/** Mistakes of level 4 · Watch. */
import type { Mistake } from '#harness/testing';

/** Level 4 · Watch. */
export const level4: readonly Mistake[] = [
  {
    id: 'watches-from-now',
    why: 'Watches from now on, and not from where the list was: what happened between is never known.',
    origin: 'k#87472 has the symptom',
    law: 'Converges',
    edits: [['resourceVersion: this.#lastSyncResourceVersion,', "resourceVersion: '',"]],
  },
  {
    id: 'resumes-at-the-list',
    why: 'Remembers the version of the list only: each new stream tells again what happened since.',
    origin: 'common',
    law: 'Frugal',
    edits: [['this.#lastSyncResourceVersion = event.object.metadata.resourceVersion;\n', '']],
  },
  {
    id: 'bookmarks-ignored',
    why: 'Where little happens, its place on the log grows old, and each end of a stream means a 410 and a list.',
    origin: 'common; bookmarks are there since Kubernetes 1.15',
    law: 'Frugal',
    edits: [
      [
        'this.#lastSyncResourceVersion = event',
        "if (event.type !== 'BOOKMARK') this.#lastSyncResourceVersion = event",
      ],
    ],
  },
  {
    id: 'highest-version-wins',
    why: 'Compares resourceVersions, which belong to the server: the last event says where the stream is.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'this.#lastSyncResourceVersion = event.object.metadata.resourceVersion;',
        `const { resourceVersion } = event.object.metadata;
      if (Number(resourceVersion) > Number(this.#lastSyncResourceVersion)) this.#lastSyncResourceVersion = resourceVersion;`,
      ],
    ],
  },
  {
    id: 'takes-in-strangers',
    why: 'Stores whatever comes, of whatever kind.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (event.object.kind !== this.#options.resource.kind) continue;\n', '']],
  },
  {
    id: 'watch-without-an-end',
    why: 'A stream that a firewall has silently dropped is waited on for ever.',
    origin: 'common',
    law: 'Level 4',
    edits: [['timeoutSeconds: Math.floor(WATCH_SECONDS_MIN * (1 + random.float())),\n', '']],
  },
  {
    id: 'watch-left-open',
    why: 'Nobody closes the stream when the informer is stopped: it goes on until the server ends it.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['          signal,\n        });\n        const events', '        });\n        const events']],
  },
];
