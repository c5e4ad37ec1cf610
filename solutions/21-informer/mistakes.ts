/**
 * Informers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns
 * that everybody takes who builds one. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · The cache
  {
    id: 'key-is-the-name',
    why: 'Two objects of one name in two namespaces are one object to this cache.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return namespace ?', 'return namespace === undefined ?']],
  },
  {
    id: 'index-not-updated',
    why: 'An object that changes stays in its indexes under the values that it had.',
    origin: 'common',
    law: 'Indexed',
    edits: [['this.#remove(key);\n    this.#objects.set(key, object);', 'this.#objects.set(key, object);']],
  },
  {
    id: 'index-loses-what-stays',
    why: 'New values go in before the old ones go out, so that a value which the object keeps is lost.',
    origin: 'k#109115: client-go v0.24 pre-releases dropped values that were still valid on an update',
    law: 'Indexed',
    edits: [
      ['this.#remove(key);\n    this.#objects.set(key, object);', 'const old = this.#objects.get(key);'],
      [
        'index.set(value, keys.add(key));\n    });',
        `index.set(value, keys.add(key));
    });
    if (old !== undefined) this.#remove(key);
    this.#objects.set(key, object);`,
      ],
    ],
  },
  {
    id: 'index-keeps-the-dead',
    why: 'A deleted object stays in the indexes, which then find something that is not there.',
    origin: 'k#43566: what an index function had failed on was never taken out again',
    law: 'Level 1',
    edits: [
      [
        'delete(key: string): void {\n    this.#remove(key);',
        'delete(key: string): void {\n    this.#objects.delete(key);',
      ],
    ],
  },
  {
    id: 'one-value-an-object',
    why: 'An index function may give any number of values; this looks at the first.',
    origin: 'common',
    law: 'Level 1',
    edits: [['this.#indexers[name]?.(object) ?? []', 'this.#indexers[name]?.(object).slice(0, 1) ?? []']],
  },
  {
    id: 'replace-only-adds',
    why: 'A replaced cache still holds what the new list does not.',
    origin: 'common',
    law: 'Level 1',
    edits: [['for (const key of this.listKeys()) this.#remove(key);\n', '']],
  },

  // Level 2 · What happened, by object
  {
    id: 'place-lost',
    why: 'Each change sends an object to the end of the line: one that changes often is never handled.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'this.#items.set(key, dedupDeltas([...(this.#items.get(key) ?? []), { type, object }]));',
        `const before = this.#items.get(key) ?? [];
    this.#items.delete(key);
    this.#items.set(key, dedupDeltas([...before, { type, object }]));`,
      ],
    ],
  },
  {
    id: 'only-the-newest-delta',
    why: 'Keeps the last delta of each object: a deletion and a new object of that name become one update.',
    origin: 'common; upstream merges nothing but deletions for this reason',
    law: 'Level 2',
    edits: [
      ['dedupDeltas([...(this.#items.get(key) ?? []), { type, object }])', 'dedupDeltas([{ type, object }])'],
    ],
  },
  {
    id: 'dedupe-keeps-the-tombstone',
    why: 'Of two deletions it keeps the one that knows less.',
    origin: 'common',
    law: 'Level 2',
    edits: [['DeletedFinalStateUnknown ? newer : older;', 'DeletedFinalStateUnknown ? older : newer;']],
  },
  {
    id: 'second-death',
    why: 'A deletion that a relist has reported is reported again.',
    origin: 'k#27004: the queue did not look at what its consumer knew',
    law: 'Level 2',
    edits: [['if (!this.#items.has(key) && this.#knownObjects?.getByKey(key) === undefined) return;\n', '']],
  },
  {
    id: 'relist-finds-no-dead',
    why: 'A relist adds and updates, and never compares with what is known: who vanished in a gap stays for ever.',
    origin: 'ManageIQ/kubeclient#599',
    law: 'No ghosts',
    edits: [
      [
        `for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (listed.has(key)`,
        `for (const key of [] as string[]) {
      if (listed.has(key)`,
      ],
    ],
  },
  {
    id: 'relist-forgets-the-queued',
    why: 'What is queued and in no cache yet, and not in the new list, is added when it is popped: born dead.',
    origin: 'k#115658',
    law: 'Level 2',
    edits: [['if (listed.has(key)) continue;', 'if (listed.has(key) || this.#knownObjects) continue;']],
  },
  {
    id: 'relist-leaves-the-dead-dead',
    why: 'An object that waits to be reported deleted is not queued again when the list has it: it is missing until it changes.',
    origin: 'k#83810',
    law: 'Level 2',
    edits: [
      [
        'this.#queue(this.#listed, object);',
        "if (this.#items.get(this.keyOf(object))?.at(-1)?.type !== 'Deleted') this.#queue(this.#listed, object);",
      ],
    ],
  },
  {
    id: 'tombstone-without-a-state',
    why: 'The tombstone carries a key and nothing else, so that no owner can be found from it.',
    origin: 'k#8676: replication controllers slept until the next relist',
    law: 'No ghosts',
    edits: [['this.#knownObjects?.getByKey(key) as T)', 'undefined as T)']],
  },
  {
    id: 'tombstone-taken-for-an-object',
    why: 'Asks a tombstone for its metadata, which it does not have.',
    origin: 'longhorn/longhorn#1900',
    law: 'Converges',
    edits: [
      [
        'object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);',
        'this.#keyFunc(object as T);',
      ],
    ],
  },
  {
    id: 'resync-of-the-pending',
    why: 'Puts the known state behind a newer one that is queued: the cache goes back in time.',
    origin: 'k#31981',
    law: 'Level 2',
    edits: [
      [
        'const object = this.#items.has(key) ? undefined : this.#knownObjects?.getByKey(key);',
        'const object = this.#knownObjects?.getByKey(key);',
      ],
    ],
  },
  {
    id: 'synced-when-queued',
    why: 'Calls itself synced as soon as the first list is queued, when none of it is in the cache.',
    origin: 'common',
    law: 'Level 2',
    edits: [['return this.#populated && this.#initialPopulationCount === 0;', 'return this.#populated;']],
  },

  // Level 3 · List
  {
    id: 'lists-at-0-again',
    why: 'After a gap it takes any state that some server has at hand, older ones than it has seen included.',
    origin: 'k#59848: two apiservers, one behind, and a pod runs on two nodes',
    law: 'No time travel',
    edits: [["return this.#lastSyncResourceVersion || '0';", "return '0';"]],
  },
  {
    id: 'always-the-newest',
    why: 'Each list goes to etcd, past every cache: after a restart of the apiservers, from everybody at once.',
    origin: 'common',
    law: 'Level 3',
    edits: [["return this.#lastSyncResourceVersion || '0';", "return '';"]],
  },
  {
    id: 'expired-list-not-handled',
    why: 'Asks again and again for a version that the server has thrown away.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Level 3',
    edits: [
      [
        'if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;',
        'if (!isTooLargeResourceVersion(error)) throw error;',
      ],
    ],
  },
  {
    id: 'too-large-not-handled',
    why: 'Asks again and again for a version that the server does not have yet, and may not have for a long time.',
    origin: 'k#91073: kubelets stuck after an outage',
    law: 'Level 3',
    edits: [
      [
        'if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;',
        'if (!isExpired(error)) throw error;',
      ],
    ],
  },
  {
    id: 'newest-for-ever',
    why: 'Once a version was unavailable, every later list goes to etcd.',
    origin: 'common',
    law: 'Level 3',
    edits: [['this.#isLastSyncResourceVersionUnavailable = false;\n    this.#options', 'this.#options']],
  },
  {
    id: 'last-page-only',
    why: 'Each page takes the place of the one before: who has more than 500 objects loses the rest.',
    origin: 'common',
    law: 'Level 3',
    edits: [['items.push(...page.items);', 'items.splice(0, items.length, ...page.items);']],
  },
  {
    id: 'pages-stored-one-by-one',
    why: 'Stores the first page before it has the second, and so reports everybody on the second deleted.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'const items = [...first.items];',
        'const items = [...first.items];\n    this.#options.store.replace(items);',
      ],
    ],
  },
  {
    id: 'expired-page-not-handled',
    why: 'When the pages expire half way, it pages again; a big list at a slow client never comes to its end.',
    origin: 'common',
    law: 'Level 3',
    edits: [['if (!isExpired(error)) throw error;\n        // Half', 'throw error;\n        // Half']],
  },
  {
    id: 'empties-the-cache-first',
    why: 'Forgets everything before it lists: when the list fails, the world has ended for its handlers.',
    origin: 'common',
    law: 'Level 3',
    edits: [['let list: List<T>;', 'let list: List<T>;\n    this.#options.store.replace([]);']],
  },

  // Level 4 · Watch
  {
    id: 'watches-from-now',
    why: 'Watches from now on, and not from where the list was: what happened between is never known.',
    origin: 'k#87472 has the symptom',
    law: 'Converges',
    edits: [['resourceVersion: this.#lastSyncResourceVersion,', "resourceVersion: '',"]],
  },
  {
    id: 'resumes-at-the-list',
    why: 'Remembers the version of the list only: each new stream tells again what happened since.',
    origin: 'common',
    law: 'Frugal',
    edits: [['this.#lastSyncResourceVersion = event.object.metadata.resourceVersion;\n', '']],
  },
  {
    id: 'bookmarks-ignored',
    why: 'Where little happens, its place on the log grows old, and each end of a stream means a 410 and a list.',
    origin: 'common; bookmarks are there since Kubernetes 1.15',
    law: 'Frugal',
    edits: [
      [
        'this.#lastSyncResourceVersion = event',
        "if (event.type !== 'BOOKMARK') this.#lastSyncResourceVersion = event",
      ],
    ],
  },
  {
    id: 'highest-version-wins',
    why: 'Compares resourceVersions, which belong to the server: the last event says where the stream is.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'this.#lastSyncResourceVersion = event.object.metadata.resourceVersion;',
        `const { resourceVersion } = event.object.metadata;
      if (Number(resourceVersion) > Number(this.#lastSyncResourceVersion)) this.#lastSyncResourceVersion = resourceVersion;`,
      ],
    ],
  },
  {
    id: 'takes-in-strangers',
    why: 'Stores whatever comes, of whatever kind.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (event.object.kind !== this.#options.resource.kind) continue;\n', '']],
  },
  {
    id: 'watch-without-an-end',
    why: 'A stream that a firewall has silently dropped is waited on for ever.',
    origin: 'common',
    law: 'Level 4',
    edits: [['timeoutSeconds: Math.floor(WATCH_SECONDS_MIN * (1 + random.float())),\n', '']],
  },
  {
    id: 'watch-left-open',
    why: 'Nobody closes the stream when the informer is stopped: it goes on until the server ends it.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [['          signal,\n        });\n        const events', '        });\n        const events']],
  },

  // Level 5 · When it breaks
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

  // Level 6 · The informer
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
