import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/** Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of kubernetes/kubernetes. */
export const mistakes: readonly Mistake[] = [
  {
    id: 'trusts-its-cache',
    why: 'The cache lacks the last change of the seconds, and the Job is deleted too early.',
    origin: 'k#66840, review',
    law: 'Never early',
    edits: [
      ['const job = await client.get(jobs, keyOf(cached));', 'const job = cached;'],
      ['preconditions: { uid, resourceVersion },', 'preconditions: { uid, ...(resourceVersion ? {} : {}) },'],
    ],
  },
  {
    id: 'checks-once',
    why: 'The Job on the server is read, but its seconds are not checked again.',
    origin: 'common',
    law: 'Never early',
    edits: [['      if (!this.#isExpired(job)) return;\n', '']],
  },
  {
    id: 'counts-from-the-creation',
    why: 'The seconds count from the creation of the Job, not from its end.',
    origin: 'common',
    law: 'Never early',
    edits: [['return Date.parse(finishedAt) +', 'return Date.parse(job.metadata.creationTimestamp) +']],
  },
  {
    id: 'milliseconds',
    why: 'The number of seconds is read as milliseconds.',
    origin: 'common',
    law: 'Never early',
    edits: [['ttlSecondsAfterFinished * 1_000', 'ttlSecondsAfterFinished']],
  },
  {
    id: 'deletes-by-name',
    why: 'A Job with the same name may exist by the time of the delete.',
    origin: 'common',
    law: 'Gentle',
    edits: [
      ['preconditions: { uid, resourceVersion },', 'preconditions: { ...(uid ? { resourceVersion } : {}) },'],
    ],
  },
  {
    id: 'in-the-background',
    why: 'The Job disappears before its pods.',
    origin: 'common',
    law: 'Gentle',
    edits: [["propagationPolicy: 'Foreground'", "propagationPolicy: 'Background'"]],
  },
  {
    id: 'no-timer',
    why: 'A Job that has not expired yet is never looked at again.',
    origin: 'common',
    law: 'On time',
    edits: [['if (leftMs > 0) this.#queue.addAfter(keyToString(keyOf(job)), leftMs);', 'void leftMs;']],
  },
  {
    id: 'zero-is-no-limit',
    why: 'A Job with 0 seconds stays.',
    origin: 'common',
    law: 'On time',
    edits: [['ttlSecondsAfterFinished === undefined ||', '!ttlSecondsAfterFinished ||']],
  },
  {
    id: 'only-success',
    why: 'Failed Jobs stay.',
    origin: 'common',
    law: 'On time',
    edits: [
      [
        'const finishedAt = finishedCondition(job)?.lastTransitionTime;',
        'const finishedAt = job.status.completionTime;',
      ],
    ],
  },
  {
    id: 'looks-at-new-jobs-only',
    why: 'Updates of a Job are ignored, so its end is never seen.',
    origin: 'common',
    law: 'On time',
    edits: [['onUpdate: (_, job) => enqueue(job) });', 'onUpdate: () => {} });']],
  },
];
