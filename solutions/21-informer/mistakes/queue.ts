/** Levels 1 and 2: the index and the queue. */
import type { Edit, Mistake } from '#harness/testing';

/** Slows the loop down, as a large cluster does, so that deltas wait in the queue. This alone is not wrong. */
const slowLoop: Edit = [
  'await this.#queue.pop((delta, isInInitialList) => {',
  'await this.#options.clock.sleep(10, signal).catch(() => {});\n      await this.#queue.pop((delta, isInInitialList) => {',
];

export const queue: readonly Mistake[] = [
  // Level 1 · An index
  {
    id: 'index-not-updated',
    why: 'A changed object stays in the index under its old values.',
    origin: 'common',
    law: 'Indexed',
    edits: [['of previous === undefined ? []', 'of previous === undefined || current !== undefined ? []']],
  },
  {
    id: 'index-loses-what-stays',
    why: 'New values are added before old ones are removed, so that a value that the object keeps is lost.',
    origin: 'k#109115: client-go v0.24 pre-releases dropped values that were still valid on an update',
    law: 'Indexed',
    edits: [
      [
        'for (const value of previous === undefined ? []',
        `for (const value of current === undefined ? [] : this.#indexFunc(current)) {
      this.#keysByValue.set(value, (this.#keysByValue.get(value) ?? new Set()).add(key));
    }
    for (const value of previous === undefined ? []`,
      ],
      [
        'of current === undefined ? [] : this.#indexFunc(current)) {\n      const',
        'of [] as string[]) {\n      const',
      ],
    ],
  },
  {
    id: 'index-keeps-the-dead',
    why: 'A deleted object stays in the index, which then returns a missing object.',
    origin: 'k#43566: what an index function had failed on was never taken out again',
    law: 'Indexed',
    edits: [['of previous === undefined ? []', 'of previous === undefined || current === undefined ? []']],
  },
  {
    id: 'one-value-an-object',
    why: 'An index function can return any number of values, but this index uses only the first.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'of current === undefined ? [] : this.#indexFunc(current)) {\n      const',
        'of current === undefined ? [] : this.#indexFunc(current).slice(0, 1)) {\n      const',
      ],
    ],
  },
  {
    id: 'one-object-a-value',
    why: 'For each value, the index returns only the object that got it last.',
    origin: 'common',
    law: 'Indexed',
    edits: [['= this.#keysByValue.get(value) ?? new Set();', '= new Set<string>();']],
  },
  {
    id: 'values-are-kept',
    why: 'A value without objects stays in the index: an index by uid grows forever.',
    origin: 'k#84959: an index by namespace, where namespaces are short-lived',
    law: 'Level 1',
    hidden: 'It costs memory, but the index returns the same.',
    edits: [['if (keys?.size === 0) this.#keysByValue.delete(value);', 'void keys?.size;']],
  },

  // Level 2 · The queue
  {
    id: 'only-the-newest-delta',
    why: 'The queue keeps only the last delta of each object: a delete and an add under the same name become one update.',
    origin: 'common; upstream merged only deletions for this reason',
    law: 'Level 2',
    edits: [
      slowLoop,
      [
        'this.#deltas.push(delta);',
        `const nameOf = (one: Delta<T>): unknown => {
      if (!('object' in one)) return undefined;
      const object = one.object as { readonly key?: string; readonly metadata?: { readonly name: string } };
      return object.key ?? object.metadata?.name ?? object;
    };
    const isOlder = (one: Delta<T>): boolean => nameOf(one) !== undefined && nameOf(one) === nameOf(delta);
    this.#deltas = [...this.#deltas.slice(this.#head).filter((one) => !isOlder(one)), delta];
    this.#head = 0;`,
      ],
    ],
  },
  {
    id: 'newest-first',
    why: 'The queue is a stack: an old change comes after a newer one.',
    origin: 'common',
    law: 'Level 2',
    edits: [slowLoop, ['= this.#deltas[this.#head++] as Delta<T>;', '= this.#deltas.pop() as Delta<T>;']],
  },
  {
    id: 'one-place-in-the-queue',
    why: 'A new delta replaces the one that waits in the queue while the loop is busy.',
    origin: 'common',
    law: 'Level 2',
    edits: [slowLoop, ['this.#deltas.push(delta);', 'this.#deltas = [delta];\n    this.#head = 0;']],
  },
  {
    id: 'list-clears-the-queue',
    why: 'A list is newer than all queued deltas, so they are dropped: a deletion among them is never reported.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'A failed request and a back-off of 0.8 s precede each list, and the queue is empty by then.',
    edits: [
      [
        'this.#deltas.push(delta);',
        `if (delta.type === 'ReplacedAll') {
      this.#deltas = [];
      this.#head = 0;
    }
    this.#deltas.push(delta);`,
      ],
    ],
  },
  {
    id: 'bookmark-jumps-the-queue',
    why: 'A bookmark contains no object and is applied at once: the cache reports a version whose changes are still queued.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      slowLoop,
      [
        'this.#deltas.push(delta);',
        "this.#deltas.splice(delta.type === 'Bookmark' ? this.#head : this.#deltas.length, 0, delta);",
      ],
    ],
  },
  {
    id: 'synced-before-the-first-list',
    why: 'The queue counts as synced because no part of a first list is pending, although no list has been requested yet.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [
      [
        'return this.#populated && this.#initialPopulationCount === 0;',
        'return this.#initialPopulationCount === 0;',
      ],
    ],
  },
  {
    id: 'synced-when-queued',
    why: 'The queue counts as synced as soon as it contains the first list, before the cache does.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      slowLoop,
      ['return this.#populated && this.#initialPopulationCount === 0;', 'return this.#populated;'],
    ],
  },
  {
    id: 'synced-before-it-is-processed',
    why: 'The first list counts as processed when it leaves the queue, before it is in the cache.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The list reaches the cache in the same step.',
    edits: [
      [
        'process(delta, !this.hasSynced());\n    } finally {\n      if (isCounted) this.#initialPopulationCount--;\n    }',
        `const isInInitialList = !this.hasSynced();
      if (isCounted) this.#initialPopulationCount--;
      process(delta, isInInitialList);
    } finally {
      // Counted already.
    }`,
      ],
    ],
  },
  {
    id: 'empty-list-never-syncs',
    why: 'A list without objects does not count: if no object exists yet, a controller waits forever.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [
      [
        "if (delta.type !== 'SyncAll' && delta.type !== 'Bookmark') this.#populated = true;",
        `const isEmpty = delta.type === 'ReplacedAll' && delta.objects.length === 0;
    if (delta.type !== 'SyncAll' && delta.type !== 'Bookmark' && !isEmpty) this.#populated = true;`,
      ],
    ],
  },
  {
    id: 'empty-list-syncs-at-once',
    why: 'An empty first list counts as synced when it is queued, before the cache has its version.',
    origin: 'client-go before v0.36 did so',
    law: 'Level 2',
    hidden: 'The cache has the version some microtasks later, in the same millisecond.',
    edits: [
      [
        'this.#initialPopulationCount = this.#length;',
        'this.#initialPopulationCount = delta.objects.length === 0 ? 0 : this.#length;',
      ],
    ],
  },
  {
    id: 'counts-objects',
    why: 'It counts the objects of the first list, but decrements the count for each delta: three objects, one delta.',
    origin: 'common; right where each object of a list is a delta',
    law: 'Synced means synced',
    edits: [
      [
        'this.#initialPopulationCount = this.#length;',
        'this.#initialPopulationCount = Math.max(1, delta.objects.length);',
      ],
    ],
  },
  {
    id: 'a-resync-is-a-list',
    why: 'Any first delta makes the queue synced, even a resync while the server is unreachable.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        "if (delta.type !== 'SyncAll' && delta.type !== 'Bookmark') this.#populated = true;",
        'this.#populated = true;',
      ],
    ],
  },
  {
    id: 'failed-is-not-processed',
    why: 'A delta never counts as processed if its `process` throws.',
    origin: 'common',
    law: 'Level 2',
    hidden: "The informer's `process` never throws.",
    edits: [
      [
        '} finally {\n      if (isCounted) this.#initialPopulationCount--;\n    }',
        '} finally {\n      // Not if it threw.\n    }\n    if (isCounted) this.#initialPopulationCount--;',
      ],
    ],
  },
  {
    id: 'push-wakes-nothing',
    why: 'A waiting pop is not woken by a push.',
    origin: 'common',
    law: 'Converges',
    edits: [['this.#populated = true;\n    this.#wake?.();', 'this.#populated = true;']],
  },
  {
    id: 'close-wakes-nothing',
    why: 'A pop that waits when the queue is closed waits forever.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['this.#closed = true;\n    this.#wake?.();', 'this.#closed = true;']],
  },
  {
    id: 'close-empties-the-queue',
    why: 'Queued deltas are lost when the queue is closed.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'A stopped informer does not pop the rest of its queue.',
    edits: [['this.#closed = true;', 'this.#closed = true;\n    this.#deltas = [];\n    this.#head = 0;']],
  },
  {
    id: 'index-compares-how-many',
    why: 'Leaves the index alone if an object has several values, and as many as before: red and blue become red and green.',
    origin: 'found in a trial',
    law: 'Indexed',
    edits: [
      [
        '  update(key: string, previous: T | undefined, current: T | undefined): void {\n',
        `  update(key: string, previous: T | undefined, current: T | undefined): void {
    const before = previous ? this.#indexFunc(previous).length : 0;
    if (before > 1 && current && this.#indexFunc(current).length === before) return;
`,
      ],
    ],
  },
];
