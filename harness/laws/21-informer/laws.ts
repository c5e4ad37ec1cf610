import type { ConfigMap } from '../../api/objects.ts';
import { isExpired, isTooLargeResourceVersion } from '../../api/status.ts';
import { DeletedFinalStateUnknown } from '../../contracts/informer.ts';
import type { Breach } from '../../testing/holds.ts';
import type { HistoryEntry, InformerHistory } from './history.ts';
import type { HandlerName } from './scenario.ts';
import { deletedBefore, quietViews, Views } from './views.ts';
import { article, describe, isAbout, nameOf, names, rowName, version } from './words.ts';
import { RESYNC_MS, sameObjects } from './world.ts';

/**
 * The laws of an informer: each reads one history and names every place where it is broken. Safety laws say what
 * never happens; liveness laws say what has happened once the faults have stopped.
 *
 * Reads a history; empty when the law holds.
 */
export type Law = (history: InformerHistory) => readonly Breach[];

type Of<K extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: K }>;

/** Liveness. Once faults stop, the cache is what the server has. */
export const converges: Law = ({ converged, settled, entries }) => {
  if (converged || sameObjects(settled.cache, settled.server)) return [];
  return [
    {
      atMs: entries.at(-1)?.atMs ?? 0,
      message: `the cache never became what the server has: it holds ${names(settled.cache)}, the server ${names(settled.server)}`,
    },
  ];
};

/**
 * Safety. Each handler sees of each object: add, update*, delete; what an update calls the previous state is what
 * the handler was told last. A deletion that the watch brought is told as a deletion, not as a change of uid.
 */
export const honest: Law = (history) => {
  const deleted = new Set<string>();
  const views = new Views();
  return history.entries.flatMap((entry) => {
    if (entry.kind === 'event' && entry.event.type === 'DELETED')
      deleted.add(entry.event.object.metadata.uid);
    if (entry.kind !== 'told') return [];
    const { handler, what } = entry;
    const last = views.told(handler, what);
    const bad = (message: string): Breach[] => [violation(entry, `${handler} was ${message}`)];
    const name = describe(what);
    if (what.type === 'add') return last ? bad(`told of ${name} as an add, but had it already`) : [];
    if (!last) return bad(`told of ${name} as ${article(what.type)}, but never of an add`);
    if (what.type === 'delete') return [];
    if (what.previous !== last && what.previous.metadata.resourceVersion !== last.metadata.resourceVersion) {
      return bad(`told of ${name} as an update of ${version(what.previous)}, but had ${version(last)}`);
    }
    const reborn = what.previous.metadata.uid !== what.current.metadata.uid;
    if (reborn && deleted.has(what.previous.metadata.uid)) {
      return bad(`told of ${name} as an update, but the old one was deleted and this one is another (uid)`);
    }
    return [];
  });
};

/**
 * Liveness. What was deleted while nobody watched is reported deleted, with its last known state: in the end no
 * handler believes in an object that the server does not have.
 */
export const noGhosts: Law = (history) => {
  const views = new Views();
  const wrongStates = history.entries.flatMap((entry) => {
    if (entry.kind !== 'told') return [];
    const last = views.told(entry.handler, entry.what);
    if (entry.what.type !== 'delete' || !last) return [];
    const { object } = entry.what;
    const state = object instanceof DeletedFinalStateUnknown ? object.object : object;
    if (state && Number(state.metadata.resourceVersion) >= Number(last.metadata.resourceVersion)) return [];
    const told = state ? version(state) : 'no state at all';
    return [
      violation(entry, `${entry.handler} was told of a deletion with ${told}, but knew ${version(last)}`),
    ];
  });
  const server = new Set(history.settled.server.map(({ metadata }) => metadata.uid));
  const ghosts = quietViews(history).flatMap(({ handler, atMs, view }) =>
    view
      .filter(({ metadata }) => !server.has(metadata.uid))
      .map((object) => ({
        atMs,
        message: `${handler} was never told that ${version(object)} is gone`,
        object: rowName(object.metadata.name),
      })),
  );
  return [...wrongStates, ...ghosts];
};

/** Safety. Of one incarnation of an object, no handler ever sees an older state after a newer one. */
export const noTimeTravel: Law = (history) => {
  const newest = new Map<string, number>();
  return history.entries.flatMap((entry) => {
    if (entry.kind !== 'told') return [];
    const { what } = entry;
    const object = what.type === 'update' ? what.current : what.object;
    if (object instanceof DeletedFinalStateUnknown) return [];
    const id = `${entry.handler} ${object.metadata.uid}`;
    const revision = Number(object.metadata.resourceVersion);
    const before = newest.get(id) ?? 0;
    newest.set(id, Math.max(before, revision));
    if (revision >= before) return [];
    const message = `${entry.handler} was told of ${describe(what)} after it had seen resourceVersion ${before}`;
    return [violation(entry, message)];
  });
};

/**
 * Safety and liveness. `hasSynced` of a registration is true only after its handler is done with everything that
 * was there when it began, that of the informer only after the first whole list; and both become true.
 */
export const syncedMeansSynced: Law = (history) => {
  const done = new Map<HandlerName, Set<string>>();
  const telling = new Map<HandlerName, string>();
  const joined = new Map<HandlerName, readonly ConfigMap[]>();
  let first: readonly ConfigMap[] | undefined;
  let pages: ConfigMap[] = [];
  const early = history.entries.flatMap((entry): Breach[] => {
    switch (entry.kind) {
      case 'list':
        if (!entry.page) pages = [];
        return [];
      case 'listed':
        pages.push(...entry.items);
        if (!entry.more) first ??= pages;
        return [];
      case 'joined':
        if (first) joined.set(entry.handler, entry.cache);
        done.set(entry.handler, new Set());
        return [];
      case 'told':
        if (entry.what.type === 'add') telling.set(entry.handler, entry.what.object.metadata.uid);
        return [];
      case 'done':
        done.get(entry.handler)?.add(telling.get(entry.handler) ?? '');
        return [];
      case 'synced': {
        if (!first)
          return [violation(entry, `hasSynced of ${entry.who} was true before the first list was answered`)];
        if (entry.who === 'informer') return [];
        const due = joined.get(entry.who) ?? first;
        const told = done.get(entry.who) ?? new Set();
        const missing = due.filter(({ metadata }) => !told.has(metadata.uid));
        const gone = new Set(deletedBefore(history, entry));
        const owed = missing.filter(({ metadata }) => !gone.has(metadata.uid));
        if (owed.length === 0) return [];
        return [
          violation(entry, `hasSynced of ${entry.who} was true, but it was not yet done with ${names(owed)}`),
        ];
      }
      default:
        return [];
    }
  });
  const synced = new Set(history.entries.flatMap((entry) => (entry.kind === 'synced' ? [entry.who] : [])));
  const never = (['informer', ...history.handlers] as const)
    .filter((who) => !synced.has(who))
    .map((who) => ({ atMs: healedMs(history), message: `hasSynced of ${who} never became true` }));
  return [...early, ...never];
};

/** A watch that ends sooner than that, without an event, has failed. */
const SHORT_WATCH_MS = 1_000;

/**
 * Safety. A list is made at the start, and again only where a watch cannot go on: after a failure that the server
 * reported, or a watch that ended at once with nothing. A watch that ends resumes at the last revision seen.
 */
export const frugal: Law = ({ entries }) => {
  let mayList: boolean = true;
  let seen: string | undefined;
  let watchingSinceMs = 0;
  let events = 0;
  return entries.flatMap((entry): Breach[] => {
    switch (entry.kind) {
      case 'list': {
        const allowed = mayList || entry.page;
        mayList = false;
        return allowed
          ? []
          : [violation(entry, 'listed again, though the watch could have gone on where it was')];
      }
      case 'listed':
        seen = entry.resourceVersion;
        return [];
      case 'failed':
        mayList = true;
        return [];
      case 'watch':
        if (entry.asked === seen) return [];
        return [
          violation(
            entry,
            `watched from ${entry.asked || '""'}, but the last revision seen is ${seen ?? 'none'}`,
          ),
        ];
      case 'watching':
        events = 0;
        watchingSinceMs = entry.atMs;
        return [];
      case 'event':
        events++;
        if (entry.event.type === 'ERROR') mayList = true;
        else seen = entry.event.object.metadata.resourceVersion;
        return [];
      case 'ended':
        if (events === 0 && entry.atMs - watchingSinceMs < SHORT_WATCH_MS) mayList = true;
        return [];
      default:
        return [];
    }
  });
};

const BACKOFF_MS_MIN = 800;
const BACKOFF_MS_MAX = 30_000;
const BACKOFF_RESET_MS = 120_000;

/**
 * Safety and liveness. After a failure – a watch that ends at once and empty is one – the next request waits: at
 * least 0.8 s, doubling with every failure in a row up to 30 s, and never more than twice that (or what the server
 * asked for). After two minutes without a failure the first wait is short again. A 410 on a list may be answered at
 * once, by a list without a version.
 */
export const calm: Law = ({ entries }) => {
  let failedMs: number | undefined;
  let inRow = 0;
  let lastFailureMs = Number.NEGATIVE_INFINITY;
  let maxMs = 0;
  let askedMs = 0;
  let exempt = false;
  let watchingSinceMs = 0;
  let events = 0;
  const fail = (atMs: number, error: unknown, free: boolean): void => {
    const rested = atMs - lastFailureMs > BACKOFF_RESET_MS + 2 * BACKOFF_MS_MAX;
    // A long pause and a request that timed out can be two minutes, too: then it may begin again.
    if (atMs - lastFailureMs > BACKOFF_RESET_MS) inRow = 0;
    if (!free) inRow++;
    failedMs = atMs;
    maxMs = rested ? 2 * BACKOFF_MS_MIN : 2 * BACKOFF_MS_MAX;
    askedMs = ((error as { retryAfterSeconds?: number }).retryAfterSeconds ?? 0) * 1_000;
    lastFailureMs = atMs;
    exempt = free;
  };
  return entries.flatMap((entry): Breach[] => {
    switch (entry.kind) {
      case 'failed':
        fail(entry.atMs, entry.error, entry.request === 'list' && isUnavailableVersion(entry.error));
        return [];
      case 'event':
        events++;
        if (entry.event.type === 'ERROR') fail(entry.atMs, entry.event.object.details ?? {}, false);
        else inRow = 0;
        return [];
      case 'watching':
        events = 0;
        inRow = 0;
        return [];
      case 'ended':
        if (events === 0 && entry.atMs - watchingSinceMs < SHORT_WATCH_MS) fail(entry.atMs, {}, false);
        return [];
      case 'listed':
        inRow = 0;
        return [];
      case 'list':
      case 'watch': {
        // Whether one counts from the request or from the answer is a matter of taste: the longer time must be short.
        watchingSinceMs = entry.atMs;
        if (failedMs === undefined) return [];
        const waitedMs = entry.atMs - failedMs;
        const leastMs = Math.min(BACKOFF_MS_MIN * 2 ** (Math.max(1, inRow) - 1), BACKOFF_MS_MAX);
        const mostMs = Math.max(maxMs, askedMs) + 1;
        failedMs = undefined;
        if (exempt && entry.kind === 'list' && (entry.asked === '' || entry.page)) return [];
        if (waitedMs < leastMs) {
          return [
            violation(
              entry,
              `asked again ${waitedMs} ms after failure ${inRow} in a row; wait at least ${leastMs} ms`,
            ),
          ];
        }
        return waitedMs <= mostMs
          ? []
          : [violation(entry, `waited ${waitedMs} ms after a failure; at most ${mostMs} ms`)];
      }
      default:
        return [];
    }
  });
};

/** Safety. After the abort: no request, no event taken, no handler called, no watch left open; and `run` returns. */
export const quietAtTheEnd: Law = ({ entries, watchesLeft, returned }) => {
  const abort = entries.findIndex((entry) => entry.kind === 'mark' && entry.mark === 'aborted');
  const noise = entries.slice(abort + 1).flatMap((entry): Breach[] => {
    if (entry.kind === 'list' || entry.kind === 'watch')
      return [violation(entry, `a ${entry.kind} after the abort`)];
    if (entry.kind === 'event') return [violation(entry, 'an event was taken after the abort')];
    if (entry.kind === 'told')
      return [violation(entry, `${entry.handler} was told something after the abort`)];
    return [];
  });
  const atMs = entries[abort]?.atMs ?? 0;
  if (watchesLeft > 0) noise.push({ atMs, message: `${watchesLeft} watch left open after the abort` });
  if (!returned) noise.push({ atMs, message: 'run had not returned 5 s after the abort' });
  return noise;
};

/** A quick handler may be told a little later, say in a batch; but not after a slow one, which takes 2 s. */
const TOLD_WITHIN_MS = 500;

/**
 * Safety and liveness. A handler that is slow or throws harms no other: whoever is neither is told of each thing
 * soon after it came; and the slow and the throwing are told of everything, too.
 */
export const isolated: Law = (history) => {
  const late = history.entries.flatMap((entry, i): Breach[] => {
    if (entry.kind !== 'event' || entry.event.type === 'ERROR' || entry.event.type === 'BOOKMARK') return [];
    const told = history.entries
      .slice(i + 1)
      .find(
        (later): later is Of<'told'> =>
          later.kind === 'told' &&
          later.handler === 'steady' &&
          isAbout(later.what, entry.event.object as ConfigMap),
      );
    if (!told || told.atMs - entry.atMs <= TOLD_WITHIN_MS) return [];
    const lateMs = told.atMs - entry.atMs;
    return [
      violation(
        told,
        `steady, which is quick, was told of ${describe(told.what)} ${lateMs} ms after it came`,
      ),
    ];
  });
  const behind = quietViews(history)
    .filter(({ view }) => !sameObjects(view, history.settled.server))
    .map(({ handler, atMs, view }) => ({
      atMs,
      message: `${handler} was never told everything: it believes in ${names(view)}, the server has ${names(history.settled.server)}`,
    }));
  return [...late, ...behind];
};

/** Safety. An index says what one would find by looking at every object in the cache. */
export const indexed: Law = ({ entries }) =>
  entries.flatMap((entry) => (entry.kind === 'wrong' ? [violation(entry, entry.what)] : []));

/**
 * Liveness, and Frugal at once. In quiet, a handler that asked for it is told again of every object, every period,
 * as an update of the object by itself; nobody else is; and no list is made for it.
 */
export const resyncs: Law = (history) => {
  const { entries, handlers, settled } = history;
  const from = entries.findIndex((entry) => entry.kind === 'mark' && entry.mark === 'quiet');
  const to = entries.findIndex((entry) => entry.kind === 'mark' && entry.mark === 'ending');
  const quiet = entries.slice(from + 1, to);
  const startMs = entries[from]?.atMs ?? 0;
  if (!history.converged || !handlers.includes('resyncing')) return [];
  const repeats = new Map<string, number>();
  const wrong = quiet.flatMap((entry): Breach[] => {
    if (entry.kind === 'list') return [violation(entry, 'listed, though nothing was wrong')];
    if (entry.kind !== 'told') return [];
    if (entry.handler !== 'resyncing')
      return [violation(entry, `${entry.handler} did not ask to be told again`)];
    if (entry.what.type !== 'update')
      return [violation(entry, `a resync came as ${article(entry.what.type)}`)];
    const { name } = entry.what.current.metadata;
    repeats.set(name, (repeats.get(name) ?? 0) + 1);
    return [];
  });
  const missed = settled.server
    .filter(({ metadata }) => (repeats.get(metadata.name) ?? 0) < 2)
    .map(({ metadata }) => ({
      atMs: startMs,
      message: `in ${(2.5 * RESYNC_MS) / 1000} s of quiet, resyncing (every ${RESYNC_MS / 1000} s) was told of ${metadata.name} ${repeats.get(metadata.name) ?? 0} times`,
      object: rowName(metadata.name),
    }));
  return [...wrong, ...missed];
};

function healedMs({ entries }: InformerHistory): number {
  return entries.find((entry): entry is Of<'mark'> => entry.kind === 'mark')?.atMs ?? 0;
}

function isUnavailableVersion(error: unknown): boolean {
  return isExpired(error) || isTooLargeResourceVersion(error);
}

/** What a handler was told of is the object at fault. */
function violation(entry: HistoryEntry, message: string): Breach {
  return { atMs: entry.atMs, message, ...(entry.kind === 'told' && { object: rowName(nameOf(entry.what)) }) };
}
