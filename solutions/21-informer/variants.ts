/** Informers that are built otherwise than the reference, and are right: no test may mind. */
import type { Edit, Variant } from '#harness/testing';

/** The first state comes by a list, always. */
const listsOnly: Edit = [
  'const events = await this.watchList(signal).catch(() => undefined);',
  'const events = undefined as AsyncIterable<WatchEvent<T>> | undefined;',
];

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'lists and never streams, finds by looking at every object, and has a chain of promises for each handler; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'a list tells of no object that is gone',
        law: 'No ghosts',
        edits: [['this.#bury(key, last);\n', 'void this.#bury;\n']],
      },
      {
        why: 'a handler counts as synced while it is still being told',
        law: 'Synced means synced',
        edits: [['this.#hasListed && audience.owed === 0', 'this.#hasListed']],
      },
      {
        why: 'it waits as long after the tenth failure as after the first',
        law: 'Calm',
        edits: [['2 ** this.#failures++', '2 ** (0 * this.#failures++)']],
      },
    ],
  },
  {
    id: 'patient',
    why: 'spreads its waits otherwise: more often long than short, and still anything between once and twice',
    edits: [
      ['return ms * (1 + this.#random.float());', 'return ms * (1 + Math.sqrt(this.#random.float()));'],
    ],
  },
  {
    id: 'last-handler-first',
    why: 'tells the handler first that joined last',
    edits: [
      [
        'for (const listener of this.#listeners) {',
        'for (const listener of [...this.#listeners].toReversed()) {',
      ],
    ],
  },
  {
    id: 'batching',
    why: 'takes its time, then takes several deltas into the cache before it tells of the first, as client-go does since v0.35',
    edits: [
      [
        '  close(): void {',
        `  /** What else waits, up to the next list, resync or bookmark. */
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
    why: 'holds updates back for a while, and hands several of one object on as one',
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
    why: 'never asks for a streaming list: dearer for the server, and the same list',
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
    why: 'streams its first list, and lists after a gap',
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
    why: 'closes the stream of the list and opens a watch from its version: a request more',
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
    why: 'a stream that broke before the list was whole is a failure, and followed by a wait',
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
    why: 'a watch that ended at once is no reason to list: it waits, and goes on where it was',
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
    why: 'a relist tells all handlers of all objects, also of those that did not change, as client-go does at first',
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
    why: 'returns when the handlers are done that were at work at the abort, as client-go does',
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
