import type { ConfigMap } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { HistoryEntry, InformerHistory } from '../history.ts';
import { deletedBefore } from '../oracle.ts';
import { describe, named, names } from '../render/names.ts';
import type { HandlerName } from '../scenario.ts';
import { healedMs, indexOfMark, type Law, violation } from './law.ts';

/**
 * Safety and liveness. `hasSynced` of the informer becomes true after the first complete list, and not before.
 * `hasSynced` of a registration becomes true after its handler has processed every object that existed when it began.
 * Until then an add belongs to the initial list; after that it does not.
 */
export const syncedMeansSynced: Law = (history) => {
  const progress = new Progress(history);
  const early = history.entries.flatMap((entry) => progress.take(entry));
  const isComplete = indexOfMark(history, 'quiet') >= 0;
  const never = (isComplete ? (['informer', ...history.handlers] as const) : [])
    .filter((who) => !progress.synced.has(who))
    .map((who) => ({
      atMs: healedMs(history),
      message: `hasSynced of ${whom(who)} was still false in the end, although the faults were over${progress.firstList}`,
    }));
  return [...early, ...never];
};

class Progress {
  readonly synced = new Set<'informer' | HandlerName>();
  readonly #history: InformerHistory;
  /** By handler: the uids that it has processed. */
  readonly #done = new Map<HandlerName, Set<string>>();
  readonly #telling = new Map<HandlerName, string>();
  /** By handler that joined after the first list: the content of the cache at that time. */
  readonly #joined = new Map<HandlerName, readonly ConfigMap[]>();
  #first: readonly ConfigMap[] | undefined;
  #cache: readonly ConfigMap[] = [];

  /** The size of the first list, as the end of a sentence. */
  get firstList(): string {
    if (!this.#first) return '; no list ever arrived completely';
    return this.#first.length === 0
      ? '; the first list was empty, and an empty list counts, too'
      : `; the first list had ${names(this.#first)}`;
  }

  constructor(history: InformerHistory) {
    this.#history = history;
  }

  take(entry: HistoryEntry): readonly Violation[] {
    switch (entry.kind) {
      case 'listed':
        this.#first ??= entry.items;
        return [];
      case 'cache':
        this.#cache = entry.objects;
        return [];
      case 'joined':
        if (this.#first) this.#joined.set(entry.handler, this.#cache);
        this.#done.set(entry.handler, new Set());
        return [];
      case 'told': {
        const { handler, what } = entry;
        if (what.type !== 'add') return [];
        this.#telling.set(handler, what.object.metadata.uid);
        const isLate = this.synced.has(handler);
        if (isLate !== what.isInInitialList) return [];
        const wasThere = (this.#joined.get(handler) ?? this.#first ?? []).includes(what.object);
        if (isLate)
          return [
            violation(
              entry,
              `${named(handler)} got ${describe(what)} with isInInitialList true, although its hasSynced was true already`,
            ),
          ];
        return wasThere
          ? [
              violation(
                entry,
                `${named(handler)} got ${describe(what)} with isInInitialList false, although the object was there when the handler was added`,
              ),
            ]
          : [];
      }
      case 'done':
        this.#done.get(entry.handler)?.add(this.#telling.get(entry.handler) ?? '');
        return [];
      case 'synced':
        this.synced.add(entry.who);
        return this.#tooEarly(entry, entry.who);
      default:
        return [];
    }
  }

  #tooEarly(entry: HistoryEntry, who: 'informer' | HandlerName): readonly Violation[] {
    if (!this.#first)
      return [violation(entry, `hasSynced of ${whom(who)} was true before the first list had arrived`)];
    if (who === 'informer') return [];
    const due = this.#joined.get(who) ?? this.#first;
    const told = this.#done.get(who) ?? new Set();
    const missing = due.filter(({ metadata }) => !told.has(metadata.uid));
    const gone = missing.length > 0 ? deletedBefore(this.#history, entry) : new Set();
    const owed = missing.filter(({ metadata }) => !gone.has(metadata.uid));
    if (owed.length === 0) return [];
    return [
      violation(
        entry,
        `hasSynced of ${whom(who)} was true, although it had not yet handled ${names(owed)} of the initial list`,
      ),
    ];
  }
}

function whom(who: 'informer' | HandlerName): string {
  return who === 'informer' ? 'the informer' : named(who);
}
