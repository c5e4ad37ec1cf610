import type { KubeObject, ReplicaSet } from '../../api/objects.ts';
import type { Violation } from '../../testing/holds.ts';
import type { DeploymentHistory, Order } from './history.ts';
import { allowed, needed, sizes } from './names.ts';
import { availableOf, budgetOf, DESIRED, isOf, sum } from './truth.ts';

/** Reads a history; empty when the law holds. */
export type Law = (history: DeploymentHistory) => readonly Violation[];

/**
 * Safety, under every fault. Whenever the controller makes a ReplicaSet or a ReplicaSet bigger, all of them together ask
 * for no more pods than `replicas` and surge: of a Deployment and of ReplicaSets as the controller can have known them.
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
 * Safety, under every fault. A roll-out takes no pod that is available unless enough of them remain: going by what the
 * ReplicaSets report, and as far as the controller can have known it. Of what a ReplicaSet reports, no more counts than
 * it is to keep. To scale is no roll-out: a user that asks for fewer gets fewer.
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
 * Safety, under every fault. Under `Recreate` nothing new begins while something old is known to be there: a pod of which
 * the controller had been told and which still is, or a ReplicaSet that reports one.
 */
export const neverOverlaps: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, versions, others, told } = order;
    const [before, after] = sizesOf(order);
    if (after <= before || versions.length === 0) return [];
    if (versions.some(({ spec }) => spec.strategy.type !== 'Recreate')) return [];
    // The only one may be scaled like any other; and what is paused is scaled, not rolled out.
    if (before > 0 || versions.some(({ spec }) => spec.paused)) return [];
    const name = entry.object.metadata.name;
    const reporting = others.find((other) =>
      known(history, order, other).every((each) => each && each.status.replicas > 0),
    );
    if (reporting) {
      const message = `the controller scaled up ${name} under Recreate, although the old ReplicaSet ${reporting.metadata.name} still reports ${pods(reporting.status.replicas)}`;
      return [violationOf(entry, message, reporting)];
    }
    // Which ReplicaSet a pod belongs to says nothing to a controller that does not know the ReplicaSet.
    const certain = others.filter((other) =>
      known(history, order, other).every((each) => each !== undefined),
    );
    const uids = new Set(certain.map(({ metadata }) => metadata.uid));
    // A controller that never looks at pods must be right by chance.
    const since = history.looksAtPods ? told.pods : entry.revision;
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
 * A violation by this write to a ReplicaSet.
 *
 * @param of the object at fault, by which a reader finds the cause. @defaultValue the ReplicaSet, unless this write made it:
 * then nothing was said of it before
 */
export function violationOf(
  { atMs, object, previous }: Order['entry'],
  message: string,
  of: KubeObject | undefined = previous && object,
): Violation {
  return { atMs, message, ...(of && { object: of.metadata.name }) };
}

/** Its size before and after; 0 where it was not there. */
export function sizesOf({ entry }: Order): readonly [number, number] {
  return [entry.previous?.spec.replicas ?? 0, entry.type === 'DELETED' ? 0 : entry.object.spec.replicas];
}

/** Was this to follow a change of the Deployment's `replicas`? */
function isScaling({ entry, versions }: Order): boolean {
  const before = entry.previous?.metadata.annotations?.[DESIRED];
  const after = entry.object.metadata.annotations?.[DESIRED];
  return (
    before !== after || versions.some(({ spec }) => before !== undefined && Number(before) !== spec.replicas)
  );
}

/** What the controller can have taken another ReplicaSet of the same Deployment for. */
export function known(
  history: DeploymentHistory,
  { told, entry }: Order,
  other: ReplicaSet,
): readonly (ReplicaSet | undefined)[] {
  return history.replicaSets.between(other.metadata.uid, told.replicasets, entry.revision - 1);
}

function knownSizes(history: DeploymentHistory, order: Order, other: ReplicaSet): readonly number[] {
  return known(history, order, other).map((each) =>
    order.versions.some((version) => isOf(each, version)) ? (each?.spec.replicas ?? 0) : 0,
  );
}

function knownAvailable(history: DeploymentHistory, order: Order, other: ReplicaSet): readonly number[] {
  return known(history, order, other).map((each) => (each ? availableOf(each) : 0));
}

/** ReplicaSets that report fewer pods than they want: the missing pods may still come. */
function lacking(others: readonly ReplicaSet[]): string {
  const few = others.filter(({ spec, status }) => status.replicas < spec.replicas);
  if (few.length === 0) return '';
  const each = few.map(({ metadata, status }) => `${metadata.name} reports ${status.replicas}`);
  return `; ${each.join(', ')}, but its missing pods may still come: count spec.replicas`;
}

/** The ready pods of ReplicaSets that have fewer available ones: minReadySeconds is not over for them. */
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
