import type { ConfigMap } from '../../../api/objects.ts';
import { DeletedFinalStateUnknown } from '../../../contracts/informer.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { InformerHistory, Of } from '../history.ts';
import { article, describe, named, nameOf, nameOfObject, names, rowName, version } from '../render/names.ts';
import { sameObjects } from '../simulation/index.ts';
import { type Law, violation } from './law.ts';

/** Liveness. Once faults stop, the cache equals the state of the server. */
export const converges: Law = ({ converged, settled, entries }) => {
  if (converged || sameObjects(settled.cache, settled.server)) return [];
  return [
    {
      atMs: entries.at(-1)?.atMs ?? 0,
      message: `the cache did not converge: in the end it holds ${names(settled.cache)}, but the server has ${names(settled.server)}`,
    },
  ];
};

/** Safety. An index returns the objects that a search of the whole cache would find. */
export const indexed: Law = ({ entries }) =>
  entries.flatMap((entry) => (entry.kind === 'wrong' ? [violation(entry, entry.what)] : []));

/**
 * Safety. When a handler is notified of an object, the cache has that version or a newer one. A list enters the cache
 * in one step: the cache has either its previous content or that of the list. Handlers are notified after that,
 * deletions first.
 */
export const whole = lawAbout<InformerHistory>(
  {
    name: 'a list that differs from a cache that was not empty',
    isMet: (history) =>
      listsOf(history).some(({ list, before }) => before.length > 0 && !sameObjects(before, list.items)),
  },
  (history) => [
    ...notifiedTooSoon(history),
    ...listsOf(history).flatMap((each) => [...halves(history, each), ...deletionsFirst(history, each)]),
  ],
);

/** A handler that looks up its object in the cache must not find an older state. */
function notifiedTooSoon({ entries, journal }: InformerHistory): readonly Violation[] {
  const deletedMs = new Map<string, number>();
  for (const { type, object, atMs } of journal)
    if (type === 'DELETED') deletedMs.set(object.metadata.uid, atMs);
  let cache = new Map<string, ConfigMap>();
  return entries.flatMap((entry) => {
    if (entry.kind === 'cache') cache = byName(entry.objects);
    if (entry.kind !== 'told') return [];
    const { handler, what } = entry;
    const kept = cache.get(nameOf(what));
    const object = what.type === 'update' ? what.current : what.object;
    const bad = (found: string): Violation[] => [
      violation(
        entry,
        `${named(handler)} was notified of ${describe(what)} as ${article(what.type)}, but the cache had ${found}: change the cache first`,
      ),
    ];
    if (what.type === 'delete') {
      const state = object instanceof DeletedFinalStateUnknown ? object.object : object;
      return kept && kept.metadata.uid === state?.metadata.uid ? bad(version(kept)) : [];
    }
    const { uid, resourceVersion } = (object as ConfigMap).metadata;
    if (!kept) return (deletedMs.get(uid) ?? Number.POSITIVE_INFINITY) <= entry.atMs ? [] : bad('nothing');
    return Number(kept.metadata.resourceVersion) < Number(resourceVersion) ? bad(version(kept)) : [];
  });
}

/** A list, and the content of the cache when the list arrived; everything that arrived earlier was in the cache. */
interface List {
  readonly list: Of<'listed'>;
  /** The index of the list in the history. */
  readonly at: number;
  readonly before: readonly ConfigMap[];
}

/**
 * Returns the lists that arrived when the cache was up to date. With deltas in the queue, the effect of a list is
 * unclear.
 */
function listsOf({ entries }: InformerHistory): readonly List[] {
  const lists: List[] = [];
  const received = new Map<string, ConfigMap>();
  let cache: readonly ConfigMap[] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'cache') cache = entry.objects;
    if (entry.kind === 'listed') {
      if (sameObjects(cache, [...received.values()])) lists.push({ list: entry, at, before: cache });
      received.clear();
      for (const object of entry.items) received.set(nameOfObject(object), object);
    }
    if (entry.kind !== 'event' || entry.request === 'stream') continue;
    const { type, object } = entry.event;
    if (type === 'DELETED') received.delete(nameOfObject(object));
    else if (type === 'ADDED' || type === 'MODIFIED') received.set(nameOfObject(object), object);
  }
  return lists;
}

/** Until the next event, the cache has its previous content or that of the list. */
function halves({ entries }: InformerHistory, { list, at, before }: List): readonly Violation[] {
  const found: Violation[] = [];
  for (const entry of entries.slice(at + 1)) {
    if (entry.kind === 'listed' || entry.kind === 'mark') break;
    if (entry.kind === 'event' && entry.request === 'watch' && entry.event.type !== 'BOOKMARK') break;
    if (entry.kind !== 'cache') continue;
    const { objects } = entry;
    if (sameObjects(objects, list.items) || sameObjects(objects, before)) continue;
    const message = `the cache held only part of a list: it went from ${names(before)} to ${names(objects)}, but the list has ${names(list.items)}; replace the whole content at once`;
    found.push(violation(entry, message));
  }
  return found;
}

/** Each handler gets the deletions of a list before its adds and updates. */
function deletionsFirst(
  { entries, handlers }: InformerHistory,
  { list, at, before }: List,
): readonly Violation[] {
  const listed = byName(list.items);
  const dead = new Set(
    before.filter((object) => !listed.has(nameOfObject(object))).map(({ metadata }) => metadata.uid),
  );
  if (dead.size === 0) return [];
  const news = new Set(list.items.filter((object) => !before.includes(object)));
  return handlers.flatMap((handler) => {
    let told: ConfigMap | undefined;
    return entries.slice(at + 1).flatMap((entry) => {
      if (entry.kind !== 'told' || entry.handler !== handler) return [];
      const { what } = entry;
      if (what.type !== 'delete') {
        const current = what.type === 'update' ? what.current : what.object;
        if (news.has(current)) told ??= current;
        return [];
      }
      if (!told || !(what.object instanceof DeletedFinalStateUnknown)) return [];
      const { uid } = what.object.object?.metadata ?? {};
      if (uid === undefined || !dead.has(uid)) return [];
      return [
        violation(
          entry,
          `${named(handler)} was notified that ${describe(what)} is deleted after it was notified of ${version(told)}, although both come from one list: deletions first`,
        ),
      ];
    });
  });
}

/** Returns the objects by their names in messages. */
export function byName(objects: readonly ConfigMap[]): Map<string, ConfigMap> {
  return new Map(objects.map((object) => [nameOfObject(object), object]));
}

/** Returns a violation with the object at fault. */
export function aboutObject(entry: { readonly atMs: number }, message: string, object: ConfigMap): Violation {
  return { atMs: entry.atMs, message, object: rowName(nameOfObject(object)) };
}
