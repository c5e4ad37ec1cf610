/** Correct informers with another design than the reference, which all tests must accept. */
import type { Edit, Variant } from '#harness/testing';

/** Always gets the initial state from a list. */
const listsOnly: Edit = [
  'const events = await this.watchList(signal).catch(() => undefined);',
  'const events = undefined as AsyncIterable<WatchEvent<T>> | undefined;',
];

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'lists but never streams, looks at every object instead of an index, and has a promise chain for each handler; it uses none of the given parts',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'a list reports no deleted object',
        law: 'No ghosts',
        edits: [['this.#bury(key, last);\n', 'void this.#bury;\n']],
      },
      {
        why: 'a handler counts as synced while its initial notifications are still pending',
        law: 'Synced means synced',
        edits: [['this.#hasListed && audience.owed === 0', 'this.#hasListed']],
      },
      {
        why: 'the back-off after the tenth failure is as long as after the first',
        law: 'Calm',
        edits: [['2 ** this.#failures++', '2 ** (0 * this.#failures++)']],
      },
    ],
  },
  {
    id: 'patient',
    why: 'distributes the jitter differently: long back-offs are more likely, but each is still one to two times the base',
    edits: [
      ['return ms * (1 + this.#random.float());', 'return ms * (1 + Math.sqrt(this.#random.float()));'],
    ],
  },
  {
    id: 'last-handler-first',
    why: 'notifies the handlers in reverse order',
    edits: [
      [
        'for (const listener of this.#listeners) {',
        'for (const listener of [...this.#listeners].toReversed()) {',
      ],
    ],
  },
  {
    id: 'batching',
    why: 'waits a little, then applies several deltas to the cache before it notifies handlers of the first, like client-go since v0.35',
    edits: [
      [
        '  close(): void {',
        `  /** Takes the other queued deltas, up to the next list, resync or bookmark. */
  takeBatch(): Delta<T>[] {
    const batch: Delta<T>[] = [];
    while (this.hasSynced() && this.#length > 0) {
      const type = this.#deltas[this.#head]?.type;
      if (type !== 'Added' && type !== 'Updated' && type !== 'Deleted') break;
      batch.push(this.#take());
    }
    return batch;
  }

  close(): void {`,
      ],
      [
        'await this.#queue.pop((delta, isInInitialList) => {',
        'await this.#options.clock.sleep(5, signal).catch(() => {});\n      await this.#queue.pop((delta, isInInitialList) => {',
      ],
      [
        'for (const each of processDelta(delta, this.indexer, isInInitialList)) this.distribute(each);',
        `const notifications = processDelta(delta, this.indexer, isInInitialList);
        for (const more of this.#queue.takeBatch()) notifications.push(...processDelta(more, this.indexer, false));
        for (const each of notifications) this.distribute(each);`,
      ],
    ],
  },
  {
    id: 'coalescing',
    why: 'holds updates back for a while, and combines several updates of one object',
    edits: [
      [
        'for (const each of processDelta(delta, this.indexer, isInInitialList)) this.distribute(each);',
        'for (const each of processDelta(delta, this.indexer, isInInitialList)) this.#holdBack(each);',
      ],
      [
        '    for (const object of this.indexer.list()) listener.add({',
        '    this.#letGo();\n    for (const object of this.indexer.list()) listener.add({',
      ],
      [
        '  async #processLoop(',
        `  #held: Extract<Notification<T>, { type: 'update' }> | undefined;

  #holdBack(each: Notification<T>): void {
    const { type } = each;
    const held = this.#held;
    const isNews = type === 'update' && each.previous.metadata.resourceVersion !== each.current.metadata.resourceVersion;
    if (isNews && held?.current === each.previous) {
      this.#held = { type, previous: held.previous, current: each.current };
      return;
    }
    this.#letGo();
    if (!isNews) return this.distribute(each);
    this.#held = each;
    this.#options.clock.after(10, () => this.#letGo());
  }

  #letGo(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.distribute(held);
  }

  async #processLoop(`,
      ],
    ],
  },
  {
    id: 'lists-only',
    why: 'never requests a streaming list: more expensive for the server, but with the same result',
    free: true,
    edits: [listsOnly],
  },
  {
    id: 'in-pages',
    why: 'lists in pages so small that there are always several',
    free: true,
    edits: [
      listsOnly,
      [
        'listerWatcher: new ListerWatcher(options),',
        `listerWatcher: new ListerWatcher({
        ...options,
        client: {
          list: (resource, asked = {}) =>
            options.client.list(resource, asked.limit === undefined ? asked : { ...asked, limit: 2 }),
          watch: (resource, asked) => options.client.watch(resource, asked),
        },
      }),`,
      ],
    ],
  },
  {
    id: 'streams-once',
    why: 'streams its first list, but uses ordinary lists after a gap',
    free: true,
    edits: [
      [
        'const events = await this.watchList(signal).catch(() => undefined);',
        "const events = this.lastSyncResourceVersion === '' ? await this.watchList(signal).catch(() => undefined) : undefined;",
      ],
    ],
  },
  {
    id: 'opens-anew',
    why: 'closes the stream after the list and opens a watch at its version: one more request',
    free: true,
    edits: [
      [
        'await this.watch(signal, events);',
        'await events?.[Symbol.asyncIterator]().return?.();\n    await this.watch(signal);',
      ],
    ],
  },
  {
    id: 'waits-after-half-a-list',
    why: 'treats a stream that broke before the end of the list as a failure, and backs off',
    free: true,
    edits: [
      [
        'if (!list) continue;',
        'if (!list) {\n          await this.#pause(undefined, signal);\n          continue;\n        }',
      ],
    ],
  },
  {
    id: 'watches-again-after-a-short-watch',
    why: 'does not list after a watch that ended at once: it backs off, and resumes at the same version',
    free: true,
    edits: [
      [
        'if (!signal.aborted) this.#throwIfShort(count, startedMs);',
        'if (!signal.aborted && count === 0 && clock.now() - startedMs < VERY_SHORT_WATCH_MS) await this.#pause(undefined, signal);',
      ],
    ],
  },
  {
    id: 'repeats-after-a-relist',
    why: 'after a relist, notifies all handlers of all objects, even of unchanged ones, like client-go',
    free: true,
    edits: [
      [
        'notification.previous.metadata.resourceVersion === notification.current.metadata.resourceVersion;',
        'notification.previous === notification.current;',
      ],
    ],
  },
  {
    id: 'waits-for-its-handlers',
    why: 'returns after the handlers that were running at the abort, like client-go',
    free: true,
    edits: [
      [
        'for (const listener of this.#listeners) void listener.run(signal);',
        'const listening = [...this.#listeners].map((listener) => listener.run(signal));',
      ],
      [
        'await Promise.all([this.#reflector.run(signal), this.#processLoop(signal)]);',
        'await Promise.all([this.#reflector.run(signal), this.#processLoop(signal), ...listening]);',
      ],
    ],
  },
];
