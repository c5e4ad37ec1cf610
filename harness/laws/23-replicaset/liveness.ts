import type { Event, KubeObject, Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Violation } from '../../testing/holds.ts';
import { changedBy } from '../../testing/rig/changed.ts';
import type { ObjectHistory } from '../../testing/rig/object-history.ts';
import type { ReplicaSetHistory } from './history.ts';
import { lies, nameOf, pods } from './names.ts';
import type { Law } from './safety.ts';
import { PROCESS } from './step.ts';
import { counts, isActive, selects } from './truth.ts';
import { podWrites, setOf, setWrites } from './writes.ts';

/** In the end each ReplicaSet has exactly as many active pods as it wants. */
export const exactInTheEnd: Law = (history) =>
  inTheEnd(history, (rs, all) => {
    const counted = all.filter((pod) => counts(rs, pod)).length;
    const wanted = rs.spec.replicas;
    if (counted === wanted) return [];
    return [{ of: rs, message: `in the end ${nameOf(rs)} has ${pods(counted)}; spec.replicas is ${wanted}` }];
  });

/** In the end no pod is selected without a controller, or controlled without being selected. */
export const adoptsAndReleases: Law = (history) =>
  inTheEnd(history, (rs, all) =>
    all.filter(isActive).flatMap((pod) => {
      const owner = controllerOf(pod);
      if (!owner && selects(rs, pod))
        return [
          {
            of: pod,
            message: `in the end ${nameOf(pod)} has no controller, although ${nameOf(rs)} selects it: adopt it`,
          },
        ];
      if (owner?.uid !== rs.metadata.uid || selects(rs, pod)) return [];
      const message = `in the end ${nameOf(rs)} still controls ${nameOf(pod)}, although it does not select it: release it`;
      return [{ of: pod, message }];
    }),
  );

/** In the end each status says how it is. */
export const statusInTheEnd: Law = (history) =>
  inTheEnd(history, (rs, all, nowMs) =>
    lies(rs, all, nowMs).map((lie) => ({
      of: rs,
      message: `in the end the status of ${nameOf(rs)} is wrong: ${lie}`,
    })),
  );

/** How long an answer may take that never comes, and what is to be done then. */
const ANSWER_MS = 75_000;

/**
 * Once the last fault is over everything is in order soon: after the time that a request takes which is never answered, and the
 * wait of a key that failed so often. A key fails when a request fails, and for as long as its caches are older than what was written for
 * it; each time it waits twice as long. If its informer listed anew, it may wait for a pod that came and went unseen.
 */
export const prompt: Law = (history) => {
  const { restedMs, healedMs, relistedMs, requests } = history;
  if (restedMs === undefined) return [];
  const failed = requests.filter(({ error, sentMs }) => error !== undefined && sentMs > healedMs - RECENT_MS);
  const firstMs = Math.max(5, longestBehindMs(history));
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, 2 * firstMs * 2 ** failed.length);
  const tookMs = restedMs - healedMs;
  const missed = relistedMs.some((atMs) => atMs > healedMs - PATIENCE_MS && atMs < restedMs);
  if (tookMs <= ANSWER_MS + backoffMs + (missed ? PATIENCE_MS + LONGEST_BACKOFF_MS : 0)) return [];
  const message = `the controller needed ${Math.round(tookMs / 1_000)} s after the last fault to bring everything in order${lateWrite(history)}${lastRefusal(history)}${expired(history)}. It must not wait for events that never come`;
  return [{ atMs: healedMs + ANSWER_MS, message }];
};

/** Names the write that came late, and the pods of its ReplicaSet until then. Empty if no write came late. */
function lateWrite(history: ReplicaSetHistory): string {
  const { healedMs, restedMs = healedMs, sets, pods: all } = history;
  const isLate = ({ atMs }: { readonly atMs: number }): boolean =>
    atMs > healedMs + ANSWER_MS && atMs <= restedMs;
  const write = podWrites(history).find(isLate);
  if (!write) {
    const written = setWrites(history).find(isLate);
    return written
      ? `: the ${written.verb} of ${nameOf(written.object)} came only at ${written.atMs} ms`
      : '';
  }
  const rs = sets.of(setOf(write.object) ?? setOf(write.previous))?.at(write.revision);
  const before = rs ? all.allAt(write.revision - 1).filter((pod) => counts(rs, pod)).length : 0;
  const until = rs ? `; until then ${nameOf(rs)} had ${pods(before)} and wanted ${rs.spec.replicas}` : '';
  return `: the ${write.verb} of ${nameOf(write.object)} came only at ${write.atMs} ms${until}`;
}

/** Names the deletes and creates whose expectation expired when the late write came. */
function expired(history: ReplicaSetHistory): string {
  const { healedMs, requests, knowledge } = history;
  const late = podWrites(history).find(({ atMs }) => atMs > healedMs + ANSWER_MS);
  if (!late) return '';
  const writes = podWrites(history).filter(
    ({ atMs }) => Math.abs(late.atMs - atMs - EXPIRY_MS) <= EXPIRY_SLACK_MS,
  );
  const [first] = writes;
  if (!first) return '';
  const names = writes.map(({ object }) => nameOf(object)).join(', ');
  const answeredMs = requests.find(
    ({ verb, name, sentMs }) => verb === first.verb && name === nameOf(first.object) && sentMs <= first.atMs,
  )?.answeredMs;
  const wasShown = answeredMs !== undefined && knowledge.byThen(answeredMs).pods >= first.revision;
  const shown = wasShown
    ? `, although its informer had shown the ${first.verb} of ${nameOf(first.object)} before the answer came: do not expect an event that has come`
    : '';
  return `. 300 s before that it had sent the ${first.verb} of ${names}, so it waited until the expectation of an event expired${shown}`;
}

/** After so long an expectation expires, give or take the time of the requests around it. */
const EXPIRY_MS = 300_000;
const EXPIRY_SLACK_MS = 1_000;

/** Names the last create or delete of a pod that failed; the controller must not expect its event. */
function lastRefusal({ requests, healedMs }: ReplicaSetHistory): string {
  const failed = requests.findLast(
    ({ verb, resource, error, sentMs }) =>
      resource === 'pods' &&
      (verb === 'create' || verb === 'delete') &&
      error !== undefined &&
      sentMs <= healedMs,
  );
  if (!failed) return '';
  const of = failed.name === undefined ? 'a pod' : failed.name;
  return `. Its last failed request was the ${failed.verb} of ${of} at ${failed.sentMs} ms; a failed request must not stay in the expectations`;
}

/** For how long caches that tell their version were older than what the controller had written, at most, to a power of two. */
function longestBehindMs(history: ReplicaSetHistory): number {
  const { isVersionless, knowledge, healedMs } = history;
  if (isVersionless) return 0;
  const writes = [
    ...podWrites(history).map((entry) => ({ ...entry, of: 'pods' as const })),
    ...setWrites(history).map((entry) => ({ ...entry, of: 'replicasets' as const })),
  ];
  return Math.max(
    0,
    ...writes
      .filter(({ atMs }) => atMs > healedMs - RECENT_MS)
      .map(({ atMs, revision, of }) => {
        let behindMs = 100;
        while (behindMs < LONGEST_BACKOFF_MS && knowledge.byThen(atMs + behindMs)[of] < revision)
          behindMs *= 2;
        return behindMs === 100 ? 0 : behindMs;
      }),
  );
}

const RECENT_MS = 1_200_000;

/** So long a rate limiter of items makes a key wait at most. */
const LONGEST_BACKOFF_MS = 1_000_000;

/** After so long it no longer waits for what it has not been told of. */
const PATIENCE_MS = 330_000;

/**
 * Of pods that it has created and has not been told of for five minutes it asks the server: if one of them is lost it makes up for
 * it. Where caches tell their version it waits instead, for as long as they are older than what it wrote.
 */
export const looksAgain: Law = (history) => {
  const { pods: all, sets, knowledge, requests, healedMs } = history;
  if (!history.isVersionless) return [];
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'create' ? sets.of(setOf(entry.object)) : undefined;
    const endMs = entry.atMs + PATIENCE_MS;
    if (!rs || endMs > healedMs) return [];
    const { bornMs, ...told } = knowledge.byThen(endMs);
    const isBlind = bornMs <= entry.atMs && told.pods < entry.revision;
    const isSame = (past: ObjectHistory<Pod> | ObjectHistory<ReplicaSet>): boolean =>
      past.versions.every(({ atMs }) => atMs <= entry.atMs + SOON_MS || atMs > endMs);
    const wanted = rs.atMs(endMs);
    if (!isBlind || !wanted || wanted.metadata.deletionTimestamp || !isSame(rs)) return [];
    const seen = knowledge.byThen(entry.atMs + SOON_MS).replicasets;
    const isUnheard = rs.versions.some(
      ({ actor, atMs, revision }) => actor !== PROCESS && atMs <= endMs && revision > seen,
    );
    if (isUnheard) return [];
    if (requests.some(({ error, sentMs }) => error !== undefined && sentMs > entry.atMs && sentMs < endMs))
      return [];
    const mine = all.all.filter((pod) =>
      pod.versions.some(({ object }) => object && setOf(object) === rs.id),
    );
    const active = mine.flatMap((pod) => pod.atMs(endMs) ?? []).filter((pod) => counts(wanted, pod)).length;
    if (active === wanted.spec.replicas || !mine.every(isSame)) return [];
    const message = `the controller has waited ${PATIENCE_MS / 1_000} s for an event about ${nameOf(entry.object)}, which it created; meanwhile ${nameOf(wanted)} has ${pods(active)} and wants ${wanted.spec.replicas}. After five minutes the expectation expires: ask the server`;
    return [{ atMs: endMs, message, object: nameOf(entry.object) }];
  });
};

/** So long after a create something may still happen that the controller hears of as soon as it hears. */
const SOON_MS = 20_000;

/**
 * When everything is as it should be, and the controller has been told, it writes nothing, and asks for nothing. As long as it
 * has not been told of all that happened before, it may act on what was.
 */
export const quietAtRest: Law = ({ restedMs, journal, requests, healedMs, epochMs, knowledge }) => {
  if (restedMs === undefined) {
    const since = requests.filter(({ sentMs }) => sentMs > healedMs);
    const last = since.at(-1);
    // It may have come to rest in a state that is wrong: other laws say so.
    if (!last || since.length < BUSY) return [];
    const message = `the controller has sent ${since.length} requests since the faults ended, and does not stop: the last is ${last.verb} ${last.resource} ${last.name ?? ''} at ${last.sentMs} ms${lastChange(journal)}`;
    return [{ atMs: last.sentMs, message }];
  }
  const newest = (plural: string): number =>
    journal.findLast(({ resource, atMs }) => resource.plural === plural && atMs <= restedMs)?.revision ?? 0;
  const last = { pods: newest('pods'), replicasets: newest('replicasets') };
  const wasTold = (atMs: number): boolean => {
    const known = knowledge.at(atMs);
    return known.pods >= last.pods && known.replicasets >= last.replicasets;
  };
  return journal
    .filter(({ actor, atMs }) => actor === PROCESS && atMs > restedMs + LATE_MS && wasTold(atMs))
    .filter(({ object }) => !isAboutThePast(object, epochMs + restedMs + LATE_MS))
    .map(({ atMs, verb, resource, object }) => ({
      atMs,
      message: `the controller sent ${verb} ${resource.plural}/${object.metadata.name}, although nothing needed to change`,
      object: object.metadata.name,
    }));
};

/** Names the change of the controller's last write. */
function lastChange(journal: readonly JournalEntry[]): string {
  const write = journal.findLast(({ actor }) => actor === PROCESS);
  if (!write) return '';
  const changed = changedBy(write);
  return changed === 'nothing'
    ? '. Its last write changed nothing: compare with the object before you write'
    : `. Its last write changed ${changed}`;
}

/** What it had begun to do is still to be done. */
const LATE_MS = 5_000;

/** An Event is tried many times, and may come late; what it tells of was before. */
function isAboutThePast(object: KubeObject, restedMs: number): boolean {
  const { lastTimestamp } = object as Partial<Event>;
  return typeof lastTimestamp === 'string' && Date.parse(lastTimestamp) <= restedMs;
}

/** A controller that has asked for so much since everything was well, and is not done, never will be. */
const BUSY = 1_000;

/** Something that is wrong in the end, and with what. */
interface Wrong {
  readonly of: Pod | ReplicaSet;
  readonly message: string;
}

/** What is wrong with ReplicaSets that are not being deleted, if the controller has not put it in order. */
function inTheEnd(
  history: ReplicaSetHistory,
  look: (rs: ReplicaSet, all: readonly Pod[], nowMs: number) => readonly Wrong[],
): readonly Violation[] {
  if (history.restedMs !== undefined) return [];
  const { leftMs: atMs } = history;
  const { revision = 0 } = history.journal.at(-1) ?? {};
  const all = history.pods.allAt(revision);
  return history.left.flatMap((rs) =>
    look(rs, all, history.epochMs + atMs).map(({ of, message }) => ({
      atMs,
      message,
      object: nameOf(of),
    })),
  );
}
