import type { Event, KubeObject, Node, Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import { type RecordedRequest, THOUGHT_MS } from '../../../testing/rig/recorder.ts';
import type { Attempt, SchedulerHistory } from '../history/index.ts';
import { nodeless } from '../history/nodeless.ts';
import { changesOf, decisionsOf, type Law, nodeOf, podName, reasonOf, seconds } from '../history/reading.ts';
import { PROCESS } from '../operations.ts';
import { isWaiting, priorityOf, whyNot } from '../oracle/truth.ts';
import { helps } from '../oracle/waking.ts';
import { brokenHintsWake } from './retrying.ts';

const INITIAL_MS = 1_000;
const MAX_MS = 10_000;
/** The permitted delay of a retry: a flush of the backoff queue (1 s) and a read of the pod. */
const LATE_MS = 2_500;
/** The time after which an unschedulable pod may be retried without an event. */
const LEFTOVER_MS = 300_000;

/** An attempt, and the attempts before it in the same incarnation. */
interface Retry {
  readonly attempt: Attempt;
  readonly last: Attempt;
  /** The bind that the last attempt led to. */
  readonly bind: RecordedRequest | undefined;
  /** The number of rejections before this attempt. */
  readonly rejections: number;
  /** The number of errors since the last rejection. */
  readonly errors: number;
  /** The start of this count: the last rejection, or the first time at which the scheduler can have known the pod. */
  readonly fromMs: number;
}

/**
 * A pod that was rejected or could not be bound backs off: 1 s after the first failure, then 2, 4 and 8 s, and 10 s from then
 * on. Rejections and errors are counted separately. After an error the pod waits no longer than its backoff.
 */
export const backsOff: Law = (history) => {
  const knewNoNode = nodeless(history);
  return retriesOf(history).flatMap(
    ({ attempt, last, bind, rejections, errors, fromMs }): readonly Violation[] => {
      if (last.feasible.length > 0 && bind?.error === undefined) return [];
      const failedMs = bind?.answeredMs ?? last.atMs;
      const count = bind ? errors : rejections;
      const backoffMs = Math.min(MAX_MS, INITIAL_MS * 2 ** (count - 1));
      const waitedMs = attempt.atMs - failedMs;
      // Attempts without any node count as errors too, but the record does not show them.
      const isPlain = bind !== undefined && !knewNoNode(fromMs, attempt.atMs);
      const isLate = isPlain && lateMs(history, attempt, bind) > backoffMs + LATE_MS;
      if (waitedMs >= backoffMs && !isLate) return [];
      const what = bind
        ? `of ${podName(attempt.pod)} failed (${reasonOf(bind)}), ${times(count)} in a row`
        : `${podName(attempt.pod)}, ${times(count)} so far`;
      const rejected =
        bind && rejections > 0 ? `. Filters rejected it ${times(rejections)}, which counts separately` : '';
      return [
        {
          atMs: attempt.atMs,
          message: `${bind ? 'the bind' : 'filters rejected'} ${what}; the scheduler retried the pod ${waitedMs} ms later, but its backoff is ${backoffMs} ms${count > 1 ? ` (${INITIAL_MS} ms after the first failure, then twice as long each time, at most ${MAX_MS} ms)` : ''}: it lasts from ${failedMs} ms to ${failedMs + backoffMs} ms, and no event ends it earlier${rejected}`,
          object: podName(attempt.pod),
        },
      ];
    },
  );
};

/** Returns the time since the last answer about a refused bind: the bind itself, or a read of the pod after it. */
function lateMs({ requests }: SchedulerHistory, attempt: Attempt, bind: RecordedRequest): number {
  const reason = reasonOf(bind) ?? '';
  if (!['ServiceUnavailable', 'TooManyRequests', 'InternalError'].includes(reason)) return 0;
  const answers = requests.filter(
    ({ verb, name, sentAs, incarnation }) =>
      verb === 'get' &&
      name === bind.name &&
      incarnation === bind.incarnation &&
      sentAs > bind.sentAs &&
      sentAs < attempt.as,
  );
  const known = [bind, ...answers].map(({ answeredMs = attempt.atMs }) => answeredMs);
  return attempt.atMs - Math.max(...known);
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Returns every attempt except the first one of each pod in each incarnation. */
function retriesOf(history: SchedulerHistory): readonly Retry[] {
  const decisions = decisionsOf(history);
  const known = new Map<string, Retry>();
  const retries: Retry[] = [];
  for (const attempt of history.attempts) {
    const key = `${attempt.incarnation} ${attempt.pod.metadata.uid}`;
    const before = known.get(key);
    if (!before) {
      const cameMs = history.pods.of(attempt.pod.metadata.uid)?.versions[0]?.atMs ?? 0;
      const fromMs = Math.max(cameMs, history.told.at(attempt.atMs).bornMs);
      known.set(key, { attempt, last: attempt, bind: undefined, rejections: 0, errors: 0, fromMs });
      continue;
    }
    const { attempt: last } = before;
    const bind = decisions.find((decision) => decision.attempt === last)?.request;
    // An attempt without any node is an error: no plugin has rejected the pod.
    const rejected = last.feasible.length === 0 && last.nodeInfos.length > 0;
    const retry: Retry = {
      attempt,
      last,
      bind,
      rejections: before.rejections + (rejected ? 1 : 0),
      errors: rejected ? 0 : before.errors + 1,
      fromMs: rejected ? last.atMs : before.fromMs,
    };
    known.set(key, retry);
    retries.push(retry);
  }
  return retries;
}

/**
 * Without faults, a rejected pod is not retried before an event could help it (a plugin that rejected it has registered for
 * the event, and its hint returns Queue), or before five minutes have passed.
 */
export const wakesForGoodReason: Law = (history) => {
  const { restedMs } = history;
  if (restedMs === undefined) return [];
  const changes = changesOf(history);
  const undone = decisionsOf(history).filter(({ request }) => request.error !== undefined);
  return retriesOf(history).flatMap(({ attempt, last }): readonly Violation[] => {
    const { atMs, pod } = attempt;
    if (atMs < restedMs || last.feasible.length > 0 || last.nodeInfos.length === 0) return [];
    if (atMs - last.atMs >= LEFTOVER_MS) return [];
    const sinceMs = last.atMs - THOUGHT_MS;
    const since = changes.filter((entry) => entry.atMs >= sinceMs && entry.atMs <= atMs);
    if (since.some((entry) => helps(history, last, entry) !== 'no')) return [];
    // A pod that could not be bound gives its room back, which may wake others.
    const freed = undone.some(
      ({ request: { answeredMs = 0 } }) => answeredMs >= last.atMs && answeredMs <= atMs,
    );
    if (freed) return [];
    const by = [...last.diagnosis.unschedulablePlugins].join(', ');
    const happened = since.filter(({ atMs: thenMs }) => thenMs >= last.atMs);
    const what =
      happened.length === 0
        ? 'nothing has happened since then'
        : `no event since then could help it; for each of these, ${by} did not register, or its hint returns QueueSkip: ${listed(happened)}`;
    return [
      {
        atMs,
        message: `the scheduler retried ${podName(pod)}, which ${by} had rejected ${seconds(atMs - last.atMs)} earlier, although ${what}`,
        object: podName(pod),
      },
    ];
  });
};

/** Formats the last four events. */
function listed(events: readonly JournalEntry<Pod | Node>[]): string {
  const said = events
    .slice(-4)
    .map(
      ({ type, resource, object, atMs }) =>
        `${type} ${resource.plural}/${object.metadata.name} at ${atMs} ms`,
    );
  return [...(events.length > said.length ? [`${events.length - said.length} earlier`] : []), ...said].join(
    ', ',
  );
}

/** Without faults, a change that makes a waiting pod fit wakes it, and the pod gets a node as soon as its backoff is over. */
export const wakesInTime: Law = (history) => {
  const { looks, restedMs } = history;
  if (restedMs === undefined) return [];
  const late = looks.slice(1).flatMap(({ atMs, missed, after }) =>
    missed.map(({ pod, places }) => ({
      atMs,
      message: `${podName(pod)} still waits, although it fits on ${places.join(' or ')}; ${soFar(history, pod, atMs)}; the last change was: ${after}`,
      object: podName(pod),
    })),
  );
  return [...late, ...brokenHintsWake(history)];
};

/** Once faults stop, every pod that can run somewhere is bound. */
export const everyPodIsBound: Law = (history) =>
  history.looks.slice(0, 1).flatMap(({ atMs, missed }) =>
    missed.map(({ pod, places }) => ({
      atMs,
      message: `in the end ${podName(pod)} has no node, although it fits on ${places.join(' or ')}; ${soFar(history, pod, atMs)}`,
      object: podName(pod),
    })),
  );

/** Describes the last attempt of a pod, where a reader starts to search for the error. */
function soFar(history: SchedulerHistory, { metadata: { uid } }: Pod, untilMs: number): string {
  const attempt = history.attempts.findLast(({ pod, atMs }) => pod.metadata.uid === uid && atMs <= untilMs);
  if (!attempt) return 'the scheduler never tried it';
  const when = `its last attempt was at ${attempt.atMs} ms`;
  if (attempt.feasible.length === 0) {
    const rejected = `${when}, and ${[...attempt.diagnosis.unschedulablePlugins].join(', ')} rejected it`;
    return `${rejected}${freedSince(history, attempt, untilMs)}`;
  }
  const bind = decisionsOf(history).find((decision) => decision.attempt === attempt)?.request;
  if (!bind) return `${when}; a node fitted, but the scheduler sent no bind`;
  return bind.answeredMs === undefined
    ? `${when}, and its bind was never answered`
    : `${when}, and its bind was answered at ${bind.answeredMs} ms: ${reasonOf(bind) ?? 'ok'}`;
}

/** Describes the first bind of another pod that failed after an attempt: it freed room without any event of the server. */
function freedSince(history: SchedulerHistory, { atMs, incarnation }: Attempt, untilMs: number): string {
  const failed = decisionsOf(history).find(
    ({ request: { error, incarnation: its, answeredMs = Number.POSITIVE_INFINITY } }) =>
      error !== undefined && its === incarnation && answeredMs >= atMs && answeredMs <= untilMs,
  )?.request;
  if (!failed) return '';
  const freed = `since then the bind of ${failed.name} to ${nodeOf(failed)} failed (${reasonOf(failed)})`;
  return `; ${freed}, so its assumed room is free again: wake the pods that wait for room`;
}

/** A new pod is tried within this time, however many others wait. */
const PROMPT_MS = 5_000;
/** The law covers a pod only if the scheduler observes it within this time. */
const TOLD_WITHIN_MS = 1_000;

/**
 * A new pod is tried soon, however many others wait. This also holds under faults, once the scheduler has observed the pod and
 * has begun to schedule, unless it crashes or loses its nodes in that time.
 */
export const starvesNoPod: Law = (history) => {
  const { pods, nodes, attempts, quietMs } = history;
  return pods.all.flatMap(({ id: uid, versions }): readonly Violation[] => {
    const [first] = versions;
    if (!first?.object || !isWaiting(first.object) || !isAbleToTry(history, first)) return [];
    const untilMs = first.atMs + PROMPT_MS;
    const later = versions.filter(({ atMs }) => atMs <= untilMs);
    const stays = later.every(({ object }) => object && isWaiting(object));
    if (!stays || untilMs > quietMs.to || nodes.allAt(first.revision).length === 0) return [];
    if (attempts.some(({ pod, atMs }) => pod.metadata.uid === uid && atMs <= untilMs)) return [];
    const others = pods
      .allAt(first.revision)
      .filter((pod) => isWaiting(pod) && pod.metadata.uid !== uid)
      .map(podName);
    const beside =
      others.length > 0 ? `; ${others.join(', ')} waited at that time and must not block it` : '';
    return [
      {
        atMs: untilMs,
        message: `the scheduler did not try ${podName(first.object)} within ${seconds(PROMPT_MS)} after it was created${beside}`,
        object: podName(first.object),
      },
    ];
  });
};

/** Reports whether the scheduler can try this pod in time despite the faults. */
function isAbleToTry(
  { restedMs, told, attempts, nodes }: SchedulerHistory,
  { atMs, revision }: { readonly atMs: number; readonly revision: number },
): boolean {
  if (restedMs !== undefined && atMs >= restedMs) return true;
  const [soon, late] = [told.at(atMs + TOLD_WITHIN_MS), told.at(atMs + PROMPT_MS)];
  const hasBegun = attempts.some((attempt) => attempt.atMs >= soon.bornMs && attempt.atMs <= atMs);
  const hasNodes = [soon.nodes, late.nodes].every((known) => nodes.allAt(known).length > 0);
  return soon.pods >= revision && soon.bornMs === late.bornMs && hasBegun && hasNodes;
}

/**
 * Among pods that become ready at the same moment, the one with the highest priority is tried first: pods that the scheduler
 * finds at its start, and pods that the same event wakes.
 */
export const importantFirst: Law = (history) => [...amongTheFound(history), ...amongTheWoken(history)];

function amongTheFound(history: SchedulerHistory): readonly Violation[] {
  const { attempts, pods, told } = history;
  const knewNoNode = nodeless(history);
  const incarnations = new Set(attempts.map(({ incarnation }) => incarnation));
  return [...incarnations].flatMap((incarnation) => {
    const firsts = firstAttempts(attempts.filter((attempt) => attempt.incarnation === incarnation));
    const firstMs = firsts[0]?.atMs ?? 0;
    const begun = told.at(firstMs);
    // Without nodes it has tried pods before, unseen by the record.
    if (knewNoNode(begun.bornMs, firstMs)) return [];
    const found = firsts.filter(({ pod, atMs }) => {
      const { versions = [] } = pods.of(pod.metadata.uid) ?? {};
      const since = versions.filter((version) => version.atMs <= atMs);
      return since.every(({ object, revision }) => object && isWaiting(object) && revision <= begun.pods);
    });
    return outOfOrder(found, 'it knew both when it started');
  });
}

function firstAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  const seen = new Set<string>();
  return attempts.filter(({ pod: { metadata } }) => !seen.has(metadata.uid) && seen.add(metadata.uid));
}

function amongTheWoken(history: SchedulerHistory): readonly Violation[] {
  const { restedMs } = history;
  if (restedMs === undefined) return [];
  const changes = changesOf(history);
  const knewNoNode = nodeless(history);
  const woken = new Map<number, Attempt[]>();
  for (const { attempt, last } of retriesOf(history)) {
    if (last.atMs < restedMs || last.feasible.length > 0 || knewNoNode(last.atMs, attempt.atMs)) continue;
    const since = changes.filter(({ atMs }) => atMs >= last.atMs && atMs <= attempt.atMs);
    const by = since.find((entry) => helps(history, last, entry) !== 'no');
    // Its backoff must have been over, and exactly one event can have woken it.
    if (!by || by.atMs < last.atMs + MAX_MS + INITIAL_MS || helps(history, last, by) !== 'surely') continue;
    woken.set(by.revision, [...(woken.get(by.revision) ?? []), attempt]);
  }
  return [...woken.values()].flatMap((group) => outOfOrder(group, 'the same event woke both'));
}

/** Returns the last time at which the subject of an Event was seen. */
function lastSeen(object: KubeObject): string {
  const { series, eventTime, lastTimestamp } = object as Event;
  return series?.lastObservedTime ?? eventTime ?? lastTimestamp ?? '';
}

/** Reports pods that were tried before a ready pod with a higher priority. */
function outOfOrder(attempts: readonly Attempt[], why: string): readonly Violation[] {
  return attempts.flatMap((later, index) => {
    const before = attempts.slice(0, index).find(({ pod }) => priorityOf(pod) < priorityOf(later.pod));
    if (!before || whyNot(later.pod)) return [];
    return [
      {
        atMs: before.atMs,
        message:
          `the scheduler tried ${podName(before.pod)} (priority ${priorityOf(before.pod)}) before ` +
          `${podName(later.pod)} (priority ${priorityOf(later.pod)}), although ${why}`,
        object: podName(later.pod),
      },
    ];
  });
}

/** The writes of an attempt follow within this time. */
const WRITES_WITHIN_MS = 5_000;

/**
 * When nothing happens, the scheduler writes nothing and tries no pod, except unschedulable pods once in five minutes.
 */
export const quietAtRest: Law = (history) => {
  const { quietMs, journal, attempts, restedMs, epochMs, left } = history;
  if (restedMs === undefined || left.nodes.length === 0) return [];
  const tries = attempts.filter(({ atMs }) => atMs > quietMs.from);
  const last = (attempt: Attempt): Attempt | undefined =>
    attempts.findLast(
      ({ as, incarnation, pod }) =>
        as < attempt.as &&
        incarnation === attempt.incarnation &&
        pod.metadata.uid === attempt.pod.metadata.uid,
    );
  // A retry after five minutes can lead to a bind, which may help another pod.
  const changes = changesOf(history).filter(({ atMs }) => atMs > quietMs.from);
  const idle = tries.filter((attempt) => {
    const before = last(attempt);
    if (!before || attempt.atMs - before.atMs >= LEFTOVER_MS) return false;
    return !changes.some((entry) => entry.atMs <= attempt.atMs && helps(history, before, entry) !== 'no');
  });
  // The attempt may have been just before the quiet period.
  const isWhatCameOfIt = (atMs: number): boolean =>
    attempts.some((attempt) => atMs >= attempt.atMs && atMs <= attempt.atMs + WRITES_WITHIN_MS);
  const writes = journal.filter(({ atMs, object, resource, actor }) => {
    if (atMs <= quietMs.from || actor !== PROCESS || isWhatCameOfIt(atMs)) return false;
    if (resource.plural !== 'events') return true;
    // An Event may be sent late, and a series is closed after six minutes: judge it by the time of its subject.
    const seenMs = Date.parse(lastSeen(object)) - epochMs;
    return seenMs > quietMs.from && !isWhatCameOfIt(seenMs);
  });
  return [
    ...idle.map(({ atMs, pod }) => ({
      atMs,
      message: `the scheduler tried ${podName(pod)}, although nothing has happened since its last attempt`,
      object: podName(pod),
    })),
    ...writes.map(({ atMs, verb, resource, object }) => ({
      atMs,
      message: `the scheduler sent ${verb} ${resource.plural}/${object.metadata.name}, although nothing has happened`,
      object: object.metadata.name,
    })),
  ];
};
