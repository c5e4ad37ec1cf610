import type { KubeObject, ReplicaSet } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { DeploymentHistory, Order } from '../history.ts';
import { availableOf, budgetOf, DESIRED, isOf, sum } from '../oracle/truth.ts';
import { allowed, needed, sizes } from '../render/names.ts';

/** Returns every violation of a law in a history. */
export type Law = (history: DeploymentHistory) => readonly Violation[];

/**
 * Safety, under every fault. When the controller creates a ReplicaSet or scales one up, all ReplicaSets together want at most
 * `replicas` plus surge, in some state that the controller can have observed.
 */
export const withinBudget: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, versions } = order;
    const [before, after] = sizesOf(order);
    if (after <= before || versions.length === 0) return [];
    const others = sum(order.others.map((other) => Math.min(...knownSizes(history, order, other))));
    const most = Math.max(...versions.map((version) => budgetOf(version).max));
    if (after + others <= most) return [];
    const { name } = entry.object.metadata;
    const done =
      before === 0 ? `created ${name} with ${after}` : `scaled ${name} up from ${before} to ${after}`;
    const message = `the controller ${done}: with ${others} in other ReplicaSets (${sizes(order.others)}) the total is ${after + others}, but ${allowed(versions)}${entry.previous && isScaling(order) && others > 0 ? '; it follows a change of spec.replicas: other ReplicaSets must shrink before one grows' : ''}${lacking(order.others)}`;
    return [violationOf(entry, message)];
  });

/**
 * Safety, under every fault. A roll-out deletes an available pod only if enough others remain, by the reports that the controller can have
 * observed. At most `spec.replicas` pods of a report count. A change of `replicas` is no roll-out: a user who asks for fewer pods gets fewer.
 */
export const staysAvailable: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, versions, others } = order;
    const { previous } = entry;
    const [before, after] = sizesOf(order);
    if (!previous || entry.type === 'DELETED' || after >= before || isScaling(order)) return [];
    const kept = Math.min(availableOf(previous), after);
    const taken = Math.min(availableOf(previous), before) - kept;
    if (taken <= 0 || versions.some(({ spec }) => spec.paused || spec.strategy.type === 'Recreate'))
      return [];
    const elsewhere = sum(
      others.map((other) =>
        Math.min(other.spec.replicas, Math.max(...knownAvailable(history, order, other))),
      ),
    );
    const least = Math.min(...versions.map((version) => budgetOf(version).minAvailable));
    if (kept + elsewhere >= least) return [];
    const message = `the controller scaled ${entry.object.metadata.name} down from ${before} to ${after}, which removes ${pods(taken)} that ${taken === 1 ? 'was' : 'were'} available: it keeps ${kept} available, the other ReplicaSets have ${elsewhere} available${readiness(others)}, but ${needed(versions)}`;
    return [violationOf(entry, message)];
  });

/**
 * Safety, under every fault. Under `Recreate` no new pod is created while an old pod is known to exist: the controller has observed it, or
 * a ReplicaSet reports one.
 */
export const neverOverlaps: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, versions, others, observed } = order;
    const [before, after] = sizesOf(order);
    if (after <= before || versions.length === 0) return [];
    if (versions.some(({ spec }) => spec.strategy.type !== 'Recreate')) return [];
    // A single active ReplicaSet may be scaled, and a paused Deployment is scaled, not rolled out.
    if (before > 0 || versions.some(({ spec }) => spec.paused)) return [];
    const name = entry.object.metadata.name;
    const reporting = others.find((other) =>
      known(history, order, other).every((each) => each && each.status.replicas > 0),
    );
    if (reporting) {
      const message = `the controller scaled up ${name} under Recreate, although the old ReplicaSet ${reporting.metadata.name} still reports ${pods(reporting.status.replicas)}`;
      return [violationOf(entry, message, reporting)];
    }
    // A controller that has not observed the ReplicaSet cannot assign the pod to it.
    const certain = others.filter((other) =>
      known(history, order, other).every((each) => each !== undefined),
    );
    const uids = new Set(certain.map(({ metadata }) => metadata.uid));
    // A controller that never reads pods can only be right by chance.
    const since = history.looksAtPods ? observed.pods : entry.revision;
    const there = history.pods.allAt(entry.revision - 1).find((pod) => {
      const { phase } = pod.status;
      const isOld = pod.metadata.ownerReferences?.some(({ uid }) => uids.has(uid));
      const wasSeen = history.pods.at(pod.metadata.uid, since) !== undefined;
      return isOld && wasSeen && phase !== 'Failed' && phase !== 'Succeeded';
    });
    if (!there) return [];
    const going =
      there.metadata.deletionTimestamp === undefined
        ? ''
        : '; it is being deleted, and its ReplicaSet no longer counts it, but it may still run: look at the pods';
    const message = `the controller scaled up ${name} under Recreate, although the old pod ${there.metadata.name} still exists${going}`;
    return [violationOf(entry, message, there)];
  });

/**
 * Returns a violation by this write to a ReplicaSet.
 *
 * @param of - the object at fault. @defaultValue the ReplicaSet, unless this write created it
 */
export function violationOf(
  { atMs, object, previous }: Order['entry'],
  message: string,
  of: KubeObject | undefined = previous && object,
): Violation {
  return { atMs, message, ...(of && { object: of.metadata.name }) };
}

/** The sizes before and after a write; 0 if the ReplicaSet does not exist. */
export function sizesOf({ entry }: Order): readonly [number, number] {
  return [entry.previous?.spec.replicas ?? 0, entry.type === 'DELETED' ? 0 : entry.object.spec.replicas];
}

/** Tests whether the write follows a change of the Deployment's `replicas`. */
function isScaling({ entry, versions }: Order): boolean {
  const before = entry.previous?.metadata.annotations?.[DESIRED];
  const after = entry.object.metadata.annotations?.[DESIRED];
  return (
    before !== after || versions.some(({ spec }) => before !== undefined && Number(before) !== spec.replicas)
  );
}

/** The states of another ReplicaSet of the Deployment that the controller can have observed. */
export function known(
  history: DeploymentHistory,
  { observed, entry }: Order,
  other: ReplicaSet,
): readonly (ReplicaSet | undefined)[] {
  return history.replicaSets.between(other.metadata.uid, observed.replicasets, entry.revision - 1);
}

function knownSizes(history: DeploymentHistory, order: Order, other: ReplicaSet): readonly number[] {
  return known(history, order, other).map((each) =>
    order.versions.some((version) => isOf(each, version)) ? (each?.spec.replicas ?? 0) : 0,
  );
}

function knownAvailable(history: DeploymentHistory, order: Order, other: ReplicaSet): readonly number[] {
  return known(history, order, other).map((each) => (each ? availableOf(each) : 0));
}

/** Explains ReplicaSets that report fewer pods than they want: the missing pods may still be created. */
function lacking(others: readonly ReplicaSet[]): string {
  const few = others.filter(({ spec, status }) => status.replicas < spec.replicas);
  if (few.length === 0) return '';
  const each = few.map(({ metadata, status }) => `${metadata.name} reports ${status.replicas}`);
  return `; ${each.join(', ')}, but its missing pods may still come: count spec.replicas`;
}

/** Explains ready pods that are not available: minReadySeconds has not passed yet. */
function readiness(others: readonly ReplicaSet[]): string {
  const young = others.filter(({ status }) => (status.readyReplicas ?? 0) > (status.availableReplicas ?? 0));
  if (young.length === 0) return '';
  const each = young.map(
    ({ metadata, status }) =>
      `${metadata.name}: ${status.readyReplicas} ready, ${status.availableReplicas ?? 0} available`,
  );
  return ` (${each.join(', ')}; a ready pod is available after minReadySeconds)`;
}

function pods(number: number): string {
  return number === 1 ? '1 pod' : `${number} pods`;
}
