import type { Event, KubeObject, Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { Violation } from '../../../testing/holds.ts';
import { changedBy } from '../../../testing/rig/changed.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import type { ReplicaSetHistory } from '../history/index.ts';
import { podWrites, setOf, setWrites } from '../history/writes.ts';
import { PROCESS } from '../operations.ts';
import { counts, isActive, selects } from '../oracle/truth.ts';
import { nameOf, pods, statusErrors } from '../render/names.ts';
import type { Law } from './safety.ts';

/** In the end each ReplicaSet has exactly `spec.replicas` active pods. */
export const converges: Law = (history) =>
  inTheEnd(history, (rs, all) => {
    const counted = all.filter((pod) => counts(rs, pod)).length;
    const wanted = rs.spec.replicas;
    if (counted === wanted) return [];
    return [{ of: rs, message: `in the end ${nameOf(rs)} has ${pods(counted)}; spec.replicas is ${wanted}` }];
  });

/** In the end every selected pod has a controller, and every controlled pod is selected. */
export const adoptsAndReleases: Law = (history) =>
  inTheEnd(history, (rs, all) =>
    all.filter(isActive).flatMap((pod) => {
      const owner = controllerOf(pod);
      if (!owner && selects(rs, pod))
        return [
          {
            of: pod,
            message: `in the end ${nameOf(pod)} has no controller, although ${nameOf(rs)} selects it: adopt the pod`,
          },
        ];
      if (owner?.uid !== rs.metadata.uid || selects(rs, pod)) return [];
      const message = `in the end ${nameOf(rs)} still controls ${nameOf(pod)}, although its selector does not match: release the pod`;
      return [{ of: pod, message }];
    }),
  );

/** In the end each status is correct. */
export const finalStatus: Law = (history) =>
  inTheEnd(history, (rs, all, nowMs) =>
    statusErrors(rs, all, nowMs).map((error) => ({
      of: rs,
      message: `in the end the status of ${nameOf(rs)} is wrong: ${error}${lastStatusWrite(history, rs)}`,
    })),
  );

/** Returns the reason of an error of a request. */
function reasonOf(error: unknown): string {
  const { reason, code } = error as { readonly reason?: string; readonly code?: string };
  return reason ?? code ?? String(error);
}

/** Describes the last updateStatus of a ReplicaSet, on a line below the headline. */
function lastStatusWrite({ requests }: ReplicaSetHistory, rs: ReplicaSet): string {
  const last = requests.findLast(({ verb, name }) => verb === 'updateStatus' && name === nameOf(rs));
  if (!last) return '\n  The controller never sent an updateStatus of it.';
  const sent = `\n  Its last updateStatus was sent at ${last.sentMs} ms`;
  if (last.error === undefined) return sent;
  return `${sent} and failed with ${reasonOf(last.error)}, and none followed: after a failed request the key is retried`;
}

/** The time after which a request without a response fails, and the work that follows. */
const ANSWER_MS = 75_000;

/**
 * Everything is in order soon after the last fault. The limit allows for one request without a response and for the back-off of a key.
 * A key fails when a request fails, and while its caches are older than its writes; each failure doubles the wait. After a relist the
 * controller may also wait for a pod that it never observed.
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
  const message = `the controller needed ${Math.round(tookMs / 1_000)} s after the last fault to put everything in order${lateWrite(history)}${lastFailure(history)}${expired(history)}. Do not wait for events that never come`;
  return [{ atMs: healedMs + ANSWER_MS, message }];
};

/** Describes the first late write, and the pods of its ReplicaSet until then. Empty if no write was late. */
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
  const until = rs
    ? `; until then ${nameOf(rs)} had ${pods(before)}, and spec.replicas was ${rs.spec.replicas}`
    : '';
  return `: the ${write.verb} of ${nameOf(write.object)} came only at ${write.atMs} ms${until}`;
}

/** Describes the deletes and creates whose expectations expired at the time of the late write. */
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

/** The lifetime of an expectation, and the tolerance for the requests around it. */
const EXPIRY_MS = 300_000;
const EXPIRY_SLACK_MS = 1_000;

/** Describes the last failed create or delete of a pod; the controller must not expect its event. */
function lastFailure({ requests, healedMs }: ReplicaSetHistory): string {
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

/** The longest time that caches with versions were older than a write of the controller, rounded up to a power of two. */
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

/** The longest back-off of a key. */
const LONGEST_BACKOFF_MS = 1_000_000;

/** The time after which the controller must have stopped waiting for an event. */
const PATIENCE_MS = 330_000;

/**
 * If no event about a created pod comes for five minutes, the controller reads from the server and replaces lost pods. With caches
 * that report their version it waits instead until they show its writes.
 */
export const looksAgain: Law = (history) => {
  const { pods: all, sets, knowledge, requests, healedMs } = history;
  if (!history.isVersionless) return [];
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'create' ? sets.of(setOf(entry.object)) : undefined;
    const endMs = entry.atMs + PATIENCE_MS;
    if (!rs || endMs > healedMs) return [];
    const { bornMs, ...observed } = knowledge.byThen(endMs);
    const isBlind = bornMs <= entry.atMs && observed.pods < entry.revision;
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
    const message = `the controller has waited ${PATIENCE_MS / 1_000} s for an event about ${nameOf(entry.object)}, which it created; meanwhile ${nameOf(wanted)} has ${pods(active)}, but spec.replicas is ${wanted.spec.replicas}. After 300 s the expectation expires: read the pods from the server. ${lastRequest(history, endMs)}`;
    return [{ atMs: endMs, message, object: nameOf(entry.object) }];
  });
};

/** Describes the last request about pods or ReplicaSets before a time; a watch shows no sync. */
function lastRequest({ requests }: ReplicaSetHistory, endMs: number): string {
  const last = requests.findLast(({ verb, sentMs }) => verb !== 'watch' && sentMs <= endMs);
  return last
    ? `The last request of the controller was ${last.verb} ${last.resource} ${last.name ?? ''}`.trimEnd() +
        ` at ${last.sentMs} ms`
    : 'The controller has sent no request';
}

/** Changes within this time after a create may arrive together with its event. */
const SOON_MS = 20_000;

/**
 * The controller writes nothing if nothing needs to change and it has observed that. Until then it may act on an earlier state.
 */
export const quietAtRest: Law = (history) => {
  const { restedMs, journal, requests, healedMs, epochMs, knowledge } = history;
  if (restedMs === undefined) {
    const since = requests.filter(({ sentMs }) => sentMs > healedMs);
    const last = since.at(-1);
    // It may have stopped in a wrong state: other laws report that.
    if (!last || since.length < BUSY) return [];
    const message = `the controller has sent ${since.length} requests since the faults ended, and does not stop: the last is ${last.verb} ${last.resource} ${last.name ?? ''} at ${last.sentMs} ms${lastChange(history)}`;
    return [{ atMs: last.sentMs, message }];
  }
  const newest = (plural: string): number =>
    journal.findLast(({ resource, atMs }) => resource.plural === plural && atMs <= restedMs)?.revision ?? 0;
  const last = { pods: newest('pods'), replicasets: newest('replicasets') };
  const hadObserved = (atMs: number): boolean => {
    const known = knowledge.at(atMs);
    return known.pods >= last.pods && known.replicasets >= last.replicasets;
  };
  return journal
    .filter(({ actor, atMs }) => actor === PROCESS && atMs > restedMs + LATE_MS && hadObserved(atMs))
    .filter(({ object }) => !isAboutThePast(object, epochMs + restedMs + LATE_MS))
    .map(({ atMs, verb, resource, object }) => ({
      atMs,
      message: `the controller sent ${verb} ${resource.plural}/${object.metadata.name}, although nothing needed to change`,
      object: object.metadata.name,
    }));
};

/** Describes the controller's last write, and the errors in the status that it leaves. */
function lastChange(history: ReplicaSetHistory): string {
  const write = history.journal.findLast(({ actor }) => actor === PROCESS);
  if (!write) return '';
  const changed = changedBy(write);
  if (changed === 'nothing')
    return '. Its last write changed nothing: compare with the object before you write';
  const wrong = inTheEnd(history, (rs, all, nowMs) =>
    rs.metadata.uid === write.object.metadata.uid
      ? statusErrors(rs, all, nowMs).map((error) => ({ of: rs, message: error }))
      : [],
  ).map(({ message }) => message);
  return `. Its last write changed ${changed}${wrong.length > 0 ? `; the status is wrong: ${wrong.join(', ')}` : ''}`;
}

/** The time to finish work that is in progress. */
const LATE_MS = 5_000;

/** An Event is retried many times, so it may come long after its cause. */
function isAboutThePast(object: KubeObject, restedMs: number): boolean {
  const { lastTimestamp } = object as Partial<Event>;
  return typeof lastTimestamp === 'string' && Date.parse(lastTimestamp) <= restedMs;
}

/** A controller that has sent this many requests since the last fault will never stop. */
const BUSY = 1_000;

/** An error in the final state, and its object. */
interface Wrong {
  readonly of: Pod | ReplicaSet;
  readonly message: string;
}

/** Violations in the final state; empty if the run ended with everything in order. */
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
