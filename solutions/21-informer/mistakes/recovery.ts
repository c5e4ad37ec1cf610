/** Level 7 · When it breaks. */
import type { Mistake } from '#harness/testing';

export const recovery: readonly Mistake[] = [
  {
    id: 'never-falls-back',
    why: 'A server that does not stream lists is asked for one for ever.',
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
    why: 'After one failure it never asks for a streaming list again, and costs the server the memory of whole lists.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'A list and a watch bring the same.',
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
    why: 'It lists although the streaming list brought everything, and goes on with a stream that is older than that list.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (!events) await this.list(signal);', 'await this.list(signal);']],
  },
  {
    id: 'two-streams',
    why: 'The stream of the list is left open beside that of the watch: the server sends everything twice.',
    origin: 'common',
    law: 'Level 7',
    edits: [['await this.watch(signal, events);', 'await this.watch(signal);']],
  },
  {
    id: 'lists-after-the-abort',
    why: 'An abort during the streaming list is taken for its failure, and followed by a list.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['    if (signal.aborted) return;\n    if (!events)', '    if (!events)']],
  },
  {
    id: 'error-kills-informer',
    why: 'The first failure is the last thing that it does. Its cache looks well for ever.',
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
    why: 'After a failure it lists at once, as fast as it can.',
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
    why: 'With each failure it forgets its version, and takes any state that a server has.',
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
    why: 'It lists from etcd whenever a watch expires. A list at the version seen would be fresh enough, and cheap.',
    origin: 'common; client-go did so before v0.18',
    law: 'Level 7',
    hidden:
      'The newest version comes out of the watch cache, too: a list of it is the same, and as cheap here.',
    edits: [
      [
        'if (!isExpired(failure)) this.#options.onError?.(failure);',
        'if (isExpired(failure)) this.isLastSyncResourceVersionUnavailable = true;\n      else this.#options.onError?.(failure);',
      ],
    ],
  },
  {
    id: 'gone-is-told',
    why: 'It reports each 410 as an error. A version that grows old is nothing unusual.',
    origin: 'common; client-go did so before v0.18',
    law: 'Level 7',
    hidden: 'It is a line in a log.',
    edits: [
      ['if (!isExpired(failure)) this.#options.onError?.(failure);', 'this.#options.onError?.(failure);'],
    ],
  },
  {
    id: 'failures-untold',
    why: 'It tries again and again, and tells of no failure.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'It is a line in a log.',
    edits: [['      if (!isExpired(failure)) this.#options.onError?.(failure);\n', '']],
  },
  {
    id: 'retry-after-ignored',
    why: 'A server asks for 20 s, and is asked again after 0.8 s.',
    origin: 'common',
    law: 'Calm',
    edits: [['sleepBeforeRetry(error, nextBackoffMs(),', 'sleepBeforeRetry(void error, nextBackoffMs(),']],
  },
  {
    id: 'sleeps-through-the-abort',
    why: 'It finishes its wait before it notices that it was stopped, up to a minute late.',
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
    why: 'It asks for the next wait twice, and so waits 1.6 s first, then 6.4 s.',
    origin: 'common',
    law: 'Calm',
    edits: [
      ['nextBackoffMs(), clock, signal);', 'Math.max(nextBackoffMs(), nextBackoffMs()), clock, signal);'],
    ],
  },
  {
    id: 'same-pause-always',
    why: 'It asks a server that is down every 0.1 s, and so keeps it down.',
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
    why: 'All that lost the same server come back to it in the same millisecond.',
    origin: 'k#87794',
    law: 'Level 7',
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
    law: 'Level 7',
    edits: [
      [
        'this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);',
        'this.#baseMs = Math.max(ms * 2, 0 * BACKOFF_MS_MAX);',
      ],
    ],
  },
];
