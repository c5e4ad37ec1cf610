import type { Mistake } from '#harness/testing';

/** Mistakes of Level 1 · The queue. */
export const level1: readonly Mistake[] = [
  {
    id: 'backoff-never-grows',
    why: 'A pod that has failed ten times is retried as often as one that has failed once.',
    misconception: 'You seem to believe that the tenth failure is like the first.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);',
        'return Math.min(initialMs, maxMs);',
      ],
    ],
  },
  {
    id: 'backoff-without-end',
    why: 'The back-off doubles without a limit: after an hour of failures a pod waits for days.',
    misconception: 'You seem to believe that the longest wait does not matter.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);',
        'return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs * 2 ** count);',
      ],
    ],
  },
  {
    id: 'backoff-by-bits',
    why: 'The back-off is computed with a shift, which starts over at 32 bits: after enough failures a pod is retried in a hot loop.',
    misconception: 'You seem to believe that a shift doubles a number as often as you like.',
    origin: 'common',
    law: 'Level 1',
    edits: [['2 ** Math.min(count - 1, DOUBLINGS_MAX)', '(1 << (count - 1))']],
  },
  {
    id: 'no-backoff',
    why: 'A failed pod is retried at once after the next event, regardless of its failures.',
    misconception: 'You seem to believe that an event outweighs all earlier failures of a pod.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'return this.#backoffEndsMs(info) >= this.clock.now();',
        'return info.timestampMs >= this.clock.now();',
      ],
    ],
  },
  {
    id: 'backoff-ends-early',
    why: 'The back-off ends a moment early: at exactly its end, the pod must still wait.',
    origin: 'common: vectors, "Backoff expiring exactly now still waits"',
    law: 'Level 1',
    hidden: 'The queue checks each second, so a pod is retried up to a second earlier or later in any case.',
    edits: [
      [
        'return this.#backoffEndsMs(info) >= this.clock.now();',
        'return this.#backoffEndsMs(info) > this.clock.now();',
      ],
    ],
  },
  {
    id: 'opens-gates',
    why: 'A gated pod is scheduled.',
    misconception: 'You seem to believe that every pod without a node is ready to be placed.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      [
        'if (scheduling.isGated(pod)) this.unschedulable.set(uid, info);\n    else this.active.put(info);',
        'this.active.put(info);',
      ],
    ],
  },
  {
    id: 'one-count-for-all',
    why: 'Errors of the server count as rejections of the pod: after an outage every pod waits ten seconds.',
    misconception: 'You seem to believe that a failure of the server is a failure of the pod.',
    origin: 'k#133170: errors and rejections are counted apart since 1.34',
    law: 'Level 1',
    edits: [
      [
        'timestampMs + backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.limits);',
        'timestampMs + backoffDurationMs(consecutiveErrorsCount + unschedulableCount, this.limits);',
      ],
    ],
  },
  {
    id: 'forgotten-when-changed',
    why: 'Every change of a pod resets its failures: if a controller keeps labelling the pod, it never backs off.',
    misconception: 'You seem to believe that any change of a pod makes its failures irrelevant.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'const info = { ...known, pod: newPod };',
        'const info = { ...known, pod: newPod, unschedulableCount: 0, consecutiveErrorsCount: 0 };',
      ],
    ],
  },
  {
    id: 'sleeps-for-ever',
    why: 'The queue never retries sleeping pods, although hints can be wrong.',
    misconception: 'You seem to believe that hints never miss anything.',
    origin: 'common',
    law: 'Level 1',
    edits: [['sleptMs <= scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;', 'sleptMs >= 0) continue;']],
  },
  {
    id: 'restless',
    why: 'All sleeping pods are retried every half minute: with thousands of them, no other pod gets its turn.',
    misconception: 'You seem to believe that to try sleeping pods costs nothing.',
    origin: 'common',
    law: 'Quiet at rest',
    edits: [
      ['sleptMs <= scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;', 'sleptMs <= 10_000) continue;'],
    ],
  },
  {
    id: 'errors-are-never-over',
    why: 'Earlier errors still count after a success, so that the next error causes a back-off of ten seconds.',
    misconception: 'You seem to believe that an error from before a success still matters.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'consecutiveErrorsCount: rejected ? 0 : info.consecutiveErrorsCount + 1',
        'consecutiveErrorsCount: info.consecutiveErrorsCount + (rejected ? 0 : 1)',
      ],
    ],
  },
  {
    id: 'keeps-the-old-version',
    why: 'A pod that changes while it waits is scheduled by its old spec.',
    misconception: 'You seem to believe that a pod does not change while it waits.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (heap) heap.put(info);', 'if (heap) heap.put(known);']],
  },
  {
    id: 'an-error-sleeps',
    why: 'A pod whose attempt failed with an error waits among the unschedulable pods, for an event that never comes.',
    misconception: 'You seem to believe that an error ends with an event of the cluster.',
    origin: 'k#119105',
    law: 'Wakes in time',
    edits: [['if (rejected && !this.#missedSomething(back)) this', 'if (!this.#missedSomething(back)) this']],
  },
];
