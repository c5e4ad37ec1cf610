import type { Mistake } from '#harness/testing';

/** Pods that count twice, or never, or for the wrong reason. The laws kill these mistakes. */
export const countingMistakes: readonly Mistake[] = [
  {
    id: 'releases-before-it-stores',
    why: 'The finalizers go before the status is stored, so that a crash between the two loses the pods.',
    misconception: 'You seem to remove the finalizer first, because the status will follow anyway.',
    origin: 'common',
    law: 'Never lost',
    edits: [
      [
        '  const tracked = await storeStatus(syncContext, stored, plan.status);\n',
        '  const early = await releasePods(syncContext, stored, plan.release);\n  void early;\n  const tracked = await storeStatus(syncContext, stored, plan.status);\n',
      ],
    ],
  },
  {
    id: 'counts-what-is-still-held',
    why: 'Each UID is settled as soon as the patch is sent, even if the server refuses to remove the finalizer.',
    origin: 'kubernetes/kubernetes#104666',
    law: 'Counted once',
    edits: [
      [
        '.filter(({ metadata }) => !released.has(metadata.uid));\n',
        '.filter(({ metadata }) => !released.has(metadata.uid) && !plan.release.some((pod) => pod.metadata.uid === metadata.uid));\n',
      ],
    ],
  },
  {
    id: 'ends-with-pods-that-are-held',
    why: 'The terminal condition is set although the server refused to remove a finalizer; a finished Job is not synced again.',
    origin: 'kubernetes/kubernetes#109485',
    law: 'Valid requests',
    edits: [
      ['  const isDone = error === undefined && !plan.isPartial;', '  const isDone = !plan.isPartial;'],
      [
        '  const isOpen = succeeded.length + failed.length + (status.terminating ?? 0) > 0;',
        '  const isOpen = (status.terminating ?? 0) > 0 && succeeded.length + failed.length >= 0;',
      ],
    ],
  },
  {
    id: 'ends-while-pods-stop',
    why: 'The terminal condition does not wait for terminating pods.',
    misconception: 'You seem to think that a deleted pod no longer uses its node.',
    origin: 'kubernetes/kubernetes#125510',
    law: 'Valid requests',
    edits: [
      [
        '  const isOpen = succeeded.length + failed.length + (status.terminating ?? 0) > 0;',
        '  const isOpen = succeeded.length + failed.length > 0;',
      ],
    ],
  },
  {
    id: 'deleted-pods-are-no-failures',
    why: 'A deleted pod fails only when its phase is Failed, whatever the replacement policy.',
    misconception: 'You seem to think that only the phase `Failed` is a failure.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      [
        "  return pod.metadata.deletionTimestamp !== undefined && pod.status.phase !== 'Succeeded';",
        '  return false;',
      ],
    ],
  },
  {
    id: 'deleted-pods-are-failures-at-once',
    why: 'A deleted pod has failed at once, although podReplacementPolicy says that only its end counts.',
    origin: 'kubernetes/kubernetes#117015',
    law: 'Counts truly',
    edits: [
      [
        '  if (onlyReplacesFailedPods(job)) return false;\n',
        '  if (onlyReplacesFailedPods(job) && !job) return false;\n',
      ],
    ],
  },
  {
    id: 'limit-reached-is-exceeded',
    why: 'The Job fails when the failures reach the back-off limit, not when they exceed it.',
    misconception: 'You seem to read `backoffLimit` as the number of pods, not of retries.',
    origin: 'common',
    law: 'Ends for a reason',
    edits: [['  if (counts.failed > backoffLimit ||', '  if (counts.failed >= backoffLimit ||']],
  },
  {
    id: 'restarts-do-not-count',
    why: 'Containers that restart in their pod never end the Job.',
    origin: 'kubernetes/kubernetes#54870',
    law: 'At rest',
    edits: [
      [
        '  return countRestarts(pods) >= Math.max(1, spec.backoffLimit ?? 6);',
        '  return countRestarts(pods) < 0 && (spec.backoffLimit ?? 6) >= 0;',
      ],
    ],
  },
  {
    id: 'each-failure-resets-the-back-off',
    why: 'Only the failures of the last sync count for the back-off, so that it is always ten seconds.',
    origin: 'kubernetes/kubernetes#114391',
    law: 'Waits',
    edits: [
      [
        '  return { failures: before.failures + later.length, lastFailureMs: Math.max(...later) };',
        '  return { failures: Math.min(1, before.failures) * 0 + later.length, lastFailureMs: Math.max(...later) };',
      ],
    ],
  },
  {
    id: 'backs-off-from-the-first-failure-twice',
    why: 'The first failure already doubles the back-off.',
    origin: 'kubernetes/kubernetes#114391',
    law: 'Prompt',
    edits: [['baseMs * 2 ** (failures - 1)', 'baseMs * 2 ** failures']],
  },
  {
    id: 'a-success-does-not-reset',
    why: 'A success does not reset the back-off.',
    origin: 'kubernetes/kubernetes#114391',
    law: 'Prompt',
    edits: [
      ['  const before = succeeded.length > 0 ? { failures: 0 } : record;', '  const before = record;'],
    ],
  },
  {
    id: 'waits-from-the-sync',
    why: 'The back-off starts when the controller notices the failure, not when the pod ended.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      [
        '  return Math.max(0, delayMs - (nowMs - lastFailureMs));',
        '  return nowMs - lastFailureMs > delayMs + 2_500 ? 0 : Math.max(0, delayMs + 2_500 - (nowMs - lastFailureMs));',
      ],
    ],
  },
];
