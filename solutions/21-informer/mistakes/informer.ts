/** Level 8 · The informer. */
import type { Mistake } from '#harness/testing';

export const informer: readonly Mistake[] = [
  {
    id: 'relist-in-pieces',
    why: 'A relist is applied to the cache object by object, and handlers run in between: they see a mix of two states.',
    origin: 'k#135462: why upstream does it in one step',
    law: 'Whole',
    edits: [
      [
        'import {\n  Indexer,\n  ListerWatcher,',
        "import { DeletedFinalStateUnknown } from '#harness';\nimport {\n  type Delta,\n  Indexer,\n  ListerWatcher,\n  metaNamespaceKeyFunc,",
      ],
      [
        'await this.#queue.pop((delta, isInInitialList) => {\n        if (signal.aborted) return;',
        `const pieces: Delta<T>[] = [];
      await this.#queue.pop((delta, isInInitialList) => {
        if (signal.aborted) return;
        if ('objects' in delta && !isInInitialList) {
          const kept = new Set(delta.objects.map((object) => metaNamespaceKeyFunc(object)));
          for (const key of this.indexer.listKeys()) {
            if (kept.has(key)) continue;
            const last = this.indexer.getByKey(key) as T;
            pieces.push({ type: 'Deleted', object: new DeletedFinalStateUnknown(key, last) });
          }
          for (const object of delta.objects) pieces.push({ type: 'Updated', object });
          pieces.push({ type: 'Bookmark', resourceVersion: delta.resourceVersion });
          return;
        }`,
      ],
      [
        'this.distribute(each);\n      });',
        `this.distribute(each);
      });
      for (const piece of pieces) {
        for (const each of processDelta(piece, this.indexer, false)) this.distribute(each);
        for (let i = 0; i < 30; i++) await undefined;
      }`,
      ],
    ],
  },
  {
    id: 'synced-when-only-queued-for-the-handler',
    why: 'A handler counts as synced as soon as the cache has synced, although its notifications may still be pending.',
    origin: 'k#113763',
    law: 'Synced means synced',
    edits: [
      [
        'if (this.#signal) void listener.run(this.#signal);\n    return listener;',
        'if (this.#signal) void listener.run(this.#signal);\n    return Object.assign(listener, { hasSynced: () => this.hasSynced() });',
      ],
    ],
  },
  {
    id: 'handler-synced-before-the-list',
    why: 'A handler counts as synced when it has no pending notifications, even before the first list.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [['upstreamHasSynced: () => this.hasSynced(),', 'upstreamHasSynced: () => true,']],
  },
  {
    id: 'handlers-in-turn',
    why: 'Handlers run one after the other: a slow handler delays all others.',
    origin: 'common',
    law: 'Isolated',
    edits: [
      [
        'const listener = new ProcessorListener<T>({\n      handler,',
        'const listener = new ProcessorListener<T>({\n      handler: this.#inTurn(handler),',
      ],
      [
        '  removeEventHandler(',
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

  removeEventHandler(`,
      ],
    ],
  },
  {
    id: 'a-loop-for-each-notification',
    why: 'Each notification starts its own loop: a slow handler gets the next notification before it has finished the last.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (!isRepetition || listener.isSyncing) listener.add(notification);',
        'if (isRepetition && !listener.isSyncing) continue;\n      listener.add(notification);\n      if (this.#signal) void listener.run(this.#signal);',
      ],
    ],
  },
  {
    id: 'late-handler-told-nothing',
    why: 'A handler that is added later gets only changes, not the existing objects.',
    origin: 'common',
    law: 'Isolated',
    edits: [
      [
        "    for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });\n",
        '',
      ],
    ],
  },
  {
    id: 'late-handler-never-runs',
    why: 'A handler that is added after the start gets no notifications.',
    origin: 'common',
    law: 'Isolated',
    edits: [['    if (this.#signal) void listener.run(this.#signal);\n', '']],
  },
  {
    id: 'late-handler-tells-all',
    why: 'When a handler is added, all handlers get all objects again, as adds.',
    origin: 'common',
    law: 'Honest',
    edits: [
      [
        "    for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });\n    this.#listeners.add(listener);",
        "    this.#listeners.add(listener);\n    for (const object of this.indexer.list()) this.distribute({ type: 'add', object, isInInitialList: true });",
      ],
    ],
  },
  {
    id: 'late-handler-is-told-late',
    why: 'A new handler gets the existing objects after later changes: it gets an update of an object before its add.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        "    for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });\n",
        `    clock.after(20, () => {
      for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });
    });
`,
      ],
    ],
  },
  {
    id: 'late-handler-has-no-initial-list',
    why: 'A new handler gets the existing objects as if they were new, so that it counts as synced too early.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [
      [
        "listener.add({ type: 'add', object, isInInitialList: true });",
        "listener.add({ type: 'add', object, isInInitialList: false });",
      ],
    ],
  },
  {
    id: 'removed-handler-goes-on',
    why: 'A removed handler still gets all notifications.',
    origin: 'common',
    law: 'Level 8',
    edits: [['    this.#listeners.delete(listener);\n    listener.stop();\n', '    void listener;\n']],
  },
  {
    id: 'told-what-waited-for-it',
    why: 'A removed handler still gets its pending notifications.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '    this.#listeners.delete(listener);\n    listener.stop();\n',
        '    this.#listeners.delete(listener);\n',
      ],
    ],
  },
  {
    id: 'told-after-the-end',
    why: 'A slow handler still gets its pending notifications after the informer has stopped.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [
      [
        'for (const listener of this.#listeners) void listener.run(signal);',
        'for (const listener of this.#listeners) void listener.run(new AbortController().signal);',
      ],
    ],
  },
  {
    id: 'resync-for-all',
    why: 'A handler that has not requested resyncs gets them.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      [
        'if (!isRepetition || listener.isSyncing) listener.add(notification);',
        'if (isRepetition !== undefined) listener.add(notification);',
      ],
    ],
  },
  {
    id: 'resync-for-none',
    why: 'No handler gets repeated states, not even a handler that has requested resyncs.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      [
        'if (!isRepetition || listener.isSyncing) listener.add(notification);',
        'if (!isRepetition) listener.add(notification);',
      ],
    ],
  },
  {
    id: 'syncing-handlers-hear-no-news',
    why: 'A handler gets either resyncs or changes: between two resyncs it gets no notifications.',
    origin: 'common',
    law: 'Isolated',
    edits: [
      [
        'if (!isRepetition || listener.isSyncing) listener.add(notification);',
        'if (isRepetition === listener.isSyncing) listener.add(notification);',
      ],
    ],
  },
  {
    id: 'resync-never-starts',
    why: 'The resync timer is never started.',
    origin: 'common',
    law: 'Resyncs',
    edits: [['    this.#resyncTimer.start(signal);\n', '']],
  },
  {
    id: 'period-not-asked-for',
    why: 'A handler has a resync period, but the informer checks it only every twelve hours.',
    origin: 'common',
    law: 'Resyncs',
    edits: [['resyncPeriodMs: this.#resyncTimer.join(resyncPeriodMs),', 'resyncPeriodMs,']],
  },
  {
    id: 'queue-never-closed',
    why: 'The loop waits for its queue after the abort, and `run` never returns.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [["    signal.addEventListener('abort', () => this.#queue.close(), { once: true });\n", '']],
  },
  {
    id: 'reflector-goes-on',
    why: 'The reflector does not receive the abort, and continues to send requests.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['this.#reflector.run(signal)', 'this.#reflector.run(new AbortController().signal)']],
  },
  {
    id: 'runs-twice',
    why: 'A second start runs a second reflector on the same cache.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [
      ["if (this.#signal) throw new Error('Failed", "if (this.#signal?.aborted) throw new Error('Failed"],
    ],
  },
];
