/** Mistakes of level 5 · When it breaks. */
import type { Mistake } from '#harness/testing';

/** Level 5 · When it breaks. */
export const level5: readonly Mistake[] = [
  {
    id: 'error-kills-informer',
    why: 'The first failure is the last thing that it does; its cache looks well for ever.',
    origin: 'kubernetes-client/javascript#447',
    law: 'End to end',
    edits: [
      [
        'await this.#pause(error, signal);\n      }\n    }\n  }\n\n  async #listAll',
        'return;\n      }\n    }\n  }\n\n  async #listAll',
      ],
    ],
  },
  {
    id: 'gone-and-asks-again',
    why: 'Answers 410 by a watch from the very version that is gone, for ever.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Converges',
    edits: [
      [
        'if (!isTooManyRequests(error) && !isConnectionRefused(error)) throw error;',
        'if (!isTooManyRequests(error) && !isConnectionRefused(error) && !isExpired(error)) throw error;',
      ],
    ],
  },
  {
    id: 'gone-means-newest',
    why: 'Lists from etcd whenever a watch expires; a list at the version seen would be fresh enough, and cheap.',
    origin: 'common; client-go did so before v0.18',
    law: 'Level 5',
    edits: [
      [
        'if (!isExpired(error)) this.#options.onError?.(error);',
        'if (isExpired(error)) this.#isLastSyncResourceVersionUnavailable = true;\n        else this.#options.onError?.(error);',
      ],
    ],
  },
  {
    id: 'busy-means-list',
    why: 'Asks a server that is too busy for a watch to make a whole list instead.',
    origin: 'common; client-go did so before v0.22',
    law: 'Level 5',
    edits: [['if (!isTooManyRequests(error) && !isConnectionRefused(error)) throw error;', 'throw error;']],
  },
  {
    id: 'error-event-ignored',
    why: 'Takes an ERROR for one more event, and goes on where the server has just said that it cannot.',
    origin: 'common',
    law: 'Calm',
    edits: [
      [
        "if (event.type === 'ERROR') throw new StatusError(event.object);",
        "if (event.type === 'ERROR') continue;",
      ],
    ],
  },
  {
    id: 'lists-at-every-end',
    why: 'Lists whenever a stream ends, which is every few minutes, for every informer of the cluster.',
    origin: 'common',
    law: 'Frugal',
    edits: [
      [
        'if (signal.aborted) return;\n        if (events',
        "throw new Error('the watch ended');\n        if (events",
      ],
    ],
  },
  {
    id: 'same-pause-always',
    why: 'Asks a server that is down every 0.1 s, and so keeps it down.',
    origin: 'k#87794, kubernetes-client/javascript#1933',
    law: 'Calm',
    edits: [['return ms * (1 + this.#random.float());', 'return ms * 0 + 100;']],
  },
  {
    id: 'never-doubles',
    why: 'Waits 0.8 s after the first failure and after the hundredth.',
    origin: 'common',
    law: 'Calm',
    edits: [['this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);', 'this.#baseMs = ms;']],
  },
  {
    id: 'no-jitter',
    why: 'All who lost the same server come back to it in the same millisecond.',
    origin: 'k#87794',
    law: 'Level 5',
    edits: [['return ms * (1 + this.#random.float());', 'return ms;']],
  },
  {
    id: 'backoff-never-reset',
    why: 'A bad hour in spring makes it slow to come back in autumn.',
    origin: 'common',
    law: 'Calm',
    edits: [['if (now - this.#lastMs > BACKOFF_RESET_MS) this.#baseMs = BACKOFF_MS_MIN;\n', '']],
  },
  {
    id: 'backoff-without-a-ceiling',
    why: 'After an outage of an hour it comes back two hours later.',
    origin: 'common',
    law: 'Level 5',
    edits: [['this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);', 'this.#baseMs = ms * 2;']],
  },
  {
    id: 'short-watches-in-a-row',
    why: 'Where a stream ends as soon as it is open, it opens the next, as fast as it can.',
    origin: 'common',
    law: 'Calm',
    edits: [['if (events === 0 && clock.now()', 'if (events < 0 && clock.now()']],
  },
  {
    id: 'sleeps-through-the-abort',
    why: 'Finishes its pause before it notices that it was stopped, up to a minute late.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['Math.max(this.#backoff.nextMs(), askedMs), signal)', 'Math.max(this.#backoff.nextMs(), askedMs))'],
    ],
  },
];
