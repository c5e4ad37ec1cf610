import type { ConfigMap } from '../../../api/objects.ts';
import { DeletedFinalStateUnknown } from '../../../contracts/informer.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { InformerHistory, Notification, Of } from '../history.ts';
import { quietViews, Views } from '../oracle.ts';
import { article, describe, isAbout, named, nameOfObject, names, rowName, version } from '../render/names.ts';
import type { HandlerName } from '../scenario.ts';
import { RESYNC_MS, sameObjects } from '../simulation/index.ts';
import { indexOfMark, type Law, violation } from './law.ts';

/**
 * Safety. Each handler gets, for each object, an add, then updates, then a delete. The previous state of an update is
 * the last state that the handler got. A DELETED event of the watch becomes a delete, not an update to another uid. An
 * object that the informer never had may get a delete alone. A handler gets the next notification after it has
 * processed the last one.
 */
export const honest: Law = (history) => {
  const deleted = new Set<string>();
  const known = new Set<string>();
  const atWork = new Map<HandlerName, Notification>();
  const views = new Views();
  return history.entries.flatMap((entry) => {
    if (entry.kind === 'listed') for (const { metadata } of entry.items) known.add(metadata.uid);
    if (entry.kind === 'event' && (entry.event.type === 'ADDED' || entry.event.type === 'MODIFIED'))
      known.add(entry.event.object.metadata.uid);
    if (entry.kind === 'event' && entry.event.type === 'DELETED')
      deleted.add(entry.event.object.metadata.uid);
    if (entry.kind === 'done') atWork.delete(entry.handler);
    if (entry.kind !== 'told') return [];
    const { handler, what } = entry;
    const last = views.told(handler, what);
    const earlier = atWork.get(handler);
    atWork.set(handler, what);
    const bad = (message: string): Violation[] => [violation(entry, `${named(handler)} was ${message}`)];
    const name = describe(what);
    if (earlier) return bad(`notified of ${name} while it was still busy with ${describe(earlier)}`);
    if (what.type === 'add')
      return last ? bad(`notified of ${name} as an add, although it had the object already`) : [];
    if (!last && what.type === 'delete' && !(what.object instanceof DeletedFinalStateUnknown)) {
      const { uid } = what.object.metadata;
      if (deleted.has(uid) && !known.has(uid)) return [];
    }
    if (!last)
      return bad(`notified of ${name} as ${article(what.type)}, but had never got an add of that object`);
    if (what.type === 'delete') return [];
    if (what.previous !== last && what.previous.metadata.resourceVersion !== last.metadata.resourceVersion) {
      return bad(
        `notified of ${name} as an update of ${version(what.previous)}, but the last version that it got was ${version(last)}`,
      );
    }
    const reborn = what.previous.metadata.uid !== what.current.metadata.uid;
    if (reborn && deleted.has(what.previous.metadata.uid)) {
      return bad(
        `notified of ${name} as an update, but the old object was deleted and this one has another uid: send a delete, then an add`,
      );
    }
    return [];
  });
};

/**
 * Safety and liveness. An object that was deleted while no watch was open is reported deleted, with a tombstone of its
 * last known state. In the end no handler knows an object that the server does not have. No existing object is reported
 * deleted.
 */
export const noGhosts = lawAbout<InformerHistory>(
  {
    name: 'a list that lacks an object of the cache',
    isMet: ({ entries }) => {
      let cache: readonly ConfigMap[] = [];
      return entries.some((entry) => {
        if (entry.kind === 'cache') cache = entry.objects;
        if (entry.kind !== 'listed') return false;
        const listed = new Set(entry.items.map(({ metadata }) => metadata.uid));
        return cache.some(({ metadata }) => !listed.has(metadata.uid));
      });
    },
  },
  (history) => {
    const { journal, settled } = history;
    const views = new Views();
    const brought = new Set<string>();
    const deletedMs = new Map<string, number>();
    for (const { type, object, atMs } of journal)
      if (type === 'DELETED') deletedMs.set(object.metadata.uid, atMs);
    const wrong = history.entries.flatMap((entry) => {
      if (entry.kind === 'event' && entry.event.type === 'DELETED')
        brought.add(versionId(entry.event.object));
      if (entry.kind !== 'told') return [];
      const last = views.told(entry.handler, entry.what);
      if (entry.what.type !== 'delete' || !last) return [];
      const { object } = entry.what;
      const bad = (message: string): Violation[] => [
        violation(entry, `${named(entry.handler)} was notified ${message}`),
      ];
      const state = object instanceof DeletedFinalStateUnknown ? object.object : object;
      if (!state)
        return bad(`of a deletion without any state, although the last known state is ${version(last)}`);
      if (Number(state.metadata.resourceVersion) < Number(last.metadata.resourceVersion))
        return bad(
          `of a deletion with ${version(state)}, although the last known state is the newer ${version(last)}`,
        );
      if (!((deletedMs.get(state.metadata.uid) ?? Number.POSITIVE_INFINITY) <= entry.atMs))
        return bad(`that ${version(state)} is deleted, but the object still exists on the server`);
      if (state === object && !brought.has(versionId(object)))
        return bad(
          `that ${version(object)} is the final state of a deleted object, but no DELETED event said so: wrap the last known state in a DeletedFinalStateUnknown`,
        );
      return [];
    });
    const server = new Set(settled.server.map(({ metadata }) => metadata.uid));
    const ghosts = quietViews(history).flatMap(({ handler, atMs, view }) =>
      view
        .filter(({ metadata }) => !server.has(metadata.uid))
        .map((object) => ({
          atMs,
          message: `${named(handler)} never got a delete of ${version(object)}, which no longer exists on the server`,
          object: rowName(nameOfObject(object)),
        })),
    );
    return [...wrong, ...ghosts];
  },
);

/** Safety. No handler gets an older state of an object (same uid) after a newer one, and no cache goes back to one. */
export const noTimeTravel: Law = (history) => {
  const newest = new Map<string, number>();
  const isOlder = (who: string, { metadata }: ConfigMap): number | undefined => {
    const id = `${who} ${metadata.uid}`;
    const revision = Number(metadata.resourceVersion);
    const before = newest.get(id) ?? 0;
    newest.set(id, Math.max(before, revision));
    return revision < before ? before : undefined;
  };
  return history.entries.flatMap((entry): readonly Violation[] => {
    if (entry.kind === 'cache') {
      return entry.objects.flatMap((object) => {
        const before = isOlder('cache', object);
        if (before === undefined) return [];
        return [
          violation(
            entry,
            `the cache went back to ${version(object)}, although it had that object at resourceVersion ${before}`,
          ),
        ];
      });
    }
    if (entry.kind !== 'told') return [];
    const { what } = entry;
    const object = what.type === 'update' ? what.current : what.object;
    if (object instanceof DeletedFinalStateUnknown) return [];
    const before = isOlder(entry.handler, object);
    if (before === undefined) return [];
    const message = `${named(entry.handler)} was notified of ${describe(what)}, although it had already got resourceVersion ${before} of that object`;
    return [violation(entry, message)];
  });
};

/** A quick handler may be notified a little later, say in a batch, but not after a slow one, which takes 2 s. */
const NOTIFIED_WITHIN_MS = 500;

/**
 * Safety and liveness. A slow or throwing handler delays no other: a quick handler is notified soon after each event.
 * Slow and throwing handlers get every notification, too.
 */
export const isolated = lawAbout<InformerHistory>(
  {
    name: 'a notification to a slow handler',
    isMet: ({ entries }) => entries.some((entry) => entry.kind === 'told' && entry.handler === 'slow'),
  },
  (history) => {
    const late = history.entries.flatMap((entry, i): Violation[] => {
      if (entry.kind !== 'event' || entry.request === 'stream') return [];
      if (entry.event.type === 'ERROR' || entry.event.type === 'BOOKMARK') return [];
      const told = history.entries
        .slice(i + 1)
        .find(
          (later): later is Of<'told'> =>
            later.kind === 'told' &&
            later.handler === 'steady' &&
            isAbout(later.what, entry.event.object as ConfigMap),
        );
      if (!told || told.atMs - entry.atMs <= NOTIFIED_WITHIN_MS) return [];
      const lateMs = told.atMs - entry.atMs;
      return [
        violation(
          told,
          `handler "steady" was notified of ${describe(told.what)} ${lateMs} ms after the event arrived, although it returns at once: a slow handler must not delay other handlers`,
        ),
      ];
    });
    const behind = quietViews(history)
      .filter(({ view }) => !sameObjects(view, history.settled.server))
      .map(({ handler, atMs, view }) => ({
        atMs,
        message: `${named(handler)} missed notifications: it was notified of ${names(view)}, but the server has ${names(history.settled.server)}`,
      }));
    return [...late, ...behind];
  },
);

/**
 * Safety and liveness. In a quiet period, a handler that asked for resyncs gets each object again every period, as an
 * update from the object to itself. No other handler does, and the informer does not list for it.
 */
export const resyncs = lawAbout<InformerHistory>(
  {
    name: 'an object and a handler that asked for resyncs',
    isMet: ({ handlers, settled }) => handlers.includes('resyncing') && settled.server.length > 0,
  },
  (history) => {
    const { entries, handlers, settled } = history;
    const from = indexOfMark(history, 'quiet');
    const to = indexOfMark(history, 'ending');
    const quiet = entries.slice(from + 1, to);
    const startMs = entries[from]?.atMs ?? 0;
    const quietMs = (entries[to]?.atMs ?? 0) - startMs;
    if (!history.converged) return [];
    const repeats = new Map<string, number>();
    const wrong = quiet.flatMap((entry): Violation[] => {
      if (entry.kind === 'asked' && entry.request !== 'watch')
        return [violation(entry, 'the informer listed for a resync; a resync comes from the cache')];
      if (entry.kind !== 'told') return [];
      if (RESYNC_MS[entry.handler] === undefined)
        return [violation(entry, `${named(entry.handler)} got a resync, although it set no resyncPeriodMs`)];
      if (entry.what.type !== 'update')
        return [
          violation(
            entry,
            `${named(entry.handler)} got a resync as ${article(entry.what.type)}; a resync is an update from the object to itself`,
          ),
        ];
      const id = `${entry.handler} ${nameOfObject(entry.what.current)}`;
      repeats.set(id, (repeats.get(id) ?? 0) + 1);
      return [];
    });
    const miscounted = handlers.flatMap((handler) =>
      settled.server.flatMap((object) => {
        const periodMs = RESYNC_MS[handler];
        if (periodMs === undefined) return [];
        const name = nameOfObject(object);
        const times = repeats.get(`${handler} ${name}`) ?? 0;
        const due = quietMs / periodMs;
        if (times >= Math.floor(due) && times <= Math.ceil(due) + 1) return [];
        const firstMs = startMs + periodMs;
        const least = Math.floor(due);
        const most = Math.ceil(due) + 1;
        const others = repeats.size > 0 ? '' : '; no handler got any';
        const message = `${named(handler)} has a resyncPeriodMs of ${periodMs} and was due ${least} to ${most} resyncs of ${name} between ${startMs} ms and ${startMs + quietMs} ms, but got ${times}${others}`;
        return [{ atMs: times < least ? firstMs : startMs, message, object: rowName(name) }];
      }),
    );
    return [...wrong, ...miscounted];
  },
);

function versionId({ metadata }: ConfigMap): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}
