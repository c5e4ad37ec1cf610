import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import type { Known, ReplicaSetHistory } from '../history/index.ts';
import { podWrites, setOf } from '../history/writes.ts';
import { PROCESS } from '../operations.ts';
import { costOf, counts, isActive, type Verdict, verdict } from '../oracle/truth.ts';
import { nameOf } from '../render/names.ts';
import { type Law, violation } from './safety.ts';

/**
 * Each pod that the controller deletes comes before each pod that it keeps, in upstream's order. Judges only deletes for which the
 * controller had observed all related pods, and none of them changed meanwhile.
 */
export const deletesInOrder: Law = (history) => {
  const writes = podWrites(history);
  return writes.flatMap((entry) => {
    const { previous: victim } = entry;
    const rs =
      entry.verb === 'delete' && victim && isActive(victim) ? history.sets.of(setOf(victim)) : undefined;
    if (!victim || !rs) return [];
    const known = history.knowledge.at(entry.atMs);
    const go = writes.filter(({ atMs }) => history.knowledge.at(atMs).sinceMs === known.sinceMs);
    const related = relatedPods(history, rs, known, go);
    if (!related) return [];
    const states = related.flatMap((pod) => pod.at(known.pods) ?? []);
    const rank = (node: string): number =>
      states.filter((pod) => isActive(pod) && (pod.spec.nodeName ?? '') === node).length;
    const asked = askedToDelete(history, known);
    const isOne = (pod: Pod): boolean => counts(rs.last, pod);
    const spared = states.filter((pod) => isOne(pod) && !asked.has(nameOf(pod)));
    const span = [history.epochMs + known.sinceMs, history.epochMs + entry.atMs] as const;
    const judge = (a: Pod, b: Pod) => verdict(a, b, rank, span);
    const wronged = spared.find((other) => {
      const { rule, order = 0 } = judge(other, victim);
      return order < 0 && (rule <= LAST_PLAIN_RULE || isConsistent(states.filter(isOne), judge));
    });
    if (!wronged) return [];
    // The timeline shows the pod that was kept: the message names the deleted one.
    const { rule } = judge(wronged, victim);
    const why = RULES[rule - 1]?.(wronged, victim) ?? 'by the order of the rules';
    const { order: otherOrder = 0 } = verdict(wronged, victim, rank, span, rule);
    const hint = otherOrder > 0 ? `. Without rule ${rule}, ${nameOf(victim)} would go first` : '';
    const message = `the controller deleted ${nameOf(victim)} and kept ${nameOf(wronged)}, but ${nameOf(wronged)} must go first by rule ${rule}: ${why}${hint}`;
    return [violation(entry, message, wronged)];
  });
};

/** The reason why one pod goes before another, by the number of the deciding rule minus 1. */
const RULES: readonly ((first: Pod, other: Pod) => string)[] = [
  () => 'only it has no node',
  (first, other) =>
    `its phase ${first.status.phase} comes before ${other.status.phase} (Pending, then Unknown, then Running)`,
  () => 'it is not ready, and the other pod is',
  (first, other) =>
    `its pod-deletion-cost is ${costOf(first)}, and that of the other pod is ${costOf(other)}`,
  () => 'its node has more pods of the same controller',
  () => 'it became ready later',
  () => 'its containers have restarted more often',
  () => 'its init containers have restarted more often',
  () => 'it was created later',
];

/** The rule of the rank. Later rules compare ages, which is not transitive: some times are equal, others only of one magnitude. */
const LAST_PLAIN_RULE = 5;

/** Tests whether the rules order these pods consistently; if not, the result depends on the sorting algorithm. */
function isConsistent(all: readonly Pod[], judge: (a: Pod, b: Pod) => Verdict): boolean {
  const orders = all.map((a) => all.map((b) => (a === b ? 0 : judge(a, b).order)));
  return orders.every((of) =>
    of.every((ab, b) => {
      if (ab === undefined) return false;
      return ab > 0 || (orders[b] ?? []).every((bc = 1, c) => bc > 0 || (of[c] ?? 1) <= Math.max(ab, bc));
    }),
  );
}

/**
 * The pods of a ReplicaSet and of all ReplicaSets with the same controller, which together decide how crowded a node is.
 *
 * @param go - the writes of one sync
 * @returns undefined if the controller may have observed other states of them
 */
function relatedPods(
  { pods, sets }: ReplicaSetHistory,
  rs: ObjectHistory<ReplicaSet>,
  known: Known,
  go: readonly JournalEntry<Pod>[],
): readonly ObjectHistory<Pod>[] | undefined {
  const revisions = go.map(({ revision }) => revision);
  const [first, last] = [Math.min(...revisions), Math.max(...revisions)];
  const family = sets.all.filter(
    (set) =>
      controllerOf(set.last)?.uid === controllerOf(rs.last)?.uid &&
      set.statesBetween(known.replicasets, last).length > 0,
  );
  if (!family.every((set) => set.wasThere(known.replicasets, last))) return undefined;
  const uids = new Set(family.map(({ id }) => id));
  const related = pods.all.filter((pod) =>
    pod.statesBetween(known.pods, last).some((state) => uids.has(setOf(state) ?? '')),
  );
  return related.every((pod) => isUnchanged(pod, known.pods, first, last)) ? related : undefined;
}

/** Tests whether the pod existed at `from`, did not change until `now`, and then was changed only by the controller until `to`. */
function isUnchanged(pod: ObjectHistory<Pod>, from: number, now: number, to: number): boolean {
  const [created] = pod.versions;
  if (created && created.revision >= now) return true;
  return pod.versions.every(
    ({ revision, actor }) => revision <= from || revision > to || (revision >= now && actor === PROCESS),
  );
}

/** The names of the pods that the same sync asked to delete, whether or not the deletes succeeded. */
function askedToDelete({ requests, knowledge }: ReplicaSetHistory, { sinceMs }: Known): ReadonlySet<string> {
  const deletes = requests.filter(
    ({ verb, resource, sentMs }) =>
      verb === 'delete' && resource === 'pods' && knowledge.at(sentMs).sinceMs === sinceMs,
  );
  return new Set(deletes.map(({ name = '' }) => name));
}
