/** Correct schedulers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'has two tables instead of a queue and a cache, and builds a new snapshot for each pod; none of the given parts',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'the pod with the lowest priority goes first',
        law: 'Important first',
        edits: [['priorityOf(b) - priorityOf(a)', 'priorityOf(a) - priorityOf(b)']],
      },
      {
        why: 'scheduling gates are ignored',
        like: 'opens-gates',
        law: 'Leaves others alone',
        edits: [['return !isGated &&', 'return isGated !== undefined &&']],
      },
      {
        why: 'an uncordoned node wakes no pod',
        law: 'Wakes in time',
        edits: [['before.spec.unschedulable ? of(', 'before.spec.unschedulable === null ? of(']],
      },
      {
        why: 'binds a pod by its name: by then it may be another pod',
        law: 'Never overcommits',
        edits: [
          [
            'await client.bind(keyOf(placed), nodeName, { uid });',
            'await client.bind(keyOf(placed), nodeName);\n        void uid;',
          ],
        ],
      },
      {
        why: 'trusts its first list',
        law: 'Never overcommits',
        edits: [['        for (const pod of unseen) this.decide(pod);\n', '']],
      },
      {
        why: 'retries without a back-off',
        like: 'asks-at-once',
        law: 'Retries with a pause',
        edits: [
          [
            'await clock.sleep(error instanceof StatusError ? 400 : 300, signal);',
            'await clock.sleep(error instanceof StatusError ? 4 : 3, signal);',
          ],
        ],
      },
      {
        why: 'updates the reported reason only once',
        law: 'Reports the truth',
        edits: [['was?.reason === reason && was.message === message', 'was?.reason === reason']],
      },
      {
        why: 'reports an error as a rejection of the pod',
        law: 'Reports the truth',
        edits: [
          ["isOfPod ? 'Unschedulable' : 'SchedulerError'", "isOfPod ? 'Unschedulable' : 'Unschedulable'"],
        ],
      },
      {
        why: 'counts rejections and errors together',
        like: 'one-count-for-all',
        law: 'Backs off',
        edits: [['const count = errors > 0 ? errors : rejections;', 'const count = errors + rejections;']],
      },
      {
        why: 'wakes sleeping pods after an hour, not after five minutes',
        law: 'Retries leftovers',
        edits: [['this.nowMs - sinceMs > 300_000', 'this.nowMs - sinceMs > 3_600_000']],
      },
      {
        why: 'the room of a pod that was not bound stays allocated',
        law: 'Every pod is bound',
        edits: [['    this.undecide(placed);\n    if (live?.spec', '    if (live?.spec']],
      },
      {
        why: 'does not unreserve',
        law: 'Unreserves',
        edits: [
          ['    this.unreserve(placed, state);\n    this.undecide(placed);', '    this.undecide(placed);'],
        ],
      },
      {
        why: 'starts every search at the first node',
        law: 'Rotates',
        edits: [['    this.startIndex = nextStartIndex;\n', '    void nextStartIndex;\n']],
      },
      {
        why: 'takes any feasible node',
        law: 'Highest score',
        edits: [
          [
            'const nodeName = scoring.selectHost(scores, this.context.random);',
            'const nodeName = feasible[0]?.name ?? scoring.selectHost(scores, this.context.random);',
          ],
        ],
      },
    ],
  },
  {
    id: 'takes-its-time',
    why: 'pops the next pod only after a while, like a loop that polls its queue',
    edits: [
      [
        '    const info = await queue.pop();\n',
        '    await scheduler.clock.sleep(17, signal).catch(() => {});\n    const info = await queue.pop();\n',
      ],
    ],
  },
  {
    id: 'always-asks',
    why: 'reads from the server after every failed bind, even after a definite error',
    edits: [
      ['    if (!scheduling.mayBeBound(error)) return { live: info.pod, error };\n', '    void info;\n'],
    ],
  },
];
