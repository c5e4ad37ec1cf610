import type { ReplicaSet } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { DeploymentHistory, Order } from '../history.ts';
import { availableOf, budgetOf, DESIRED, isOf, sameTemplate, sum } from '../oracle/truth.ts';
import { known, type Law, sizesOf, violationOf } from './budget.ts';

/**
 * Safety, under every fault. If a roll-out deletes available pods of an old ReplicaSet, no older ReplicaSet is known to keep available pods.
 */
export const oldestFirst: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, others, versions } = order;
    const { previous } = entry;
    if (!previous || !isStepDown(order) || sizesOf(order)[1] >= kept(previous)) return [];
    const older = others.filter(
      (other) =>
        other.metadata.creationTimestamp < previous.metadata.creationTimestamp &&
        versions.every(({ spec }) => !sameTemplate(spec.template, other.spec.template)) &&
        known(history, order, other).every(
          (each) => each !== undefined && versions.some((version) => isOf(each, version)) && kept(each) > 0,
        ),
    );
    const [first] = older;
    if (!first || hasRoomForAll(history, order, older) || mayHaveMeant(history, order, first)) return [];
    const message = `the controller scaled down ${previous.metadata.name}, although ${first.metadata.name} is older and still has pods; scale the oldest down first`;
    return [violationOf(entry, message, first)];
  });

/** Tests whether the older ReplicaSets may lose all their pods too; then the order does not matter. */
function hasRoomForAll(history: DeploymentHistory, order: Order, older: readonly ReplicaSet[]): boolean {
  const [, after] = sizesOf(order);
  const least = Math.min(...order.versions.map((version) => budgetOf(version).minAvailable));
  const rest = order.others.filter((other) => !older.includes(other));
  // Take the most favorable state of each.
  const counts = rest.map((other) =>
    Math.max(0, ...known(history, order, other).map((each) => (each ? kept(each) : 0))),
  );
  return after + sum(counts) >= least;
}

/** The longest time between two writes of one sync. */
const SYNC_MS = 1_000;

/**
 * Tests whether the controller may have scaled the older ReplicaSet to 0 in the same sync. The order of writes of one sync is free, and
 * later writes may have failed.
 */
function mayHaveMeant(
  { orders, statuses, failedMs }: DeploymentHistory,
  order: Order,
  older: ReplicaSet,
): boolean {
  const { entry, observed } = order;
  const isNext = (atMs: number): boolean => atMs >= entry.atMs && atMs <= entry.atMs + SYNC_MS;
  const status = statuses.find((write) => write.entry.revision > entry.revision);
  const rest = orders.filter(
    (one) => one.entry.revision > entry.revision && !(status && one.entry.revision > status.entry.revision),
  );
  const empties = rest.some(
    (one) =>
      isNext(one.entry.atMs) &&
      one.entry.object.metadata.uid === older.metadata.uid &&
      kept(one.entry.object) === 0,
  );
  const diedSince = [...rest, ...(status ? [status] : [])].some(
    (one) => one.observed.bornMs !== observed.bornMs,
  );
  return empties || diedSince || failedMs.some(isNext);
}

/**
 * Safety, under every fault. A roll-out keeps enough old pods, available or not, together with the available new pods: an old pod may become
 * available again, and an unavailable new pod replaces none.
 */
export const keepsEnough: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    if (!isStepDown(order)) return [];
    const { entry, others, versions } = order;
    const [before, after] = sizesOf(order);
    const least = Math.min(...versions.map((version) => budgetOf(version).minAvailable));
    const elsewhere = sum(
      others.map((other) => {
        const { template } = other.spec;
        const isNew = versions.some(({ spec }) => sameTemplate(spec.template, template));
        const isOld = versions.some(({ spec }) => !sameTemplate(spec.template, template));
        // Take the most favorable state of each.
        const counts = known(history, order, other).map((each) => {
          if (!each) return 0;
          return Math.max(isOld ? each.spec.replicas : 0, isNew ? kept(each) : 0);
        });
        return Math.max(0, ...counts);
      }),
    );
    if (after + elsewhere >= least) return [];
    const message = `the controller scaled ${entry.object.metadata.name} down from ${before} to ${after}: the other ReplicaSets have ${elsewhere} pods that are old, or new and available, but ${least} pods must be available; new pods that are not available yet do not count`;
    return [violationOf(entry, message)];
  });

/** The available pods of a report, at most `spec.replicas`. */
function kept(replicaSet: ReplicaSet): number {
  return Math.min(availableOf(replicaSet), replicaSet.spec.replicas);
}

/**
 * Tests whether a write scales down an old ReplicaSet in a rolling update, for some observed version of the Deployment.
 */
function isStepDown(order: Order): boolean {
  const { entry, versions } = order;
  const { previous, object, type } = entry;
  const [before, after] = sizesOf(order);
  if (!previous || type === 'DELETED' || after >= before || versions.length === 0) return false;
  const sizedFor = previous.metadata.annotations?.[DESIRED];
  if (sizedFor !== object.metadata.annotations?.[DESIRED]) return false;
  return versions.every(
    ({ spec }) =>
      !spec.paused &&
      spec.strategy.type !== 'Recreate' &&
      (sizedFor === undefined || Number(sizedFor) === spec.replicas) &&
      !sameTemplate(spec.template, object.spec.template),
  );
}
