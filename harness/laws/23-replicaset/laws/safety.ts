import { deepEqual } from '../../../api/freeze.ts';
import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import type { Known, ReplicaSetHistory } from '../history/index.ts';
import { readBefore } from '../history/reads.ts';
import { podWrites, setOf } from '../history/writes.ts';
import { PROCESS } from '../operations.ts';
import { counts, isActive, mayCount, selects } from '../oracle/truth.ts';
import { nameOf, pods } from '../render/names.ts';

/**
 * A law: returns every violation in a history.
 *
 * The laws of this file are safety properties.
 */
export type Law = (history: ReplicaSetHistory) => readonly Violation[];

/**
 * After each create, the active pods that the controller created or adopted for the ReplicaSet number at most `spec.replicas`. The
 * value may be any that the controller can have read. Pods that others changed do not count. This holds under every fault.
 */
export const neverTooMany: Law = (history) => {
  const { pods: all, sets } = history;
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'create' ? sets.of(setOf(entry.object)) : undefined;
    if (!rs) return [];
    const known = history.knowledge.at(entry.atMs);
    const wanted = Math.max(...wantedSince(history, rs, entry));
    const active = all.all.filter((pod) => isOwnWork(pod, rs.last, entry.revision));
    if (active.length <= wanted) return [];
    const name = called(rs, history);
    const why = ignoredRead(history, rs, entry) ?? ownPods(active, rs, known, entry, history.requests);
    return [
      violation(
        entry,
        `the controller created ${nameOf(entry.object)} for ${name}, which then has ${pods(active.length)}, but spec.replicas is ${wanted}; ${why}`,
      ),
    ];
  });
};

/** Explains that the controller had just read another `spec.replicas` from the server than its cache can have; undefined otherwise. */
function ignoredRead(
  history: ReplicaSetHistory,
  rs: ObjectHistory<ReplicaSet>,
  entry: JournalEntry<Pod>,
): string | undefined {
  const read = readBefore(history, rs, entry);
  const { replicasets } = history.knowledge.at(entry.atMs);
  const cached = rs.statesBetween(replicasets, entry.revision);
  if (!read || cached.every(({ spec }) => spec.replicas === read.spec.replicas)) return undefined;
  return `just before, it had read spec.replicas ${read.spec.replicas} from the server: act on the ReplicaSet that you read, not on the cached one`;
}

/** Explains which pods are the surplus, and how the controller could know of them: by events, or by its expectations. */
function ownPods(
  active: readonly ObjectHistory<Pod>[],
  rs: ObjectHistory<ReplicaSet>,
  known: Known,
  entry: JournalEntry<Pod>,
  requests: ReplicaSetHistory['requests'],
): string {
  const takes = active.flatMap(
    ({ versions }) => versions.find(({ object }) => setOf(object) === rs.id) ?? [],
  );
  const others = takes.filter(({ revision }) => revision !== entry.revision);
  const unseen = others.filter(({ revision }) => revision > known.pods);
  const names = (some: typeof takes): string =>
    some.flatMap(({ object }) => (object ? [nameOf(object)] : [])).join(', ');
  if (unseen.length === 0)
    return `it had created or adopted ${names(others)} before, and its informer had already delivered those events`;
  const earlier = unseen.filter(({ atMs }) => atMs < known.bornMs);
  const did = active.some(({ versions: [born] }) => born && unseen.length > 0 && setOf(born.object) !== rs.id)
    ? 'adopted or created'
    : 'created';
  const failed = requests.findLast(
    ({ verb, error, sentMs }) =>
      (verb === 'list' || verb === 'get') && error !== undefined && sentMs <= entry.atMs,
  );
  const isExpired = unseen.every(({ atMs }) => entry.atMs - atMs >= REMEMBERED_MS);
  const rule = isExpired
    ? `the expectation has expired, so read the pods from the server before you create more${failed ? `; if that fails, as its ${failed.verb} of ${failed.resource} at ${failed.sentMs} ms did, create nothing` : ''}`
    : 'create nothing while an expectation is not fulfilled, and read the expectations before the cache';
  return earlier.length > 0
    ? `it had created ${names(earlier)} before it was restarted, but its first list does not show them: that list can be stale`
    : `it had ${did} ${names(unseen)} itself, but its informer had not delivered those events yet: ${rule}`;
}

/**
 * Tests whether a pod is active at a revision, was created or adopted by the controller for the ReplicaSet, and was then changed only
 * by nodes. A pod that did not match the selector when it was adopted does not count: the controller may have observed that by now.
 */
function isOwnWork(pod: ObjectHistory<Pod>, rs: ReplicaSet, revision: number): boolean {
  const now = pod.at(revision);
  const claimed = pod.versions.find(({ object }) => setOf(object) === rs.metadata.uid);
  if (!now || !isActive(now) || claimed?.actor !== PROCESS || claimed.revision > revision) return false;
  if (!claimed.object || !selects(rs, claimed.object)) return false;
  return pod
    .statesBetween(claimed.revision, revision)
    .every(
      ({ metadata }) =>
        deepEqual(metadata.labels, claimed.object?.metadata.labels) &&
        deepEqual(metadata.ownerReferences, claimed.object?.metadata.ownerReferences),
    );
}

/** Each delete leaves at least `spec.replicas` pods. Pods that others removed meanwhile still count. */
export const neverTooFew: Law = (history) => {
  const { pods: all, sets } = history;
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'delete' && entry.previous ? sets.of(setOf(entry.previous)) : undefined;
    if (!rs || !entry.previous || !isActive(entry.previous)) return [];
    const known = history.knowledge.at(entry.atMs);
    const wanted = Math.min(...wantedSince(history, rs, entry));
    let left = 0;
    let lost = 0;
    for (const pod of all.all) {
      const now = pod.at(entry.revision);
      if (now && counts(rs.last, now)) left++;
      else if (pod.id === entry.previous.metadata.uid) continue;
      else if (pod.statesBetween(known.pods, entry.revision).some((state) => mayCount(rs.last, state))) {
        if (!wasDeletedBefore(pod, entry, known)) lost++;
      }
    }
    if (left + lost >= wanted) return [];
    const name = called(rs, history);
    const why =
      ignoredRead(history, rs, entry) ??
      'pods that it deleted before do not count, even if its informer still shows them';
    return [
      violation(
        entry,
        `the controller deleted ${nameOf(entry.object)}, although ${name} then has only ${pods(left)} and spec.replicas is ${wanted}; ${why}`,
      ),
    ];
  });
};

/** The lifetime of an expectation. */
const REMEMBERED_MS = 300_000;

/** Tests whether this incarnation of the controller deleted the pod, and its expectation has not expired. */
function wasDeletedBefore(
  { versions, end }: ObjectHistory<Pod>,
  entry: JournalEntry<Pod>,
  { bornMs }: Known,
): boolean {
  const marked = versions.find(({ object }) => object?.metadata.deletionTimestamp) ?? end;
  if (marked?.actor !== PROCESS || marked.revision >= entry.revision) return false;
  return marked.atMs >= Math.max(bornMs, entry.atMs - REMEMBERED_MS);
}

/**
 * The controller takes no pod that another controller owns, adopts only active pods that its selector matches, deletes only pods of a
 * ReplicaSet, and changes only the controller reference of a pod.
 */
export const leavesOthersAlone: Law = (history) => {
  const { pods: all } = history;
  return podWrites(history).flatMap((entry) => {
    const { object, previous, revision } = entry;
    if (!previous) return [];
    const name = nameOf(object);
    if (entry.verb === 'delete') {
      const { pods: known } = history.knowledge.at(entry.atMs);
      const pod = all.of(previous.metadata.uid);
      const had = pod?.statesBetween(known, revision - 1).some((state) => setOf(state) !== undefined);
      if (had) return [];
      const former = all.all.find(
        ({ id, last }) => id !== previous.metadata.uid && nameOf(last) === name && setOf(last) !== undefined,
      );
      const why = former
        ? `: it has replaced another pod of that name, uid ${former.id}, which the ReplicaSet controlled; delete with a precondition on the uid`
        : '';
      return [
        violation(
          entry,
          `the controller deleted ${name} (uid ${previous.metadata.uid}), which no ReplicaSet controlled${why}`,
        ),
      ];
    }
    const [before, after] = [controllerOf(previous), controllerOf(object)];
    const taker = before ? undefined : history.sets.of(setOf(object));
    if (taker) {
      const known = history.knowledge.at(entry.atMs);
      const states = all.of(object.metadata.uid)?.statesBetween(known.pods, revision - 1) ?? [];
      if (!states.some((state) => selects(taker.last, state)))
        return [
          violation(
            entry,
            `the controller adopted ${name} for ${nameOf(taker.last)}, whose selector ${JSON.stringify(taker.last.spec.selector)} does not match its labels ${JSON.stringify(previous.metadata.labels)}`,
          ),
        ];
      if (!states.some((state) => isActive(state))) {
        const state = previous.metadata.deletionTimestamp
          ? 'is being deleted'
          : `has ended (phase ${previous.status.phase})`;
        return [
          violation(
            entry,
            `the controller adopted ${name} for ${nameOf(taker.last)}, although the pod ${state}: claim only active pods`,
          ),
        ];
      }
    }
    if (before && after && before.uid !== after.uid) {
      return [
        violation(
          entry,
          `the controller took ${name} from ${before.kind} ${before.name}, which controlled it`,
        ),
      ];
    }
    if (!deepEqual(apartFromOwners(previous), apartFromOwners(object))) {
      return [violation(entry, `the controller changed more of ${name} than its ownerReferences`)];
    }
    const others = (pod: Pod) => (pod.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
    if (deepEqual(others(previous), others(object))) return [];
    return [
      violation(
        entry,
        `the controller added or removed an owner of ${name} that is not its controller: keep the other owners`,
      ),
    ];
  });
};

function apartFromOwners({ metadata, spec, status }: Pod) {
  const { resourceVersion, ownerReferences, managedFields, ...rest } = metadata;
  return { metadata: rest, spec, status };
}

/**
 * After the controller has observed that a ReplicaSet is being deleted or gone, it does not write its pods. It never adopts a pod for
 * such a ReplicaSet, observed or not: it must read the ReplicaSet from the server first.
 */
export const respectsDeletion: Law = (history) => {
  const { sets } = history;
  return podWrites(history).flatMap((entry) => {
    const [before, after] = [setOf(entry.previous), setOf(entry.object)];
    const adopts = entry.type === 'MODIFIED' && before === undefined && after !== undefined;
    const rs = sets.of(entry.type === 'ADDED' || adopts ? after : before);
    const dying = rs && dyingSince(rs);
    if (!rs || !dying) return [];
    const known = history.knowledge.at(entry.atMs);
    const hasObserved = dying.revision <= known.replicasets;
    const mustRead = adopts && dying.atMs <= known.sinceMs;
    if (!hasObserved && !mustRead) return [];
    const did =
      entry.type === 'ADDED' ? 'created' : adopts ? 'adopted' : before === after ? 'deleted' : 'released';
    const why = hasObserved
      ? 'although its cache had shown that this ReplicaSet is being deleted or gone'
      : 'which was already being deleted or gone: read the ReplicaSet from the server before you adopt';
    return [violation(entry, `the controller ${did} ${nameOf(entry.object)} for ${nameOf(rs.last)}, ${why}`)];
  });
};

function dyingSince({
  versions,
  end,
}: ObjectHistory<ReplicaSet>): { revision: number; atMs: number } | undefined {
  return versions.find(({ object }) => object?.metadata.deletionTimestamp) ?? end;
}

/** The name of a ReplicaSet, with an ordinal if several had that name. */
function called(rs: ObjectHistory<ReplicaSet>, { sets }: ReplicaSetHistory): string {
  const name = nameOf(rs.last);
  const sameName = sets.all.filter(({ last }) => nameOf(last) === name);
  if (sameName.length === 1) return name;
  return `the ${ORDINALS[sameName.indexOf(rs)] ?? 'last'} ${name}`;
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** The values of `spec.replicas` by which the controller can have sent this write. */
function wantedSince(
  history: ReplicaSetHistory,
  rs: ObjectHistory<ReplicaSet>,
  entry: JournalEntry<Pod>,
): readonly number[] {
  const { replicasets } = history.knowledge.at(entry.atMs);
  const read = Number(readBefore(history, rs, entry)?.metadata.resourceVersion ?? 0);
  const states = rs.statesBetween(Math.max(replicasets, read), entry.revision);
  // It was deleted before the controller observed it: take its last state.
  return (states.length > 0 ? states : [rs.last]).map(({ spec }) => spec.replicas);
}

/**
 * A violation at the moment of this write.
 *
 * @param object - the object at fault. @defaultValue the written object
 */
export function violation(
  { atMs, object: written }: JournalEntry<Pod> | JournalEntry<ReplicaSet>,
  message: string,
  object: Pod | ReplicaSet = written,
): Violation {
  return { atMs, message, object: nameOf(object) };
}
