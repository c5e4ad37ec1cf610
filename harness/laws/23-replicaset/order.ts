import type { Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ObjectHistory } from '../../testing/rig/object-history.ts';
import type { Known, ReplicaSetHistory } from './history.ts';
import { nameOf } from './names.ts';
import { type Law, violation } from './safety.ts';
import { PROCESS } from './step.ts';
import { counts, isActive, type Verdict, verdict } from './truth.ts';
import { podWrites, setOf } from './writes.ts';

/**
 * A pod that the controller deletes goes before each pod that it leaves, in upstream's order: where it knew all of them and their kin,
 * and nothing of them changed meanwhile.
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
    const kin = kinOf(history, rs, known, go);
    if (!kin) return [];
    const states = kin.flatMap((pod) => pod.at(known.pods) ?? []);
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
    // Of the pod that was deleted the last line says it all; why the other goes first stands further up.
    const why = RULES[judge(wronged, victim).rule - 1] ?? 'by the order of the rules';
    const message = `${nameOf(victim)} was deleted, but ${nameOf(wronged)} was kept; ${nameOf(wronged)} must go first, ${why}`;
    return [violation(entry, message, wronged)];
  });
};

/** Why a pod goes first, by the number of the rule that decides. */
const RULES = [
  'because only it has no node',
  'because its phase comes first (Pending, then Unknown, then Running)',
  'because it is not ready and the other is',
  'because its pod-deletion-cost is lower',
  'because its node has more pods of the same controller',
  'because it became ready later',
  'because its containers have restarted more often',
  'because its init containers have restarted more often',
  'because it was created later',
] as const;

/** The rank. The rules after it compare ages, and are no order where some times are equal and others only of one magnitude. */
const LAST_PLAIN_RULE = 5;

/** Do the rules put these pods into one order? Otherwise which of them go is a matter of how they are sorted. */
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
 * The pods of a set and of those with the same controller: how crowded a node is decides, too. `undefined` where the
 * controller may have seen them otherwise than we do.
 *
 * @param go what the controller wrote in one go
 */
function kinOf(
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
  const kin = pods.all.filter((pod) =>
    pod.statesBetween(known.pods, last).some((state) => uids.has(setOf(state) ?? '')),
  );
  return kin.every((pod) => isUnchanged(pod, known.pods, first, last)) ? kin : undefined;
}

/** Was it there at `from`, the same until `now`, and then changed by the controller alone until `to`? */
function isUnchanged(pod: ObjectHistory<Pod>, from: number, now: number, to: number): boolean {
  const [created] = pod.versions;
  if (created && created.revision >= now) return true;
  return pod.versions.every(
    ({ revision, actor }) => revision <= from || revision > to || (revision >= now && actor === PROCESS),
  );
}

/** The pods that were to be deleted in the same go, whether or not it came to pass. */
function askedToDelete({ requests, knowledge }: ReplicaSetHistory, { sinceMs }: Known): ReadonlySet<string> {
  const deletes = requests.filter(
    ({ verb, resource, sentMs }) =>
      verb === 'delete' && resource === 'pods' && knowledge.at(sentMs).sinceMs === sinceMs,
  );
  return new Set(deletes.map(({ name = '' }) => name));
}
