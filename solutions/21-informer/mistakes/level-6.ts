/** Mistakes of level 6 · The informer. */
import type { Mistake } from '#harness/testing';

/** Level 6 · The informer. */
export const level6: readonly Mistake[] = [
  {
    id: 'tells-before-it-knows',
    why: 'Handlers hear of a change that the cache does not have yet, look it up, and find the past.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'this.indexer.update(current);\n      this.#distribute(',
        'this.#options.clock.after(0, () => this.indexer.update(current));\n      this.#distribute(',
      ],
    ],
  },
  {
    id: 'relist-tells-adds',
    why: 'Tells everything that a list brings as an add, whether the handler has it or not.',
    origin: 'common',
    law: 'Honest',
    edits: [['previous === undefined\n', "previous === undefined || type === 'Replaced'\n"]],
  },
  {
    id: 'updates-from-nothing',
    why: 'Gives the new state as the old one, too: who compares the two never sees a change.',
    origin: 'common',
    law: 'Honest',
    edits: [
      [": { type: 'update', previous, current },", ": { type: 'update', previous: current, current },"],
    ],
  },
  {
    id: 'tombstone-unwrapped',
    why: 'Passes the last known state off as the last one.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "this.#distribute({ type: 'delete', object });",
        "this.#distribute({ type: 'delete', object: object instanceof DeletedFinalStateUnknown ? object.object : object });",
      ],
      [
        "import { joinResync } from './resync.ts';",
        "import { DeletedFinalStateUnknown } from '#harness';\nimport { joinResync } from './resync.ts';",
      ],
    ],
  },
  {
    id: 'synced-when-only-queued-for-the-handler',
    why: 'Says that a handler has synced when the cache has, though the handler may have been told nothing yet.',
    origin: 'k#113763',
    law: 'Synced means synced',
    edits: [
      [
        'return this.#upstreamHasSynced() && this.#initialPending === 0;',
        'return this.#upstreamHasSynced();',
      ],
    ],
  },
  {
    id: 'synced-before-the-first-list',
    why: 'Nothing is pending, so it calls itself synced; nothing has been asked for yet either.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [
      [
        'return this.#fifo.hasSynced();',
        "return this.#fifo.hasSynced() || this.lastSyncResourceVersion() === '';",
      ],
    ],
  },
  {
    id: 'everything-is-initial',
    why: 'Calls every add part of the initial list.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "? { type: 'add', object: current, isInInitialList }",
        "? { type: 'add', object: current, isInInitialList: true }",
      ],
    ],
  },
  {
    id: 'handlers-in-turn',
    why: 'One handler waits for another: a slow one makes all slow.',
    origin: 'common',
    law: 'Isolated',
    edits: [
      [
        'const listener = new ProcessorListener<T>(handler,',
        'const listener = new ProcessorListener<T>(this.#inTurn(handler),',
      ],
      [
        '  #shouldResync(): boolean {',
        `  #turn: Promise<void> = Promise.resolve();

  #inTurn({ onAdd, onUpdate, onDelete }: ResourceEventHandler<T>): ResourceEventHandler<T> {
    const wait = (tell: () => void | Promise<void>): Promise<void> => {
      this.#turn = this.#turn.catch(() => {}).then(tell);
      return this.#turn;
    };
    return {
      onAdd: (object, isInInitialList) => wait(() => onAdd?.(object, isInInitialList)),
      onUpdate: (previous, current) => wait(() => onUpdate?.(previous, current)),
      onDelete: (object) => wait(() => onDelete?.(object)),
    };
  }

  #shouldResync(): boolean {`,
      ],
    ],
  },
  {
    id: 'throwing-handler-is-dropped',
    why: 'A handler that threw once is never told anything again.',
    origin: 'common',
    law: 'Isolated',
    edits: [['await onPanic(error);', 'return onPanic(error);']],
  },
  {
    id: 'late-handler-told-nothing',
    why: 'A handler that joins later hears of changes only, never of what is there.',
    origin: 'common',
    law: 'Isolated',
    edits: [
      [
        "for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });\n",
        '',
      ],
    ],
  },
  {
    id: 'late-handler-tells-all',
    why: 'When one joins later, everybody is told of everything again, as adds.',
    origin: 'common',
    law: 'Honest',
    edits: [
      [
        "this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });",
        "this.indexer.list()) this.#distribute({ type: 'add', object, isInInitialList: true });",
      ],
    ],
  },
  {
    id: 'removed-handler-goes-on',
    why: 'A handler that was removed is told everything all the same.',
    origin: 'common',
    law: 'Level 6',
    edits: [['this.#listeners.delete(listener);\n', '']],
  },
  {
    id: 'told-after-the-end',
    why: 'What was queued for a slow handler is still told after the informer was stopped.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['signal.aborted || !this.#listeners.has(listener);', '!this.#listeners.has(listener);']],
  },
  {
    id: 'resync-by-listing',
    why: 'Lists again every period: all the load of polling, for nothing that is not known already.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      [
        'if (shouldResync()) store.resync();',
        'if (shouldResync()) void this.list(new AbortController().signal).catch(() => {});',
      ],
    ],
  },
  {
    id: 'resync-for-everybody',
    why: 'Who never asked to hear things again hears them again.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      [
        'if (!repeats || (listener.syncing && listener.periodMs > 0)) listener.add',
        'if (repeats !== undefined) listener.add',
      ],
    ],
  },
  {
    id: 'resync-once',
    why: 'The timer is not set again.',
    origin: 'common',
    law: 'Resyncs',
    edits: [['if (shouldResync()) store.resync();\n        next();', 'if (shouldResync()) store.resync();']],
  },
  {
    id: 'runs-twice',
    why: 'A second start makes a second reflector on the same cache.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ["if (this.#signal) throw new Error('Failed", "if (this.#signal?.aborted) throw new Error('Failed"],
    ],
  },
];
