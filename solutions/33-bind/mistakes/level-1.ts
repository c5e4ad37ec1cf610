import type { Mistake } from '#harness/testing';

/** Mistakes of Level 1 · The queue. */
export const level1: readonly Mistake[] = [
  {
    id: 'backoff-never-grows',
    why: 'A pod that has failed ten times is tried as often as one that has failed once.',
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
    why: 'The wait doubles for ever: after an hour of failures a pod waits for days.',
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
    why: 'A shift of 32 bits begins anew: a pod that has failed often enough is tried without a pause.',
    origin: 'common',
    law: 'Level 1',
    edits: [['2 ** Math.min(count - 1, DOUBLINGS_MAX)', '(1 << (count - 1))']],
  },
  {
    id: 'no-backoff',
    why: 'A pod that has failed is tried at the next opportunity, however often that has come to nothing.',
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
    why: 'A backoff of a second is over when a second has begun to pass: at its very end the pod still waits.',
    origin: 'common: vectors, "Backoff expiring exactly now still waits"',
    law: 'Level 1',
    hidden: 'A queue that looks each second finds a pod a second earlier or later in any case.',
    edits: [
      [
        'return this.#backoffEndsMs(info) >= this.clock.now();',
        'return this.#backoffEndsMs(info) > this.clock.now();',
      ],
    ],
  },
  {
    id: 'opens-gates',
    why: 'A pod that is not to be scheduled yet is scheduled.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        'if (scheduling.isGated(pod)) this.unschedulable.set(uid, info);\n    else this.active.put(info);',
        'this.active.put(info);',
      ],
    ],
  },
  {
    id: 'one-count-for-all',
    why: 'A server that fails is counted against the pod: after an outage every pod waits ten seconds.',
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
    why: 'With every change a pod begins anew: a controller that labels it keeps it out of its backoff for ever.',
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
    why: 'Hints may be wrong, and the queue never looks whether they were.',
    origin: 'common',
    law: 'Level 1',
    edits: [['sleptMs <= scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;', 'sleptMs >= 0) continue;']],
  },
  {
    id: 'restless',
    why: 'All pods that sleep are tried every half minute, in case something has happened: with thousands of them no other pod is tried.',
    origin: 'common',
    law: 'Quiet at rest',
    edits: [
      ['sleptMs <= scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS) continue;', 'sleptMs <= 10_000) continue;'],
    ],
  },
  {
    id: 'errors-are-never-over',
    why: 'What went wrong before counts on after it has gone right, and the next error waits ten seconds.',
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
    why: 'A pod that changed while it waits is scheduled as it was.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (heap) heap.put(info);', 'if (heap) heap.put(known);']],
  },
];
