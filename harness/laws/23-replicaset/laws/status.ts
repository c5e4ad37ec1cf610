import { deepEqual } from '../../../api/freeze.ts';
import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ReplicaSetHistory } from '../history/index.ts';
import { podWrites, setOf, setWrites } from '../history/writes.ts';
import { failureOf, unreportedFailures, wrongReasons } from '../oracle/failing.ts';
import { counts, mayCount, terminates } from '../oracle/truth.ts';
import { COUNTS, countNames, countOf, nameOf } from '../render/names.ts';
import { type Law, violation } from './safety.ts';

/**
 * Each status was true at a recent moment: every count lies between the pods that counted all the time and the pods that counted at
 * some time, from the last observed revision until the write. `observedGeneration` exists and never goes back. A lasting failure is
 * reported with its reason.
 */
export const truthfulStatus: Law = (history) => {
  const wrong = setWrites(history).flatMap((entry) => {
    const { object: rs, previous } = entry;
    if (entry.verb !== 'updateStatus') {
      return [
        violation(
          entry,
          `the controller changed more of ${nameOf(rs)} than its status (${entry.verb}); use updateStatus`,
        ),
      ];
    }
    const { observedGeneration = 0 } = rs.status;
    const { observedGeneration: before = 0 } = previous?.status ?? {};
    if (observedGeneration < before) {
      return [
        violation(
          entry,
          `${nameOf(rs)}: observedGeneration went back from ${before} to ${observedGeneration}`,
        ),
      ];
    }
    if (observedGeneration > (rs.metadata.generation ?? 0)) {
      return [
        violation(
          entry,
          `${nameOf(rs)}: observedGeneration is ${observedGeneration}, but metadata.generation is only ${rs.metadata.generation ?? 0}`,
        ),
      ];
    }
    return [
      ...sinceWhen(history, entry),
      ...wrongReasons(history, entry),
      ...ahead(history, entry),
      ...wrongCounts(history, entry),
    ];
  });
  return [...wrong, ...unreportedFailures(history)];
};

function wrongCounts(history: ReplicaSetHistory, entry: JournalEntry<ReplicaSet>): readonly Violation[] {
  const { pods: all, sets } = history;
  const { object: rs, revision } = entry;
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
    const value = countOf(rs, count);
    if (value >= least && value <= most) return [];
    const truth = least === most ? `${least}` : `${least} to ${most}`;
    return [
      violation(
        entry,
        `the controller set status.${count} of ${nameOf(rs)} to ${value}; expected ${truth}, by the pods from its last event to this write${count === 'replicas' && specs.some(({ spec }) => spec.replicas === value) ? ': count pods, do not copy spec.replicas' : ''}`,
      ),
    ];
  });
}

/** Violations: a lasting ReplicaFailure whose time or message changed, whichever version the controller had observed. */
function sinceWhen(history: ReplicaSetHistory, entry: JournalEntry<ReplicaSet>): readonly Violation[] {
  const { object: rs, revision } = entry;
  const failure = failureOf(rs);
  if (!failure) return [];
  const { replicasets } = history.knowledge.at(entry.atMs);
  const known = history.sets.of(rs.metadata.uid)?.statesBetween(replicasets, revision - 1) ?? [];
  const before = known.map(failureOf);
  if (before.length === 0 || before.some((one) => one === undefined || deepEqual(one, failure))) return [];
  const since = before[0]?.lastTransitionTime;
  return [
    violation(
      entry,
      `the status of ${nameOf(rs)} replaced its condition ReplicaFailure, which has been True since ${since}: keep the condition while the failure lasts`,
    ),
  ];
}

/**
 * Violations: an `observedGeneration` that the controller has read only to retry a status write, without acting on it. Judges only
 * controllers that have observed all their own writes.
 */
function ahead(history: ReplicaSetHistory, entry: JournalEntry<ReplicaSet>): readonly Violation[] {
  const { object: rs, previous, atMs } = entry;
  const { observedGeneration = 0, replicas } = rs.status;
  const { uid, generation, deletionTimestamp } = rs.metadata;
  if (observedGeneration <= (previous?.status.observedGeneration ?? 0) || deletionTimestamp) return [];
  if (observedGeneration !== generation || replicas === rs.spec.replicas) return [];
  const isOwn = ({ object }: JournalEntry<Pod>): boolean => setOf(object) === uid;
  const done = podWrites(history).filter((write) => isOwn(write) && write.atMs <= atMs);
  const heard = history.knowledge.at(atMs);
  if (done.some(({ revision }) => revision > heard.pods)) return [];
  const isOf = ({ answer }: { readonly answer?: unknown }): boolean =>
    (answer as ReplicaSet | undefined)?.metadata?.uid === uid &&
    (answer as ReplicaSet).metadata.generation === generation;
  const sets = history.requests.filter(({ resource }) => resource === 'replicasets');
  const read = sets.find((request) => isOf(request) && (request.answeredMs ?? Infinity) <= atMs);
  const written = history.sets
    .of(uid)
    ?.versions.find(({ object }) => object?.metadata.generation === generation);
  if (!read || !written || history.knowledge.byThen(atMs).replicasets >= written.revision) return [];
  const acts = history.requests.some(
    ({ resource, sentAs, sentMs }) =>
      resource === 'pods' && sentAs > (read.answeredAs ?? Infinity) && sentMs <= atMs,
  );
  if (acts) return [];
  const message = `the status of ${nameOf(rs)} has observedGeneration ${generation}, but the controller has acted only on an older generation: it read this one to retry the write. Write the generation of the ReplicaSet that was synced`;
  return [violation(entry, message)];
}
