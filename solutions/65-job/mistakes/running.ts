import type { Mistake } from '#harness/testing';

/** Too many or too few pods, and ends that are early, late or undone. The laws kill these mistakes. */
export const runningMistakes: readonly Mistake[] = [
  {
    id: 'counts-successes-of-living-pods',
    why: 'The successes are the pods that succeeded and still exist, so that a deleted pod runs again.',
    misconception: 'You seem to count the pods that exist instead of reading the counter in the status.',
    origin: 'kubernetes/kubernetes#78721',
    law: 'Never too many',
    edits: [
      [
        '  return Math.max(0, Math.min(completions - succeeded, parallelism));',
        '  return Math.max(0, Math.min(completions - succeeded + (job.status.succeeded ?? 0), parallelism));',
      ],
    ],
  },
  {
    id: 'all-completions-at-once',
    why: 'It creates a pod for each missing completion, and ignores parallelism.',
    origin: 'common',
    law: 'Never too many',
    edits: [
      [
        '  return Math.max(0, Math.min(completions - succeeded, parallelism));',
        '  return parallelism === 0 ? 0 : Math.max(0, completions - succeeded);',
      ],
    ],
  },
  {
    id: 'more-than-what-is-missing',
    why: 'It always keeps `parallelism` pods, even if fewer completions are missing.',
    origin: 'kubernetes/kubernetes#99963',
    law: 'Never too many',
    edits: [
      [
        '  return Math.max(0, Math.min(completions - succeeded, parallelism));',
        '  return completions > succeeded ? parallelism : 0;',
      ],
    ],
  },
  {
    id: 'refills-a-work-queue',
    why: 'A work queue gets new pods after its first success.',
    origin: 'common',
    law: 'Never too many',
    edits: [['succeeded > 0 ? active : parallelism', 'succeeded > parallelism ? active : parallelism']],
  },
  {
    id: 'shrinks-a-work-queue-with-a-success',
    why: 'After the first success of a work queue, a lower parallelism stops pods in the middle of their work.',
    misconception: 'You seem to believe that `parallelism` limits a Job at every moment.',
    origin: 'common',
    law: 'Deletes for a reason',
    edits: [
      ['succeeded > 0 ? active : parallelism', 'succeeded > 0 ? Math.min(active, parallelism) : parallelism'],
    ],
  },
  {
    id: 'ignores-expectations',
    why: 'It decides by a cache that does not show its last creates, and creates the pods again.',
    misconception: 'You seem to trust your cache right after your own writes.',
    origin: 'kubernetes/kubernetes#120790',
    law: 'Never too many',
    edits: [
      [
        '    : await proceed(syncContext, state, expiryMs > 0);',
        '    : await proceed(syncContext, state, expiryMs < 0);',
      ],
    ],
  },
  {
    id: 'replaces-terminating-pods',
    why: 'Terminating pods are replaced at once, although podReplacementPolicy is Failed.',
    origin: 'kubernetes/kubernetes#115844',
    law: 'Never too many',
    edits: [
      [
        '  const waitedFor = onlyReplacesFailedPods(job) ? counts.terminating : 0;',
        '  const waitedFor = onlyReplacesFailedPods(job) ? counts.terminating * 0 : 0;',
      ],
    ],
  },
  {
    id: 'no-active-pods-while-it-waits',
    why: 'While it waits for the back-off, it reports no active pods; the server refuses more ready than active pods.',
    origin: 'kubernetes/kubernetes#139457',
    law: 'Valid requests',
    edits: [
      [
        '  if (pods.length === 0) return { counts };\n',
        '  if (pods.length === 0) return { counts: { ...counts, active: 0 } };\n',
      ],
    ],
  },
  {
    id: 'suspends-without-deleting',
    why: 'A suspended Job gets no new pods, but keeps those that run.',
    origin: 'common',
    law: 'At rest',
    edits: [['  if (suspend) return 0;\n', '  if (suspend) return active;\n']],
  },
  {
    id: 'counts-the-pods-that-it-suspends',
    why: 'The pods of a suspended Job are deleted with their finalizers, so that they count as failures.',
    origin: 'common',
    law: 'Removed is no failure',
    edits: [
      [
        '    const deleted = await deleteJobPods(syncContext, job, batch);',
        '    const deleted = await (batch.length < 0 ? deleteJobPods : deleteActivePods)(syncContext, job, batch);',
      ],
      [
        '  deleteJobPods,\n  finishedCondition,',
        '  deleteActivePods,\n  deleteJobPods,\n  finishedCondition,',
      ],
    ],
  },
  {
    id: 'deadline-only-at-events',
    why: 'No timer wakes the controller at the deadline.',
    origin: 'kubernetes/kubernetes#110294',
    law: 'Keeps deadlines',
    edits: [
      [
        '  if (deadlineMs !== undefined) queue.addAfter(key, deadlineMs);',
        '  if (deadlineMs === 0) queue.addAfter(key, deadlineMs);',
      ],
    ],
  },
  {
    id: 'spins-at-a-pending-deadline',
    why: 'While creates are pending after the deadline, it schedules the next sync without a delay.',
    origin: 'common',
    law: 'At rest',
    spins: true,
    edits: [['  const deadlineMs = decided ? undefined :', '  const deadlineMs = end ? undefined :']],
  },
  {
    id: 'forgets-that-it-finished',
    why: 'It acts on a cache that shows the Job as unfinished, although it has stored the end.',
    origin: 'kubernetes/kubernetes#130333',
    law: 'The end is the end',
    edits: [
      [
        '  if (finished.has(uid)) return;\n  written.ensureReady(uid);\n',
        "  if (finished.has(uid + ' ')) return;\n",
      ],
    ],
  },
  {
    id: 'completes-while-pods-run',
    why: 'It completes a Job although pods are still active.',
    origin: 'kubernetes/kubernetes#99963',
    law: 'Valid requests',
    edits: [['(spec.completions ?? 1) && active === 0 ?', '(spec.completions ?? 1) && active >= 0 ?']],
  },
  {
    id: 'touches-the-jobs-of-others',
    why: 'It runs a Job that another controller manages.',
    origin: 'kubernetes/kubernetes#119160',
    law: 'Leaves others alone',
    edits: [['  if (!stored || isManagedElsewhere(stored)) return;', '  if (!stored) return;']],
  },
  {
    id: 'swallows-failed-creates',
    why: 'A create that the server refuses is forgotten, and the Job waits for an unrelated event.',
    origin: 'kubernetes/kubernetes#111026',
    law: 'At rest',
    edits: [
      [
        '  const { created, ...rest } = await createPods(syncContext, job, pods);\n  return { counts: { ...counts, active: counts.active + created }, ...rest };',
        '  const { created } = await createPods(syncContext, job, pods);\n  return { counts: { ...counts, active: counts.active + created } };',
      ],
    ],
  },
  {
    id: 'orphans-keep-the-finalizer',
    why: 'Pods that lost their owner keep the finalizer, so that they can never be removed.',
    origin: 'kubernetes/kubernetes#108752',
    law: 'At rest',
    edits: [
      [
        '  const owner = controllerOf(pod);\n  if (owner) {',
        '  const owner = controllerOf(pod);\n  if (!owner) return;\n  if (owner) {',
      ],
    ],
  },
  {
    id: 'indexes-out-of-range-count',
    why: 'After a scale-down the indexes that no longer exist still count.',
    origin: 'kubernetes/kubernetes#115349',
    law: 'True indexes',
    edits: [
      [
        '  const counted = parseIndexes(completedIndexes, job.spec.completions ?? 0);',
        '  const counted = parseIndexes(completedIndexes, 1_000);',
      ],
    ],
  },
];
