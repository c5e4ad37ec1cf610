/**
 * Workqueues that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns
 * that everybody takes who builds one. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · The line
  {
    id: 'a-line-with-doubles',
    why: 'Appends whatever is added: what is added ten times while it waits is seen to ten times.',
    origin: 'common: a channel or an array in the place of a queue',
    law: 'Deduplicating',
    edits: [
      ['if (this.#shuttingDown || this.#dirty.has(item)) return;', 'if (this.#shuttingDown) return;'],
      [
        'readonly #line = new Set<T>();',
        `readonly #line = new (class<U> {
    readonly all: U[] = [];
    get size() { return this.all.length; }
    add(item: U) { this.all.push(item); }
    delete(item: U) { this.all.splice(this.all.indexOf(item), 1); }
    [Symbol.iterator]() { return this.all[Symbol.iterator](); }
  })<T>();`,
      ],
    ],
  },
  {
    id: 'added-again-goes-to-the-end',
    why: 'An item that is added while it waits loses its place: a busy one is never seen to.',
    origin: 'common: a debounce in the place of a queue',
    law: 'Fair',
    edits: [
      [
        'if (this.#shuttingDown || this.#dirty.has(item)) return;',
        `if (!this.#shuttingDown && this.#line.delete(item)) this.#line.add(item);
    if (this.#shuttingDown || this.#dirty.has(item)) return;`,
      ],
    ],
  },
  {
    id: 'newest-first',
    why: 'A stack: what was added first waits until nothing else is there.',
    origin: 'common',
    law: 'Fair',
    edits: [
      ['for (const first of this.#line) return', 'for (const first of [...this.#line].reverse()) return'],
    ],
  },
  {
    id: 'one-may-wait',
    why: 'Remembers only the last one who waits for an item; the others wait for ever.',
    origin: 'common',
    law: 'Level 1',
    edits: [['this.#getters.push(resolve);', 'this.#getters[0] = resolve;']],
  },
  {
    id: 'one-item-for-everybody',
    why: 'Wakes all who wait, and gives all of them the same item.',
    origin: 'common',
    law: 'Stingy',
    edits: [
      [
        'this.#getters.shift()?.(this.#take(item));',
        `const waiting = this.#getters.splice(0);
    if (waiting.length > 0) this.#take(item);
    for (const give of waiting) give(item);`,
      ],
    ],
  },
  {
    id: 'wakes-nobody',
    why: 'Puts the item in line and tells nobody: who waits already goes on waiting.',
    origin: 'common',
    law: 'Lossless',
    edits: [['this.#getters.shift()?.(this.#take(item));\n', '']],
  },
  {
    id: 'nothing-is-an-item',
    why: "Takes an item that is 0 or '' for an empty line.",
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'for (const first of this.#line) return this.#take(first);',
        'const [first] = this.#line;\n    if (first) return this.#take(first);',
      ],
    ],
  },

  // Level 2 · In hand
  {
    id: 'two-hands',
    why: 'Puts an item in line although it is in hand: two workers see to it at once.',
    origin: 'common; the first thing that a controller must not do',
    law: 'Stingy',
    edits: [['if (!this.#processing.has(item)) this.#enqueue(item);', 'this.#enqueue(item);']],
  },
  {
    id: 'lost-while-in-hand',
    why: 'Drops what is added while it is in hand: the change that came during the work is never seen to.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      [
        'if (this.#shuttingDown || this.#dirty.has(item)) return;',
        'if (this.#shuttingDown || this.#dirty.has(item) || this.#processing.has(item)) return;',
      ],
    ],
  },
  {
    id: 'cleaned-when-done',
    why: 'An item is dirty until it is done, so that whatever happens to it meanwhile is taken for old news.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      ['this.#dirty.delete(item);\n    this.#processing.add(item);', 'this.#processing.add(item);'],
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        'this.#dirty.delete(item);\n    if (this.#dirty.has(item)) this.#enqueue(item);',
      ],
    ],
  },
  {
    id: 'dirty-for-ever',
    why: 'An item never gets clean: it is handed out again whenever it is done.',
    origin: 'common',
    law: 'Deduplicating',
    edits: [['this.#dirty.delete(item);\n    this.#processing.add(item);', 'this.#processing.add(item);']],
  },
  {
    id: 'again-at-once',
    why: 'What was added while it was in hand jumps the line when it is done: one that is added all the time is all that is seen to.',
    origin: 'common',
    law: 'Fair',
    edits: [
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        `if (this.#dirty.has(item)) {
      const others = [...this.#line];
      this.#line.clear();
      this.#enqueue(item);
      for (const other of others) this.#line.add(other);
    }`,
      ],
    ],
  },
  {
    id: 'done-wakes-nobody',
    why: 'Puts the item back in line and tells nobody who waits.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      ['if (this.#dirty.has(item)) this.#enqueue(item);', 'if (this.#dirty.has(item)) this.#line.add(item);'],
    ],
  },
  {
    id: 'counts-what-is-in-hand',
    why: 'Calls all that needs work its length, also what nobody could take now.',
    origin: 'common',
    law: 'Level 2',
    edits: [['return this.#line.size;', 'return this.#dirty.size;']],
  },

  // Level 3 · Shut down and drain
  {
    id: 'open-after-the-shut-down',
    why: 'Goes on adding: a controller that is to stop never comes to an end.',
    origin: 'common',
    law: 'Closes',
    edits: [
      ['if (this.#shuttingDown || this.#dirty.has(item)) return;', 'if (this.#dirty.has(item)) return;'],
    ],
  },
  {
    id: 'shut-down-empties-the-line',
    why: 'Throws away what stands in line; it was promised to be handed out.',
    origin: 'common',
    law: 'Closes',
    edits: [['this.#shuttingDown = true;', 'this.#shuttingDown = true;\n    this.#line.clear();']],
  },
  {
    id: 'shut-down-wakes-nobody',
    why: 'Who waits for an item when the queue is shut down waits for ever, and so does whoever waits for the worker.',
    origin: 'common',
    law: 'Closes',
    edits: [['for (const give of this.#getters.splice(0)) give(undefined);\n', '']],
  },
  {
    id: 'shut-down-wakes-one',
    why: 'Sends one worker home; the others wait for ever.',
    origin: 'common: a signal in the place of a broadcast',
    law: 'Closes',
    edits: [
      ['for (const give of this.#getters.splice(0)) give(undefined);', 'this.#getters.shift()?.(undefined);'],
    ],
  },
  {
    id: 'shut-down-forgets-what-was-added-again',
    why: 'What was added while it was in hand, before the shut down, is never handed out.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        'if (this.#dirty.has(item) && !this.#shuttingDown) this.#enqueue(item);',
      ],
    ],
  },
  {
    id: 'drain-does-not-wait',
    why: 'Returns at once, and the process exits in the midst of a write.',
    origin: 'ShutDown until k#101928',
    law: 'Drains',
    edits: [['if (this.#processing.size === 0) return;\n', 'if (this.#processing.size >= 0) return;\n']],
  },
  {
    id: 'drain-never-ends',
    why: 'Waits for work that was done long ago.',
    origin: 'common',
    law: 'Drains',
    edits: [['else if (this.#processing.size === 0) this.#endDrain();\n', '']],
  },
  {
    id: 'drain-waits-for-one',
    why: 'Returns when the first item is done, though others are still in hand.',
    origin: 'common',
    law: 'Drains',
    edits: [['else if (this.#processing.size === 0) this.#endDrain();', 'else this.#endDrain();']],
  },
  {
    id: 'drain-cannot-be-cut-short',
    why: 'A second signal to stop, from somebody who has lost patience, changes nothing.',
    origin: 'common',
    law: 'Drains',
    edits: [['this.#close();\n    this.#endDrain();', 'this.#close();']],
  },

  // Level 4 · Later
  {
    id: 'keeps-the-latest',
    why: 'Of two times the later one counts: an item that is put off again and again is never seen to.',
    origin: 'common: a debounce in the place of a delay',
    law: 'Patient',
    edits: [
      [
        'if (known && known.readyAtMs <= readyAtMs) return;',
        'if (known && known.readyAtMs >= readyAtMs) return;',
      ],
    ],
  },
  {
    id: 'keeps-the-first',
    why: 'An item that waits for its time cannot be wanted sooner.',
    origin: 'common',
    law: 'Patient',
    edits: [['if (known && known.readyAtMs <= readyAtMs) return;', 'if (known) return;']],
  },
  {
    id: 'keeps-both-times',
    why: 'Sets a timer for each call: an item that is put off ten times is seen to ten times.',
    origin: 'client-go until k#28179',
    law: 'Deduplicating',
    edits: [['if (known && known.readyAtMs <= readyAtMs) return;\n    known?.cancel();\n', '']],
  },
  {
    id: 'compares-delays',
    why: 'Compares how long to wait, not until when: 30 ms from now on beats the 10 ms that are left of 50.',
    origin: 'common',
    law: 'Patient',
    edits: [['const readyAtMs = this.#clock.now() + delayMs;', 'const readyAtMs = delayMs;']],
  },
  {
    id: 'a-little-early',
    why: 'Wakes up in steps of 10 ms, and takes what is ready within this one.',
    origin: 'common',
    law: 'Patient',
    edits: [['this.#clock.after(delayMs, () => {', 'this.#clock.after(delayMs - (delayMs % 10), () => {']],
  },
  {
    id: 'a-little-late',
    why: 'Looks every 10 ms what has become ready.',
    origin: 'common: polling',
    law: 'Patient',
    edits: [
      ['this.#clock.after(delayMs, () => {', 'this.#clock.after(Math.ceil(delayMs / 10) * 10, () => {'],
    ],
  },
  {
    id: 'waits-once',
    why: 'Remembers when an item was ready, for ever: it is never put off again.',
    origin: 'common',
    law: 'Patient',
    edits: [['this.#timers.delete(item);\n      this.add(item);', 'this.add(item);']],
  },
  {
    id: 'add-calls-off-the-wait',
    why: 'An item that is added now is not added when its time comes: what was to be looked at again in a minute is not.',
    origin: 'proposed in k#112328, which would have stopped roll-outs',
    law: 'Patient',
    edits: [
      [
        'return this.#queue.shutDownWithDrain();\n  }\n\n  add(item: T): void {\n',
        `return this.#queue.shutDownWithDrain();
  }

  add(item: T): void {
    this.#timers.get(item)?.cancel();
    this.#timers.delete(item);
`,
      ],
    ],
  },
  {
    id: 'now-calls-off-the-wait',
    why: 'Takes a delay of 0 for the earlier of two times, and forgets the later one: it is not looked at again then.',
    origin: 'found in a trial',
    law: 'Level 4',
    edits: [
      [
        'if (delayMs <= 0) {\n      this.add(item);',
        `if (delayMs <= 0) {
      this.#timers.get(item)?.cancel();
      this.#timers.delete(item);
      this.add(item);`,
      ],
    ],
  },
  {
    id: 'for-ever-is-a-delay',
    why: 'Takes Infinity for a delay: an item that never comes, and nobody is told.',
    origin: 'found in a trial',
    law: 'Level 4',
    edits: [[' || delayMs === Number.POSITIVE_INFINITY', '']],
  },
  {
    id: 'refuses-until-the-shut-down',
    why: 'After the shut down it does not look at the delay any more: a mistake that shows only in one of two lives.',
    origin: 'found in a trial',
    law: 'Level 4',
    edits: [
      ['if (Number.isNaN(delayMs) ||', 'if (this.shuttingDown()) return;\n    if (Number.isNaN(delayMs) ||'],
    ],
  },
  {
    id: 'timers-left-behind',
    why: 'A process that has nothing left to do stays for the longest wait, a quarter of an hour.',
    origin: 'common',
    law: 'Level 4',
    edits: [['this.#cancelAll();\n    this.#queue.shutDown();', 'this.#queue.shutDown();']],
  },

  // Level 5 · How long to wait
  {
    id: 'shifts-bits',
    why: 'Doubles by shifting an integer: after 31 failures the wait is negative, and the item is tried in a hot loop.',
    origin: 'client-go until k#31396',
    law: 'Level 5',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * (1 << failures)']],
  },
  {
    id: 'grows-slowly',
    why: 'Adds to the wait instead of doubling it: a thousand broken items ask a thousand times as often as they should.',
    origin: 'common',
    law: 'Backs off',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * (failures + 1)']],
  },
  {
    id: 'counts-before-it-asks',
    why: 'The first failure waits as long as the second.',
    origin: 'common',
    law: 'Backs off',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * 2 ** this.numRequeues(item)']],
  },
  {
    id: 'no-ceiling',
    why: 'After twenty failures it comes back tomorrow.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs)',
        'this.#baseDelayMs * 2 ** failures + 0 * this.#maxDelayMs',
      ],
    ],
  },
  {
    id: 'the-first-is-free',
    why: 'Holds the maximum against all waits but the first.',
    origin: 'found in a trial',
    law: 'Level 5',
    edits: [
      [
        'return Math.min(this.#baseDelayMs * 2 ** failures',
        'if (failures === 0) return this.#baseDelayMs;\n    return Math.min(this.#baseDelayMs * 2 ** failures',
      ],
    ],
  },
  {
    id: 'doubles-nothing',
    why: 'Takes a first wait of 0: after 1024 failures the wait is 0 times infinity, which is not a number.',
    origin: 'found in a trial; client-go takes it, too',
    law: 'Level 5',
    edits: [
      ['if (!(ms > 0 && ms < Number.POSITIVE_INFINITY))', 'if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY))'],
    ],
  },
  {
    id: 'all-for-one',
    why: 'Counts the failures of all items together: one that is broken slows all others down.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'const failures = this.numRequeues(item);',
        'const failures = [...this.#failures.values()].reduce((sum, each) => sum + each, 0);',
      ],
    ],
  },
  {
    id: 'counts-twice',
    why: 'Asks the rate limiter twice for one failure.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'this.addAfter(item, this.#rateLimiter.when(item));',
        'if (this.#rateLimiter.when(item) >= 0) this.addAfter(item, this.#rateLimiter.when(item));',
      ],
    ],
  },
  {
    id: 'asks-and-does-not-listen',
    why: 'Asks how long to wait, and adds the item at once.',
    origin: 'common',
    law: 'Patient',
    edits: [
      [
        'this.addAfter(item, this.#rateLimiter.when(item));',
        'this.#rateLimiter.when(item);\n    this.add(item);',
      ],
    ],
  },
  {
    id: 'never-forgets',
    why: 'What fails once a day waits a quarter of an hour after three weeks.',
    origin: 'kubernetes-sigs/controller-runtime#392 has the symptom',
    law: 'Forgets',
    edits: [['this.#rateLimiter.forget(item);\n', '']],
  },
  {
    id: 'one-of-several-forgets',
    why: 'Tells only one of several rate limiters to forget.',
    origin: 'common',
    law: 'Forgets',
    edits: [
      ['for (const limiter of this.#limiters) limiter.forget(item);', 'this.#limiters.at(-1)?.forget(item);'],
    ],
  },
  {
    id: 'forgetting-gives-back',
    why: 'Forgetting an item gives it back: somebody else gets it while it is still in hand.',
    origin: 'common',
    law: 'Level 5',
    edits: [['this.#rateLimiter.forget(item);', 'this.#rateLimiter.forget(item);\n    this.done(item);']],
  },
  {
    id: 'the-mildest-of-several',
    why: 'Waits as long as the most lenient of several says.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        'return Math.max(0, ...this.#limiters.map((limiter) => limiter.when(item)));',
        'return Math.max(0, Math.min(...this.#limiters.map((limiter) => limiter.when(item))));',
      ],
    ],
  },
  {
    id: 'all-waits-together',
    why: 'Waits for one after the other of several, where the longest would do.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        'return Math.max(0, ...this.#limiters.map((limiter) => limiter.when(item)));',
        'return this.#limiters.reduce((sum, limiter) => sum + limiter.when(item), 0);',
      ],
    ],
  },
  {
    id: 'one-token-for-everybody',
    why: 'Lets all wait for the same next token: a thousand items that failed come back at one instant.',
    origin: 'common: a bucket that cannot be in debt',
    law: 'Throttled',
    edits: [
      [
        'return this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;',
        `const waitMs = this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;
    this.#tokens = Math.max(0, this.#tokens);
    return waitMs;`,
      ],
    ],
  },
  {
    id: 'a-bucket-without-a-bottom',
    why: 'Saves up tokens without end: after a quiet night everything may go at once.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        'Math.min(this.#burst, this.#tokens + (elapsedMs * this.#qps) / 1_000) - 1',
        'this.#tokens + (elapsedMs * this.#qps) / 1_000 - 1',
      ],
    ],
  },
  {
    id: 'whole-tokens-only',
    why: 'Counts whole tokens, and forgets the time that was not enough for one.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        'this.#tokens + (elapsedMs * this.#qps) / 1_000)',
        'this.#tokens + Math.floor((elapsedMs * this.#qps) / 1_000))',
      ],
    ],
  },
  {
    id: 'an-empty-bucket',
    why: 'Begins with nothing: a controller that has just started waits for tokens that it should have had.',
    origin: 'common',
    law: 'Throttled',
    edits: [['this.#tokens = burst;', 'this.#tokens = 0;']],
  },
  {
    id: 'pays-for-a-clock-set-back',
    why: 'A clock that is set back by an hour empties the bucket for an hour.',
    origin: 'common',
    law: 'Level 5',
    edits: [['Math.max(0, nowMs - this.#countedAtMs)', 'nowMs - this.#countedAtMs']],
  },

  // Level 6 · The workers
  {
    id: 'error-swallowed',
    why: 'What fails is never tried again: the cluster stays as it is until somebody touches the object.',
    origin: 'k#67662, kubernetes-sigs/kubebuilder#224',
    law: 'Persistent',
    edits: [
      [
        'if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);\n    else queue.forget(item);',
        'if (queue.numRequeues(item) > maxRetries) queue.addRateLimited(item);\n    else queue.forget(item);',
      ],
    ],
  },
  {
    id: 'hot-retry',
    why: 'Tries again at once, and again, as fast as the apiserver can say no.',
    origin: 'common',
    law: 'Persistent',
    edits: [
      [
        'if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);',
        'if (queue.numRequeues(item) < maxRetries) queue.add(item);',
      ],
    ],
  },
  {
    id: 'forget-forgotten',
    why: 'A success leaves the failures before it standing: the next one waits as if it were the tenth.',
    origin: 'common',
    law: 'Forgives',
    edits: [['await sync(item);\n    queue.forget(item);', 'await sync(item);']],
  },
  {
    id: 'forgets-every-time',
    why: 'Forgets the failures of what has just failed: every wait is the first.',
    origin: 'common',
    law: 'Persistent',
    edits: [
      [
        'if (!signal.aborted) await seeTo(item, options);',
        'if (!signal.aborted) await seeTo(item, options);\n    queue.forget(item);',
      ],
    ],
  },
  {
    id: 'done-forgotten',
    why: 'Never gives an item back: it is seen to once, and then never again.',
    origin: 'rancher/steve#3, flyteorg/flyteplugins#139',
    law: 'Starves nobody',
    edits: [['\n    queue.done(item);\n  }\n  return true;', '\n  }\n  return true;']],
  },
  {
    id: 'done-only-if-well',
    why: 'Gives back what succeeded; what failed once is in hand for ever.',
    origin: 'common: a return before the done',
    law: 'Persistent',
    edits: [
      ['\n    queue.done(item);\n  }\n  return true;', '\n  }\n  return true;'],
      [
        'await sync(item);\n    queue.forget(item);',
        'await sync(item);\n    queue.forget(item);\n    queue.done(item);',
      ],
    ],
  },
  {
    id: 'one-retry-too-many',
    why: 'Counts attempts where it should count retries.',
    origin: 'common',
    law: 'Gives up',
    edits: [['queue.numRequeues(item) < maxRetries', 'queue.numRequeues(item) <= maxRetries']],
  },
  {
    id: 'given-up-for-good',
    why: 'Gives an item up and remembers its failures: when it is added anew it has no retry left.',
    origin: 'common',
    law: 'Gives up',
    edits: [['    else queue.forget(item);\n', '']],
  },
  {
    id: 'dies-of-a-throw',
    why: 'A sync that throws before it has a promise to give takes its worker with it.',
    origin: 'common',
    law: 'Unkillable',
    edits: [['  try {\n    await sync(item);', '  const work = sync(item);\n  try {\n    await work;']],
  },
  {
    id: 'nothing-is-no-error',
    why: 'Takes a rejection with nothing for a success.',
    origin: 'common: if (error) …',
    law: 'Persistent',
    edits: [['  } catch (error) {\n    if (', '  } catch (error) {\n    if (!error) return;\n    if (']],
  },
  {
    id: 'dies-of-its-listener',
    why: 'An onError that throws takes the worker with it.',
    origin: 'common',
    law: 'Unkillable',
    edits: [
      [
        `    try {
      // An async listener is not waited for, and its failure is nobody's.
      Promise.resolve(onError?.(error, item)).catch(() => {});
    } catch {
      // Who only listens must not be able to end the work.
    }`,
        '    Promise.resolve(onError?.(error, item)).catch(() => {});',
      ],
    ],
  },
  {
    id: 'waits-for-its-listener',
    why: 'Awaits onError: one that writes to a log that does not answer keeps the item, and the worker, for ever.',
    origin: 'found in a trial',
    law: 'Level 6',
    edits: [['Promise.resolve(onError?.(error, item)).catch(() => {});', 'await onError?.(error, item);']],
  },
  {
    id: 'dies-of-an-async-listener',
    why: 'Nobody catches what an async onError rejects with: the process ends of it.',
    origin: 'found in a trial',
    law: 'Level 6',
    edits: [['Promise.resolve(onError?.(error, item)).catch(() => {});', 'onError?.(error, item);']],
  },
  {
    id: 'tells-only-the-last',
    why: 'Says nothing about a failure as long as it goes on trying.',
    origin: 'common',
    law: 'Tells',
    edits: [
      [
        'Promise.resolve(onError?.(error, item)).catch(() => {});',
        'if (queue.numRequeues(item) === 0) Promise.resolve(onError?.(error, item)).catch(() => {});',
      ],
    ],
  },
  {
    id: 'does-not-await',
    why: 'Gives the item back before sync has settled: the next worker takes it, too.',
    origin: 'common: a missing await',
    law: 'One at a time',
    edits: [
      ['if (!signal.aborted) await seeTo(item, options);', 'if (!signal.aborted) void seeTo(item, options);'],
    ],
  },
  {
    id: 'one-too-many',
    why: 'Has a worker more than it was asked for.',
    origin: 'common',
    law: 'One at a time',
    edits: [['{ length: workers }, work', '{ length: workers + 1 }, work']],
  },
  {
    id: 'one-worker-for-all',
    why: 'Sees to one item after the other, however many workers it has.',
    origin: 'common: await in a loop',
    law: 'Unkillable',
    edits: [['{ length: workers }, work', '{ length: 1 }, work']],
  },
  {
    id: 'in-lockstep',
    why: 'Takes a batch, and waits for all of it before it takes the next: the slowest makes all wait.',
    origin: 'common: Promise.all over a batch',
    law: 'Starves nobody',
    edits: [
      [
        'await Promise.all(Array.from({ length: workers }, work));',
        `void work;
  const one = (): Promise<boolean> => processNextWorkItem(options);
  while ((await Promise.all(Array.from({ length: workers }, one))).every(Boolean));`,
      ],
    ],
  },
  {
    id: 'begins-after-the-abort',
    why: 'Works off what stands in line after it was stopped: another instance does the same by then.',
    origin: 'common; controllers of Kubernetes do it, with a context that is cancelled',
    law: 'Stops',
    edits: [['if (!signal.aborted) await seeTo(item, options);', 'await seeTo(item, options);']],
  },
  {
    id: 'forgets-no-success-after-the-abort',
    why: 'What succeeds after the abort keeps its failures: whoever takes the queue over sees one that is ill.',
    origin: 'found in a trial',
    law: 'Level 6',
    edits: [
      [
        'await sync(item);\n    queue.forget(item);',
        'await sync(item);\n    if (!options.signal.aborted) queue.forget(item);',
      ],
    ],
  },
  {
    id: 'forgives-after-the-abort',
    why: 'Forgets what fails after the abort, as if it had succeeded or been given up.',
    origin: 'found in a trial',
    law: 'Level 6',
    edits: [
      [
        'if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);',
        'if (!options.signal.aborted && queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);',
      ],
    ],
  },
  {
    id: 'leaves-work-behind',
    why: 'Returns at the abort, while items are still in hand.',
    origin: 'common; Run of most controllers did so',
    law: 'Stops',
    edits: [
      [
        'await Promise.all(Array.from({ length: workers }, work));',
        `const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  await Promise.race([stopped, Promise.all(Array.from({ length: workers }, work))]);`,
      ],
    ],
  },
  {
    id: 'cannot-be-stopped',
    why: 'Nobody shuts the queue down: after the abort the workers wait for work for ever.',
    origin: 'common',
    law: 'Stops',
    edits: [["signal.addEventListener('abort', stop, { once: true });\n", '']],
  },
  {
    id: 'stopped-before-it-began',
    why: 'Listens for an abort that has happened already.',
    origin: 'common',
    law: 'Level 6',
    edits: [['if (signal.aborted) stop();\n', '']],
  },
  {
    id: 'goes-home-at-zero',
    why: "Takes an item that is 0 or '' for the end of work.",
    origin: 'common',
    law: 'Level 6',
    edits: [['if (item === undefined) return false;', 'if (!item) return false;']],
  },
  {
    id: 'no-workers',
    why: 'Has no worker, and says that all work is done.',
    origin: 'common',
    law: 'Level 6',
    edits: [['if (!Number.isInteger(workers) || workers < 1)', 'if (Number.isNaN(workers))']],
  },
  {
    id: 'never-retries-by-default',
    why: 'Takes "no limit" for "no retry".',
    origin: 'common',
    law: 'End to end',
    edits: [['maxRetries = Number.POSITIVE_INFINITY', 'maxRetries = 0']],
  },
];
