/** Schedulers that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'has neither queue nor cache, but two tables, and makes its picture of the cluster anew for each pod; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'the least important goes first',
        law: 'Important first',
        edits: [['priorityOf(b) - priorityOf(a)', 'priorityOf(a) - priorityOf(b)']],
      },
      {
        why: 'a gate is no obstacle',
        law: 'Leaves alone',
        edits: [['return !isGated &&', 'return isGated !== undefined &&']],
      },
      {
        why: 'that a node is open again wakes no pod',
        law: 'Wakes in time',
        edits: [['before.spec.unschedulable ? of(', 'before.spec.unschedulable === null ? of(']],
      },
      {
        why: 'binds a pod by its name: it may be another pod by then',
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
        why: 'asks again at once',
        law: 'Asks with a pause',
        edits: [
          [
            'await clock.sleep(error instanceof StatusError ? 400 : 300, signal);',
            'await clock.sleep(error instanceof StatusError ? 4 : 3, signal);',
          ],
        ],
      },
      {
        why: 'says why a pod waits only once',
        law: 'Tells the truth',
        edits: [['was?.reason === reason && was.message === message', 'was?.reason === reason']],
      },
      {
        why: "takes what went wrong for the pod's fault",
        law: 'Tells the truth',
        edits: [
          ["isOfPod ? 'Unschedulable' : 'SchedulerError'", "isOfPod ? 'Unschedulable' : 'Unschedulable'"],
        ],
      },
      {
        why: 'counts all failures together',
        law: 'Backs off',
        edits: [['const count = errors > 0 ? errors : rejections;', 'const count = errors + rejections;']],
      },
      {
        why: 'waits for an hour',
        law: 'Tries once more',
        edits: [['this.nowMs - sinceMs > 300_000', 'this.nowMs - sinceMs > 3_600_000']],
      },
      {
        why: 'the room of a pod that was not bound is not free again',
        law: 'Every pod is bound',
        edits: [['    this.undecide(placed);\n    if (live?.spec', '    if (live?.spec']],
      },
      {
        why: 'keeps what plugins reserved',
        law: 'Gives back',
        edits: [
          ['    this.unreserve(placed, state);\n    this.undecide(placed);', '    this.undecide(placed);'],
        ],
      },
      {
        why: 'begins every search with the first node',
        law: 'Takes turns',
        edits: [['    this.startIndex = nextStartIndex;\n', '    void nextStartIndex;\n']],
      },
      {
        why: 'takes any node that fits',
        law: 'Where it is best',
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
    why: 'comes back for the next pod a while after the last one, as a loop that polls its queue would',
    edits: [
      [
        '    const info = await queue.pop();\n',
        '    await scheduler.clock.sleep(17, signal).catch(() => {});\n    const info = await queue.pop();\n',
      ],
    ],
  },
  {
    id: 'always-asks',
    why: 'asks the server what became of each bind that failed, also where it was told',
    edits: [
      ['    if (!scheduling.mayBeBound(error)) return { live: info.pod, error };\n', '    void info;\n'],
    ],
  },
];
