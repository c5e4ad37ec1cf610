import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { DeploymentHistory, Order } from '../history.ts';
import { HASH_LABEL, isGoing, isOf, newest, revisionOf, sameTemplate, selects } from '../oracle/truth.ts';
import { sizes } from '../render/names.ts';
import { type Law, violationOf } from './budget.ts';
import { endOf, violation } from './end.ts';

/**
 * Safety, under every fault. The controller deletes only ReplicaSets of another template without pods, only when a roll-out is
 * complete or paused, and never one of the highest revisions that the limit keeps. Liveness: after a complete roll-out no more are
 * kept, and the newest has the highest revision.
 */
export const trimsHistory: Law = (history) => [...deletesOldest(history), ...leavesNoMore(history)];

const deletesOldest: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, versions } = order;
    const { previous, object } = entry;
    if (entry.type !== 'DELETED' || !previous) return [];
    const { name } = object.metadata;
    const bad = (message: string): Violation[] => [
      violationOf(entry, `the controller deleted ${name}${message}`),
    ];
    if (previous.spec.replicas > 0)
      return bad(`, whose spec.replicas is ${previous.spec.replicas}; delete only a ReplicaSet without pods`);
    if (previous.status.replicas > 0)
      return bad(`, which still has ${previous.status.replicas} pods; delete only a ReplicaSet without pods`);
    const { generation = 0 } = previous.metadata;
    const { observedGeneration = 0 } = previous.status;
    if (observedGeneration < generation)
      return bad(
        `, whose status is of generation ${observedGeneration}, but its metadata.generation is ${generation}: it may have pods that the status does not report yet`,
      );
    if (isCertain(order, previous)) {
      const isOldest = !order.others.some(
        (other) => sameTemplate(other.spec.template, previous.spec.template) && isNoYounger(other, previous),
      );
      if (isOldest) return bad(', the newest ReplicaSet: it has the template of the Deployment');
    }
    const over = versions.filter(({ spec, status, metadata }) => {
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      const isComplete = counts.every((count = 0) => count === spec.replicas);
      return spec.paused || (isComplete && (status.observedGeneration ?? 0) >= (metadata.generation ?? 0));
    });
    if (over.length === 0) return bad(' before the status reported a complete roll-out');
    // The same version of the Deployment must be complete and have this limit.
    const limit = Math.min(...over.map(({ spec }) => spec.revisionHistoryLimit));
    const others = possiblyThere(history, order);
    const current = newest(versions[0] as Deployment, others);
    const younger = others.filter(
      (other) => revisionOf(other) >= revisionOf(previous) && !(other === current && isCertain(order, other)),
    );
    if (younger.length >= limit) return [];
    const revision = `revision ${revisionOf(previous)}`;
    return bad(
      `, although revisionHistoryLimit keeps ${limit} old ReplicaSets and only ${younger.length} have a higher revision than its ${revision}`,
    );
  });

/** Tests whether a ReplicaSet has the template of the Deployment in a version that the controller can have observed. */
function isCertain({ versions }: Order, { spec: { template } }: ReplicaSet): boolean {
  return versions.every(({ spec }) => sameTemplate(spec.template, template));
}

/**
 * The other ReplicaSets of the Deployment that the controller can have observed as existing and not being deleted, in their states then.
 */
function possiblyThere(
  { replicaSets }: DeploymentHistory,
  { entry, observed, versions }: Order,
): ReplicaSet[] {
  const { uid } = entry.object.metadata;
  return replicaSets.all.flatMap((each) => {
    if (each.id === uid) return [];
    const states = each
      .statesBetween(observed.replicasets, entry.revision - 1)
      .filter((state) => !isGoing(state) && versions.some((version) => isOf(state, version)));
    // A revision never goes back, so the newest state is the most favorable.
    return states.slice(-1);
  });
}

function isNoYounger({ metadata: a }: ReplicaSet, { metadata: b }: ReplicaSet): boolean {
  return a.creationTimestamp <= b.creationTimestamp;
}

/**
 * Liveness. After a complete roll-out no more old ReplicaSets are kept than the limit, and the newest has the highest revision.
 */
const leavesNoMore: Law = (history) => {
  const { deployment, current, old, complete } = endOf(history);
  if (!complete || !current || isGoing(deployment)) return [];
  const { revisionHistoryLimit: limit } = deployment.spec;
  // A ReplicaSet that a finalizer holds is already deleted.
  const kept = old.filter((each) => !isGoing(each));
  if (kept.length > limit) {
    return violation(
      history,
      `in the end the controller has left ${kept.length} old ${kept.length === 1 ? 'ReplicaSet' : 'ReplicaSets'} (${sizes(kept)}), but revisionHistoryLimit keeps only ${limit}: once the status reports a complete roll-out, delete the oldest`,
      kept[0],
    );
  }
  const higher = old.find((each) => revisionOf(each) >= revisionOf(current));
  if (!higher) return [];
  const message = `in the end the old ReplicaSet ${higher.metadata.name} has revision ${revisionOf(higher)}, and the newest, ${current.metadata.name}, has ${revisionOf(current)}; the newest must have the highest`;
  return violation(history, message, higher);
};

/**
 * A rollback restores the template of the previous revision, among the Deployment's own ReplicaSets, exactly, without the hash label.
 */
export const rollsBack: Law = (history) => {
  const label = history.left.deployment.spec.template.metadata?.labels?.[HASH_LABEL];
  if (label !== undefined)
    return violation(
      history,
      `the rollback left the label ${HASH_LABEL}: ${label} in the template of the Deployment`,
    );
  return history.undone.flatMap((revision): readonly Violation[] => {
    const [deployment] = history.deployments.allAt(revision);
    const atMs = history.journal.find((entry) => entry.revision === revision)?.atMs ?? 0;
    const own = history.replicaSets
      .allAt(revision - 1)
      .filter(
        (each) => deployment && isOf(each, deployment) && selects(deployment, each) && revisionOf(each) > 0,
      )
      .toSorted((a, b) => revisionOf(a) - revisionOf(b));
    const before = own.at(-2);
    if (!deployment || !before) return [];
    const isGiven = ({ spec }: ReplicaSet): boolean => sameTemplate(spec.template, deployment.spec.template);
    if (own.some((each) => revisionOf(each) === revisionOf(before) && isGiven(each))) return [];
    const { name } = before.metadata;
    const given = history.replicaSets.allAt(revision - 1).find(isGiven);
    const instead = given
      ? `the template of ${given.metadata.name} (revision ${revisionOf(given)}${own.includes(given) ? '' : ', of another controller'})`
      : 'a template that no ReplicaSet has';
    return [
      {
        atMs,
        message: `the rollback set ${instead}; expected that of ${name}, whose revision ${revisionOf(before)} is the one before the last of the Deployment's own ReplicaSets`,
        object: name,
      },
    ];
  });
};
