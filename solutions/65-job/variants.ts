/** Correct Job controllers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'reads the Job and its pods from the server in each sync, one step at a time; it uses none of the given parts',
    file: 'variants/free.ts',
    free: true,
    core: true,
    mutants: [
      {
        why: 'it removes the finalizer of each ended pod, whether or not the status counts it',
        like: 'releases-before-it-stores',
        law: 'Never lost',
        edits: [
          [
            'const counted = own.filter(',
            'const counted = own.filter((pod) => isTracked(pod) && hasEnded(pod)).concat(own).filter(',
          ],
          [
            '    const status = withConditions(',
            '    await this.#releaseCounted(job, own);\n    const status = withConditions(',
          ],
          [
            '(listed.has(pod.metadata.uid) || (hasEnded(pod) && isIndexed(job)))',
            '(listed.has(pod.metadata.uid) || hasEnded(pod))',
          ],
        ],
      },
      {
        why: 'it creates a pod for each missing completion',
        like: 'all-completions-at-once',
        law: 'Never too many',
        edits: [
          ['const most = Math.max(0, Math.min(parallelism, rest));', 'const most = Math.max(0, rest);'],
        ],
      },
      {
        why: 'it does not wait after failures',
        law: 'Waits',
        edits: [
          ['if (restMs > 0) return this.#again(restMs);', 'if (restMs > 1e9) return this.#again(restMs);'],
        ],
      },
      {
        why: 'no timer wakes it at the deadline',
        like: 'deadline-only-at-events',
        law: 'Keeps deadlines',
        edits: [['if (dueMs !== undefined && !isEnding(now))', 'if (dueMs === 0 && !isEnding(now))']],
      },
      {
        why: 'the pods of a suspended Job are deleted with their finalizers, and count as failures',
        like: 'counts-the-pods-that-it-suspends',
        law: 'Removed is no failure',
        edits: [
          [
            '      await untrack(this.#client, pod);\n      await this.#delete(pod);',
            '      await this.#delete(pod);',
          ],
        ],
      },
      {
        why: 'pods without a Job keep the finalizer',
        like: 'orphans-keep-the-finalizer',
        law: 'At rest',
        edits: [
          [
            '  const { namespace } = split(key);\n',
            '  if (!owner) return;\n  const { namespace } = split(key);\n',
          ],
        ],
      },
    ],
  },
  {
    id: 'polls',
    why: 'syncs every unfinished Job again after five seconds, even without an event',
    edits: [
      [
        '  await trackAndRelease(syncContext, next, end);\n',
        '  queue.addAfter(key, 5_000);\n  await trackAndRelease(syncContext, next, end);\n',
      ],
    ],
  },
  {
    id: 'takes-its-time',
    why: 'waits between its observation and its actions, like a busy controller',
    edits: [
      [
        '  const decided = endOf(state, context.clock.now());\n',
        '  await context.clock.sleep(7);\n  const decided = endOf(state, context.clock.now());\n',
      ],
    ],
  },
];
