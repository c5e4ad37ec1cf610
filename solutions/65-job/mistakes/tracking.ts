/** Level 6: plans that are too long, too short or too late, and errors that nobody reports. */
import type { Mistake } from '#harness/testing';

const FEW_PODS = 'No run has 500 pods that end together.';

export const trackingMistakes: readonly Mistake[] = [
  {
    id: 'finishes-a-partial-plan',
    why: 'When 600 pods end together, the Job is complete after 500, and 100 pods keep their finalizers.',
    origin: 'common',
    law: 'Level 6',
    hidden: FEW_PODS,
    edits: [
      ['  const isDone = error === undefined && !plan.isPartial;', '  const isDone = error === undefined;'],
    ],
  },
  {
    id: 'records-the-back-off-last',
    why: 'If a release or the second status fails, the failure is not recorded, and the next pod does not wait.',
    misconception: 'You seem to believe that every sync reaches its last line.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'Only a request that is refused right after the status of a failure shows it.',
    edits: [
      ['  if (tracked !== stored) backoff.set(stored.metadata.uid, state.backoff);\n', ''],
      [
        '  if (error !== undefined) throw error;\n}\n\nexport function mayRelease',
        '  if (error !== undefined) throw error;\n  if (tracked !== stored) backoff.set(stored.metadata.uid, state.backoff);\n}\n\nexport function mayRelease',
      ],
    ],
  },
  {
    id: 'records-the-back-off-of-each-sync',
    why: 'A failed pod that the status does not list counts again in each sync, and the delay doubles.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'Only an ignored pod whose release fails several times shows it.',
    edits: [['  if (tracked !== stored) backoff.set(', '  backoff.set(']],
  },
  {
    id: 'kept-pods-outlive-the-job',
    why: 'A kept pod stays held when the Job is over or deleted, although no new pod follows it.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The controller also frees the pods of a finished Job.',
    edits: [
      [
        "  if (end || job.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Succeeded') return true;\n",
        "  const isOver = end !== undefined || job.metadata.deletionTimestamp !== undefined;\n  if (pod.status.phase === 'Succeeded') return true;\n",
      ],
      [
        '  return isPodFailed(pod, job) && !isKept;',
        '  return (isOver || isPodFailed(pod, job)) && !isKept;',
      ],
    ],
  },
  {
    id: 'finishes-despite-a-refused-release',
    why: 'An Indexed Job ends although a succeeded pod keeps its finalizer: no list has the uid of this pod.',
    origin: 'kubernetes/kubernetes#109485',
    law: 'Level 6',
    edits: [
      ['  const isDone = error === undefined && !plan.isPartial;', '  const isDone = !plan.isPartial;'],
    ],
  },
  {
    id: 'swallows-the-error-of-the-settled-status',
    why: 'If the second status is refused, the sync seems to succeed.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The event of the released pod leads to another sync.',
    edits: [
      [
        '  await storeStatus(syncContext, tracked, isDone ? finish(settled, end, context.clock.now()) : settled);\n',
        '  await storeStatus(syncContext, tracked, isDone ? finish(settled, end, context.clock.now()) : settled).catch(() => tracked);\n',
      ],
    ],
  },
  {
    id: 'complete-indexes-have-no-failures',
    why: 'A failed pod whose index has completed is released, but not counted.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'An index has one pod at a time: no pod of a completed index fails later.',
    edits: [
      [
        '      const counts = isCounted(job, pod) &&',
        '      const counts = (!isIndexed(job) || isNewIndex(job, pod)) && isCounted(job, pod) &&',
      ],
    ],
  },
  {
    id: 'settles-one-uid-of-each-list',
    why: 'Each counter grows by one, even if several uids leave the list.',
    misconception: 'You seem to believe that one pod ends at a time.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '(status.failed ?? 0) + failed.length - stay.failed.length',
        '(status.failed ?? 0) + Math.min(1, failed.length - stay.failed.length)',
      ],
    ],
  },
  {
    id: 'stores-no-failed-indexes',
    why: 'The status of an Indexed Job has the succeeded indexes, but not the failed ones.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'withIndexFields(counted, state.succeededIndexes, verdicts.failedIndexes)',
        'withIndexFields(counted, state.succeededIndexes, undefined)',
      ],
    ],
  },
];
