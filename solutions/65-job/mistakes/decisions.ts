/** Levels 1 to 5: which pods have ended, how long to wait, how many pods, and when it is over. */
import type { Mistake } from '#harness/testing';

export const decisions: readonly Mistake[] = [
  // Level 1 · Which pods have ended
  {
    id: 'counts-pods-without-index',
    why: 'A pod of an Indexed Job whose index is out of range counts as a failure.',
    misconception: 'You seem to believe that each pod of an Indexed Job has a valid index.',
    origin: 'k#115349: indexes beyond completions after a Job was made smaller',
    law: 'Level 1',
    hidden:
      'The status does not count such a pod either way, and the controller deletes it before it can fail, unless it fails at once.',
    edits: [[' && !known.has(pod.metadata.uid) && isCounted(job, pod)', ' && !known.has(pod.metadata.uid)']],
  },
  // Level 2 · The back-off
  {
    id: 'counts-failures-before-the-success',
    why: 'Failures that came before the success in the same sync delay the next pod.',
    misconception: 'You seem to believe that pods that you see together have ended at the same time.',
    origin: 'k#114516',
    law: 'Level 2',
    edits: [['.filter((endMs) => endMs > lastSuccessMs)', '']],
  },
  {
    id: 'delay-has-no-limit',
    why: 'After ten failures the next pod waits for more than an hour.',
    misconception: 'You seem to believe that a delay that doubles stays small.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Only the eighth failure in a row shows it, after 21 minutes, and no run has that many.',
    edits: [
      ['Math.min(baseMs * 2 ** (failures - 1), maxMs)', 'Math.max(baseMs * 2 ** (failures - 1), 0 * maxMs)'],
    ],
  },
  {
    id: 'doubles-from-the-first',
    why: 'The first failure already waits for 20 s.',
    misconception: 'You seem to believe that the delay doubles before the first failure.',
    origin: 'common: one too many',
    law: 'Level 2',
    edits: [['2 ** (failures - 1)', '2 ** failures']],
  },
  // Level 3 · Indexes
  {
    id: 'forgets-counted-indexes',
    why: 'Only the pods that still have their finalizer count as succeeded: a counted index gets another pod.',
    misconception: 'You seem to believe that the pods show all that has been done.',
    origin: 'k#78721: counts from the pods that exist',
    law: 'Level 3',
    edits: [
      [
        'const counted = parseIndexes(completedIndexes, job.spec.completions ?? 0);',
        "const counted = parseIndexes(completedIndexes && '', 0);",
      ],
    ],
  },
  {
    id: 'ignores-the-gaps',
    why: 'New pods get the indexes after the last one. An index that failed is never tried again.',
    misconception: 'You seem to believe that indexes succeed in their order.',
    origin: 'common',
    law: 'Level 3',
    edits: [['  let candidate = 0;\n', '  let candidate = (taken.at(-1)?.[1] ?? -1) + 1;\n']],
  },
  {
    id: 'index-beyond-completions',
    why: 'A Job gets pods with indexes that it does not have.',
    misconception: 'You seem to believe that a free index is an index of the Job.',
    origin: 'common',
    law: 'Level 3',
    edits: [['candidate < Math.min(first, completions)', 'candidate < Math.max(first, completions)']],
  },
  // Level 4 · How many pods
  {
    id: 'work-queue-stops-its-pods',
    why: 'The other pods of a work queue are deleted at the first success, in the middle of their work.',
    misconception: 'You seem to believe that one success makes the other pods useless.',
    origin: 'common',
    law: 'Level 4',
    edits: [['succeeded > 0 ? active : parallelism', 'succeeded > 0 ? 0 : parallelism']],
  },
  {
    id: 'suspend-is-ignored',
    why: 'A suspended Job runs pods.',
    misconception: 'You seem to believe that a suspended Job only gets no new status.',
    origin: 'common',
    law: 'Level 4',
    edits: [['  if (suspend) return 0;\n', '  if (suspend && completions === 0) return 0;\n']],
  },
  {
    id: 'deletes-the-best-pods',
    why: 'A Job that becomes smaller loses the pods that have come furthest.',
    misconception: 'You seem to believe that it does not matter which pod goes.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'The laws do not rank the pods that a smaller Job loses.',
    edits: [['[...active].sort(compareForRemoval)', '[...active].sort((a, b) => compareForRemoval(b, a))']],
  },
  // Level 5 · Is it over?
  {
    id: 'restarts-count-with-limit-0-at-once',
    why: 'Under OnFailure with backoffLimit 0 the Job ends before anything has failed.',
    misconception: 'You seem to believe that one comparison fits all limits.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'countRestarts(pods) >= Math.max(1, spec.backoffLimit ?? 6)',
        'countRestarts(pods) >= (spec.backoffLimit ?? 6)',
      ],
    ],
  },
];
