import { deepEqual } from '../../api/freeze.ts';
import type { Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Violation } from '../../testing/holds.ts';
import type { ObjectHistory } from '../../testing/rig/object-history.ts';
import type { Known, ReplicaSetHistory } from './history.ts';
import { nameOf, pods } from './names.ts';
import { PROCESS } from './step.ts';
import { counts, isActive, mayCount, selects } from './truth.ts';
import { podWrites, setOf } from './writes.ts';

/**
 * The laws that say what never happens. Each reads one history and names every place where it is broken.
 *
 * Reads a history; empty when the law holds.
 */
export type Law = (history: ReplicaSetHistory) => readonly Violation[];

/**
 * However late the cache, whatever is refused, unanswered or forgotten: if the controller creates a pod, then of the pods that it
 * created or adopted for the ReplicaSet, and that nothing else has changed, no more are active than it wants, or wanted when
 * the controller looked.
 */
export const neverTooMany: Law = (history) => {
  const { pods: all, sets } = history;
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'create' ? sets.of(setOf(entry.object)) : undefined;
    if (!rs) return [];
    const known = history.knowledge.at(entry.atMs);
    const wanted = Math.max(...wantedSince(rs, known, entry.revision));
    const active = all.all.filter((pod) => isOwnWork(pod, rs.last, entry.revision));
    if (active.length <= wanted) return [];
    const name = called(rs, history);
    return [
      violation(
        entry,
        `the controller created ${nameOf(entry.object)} for ${name}, which then has ${pods(active.length)} and wants ${wanted}; ${ownPods(active, rs, known, entry, history.requests)}`,
      ),
    ];
  });
};

/** Which pods make too many, and how the controller could know of them: by an event, or by its own expectations. */
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
    return `it had created or adopted ${names(others)} before, and its informer had shown that`;
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
    ? `the expectation has expired, so read the pods from the server before you create more${failed ? `; without an answer (its ${failed.verb} of ${failed.resource} at ${failed.sentMs} ms failed) do nothing` : ''}`
    : 'while an expectation is not fulfilled, create nothing; read the expectations before the cache';
  return earlier.length > 0
    ? `it had created ${names(earlier)} in an earlier run, which its first list does not show yet: that list can be stale`
    : `it had ${did} ${names(unseen)} itself, but its informer does not show that yet: ${rule}`;
}

/**
 * Active at that revision, created or adopted by the controller for the set, and changed since by a node alone. One that was no longer
 * selected when it was adopted does not count: the controller may know that by now.
 */
function isOwnWork(pod: ObjectHistory<Pod>, rs: ReplicaSet, revision: number): boolean {
  const now = pod.at(revision);
  const taken = pod.versions.find(({ object }) => setOf(object) === rs.metadata.uid);
  if (!now || !isActive(now) || taken?.actor !== PROCESS || taken.revision > revision) return false;
  if (!taken.object || !selects(rs, taken.object)) return false;
  return pod
    .statesBetween(taken.revision, revision)
    .every(
      ({ metadata }) =>
        deepEqual(metadata.labels, taken.object?.metadata.labels) &&
        deepEqual(metadata.ownerReferences, taken.object?.metadata.ownerReferences),
    );
}

/**
 * Of the pods that count, the controller never leaves fewer than the ReplicaSet wants: it deletes no more than are too
 * many. What others took away meanwhile is not laid to its charge.
 */
export const neverTooFew: Law = (history) => {
  const { pods: all, sets } = history;
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'delete' && entry.previous ? sets.of(setOf(entry.previous)) : undefined;
    if (!rs || !entry.previous || !isActive(entry.previous)) return [];
    const known = history.knowledge.at(entry.atMs);
    const wanted = Math.min(...wantedSince(rs, known, entry.revision));
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
    return [
      violation(
        entry,
        `the controller deleted ${nameOf(entry.object)}, although ${name} then has only ${pods(left)} and wants ${wanted}; pods that it has deleted before and that its informer still shows do not count`,
      ),
    ];
  });
};

/** A controller that waits for longer than this may give up; one that begins anew knows nothing of it. */
const REMEMBERED_MS = 300_000;

/** Has the controller deleted the pod in this life of its, not too long ago? Then it must know of it. */
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
 * What is not its own is not the controller's business: it takes no pod that something else controls, deletes none that
 * no ReplicaSet had, and changes nothing of a pod except its owner.
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
      return had ? [] : [violation(entry, `the controller deleted ${name}, which no ReplicaSet controlled`)];
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
            `the controller adopted ${name} for ${nameOf(taker.last)}, whose selector does not match it`,
          ),
        ];
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
        `the controller added or removed an owner of ${name} that is not its controller; leave other owners as they are`,
      ),
    ];
  });
};

function apartFromOwners({ metadata, spec, status }: Pod) {
  const { resourceVersion, ownerReferences, managedFields, ...rest } = metadata;
  return { metadata: rest, spec, status };
}

/**
 * Once the controller has been told that a ReplicaSet is being deleted, or is gone, it does nothing about its pods any
 * more. And it adopts nothing for one that is, whether or not it has been told: it asks first.
 */
export const leavesTheDeletedAlone: Law = (history) => {
  const { sets } = history;
  return podWrites(history).flatMap((entry) => {
    const [before, after] = [setOf(entry.previous), setOf(entry.object)];
    const adopts = entry.type === 'MODIFIED' && before === undefined && after !== undefined;
    const rs = sets.of(entry.type === 'ADDED' || adopts ? after : before);
    const dying = rs && dyingSince(rs);
    if (!rs || !dying) return [];
    const known = history.knowledge.at(entry.atMs);
    const told = dying.revision <= known.replicasets;
    const asked = adopts && dying.atMs <= known.sinceMs;
    if (!told && !asked) return [];
    const did =
      entry.type === 'ADDED' ? 'created' : adopts ? 'adopted' : before === after ? 'deleted' : 'released';
    const why = told
      ? 'although its cache had shown that this ReplicaSet is being deleted or gone'
      : 'which was already being deleted or gone: ask the server before you adopt';
    return [violation(entry, `the controller ${did} ${nameOf(entry.object)} for ${nameOf(rs.last)}, ${why}`)];
  });
};

function dyingSince({
  versions,
  end,
}: ObjectHistory<ReplicaSet>): { revision: number; atMs: number } | undefined {
  return versions.find(({ object }) => object?.metadata.deletionTimestamp) ?? end;
}

/** Its name; if there were several of that name, also which of them it is. */
function called(rs: ObjectHistory<ReplicaSet>, { sets }: ReplicaSetHistory): string {
  const name = nameOf(rs.last);
  const namesakes = sets.all.filter(({ last }) => nameOf(last) === name);
  if (namesakes.length === 1) return name;
  return `the ${ORDINALS[namesakes.indexOf(rs)] ?? 'last'} ${name}`;
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** What the set wanted, from what the controller knew when it began until then. */
function wantedSince(rs: ObjectHistory<ReplicaSet>, known: Known, revision: number): readonly number[] {
  const states = rs.statesBetween(known.replicasets, revision);
  // Of one that was gone before the controller knew it: the last that there was to know.
  return (states.length > 0 ? states : [rs.last]).map(({ spec }) => spec.replicas);
}

/**
 * A violation at the moment of this write.
 *
 * @param object the object at fault. @defaultValue the object that was written
 */
export function violation(
  { atMs, object: written }: JournalEntry<Pod> | JournalEntry<ReplicaSet>,
  message: string,
  object: Pod | ReplicaSet = written,
): Violation {
  return { atMs, message, object: nameOf(object) };
}
