import type { ConfigMap } from '../../../api/objects.ts';
import { isExpired, isTooLargeResourceVersion, StatusError } from '../../../api/status.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { HistoryEntry, InformerHistory, Of } from '../history.ts';
import { nameOfObject, version } from '../render/names.ts';
import { aboutObject, byName } from './caching.ts';
import { indexOfMark, type Law, violation } from './law.ts';

/** The time after which an event must be in the cache. */
const TAKEN_IN_MS = 500;

/**
 * Safety and liveness. If the cache reports a version, it has every change up to that version. In the end it reports
 * the last version that arrived, even if a bookmark brought it. The informer has received every change up to
 * `lastSyncResourceVersion`. Neither version goes back, unless the server did not have a requested version.
 */
export const knowsItsVersion: Law = (history) => {
  const received = new Received();
  const written = new Written(history);
  const wrong = history.entries.flatMap((entry): readonly Violation[] => {
    const back = entry.kind === 'cache' ? received.back(entry) : [];
    received.take(entry);
    if (entry.kind !== 'cache') return [];
    return [...back, ...received.tooMuch(entry), ...written.ahead(entry)];
  });
  return [...wrong, ...behind(history)];
};

/** The part of the history that arrived from the server. */
class Received {
  /** The version up to which everything has arrived. */
  version = '';
  #mayGoBack = false;
  #last: Of<'cache'> | undefined;

  take(entry: HistoryEntry): void {
    switch (entry.kind) {
      case 'listed':
        this.version = entry.resourceVersion;
        return;
      case 'failed':
        this.#failed(entry.error);
        return;
      case 'event':
        if (entry.event.type === 'ERROR') this.#failed(new StatusError(entry.event.object));
        else if (entry.request === 'watch') {
          this.version = entry.event.object.metadata.resourceVersion;
          this.#mayGoBack = false;
        }
        return;
      case 'cache':
        this.#last = entry;
    }
  }

  back(entry: Of<'cache'>): readonly Violation[] {
    if (this.#mayGoBack || !this.#last) return [];
    const from = this.#last;
    const said = (what: string, now: string | undefined, before: string | undefined): readonly Violation[] =>
      Number(now || 0) < Number(before || 0)
        ? [violation(entry, `${what} went back from ${before} to ${now || '""'}`)]
        : [];
    return [
      ...said('lastStoreSyncResourceVersion of the cache', entry.version, from.version),
      ...said('lastSyncResourceVersion', entry.received, from.received),
    ];
  }

  tooMuch(entry: Of<'cache'>): readonly Violation[] {
    if (Number(entry.received) <= Number(this.version)) return [];
    const message = `lastSyncResourceVersion was ${entry.received}, although only ${this.version ? `changes up to ${this.version}` : 'nothing'} had arrived completely`;
    return [violation(entry, message)];
  }

  #failed(error: unknown): void {
    if (isExpired(error) || isTooLargeResourceVersion(error)) this.#mayGoBack = true;
  }
}

/** The writes of the server, for checks that the cache has each change up to the version that it reports. */
class Written {
  readonly #writes: readonly JournalEntry<ConfigMap>[];
  readonly #deleted: ReadonlySet<string>;
  /** By name: the last write up to a version. */
  readonly #last = new Map<string, JournalEntry<ConfigMap>>();
  /** The number of writes in `#last`. */
  #applied = 0;

  constructor({ journal, resource }: InformerHistory) {
    this.#writes = journal.filter((write): write is JournalEntry<never> =>
      sameResource(write.resource, resource),
    );
    this.#deleted = new Set(
      this.#writes.flatMap(({ type, object }) => (type === 'DELETED' ? [object.metadata.uid] : [])),
    );
  }

  /** Returns the changes up to the version of the cache that the cache does not have. */
  ahead(entry: Of<'cache'>): readonly Violation[] {
    if (!entry.version) return [];
    const cache = byName(entry.objects);
    return [...this.#upTo(Number(entry.version))].flatMap(([name, { type, object, revision }]) => {
      const kept = cache.get(name);
      const bad = (what: string): Violation[] => [
        aboutObject(
          entry,
          `lastStoreSyncResourceVersion of the cache was ${entry.version}, but ${what}`,
          object,
        ),
      ];
      if (type === 'DELETED') {
        return kept?.metadata.uid === object.metadata.uid
          ? bad(`it had ${version(kept)}, which was deleted at ${revision}`)
          : [];
      }
      if (kept) {
        return Number(kept.metadata.resourceVersion) < revision
          ? bad(`it had ${version(kept)}, not ${version(object)}`)
          : [];
      }
      return this.#deleted.has(object.metadata.uid) ? [] : bad(`it did not have ${version(object)}`);
    });
  }

  #upTo(revision: number): ReadonlyMap<string, JournalEntry<ConfigMap>> {
    if ((this.#writes[this.#applied - 1]?.revision ?? 0) > revision) {
      this.#last.clear();
      this.#applied = 0;
    }
    for (let write = this.#writes[this.#applied]; write && write.revision <= revision; ) {
      this.#last.set(nameOfObject(write.object), write);
      write = this.#writes[++this.#applied];
    }
    return this.#last;
  }
}

/** Checks that the cache has reached the last version that arrived. */
function behind(history: InformerHistory): readonly Violation[] {
  const at = indexOfMark(history, 'quiet');
  const quiet = history.entries[at];
  const state = history.entries
    .slice(0, at)
    .findLast((entry): entry is Of<'cache'> => entry.kind === 'cache');
  if (!history.converged || !quiet || !state) return [];
  const received = new Received();
  for (const entry of history.entries.slice(0, at))
    if (entry.atMs <= quiet.atMs - TAKEN_IN_MS) received.take(entry);
  const said = (what: string, found: string): readonly Violation[] =>
    Number(found) < Number(received.version)
      ? [
          violation(
            quiet,
            `${what} stayed at ${found || '""'}, although all changes up to ${received.version} had arrived`,
          ),
        ]
      : [];
  return [
    ...(state.version ? said('lastStoreSyncResourceVersion of the cache', state.version) : []),
    ...said('lastSyncResourceVersion', state.received),
  ];
}
