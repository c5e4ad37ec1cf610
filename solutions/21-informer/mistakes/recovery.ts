/** Level 7 · When it breaks. */
import type { Mistake } from '#harness/testing';

export const recovery: readonly Mistake[] = [
  {
    id: 'never-falls-back',
    why: 'It requests streaming lists forever from a server that does not support them.',
    origin: 'alvaroaleman/static-kas#43 has the symptom',
    law: 'Level 7',
    edits: [
      [
        'const events = await this.watchList(signal).catch(() => undefined);',
        'const events = await this.watchList(signal);',
      ],
    ],
  },
  {
    id: 'falls-back-for-good',
    why: 'After one failure it never requests a streaming list again, and costs the server the memory of whole lists.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'A list and a watch have the same result.',
    edits: [
      [
        '  constructor(options: ReflectorOptions<T>) {',
        '  #streams = true;\n\n  constructor(options: ReflectorOptions<T>) {',
      ],
      [
        'const events = await this.watchList(signal).catch(() => undefined);',
        `const onFailure = (): undefined => {
      this.#streams = false;
    };
    const events = this.#streams ? await this.watchList(signal).catch(onFailure) : undefined;`,
      ],
    ],
  },
  {
    id: 'lists-beside-the-stream',
    why: 'It lists although the streaming list was complete, and continues with a stream that is older than that list.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (!events) await this.list(signal);', 'await this.list(signal);']],
  },
  {
    id: 'two-streams',
    why: 'The stream of the list stays open next to that of the watch: the server sends every event twice.',
    origin: 'common',
    law: 'Level 7',
    edits: [['await this.watch(signal, events);', 'await this.watch(signal);']],
  },
  {
    id: 'lists-after-the-abort',
    why: 'An abort during the streaming list counts as its failure, and the reflector lists.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['    if (signal.aborted) return;\n    if (!events)', '    if (!events)']],
  },
  {
    id: 'error-kills-informer',
    why: 'It stops at the first failure. Its cache looks healthy forever.',
    origin: 'kubernetes-client/javascript#447',
    law: 'End to end',
    edits: [
      [
        'this.#options.onError?.(failure);\n      await this.#pause(failure, signal);',
        'this.#options.onError?.(failure);\n      return;',
      ],
    ],
  },
  {
    id: 'starts-over-at-once',
    why: 'After a failure it lists again at once, in a hot loop.',
    origin: 'k#87794, kubernetes-client/javascript#1933',
    law: 'Calm',
    edits: [
      [
        'this.#options.onError?.(failure);\n      await this.#pause(failure, signal);',
        'this.#options.onError?.(failure);',
      ],
    ],
  },
  {
    id: 'forgets-where-it-was',
    why: 'At each failure it forgets its version, and accepts any state of any server.',
    origin: 'k#59848 has the symptom',
    law: 'Level 7',
    edits: [
      [
        '        failure = error;\n',
        "        failure = error;\n        this.lastSyncResourceVersion = '';\n",
      ],
    ],
  },
  {
    id: 'gone-means-newest',
    why: 'It lists from etcd whenever a watch expires. A list at its last version would be fresh enough, and cheaper.',
    origin: 'common; client-go did so before v0.18',
    law: 'Level 7',
    hidden:
      'The watch cache also serves the latest version: here, such a list has the same content and the same cost.',
    edits: [
      [
        'if (!isExpired(failure)) this.#options.onError?.(failure);',
        'if (isExpired(failure)) this.isLastSyncResourceVersionUnavailable = true;\n      else this.#options.onError?.(failure);',
      ],
    ],
  },
  {
    id: 'gone-is-told',
    why: 'It reports each 410 as an error, although expired versions are normal.',
    origin: 'common; client-go did so before v0.18',
    law: 'Level 7',
    hidden: 'It is only a line in a log.',
    edits: [
      ['if (!isExpired(failure)) this.#options.onError?.(failure);', 'this.#options.onError?.(failure);'],
    ],
  },
  {
    id: 'failures-untold',
    why: 'It retries forever, and reports no failure.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'It is only a line in a log.',
    edits: [['      if (!isExpired(failure)) this.#options.onError?.(failure);\n', '']],
  },
  {
    id: 'retry-after-ignored',
    why: 'A server asks for 20 s, but the next request comes after 0.8 s.',
    origin: 'common',
    law: 'Calm',
    edits: [['sleepBeforeRetry(error, nextBackoffMs(),', 'sleepBeforeRetry(void error, nextBackoffMs(),']],
  },
  {
    id: 'sleeps-through-the-abort',
    why: 'It finishes its back-off before it reacts to the abort, up to a minute late.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [
      [
        'nextBackoffMs(), clock, signal);',
        'nextBackoffMs(), clock, signal.aborted ? signal : new AbortController().signal);',
      ],
    ],
  },
  {
    id: 'backoff-asked-twice',
    why: 'It calls the back-off twice for each failure, and so waits 1.6 s first, then 6.4 s.',
    origin: 'common',
    law: 'Calm',
    edits: [
      ['nextBackoffMs(), clock, signal);', 'Math.max(nextBackoffMs(), nextBackoffMs()), clock, signal);'],
    ],
  },
  {
    id: 'same-pause-always',
    why: 'It retries every 0.1 s, and so overloads a server that tries to restart.',
    origin: 'k#87794, kubernetes-client/javascript#1933',
    law: 'Calm',
    edits: [['return ms * (1 + this.#random.float());', 'return ms * 0 + 100;']],
  },
  {
    id: 'never-doubles',
    why: 'It waits 0.8 s after the first failure and after the hundredth.',
    origin: 'common',
    law: 'Calm',
    edits: [
      ['this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);', 'this.#baseMs = Math.min(ms, BACKOFF_MS_MAX);'],
    ],
  },
  {
    id: 'no-jitter',
    why: 'All clients of a failed server reconnect in the same millisecond.',
    origin: 'k#87794',
    law: 'Level 7',
    edits: [['return ms * (1 + this.#random.float());', 'return ms;']],
  },
  {
    id: 'backoff-never-reset',
    why: 'An outage long ago still makes the back-off long.',
    origin: 'common',
    law: 'Calm',
    edits: [['if (now - this.#lastMs > BACKOFF_RESET_MS) this.#baseMs = BACKOFF_MS_MIN;\n', '']],
  },
  {
    id: 'backoff-without-a-ceiling',
    why: 'The back-off is unlimited: after an outage of an hour, the informer reconnects two hours later.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);',
        'this.#baseMs = Math.max(ms * 2, 0 * BACKOFF_MS_MAX);',
      ],
    ],
  },
  {
    id: 'no-jitter-at-the-maximum',
    why: 'Limits the wait with its jitter to 30 s: after a long outage, all clients wait exactly 30 s.',
    origin: 'found in a trial',
    law: 'Calm',
    edits: [
      [
        'return ms * (1 + this.#random.float());',
        'return Math.min(ms * (1 + this.#random.float()), BACKOFF_MS_MAX);',
      ],
    ],
  },
  {
    id: 'a-list-resets-the-backoff',
    why: 'Resets the back-off at each list that succeeds: if lists are allowed and watches are forbidden, it lists every second.',
    origin: 'found in a trial',
    law: 'Calm',
    edits: [
      [
        '      queue: this.#queue,\n',
        `      queue: {
        push: (delta) => {
          if ('objects' in delta) backoff.reset();
          this.#queue.push(delta);
        },
      },
`,
      ],
      [
        '  nextMs(): number {\n    const now',
        `  reset(): void {
    this.#baseMs = BACKOFF_MS_MIN;
  }

  nextMs(): number {
    const now`,
      ],
    ],
  },
  {
    id: 'gone-means-any',
    why: 'Forgets its version when a watch reports 410, and lists at 0: a server that lags takes it back in time.',
    origin: 'found in a trial',
    law: 'No time travel',
    edits: [
      [
        '      if (!isExpired(failure)) this.#options.onError?.(failure);',
        `      if (isExpired(failure)) this.lastSyncResourceVersion = '';
      if (!isExpired(failure)) this.#options.onError?.(failure);`,
      ],
    ],
  },
];
