/** Levels 1 and 2: the index and the queue. */
import type { Edit, Mistake } from '#harness/testing';

/** The loop is slow, as a large cluster makes it: so deltas meet in the queue. Nothing is wrong with that. */
const slowLoop: Edit = [
  'await this.#queue.pop((delta, isInInitialList) => {',
  'await this.#options.clock.sleep(10, signal).catch(() => {});\n      await this.#queue.pop((delta, isInInitialList) => {',
];

export const queue: readonly Mistake[] = [
  // Level 1 · An index
  {
    id: 'index-not-updated',
    why: 'An object that changes stays in the index under the values that it had.',
    origin: 'common',
    law: 'Indexed',
    edits: [['of previous === undefined ? []', 'of previous === undefined || current !== undefined ? []']],
  },
  {
    id: 'index-loses-what-stays',
    why: 'New values go in before the old ones go out. A value that the object keeps is lost.',
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
    why: 'A deleted object stays in the index, which then finds an object that is not there.',
    origin: 'k#43566: what an index function had failed on was never taken out again',
    law: 'Indexed',
    edits: [['of previous === undefined ? []', 'of previous === undefined || current === undefined ? []']],
  },
  {
    id: 'one-value-an-object',
    why: 'An index function may give any number of values. This index takes the first.',
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
    why: 'A value finds the object that got it last, and no other.',
    origin: 'common',
    law: 'Indexed',
    edits: [['= this.#keysByValue.get(value) ?? new Set();', '= new Set<string>();']],
  },
  {
    id: 'values-are-kept',
    why: 'A value that no object has any more stays in the index: an index by uid grows for ever.',
    origin: 'k#84959: an index by namespace, where namespaces are short-lived',
    law: 'Level 1',
    hidden: 'It costs memory, and the index says the same.',
    edits: [['if (keys?.size === 0) this.#keysByValue.delete(value);', 'void keys?.size;']],
  },

  // Level 2 · The queue
  {
    id: 'only-the-newest-delta',
    why: 'The queue keeps the last delta of each object: a deletion and a new object of that name become one update.',
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
    why: 'What comes while the loop is busy takes the place of what waits.',
    origin: 'common',
    law: 'Level 2',
    edits: [slowLoop, ['this.#deltas.push(delta);', 'this.#deltas = [delta];\n    this.#head = 0;']],
  },
  {
    id: 'list-clears-the-queue',
    why: 'A list is newer than all that waits, so what waits is thrown away: a deletion in it is never told.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Before a list there is a failed request and a wait of 0.8 s, in which the queue is emptied.',
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
    why: 'A bookmark changes no object and is taken in at once: the cache claims a version whose changes are still in the queue.',
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
    why: 'Nothing of a first list waits, so it calls itself synced. Nothing has been asked for yet either.',
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
    why: 'It calls itself synced as soon as the first list is in the queue, when none of it is in the cache.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      slowLoop,
      ['return this.#populated && this.#initialPopulationCount === 0;', 'return this.#populated;'],
    ],
  },
  {
    id: 'synced-before-it-is-processed',
    why: 'The first list counts as taken in when it leaves the queue, before it is in the cache.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The list is in the cache in the same step.',
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
    why: 'A list without objects does not count: where there is nothing yet, a controller waits for ever.',
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
    why: 'An empty first list has synced when it is queued: the cache does not say yet which version it is.',
    origin: 'client-go before v0.36 did so',
    law: 'Level 2',
    hidden: 'The version is there some turns later, in the same millisecond.',
    edits: [
      [
        'this.#initialPopulationCount = this.#length;',
        'this.#initialPopulationCount = delta.objects.length === 0 ? 0 : this.#length;',
      ],
    ],
  },
  {
    id: 'counts-objects',
    why: 'It counts the objects of the first list, and takes a delta off that number each time: three objects and one delta.',
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
    why: 'Whatever comes first into the queue makes it synced: a resync, too, while the server is away.',
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
    why: 'A delta whose process throws is never counted as processed.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'What the informer does with a delta does not throw.',
    edits: [
      [
        '} finally {\n      if (isCounted) this.#initialPopulationCount--;\n    }',
        '} finally {\n      // Not if it threw.\n    }\n    if (isCounted) this.#initialPopulationCount--;',
      ],
    ],
  },
  {
    id: 'push-wakes-nothing',
    why: 'A pop that waits is not told that something came.',
    origin: 'common',
    law: 'Converges',
    edits: [['this.#populated = true;\n    this.#wake?.();', 'this.#populated = true;']],
  },
  {
    id: 'close-wakes-nothing',
    why: 'A pop that waits when the queue is closed waits for ever.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['this.#closed = true;\n    this.#wake?.();', 'this.#closed = true;']],
  },
  {
    id: 'close-empties-the-queue',
    why: 'What was queued when the queue was closed is lost.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'An informer that is stopped takes nothing more off its queue.',
    edits: [['this.#closed = true;', 'this.#closed = true;\n    this.#deltas = [];\n    this.#head = 0;']],
  },
];
