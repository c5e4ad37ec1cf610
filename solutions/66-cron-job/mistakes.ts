import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'trusts-its-cache',
    why: 'The cache lacks the last status. The Job of this time has ended and was deleted, so it runs a second time.',
    origin: 'found by an edit of the reference',
    law: 'Once',
    edits: [['    if (await this.#refresh()) return this.#reconcile();\n', '']],
  },
  {
    id: 'gives-up-after-100',
    why: 'After 100 missed times, such as a long suspension, the CronJob never runs again.',
    origin: 'k#36311',
    law: 'On time',
    edits: [
      [
        "        this.#event('Warning', 'TooManyMissedTimes', message);\n",
        "        this.#event('Warning', 'TooManyMissedTimes', message);\n        return 'never';\n",
      ],
    ],
  },
  {
    id: 'oldest-first',
    why: 'After a pause it runs each missed time, the oldest first, instead of the latest one.',
    origin: 'common',
    law: 'Scheduled',
    edits: [
      [
        '  const count = Math.floor',
        "  if (withDeadline) return { earliestMs, mostRecentMs: first, missed: 'few' };\n  const count = Math.floor",
      ],
    ],
  },
  {
    id: 'no-deadline',
    why: 'A Job starts long after its time, although startingDeadlineSeconds have passed.',
    origin: 'common',
    law: 'Scheduled',
    edits: [
      [
        '  if (!withDeadline || startingDeadlineSeconds === undefined) return sinceMs;\n',
        '  return sinceMs;\n',
      ],
    ],
  },
  {
    id: 'runs-while-suspended',
    why: 'A suspended CronJob creates Jobs.',
    origin: 'common',
    law: 'Suspended',
    edits: [
      [
        'metadata.deletionTimestamp !== undefined || spec.suspend',
        'metadata.deletionTimestamp !== undefined',
      ],
    ],
  },
  {
    id: 'forbid-allows',
    why: 'With Forbid, a Job starts beside a running one.',
    origin: 'common',
    law: 'Alone',
    edits: [
      [
        "concurrencyPolicy === 'Forbid' && active.length > 0",
        "concurrencyPolicy === 'Forbid' && active.length > 1",
      ],
    ],
  },
  {
    id: 'replace-keeps',
    why: 'With Replace, the running Job stays beside the new one.',
    origin: 'common',
    law: 'Alone',
    edits: [["    if (concurrencyPolicy === 'Replace') await this.#deleteActive();\n", '']],
  },
  {
    id: 'replaces-always',
    why: 'Running Jobs are deleted although the policy allows them.',
    origin: 'common',
    law: 'Keeps',
    edits: [["if (concurrencyPolicy === 'Replace') await", 'await']],
  },
  {
    id: 'newest-first',
    why: 'The history keeps the oldest Jobs and deletes the newest ones.',
    origin: 'common',
    law: 'Keeps',
    edits: [['return first - second;', 'return second - first;']],
  },
  {
    id: 'one-limit-for-both',
    why: 'Failed Jobs count against the limit of those that succeeded.',
    origin: 'common',
    law: 'Keeps',
    edits: [
      ["ended('Failed'), spec.failedJobsHistoryLimit", "ended('Failed'), spec.successfulJobsHistoryLimit"],
    ],
  },
  {
    id: 'owner-by-name',
    why: 'A Job belongs to the CronJob if its owner has the same name, even if the owner is of another kind.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/cronjob_controllerv2.go getJobsToBeReconciled',
    law: 'Keeps',
    edits: [
      ["[controllerOf(job)?.uid ?? '']", "[controllerOf(job)?.name ?? '']"],
      ['byIndex(BY_CONTROLLER, cronJob.metadata.uid)', 'byIndex(BY_CONTROLLER, cronJob.metadata.name)'],
    ],
  },
  {
    id: 'deletes-by-name',
    why: 'A Job is deleted by its name alone: it may be another one by now.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/injection.go DeleteJob, "TODO: delete by UID?"',
    law: 'Gentle',
    edits: [
      ["propagationPolicy: 'Background', preconditions: { uid } }", "propagationPolicy: 'Background' }"],
    ],
  },
  {
    id: 'leaves-the-pods',
    why: 'Deleted Jobs leave their pods, because the default of batch/v1 orphans them.',
    origin: 'common',
    law: 'Gentle',
    edits: [["{ propagationPolicy: 'Background', preconditions: { uid } }", '{ preconditions: { uid } }']],
  },
  {
    id: 'polls',
    why: 'The first controller looked at all CronJobs every ten seconds, one after the other, and was late.',
    origin: 'k#93370',
    law: 'On time',
    edits: [['const AFTER_SCHEDULE_MS = 100;', 'const AFTER_SCHEDULE_MS = 10_000;']],
  },
  {
    id: 'waits-for-an-event',
    why: 'Nothing wakes the controller at the next scheduled time.',
    origin: 'common',
    law: 'On time',
    edits: [['    if (nextMs !== undefined) this.#queue.addAfter(key, nextMs);\n', '    void nextMs;\n']],
  },
  {
    id: 'forgets-the-active-job',
    why: 'A created Job never appears in the status.',
    origin: 'common',
    law: 'Recorded',
    edits: [['active: [...active, referenceTo(job)],', 'active,']],
  },
  {
    id: 'existing-job-is-an-error',
    why: 'After a crash between the Job and the status, AlreadyExists is an error, and Forbid does not know of the Job.',
    origin: 'k#120649',
    law: 'On time',
    edits: [
      ['if (isAlreadyExists(error)) return', 'if (!isAlreadyExists(error) && isNotFound(error)) return'],
    ],
  },
  {
    id: 'active-for-ever',
    why: 'A Job that a user deleted stays in status.active, and with Forbid nothing runs again.',
    origin: 'common',
    law: 'At rest',
    edits: [['    await this.#dropMissing();\n', '']],
  },
  {
    id: 'completed-stays-active',
    why: 'The end of a Job goes unnoticed, and with Forbid each later time finds it active.',
    origin: 'k#108023',
    law: 'At rest',
    edits: [['    if (this.#isActive(job)) {\n', "    if (this.#isActive(job) && type === 'Failed') {\n"]],
  },
  {
    id: 'no-last-success',
    why: 'The status does not say when a Job last succeeded.',
    origin: 'common',
    law: 'At rest',
    edits: [['    this.#status = { ...this.#status, lastSuccessfulTime: completionTime };\n', '']],
  },
  {
    id: 'writes-the-same',
    why: 'The status is written at each sync, even if nothing changed.',
    origin: 'common',
    law: 'Quiet',
    edits: [['    if (!deepEqual(this.#status, this.#cronJob.status)) {', '    if (deepEqual(0, 0)) {']],
  },
];
