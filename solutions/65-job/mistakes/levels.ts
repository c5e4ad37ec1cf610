/** Levels 6 to 8: counting, acting, the sync. */
import type { Mistake } from '#harness/testing';

export const steps: readonly Mistake[] = [
  {
    id: 'counts-at-once',
    why: 'A pod counts as soon as it is listed. When it loses its finalizer, it counts again.',
    misconception: 'You seem to believe that a pod in the list is counted.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const counted = withUncounted(withCounts(settled, counts), uncounted);',
        'const counted = settle(withUncounted(withCounts(settled, counts), uncounted), new Set(known.succeeded));',
      ],
    ],
  },
  {
    id: 'one-refusal-stops-the-counting',
    why: 'If one finalizer stays, the pods that were released are not counted in this sync.',
    misconception: 'You seem to believe that an error undoes the requests beside it.',
    origin: 'k#109485',
    law: 'Level 6',
    hidden: 'The next sync counts them, and no reader can see the difference before that.',
    edits: [
      [
        '  const held = heldPods(pods, awaited).filter(({ metadata }) => !released.has(metadata.uid));\n',
        '  if (error !== undefined) throw error;\n  const held = heldPods(pods, awaited).filter(({ metadata }) => !released.has(metadata.uid));\n',
      ],
    ],
  },
  {
    id: 'retries-before-the-batch',
    why: 'A back-off of a few ms leads to a sync of its own, and to a status for each pod event.',
    misconception: 'You seem to believe that an exact timer is worth a request.',
    origin: 'k#118470',
    law: 'Level 7',
    hidden: 'The requests are the same, only earlier.',
    edits: [['Math.max(delayMs, SYNC_BATCH_MS)', 'delayMs + 0 * SYNC_BATCH_MS']],
  },
  {
    id: 'trusts-the-cache-of-jobs',
    why: 'A pod whose Job is not in the cache yet loses its finalizer, and is never counted.',
    misconception: 'You seem to believe that two caches show the same moment.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'Only a cache of Jobs that is older than the cache of pods shows it.',
    edits: [
      [
        'caches.resolve(namespace, owner) ?? (await control.readJob(namespace, owner))',
        'caches.resolve(namespace, owner)',
      ],
    ],
  },
  {
    id: 'forgets-no-records',
    why: 'The records of a Job stay in memory after it has ended.',
    misconception: 'You seem to believe that a record costs nothing.',
    origin: 'k#111721',
    law: 'Level 8',
    hidden: 'Only the memory grows.',
    edits: [['    backoff.delete(uid);\n    finished.delete(uid);\n', '    backoff.delete(uid);\n']],
  },
];
