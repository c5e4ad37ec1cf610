import { deepEqual } from '../../api/freeze.ts';
import type { Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Breach } from '../../testing/holds.ts';
import type { ObjectPast } from '../../testing/rig/past.ts';
import type { RecordedRequest } from '../../testing/rig/recorder.ts';
import type { Known, ReplicaSetHistory } from './history.ts';
import { PROCESS } from './step.ts';
import { counts, isActive, mayCount, terminates } from './truth.ts';
import { COUNTS, countNames, nameOf, pods, said } from './words.ts';
import { podWrites, setOf, setWrites } from './writes.ts';

/**
 * The laws that say what never happens. Each reads one history and names every place where it is broken.
 *
 * Reads a history; empty when the law holds.
 */
export type Law = (history: ReplicaSetHistory) => readonly Breach[];

/**
 * However late the cache, whatever is refused, unanswered or forgotten: of the pods that the controller created for a
 * ReplicaSet, and that nobody else has changed, no more are ever active than it wants, or wanted when the controller
 * looked.
 */
export const neverTooMany: Law = (history) => {
  const { pods: all, sets } = history;
  return podWrites(history).flatMap((entry) => {
    const rs = entry.verb === 'create' ? sets.of(setOf(entry.object)) : undefined;
    if (!rs) return [];
    const known = history.knowledge.at(entry.atMs);
    const wanted = Math.max(...wantedSince(rs, known, entry.revision));
    const active = all.all.filter((pod) => isOwnWork(pod, rs.id, entry.revision));
    if (active.length <= wanted) return [];
    const name = nameOf(rs.last);
    return [
      breach(
        entry,
        `${nameOf(entry.object)} was created for ${name}, which wants ${pods(wanted)}; now it has ${active.length}`,
      ),
    ];
  });
};

/** Active at that revision, created by the controller for the set, and in nobody's hands since but a node's. */
function isOwnWork(pod: ObjectPast<Pod>, set: string, revision: number): boolean {
  const [first] = pod.versions;
  const now = pod.at(revision);
  const created = first?.object;
  if (!now || !isActive(now) || first?.actor !== PROCESS || setOf(created) !== set) return false;
  return pod
    .statesBetween(0, revision)
    .every(
      ({ metadata }) =>
        deepEqual(metadata.labels, created?.metadata.labels) &&
        deepEqual(metadata.ownerReferences, created?.metadata.ownerReferences),
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
      else if (pod.statesBetween(known.pods, entry.revision).some((state) => mayCount(rs.last, state))) {
        if (!wasDeletedBefore(pod, entry, known)) lost++;
      }
    }
    if (left + lost >= wanted) return [];
    const name = nameOf(rs.last);
    return [
      breach(
        entry,
        `${nameOf(entry.object)} was deleted, though ${name} wants ${pods(wanted)}; now it has ${left}`,
      ),
    ];
  });
};

/** Who waits for longer than this may give up, and who begins anew knows nothing of it. */
const REMEMBERED_MS = 300_000;

/** Has the controller deleted the pod in this life of its, not too long ago? Then it is the one who must know of it. */
function wasDeletedBefore(
  { versions, end }: ObjectPast<Pod>,
  entry: JournalEntry<Pod>,
  { bornMs }: Known,
): boolean {
  const marked = versions.find(({ object }) => object?.metadata.deletionTimestamp) ?? end;
  if (marked?.actor !== PROCESS || marked.revision >= entry.revision) return false;
  return marked.atMs >= Math.max(bornMs, entry.atMs - REMEMBERED_MS);
}

/**
 * What is not its own is not the controller's business: it takes no pod that something else controls, deletes none that
 * no ReplicaSet had, and changes nothing of a pod but who owns it.
 */
export const handsOff: Law = (history) => {
  const { pods: all } = history;
  return podWrites(history).flatMap((entry) => {
    const { object, previous, revision } = entry;
    if (!previous) return [];
    const name = nameOf(object);
    if (entry.verb === 'delete') {
      const { pods: known } = history.knowledge.at(entry.atMs);
      const pod = all.of(previous.metadata.uid);
      const had = pod?.statesBetween(known, revision - 1).some((state) => setOf(state) !== undefined);
      return had ? [] : [breach(entry, `${name} was deleted, but no ReplicaSet controlled it`)];
    }
    const [before, after] = [controllerOf(previous), controllerOf(object)];
    if (before && after && before.uid !== after.uid) {
      return [breach(entry, `${name} was taken from ${before.kind} ${before.name}, which controlled it`)];
    }
    if (!deepEqual(apartFromOwners(previous), apartFromOwners(object))) {
      return [breach(entry, `${name} was changed in more than its owners`)];
    }
    const others = (pod: Pod) => (pod.metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
    if (deepEqual(others(previous), others(object))) return [];
    return [breach(entry, `${name} has lost or gained an owner that does not control it`)];
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
export const leavesTheDyingAlone: Law = (history) => {
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
      ? 'which it knew to be going or gone'
      : 'which was going or gone when it could have asked';
    return [breach(entry, `${nameOf(entry.object)} was ${did} for ${nameOf(rs.last)}, ${why}`)];
  });
};

function dyingSince({
  versions,
  end,
}: ObjectPast<ReplicaSet>): { revision: number; atMs: number } | undefined {
  return versions.find(({ object }) => object?.metadata.deletionTimestamp) ?? end;
}

/**
 * Of the creates for one ReplicaSet no more are under way at once than one and as many as have succeeded since the last
 * that failed: one, then two, then four.
 */
export const startsSlowly: Law = ({ requests }) =>
  creates(requests).flatMap((create) => {
    const { underWay, successes } = soFar(create, requests);
    if (underWay <= 1 + successes) return [];
    const message = `${underWay} creates under way at once, though only ${successes} in a row had succeeded`;
    return [{ atMs: create.sentMs, message }];
  });

/** The first wait of a rate limiter; each is twice as long as the one before. */
const RETRY_MS = 5;

/**
 * Creates that fail are tried again less and less often: 5 ms later, 10, 20. What the controller hears meanwhile may
 * make it try at once. Where it wanted another number of pods meanwhile, a sync may have gone well with nothing to create,
 * and the waits begin anew.
 */
export const backsOff: Law = ({ requests, knowledge, sets }) =>
  creates(requests).flatMap((create) => {
    const { underWay, failures } = soFar(create, requests);
    const [first] = failures;
    if (underWay > 1 || !first) return [];
    const sinceMs = create.sentMs - first.sentMs;
    const wanted = sets.of(ownerOf(create))?.duringMs(first.sentMs, create.sentMs) ?? [];
    const ladders = wanted.filter(
      (rs, i) => i === 0 || rs?.spec.replicas !== wanted[i - 1]?.spec.replicas,
    ).length;
    const timers = Math.ceil(Math.log2(sinceMs / RETRY_MS + 2));
    const allowed = 2 + Math.max(1, ladders) * timers + knowledge.heard(first.sentMs, create.sentMs);
    const tries = new Set(failures.map(({ sentMs }) => sentMs)).size + 1;
    if (tries <= allowed) return [];
    return [
      { atMs: create.sentMs, message: `tried ${tries} times in ${sinceMs} ms to create what was refused` },
    ];
  });

function creates(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return requests.filter(({ verb, resource }) => verb === 'create' && resource === 'pods');
}

/** The uid of the ReplicaSet that a pod was to be created for. */
function ownerOf({ request }: RecordedRequest): string | undefined {
  return request.verb === 'create' ? controllerOf(request.object)?.uid : undefined;
}

/** How the creates for the same ReplicaSet stood when one more was sent, in this life of the controller. */
function soFar(
  create: RecordedRequest,
  requests: readonly RecordedRequest[],
): { underWay: number; successes: number; failures: readonly RecordedRequest[] } {
  const { life, sentAs } = create;
  const own = creates(requests).filter(
    (one) => one.life === life && ownerOf(one) === ownerOf(create) && one.sentAs < sentAs,
  );
  const answered = own
    .filter(({ answeredAs = Number.POSITIVE_INFINITY }) => answeredAs < sentAs)
    .sort((a, b) => (a.answeredAs ?? 0) - (b.answeredAs ?? 0));
  const failed = (request: RecordedRequest): boolean => request.error !== undefined;
  return {
    underWay: own.length - answered.length + 1,
    successes: answered.length - 1 - answered.findLastIndex(failed),
    failures: answered.slice(1 + answered.findLastIndex((request) => !failed(request))),
  };
}

/**
 * A status tells of a moment that was: each count lies between the pods that counted all the time and those that counted
 * at some time, from what the controller knew when it looked until it wrote. The generation observed is never one that
 * is not there yet, and never goes back.
 */
export const tellsTheTruth: Law = (history) => {
  const { pods: all, sets } = history;
  return setWrites(history).flatMap((entry) => {
    const { object: rs, previous, revision } = entry;
    if (entry.verb !== 'updateStatus') {
      return [breach(entry, `${nameOf(rs)} was changed in more than its status (${entry.verb})`)];
    }
    const { observedGeneration = 0 } = rs.status;
    const { observedGeneration: before = 0 } = previous?.status ?? {};
    if (observedGeneration < before) {
      return [
        breach(entry, `${nameOf(rs)}: observedGeneration went back from ${before} to ${observedGeneration}`),
      ];
    }
    if (observedGeneration > (rs.metadata.generation ?? 0)) {
      return [
        breach(entry, `${nameOf(rs)}: observedGeneration is ${observedGeneration}, which is yet to come`),
      ];
    }
    const known = history.knowledge.at(entry.atMs);
    const fromMs = history.epochMs + known.sinceMs;
    const toMs = history.epochMs + entry.atMs;
    const specs = sets.of(rs.metadata.uid)?.statesBetween(known.replicasets, revision) ?? [];
    return countNames.flatMap((count) => {
      const { of, is } = COUNTS[count];
      const may = of === 'active' ? mayCount : terminates;
      const must = of === 'active' ? counts : terminates;
      let [least, most] = [0, 0];
      for (const pod of all.all) {
        const states = pod.statesBetween(known.pods, revision);
        const ever = states.some((state) => specs.some((spec) => may(spec, state) && is(spec, state, toMs)));
        const always =
          pod.wasThere(known.pods, revision) &&
          states.every((state) => specs.every((spec) => must(spec, state) && is(spec, state, fromMs)));
        if (ever) most++;
        if (always) least++;
      }
      const told = said(rs, count);
      if (told >= least && told <= most) return [];
      const truth = least === most ? `${least}` : `${least} to ${most}`;
      return [breach(entry, `status of ${nameOf(rs)} says ${count}: ${told}, but there were ${truth}`)];
    });
  });
};

/** What the set wanted, from what the controller knew when it began until then. */
function wantedSince(rs: ObjectPast<ReplicaSet>, known: Known, revision: number): readonly number[] {
  const states = rs.statesBetween(known.replicasets, revision);
  // Of one that was gone before the controller knew it: the last that there was to know.
  return (states.length > 0 ? states : [rs.last]).map(({ spec }) => spec.replicas);
}

/**
 * A breach at the moment of this write.
 *
 * @param object the object at fault. @defaultValue that which was written
 */
export function breach(
  { atMs, object: written }: JournalEntry<Pod> | JournalEntry<ReplicaSet>,
  message: string,
  object: Pod | ReplicaSet = written,
): Breach {
  return { atMs, message, object: nameOf(object) };
}
