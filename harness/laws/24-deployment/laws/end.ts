import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import { changedBy } from '../../../testing/rig/changed.ts';
import type { DeploymentHistory } from '../history.ts';
import { PROCESS } from '../operations.ts';
import {
  availableOf,
  budgetOf,
  COMPLETE,
  conditionOf,
  DESIRED,
  EXCEEDED,
  isBroken,
  isGoing,
  isOf,
  isOver,
  NEVER,
  newest,
  sum,
} from '../oracle/truth.ts';
import { sizes } from '../render/names.ts';
import type { Law } from './budget.ts';

/** Liveness. Once faults stop, the controller stops writing. */
export const stopsWriting: Law = ({ restedMs, journal, healedMs }) => {
  if (restedMs !== undefined) return [];
  const write = journal.findLast(({ actor }) => actor === PROCESS) ?? journal.at(-1);
  if (!write) return [];
  const { actor, verb, resource, key, object } = write;
  const times = journal.filter(
    (entry) => entry.actor === actor && entry.object.metadata.uid === object.metadata.uid,
  );
  const message = `the writes never stopped: ${actor} sent ${verb} ${resource.plural}/${key} after ${times.length - 1} writes to the same object; the last write changed ${changedBy(write)}`;
  return [{ atMs: healedMs, message }];
};

/** Liveness. Once faults stop, the ReplicaSet of the template has all pods, and the others have none. */
export const converges: Law = (history) => {
  const end = endOf(history);
  const { deployment, owned, current, old, waits } = end;
  const { spec } = deployment;
  if (spec.paused || isGoing(deployment) || waits) return [];
  if (!current)
    return violation(
      history,
      `in the end no ReplicaSet has the template of the Deployment (${sizes(owned)})${collision(history)}`,
    );
  if (isStuck(end)) return [];
  const isRight = current.spec.replicas === spec.replicas && old.every((each) => each.spec.replicas === 0);
  if (isRight) return [];
  const adopted = old
    .filter((each) => each.spec.replicas > 0 && each.metadata.annotations?.[DESIRED] === undefined)
    .map(({ metadata }) => metadata.name);
  const how =
    adopted.length > 0
      ? `; ${adopted.join(', ')} was adopted, so it lacks the annotations of the controller, but must be scaled down like any other`
      : '';
  const message = `in the end ${current.metadata.name}, which has the template, must have all ${spec.replicas} replicas and the others none; they have ${sizes(owned)}${stuck(end)}${how}`;
  return violation(history, message, current);
};

/** Explains a roll-out that is stuck, although unavailable old pods could be deleted at once. */
function stuck({ deployment, owned, old }: End): string {
  const idle = old.filter((each) => availableOf(each) < each.spec.replicas);
  if (idle.length === 0) return '';
  const counts = idle.map((each) => {
    const count = each.spec.replicas - availableOf(each);
    return `${each.metadata.name} has ${count} unavailable pod${count === 1 ? '' : 's'}`;
  });
  const { max, minAvailable } = budgetOf(deployment);
  const isFull = sum(owned.map((each) => each.spec.replicas)) >= max;
  const limit = isFull
    ? `; no pod can be created before one is deleted, because at most ${max} may exist`
    : '';
  const isLow = sum(owned.map(availableOf)) <= minAvailable;
  const needed = isLow ? `; all ${minAvailable} available pods must stay` : '';
  return `${limit}${needed}; but ${counts.join(' and ')}: delete unavailable old pods first, they may always be deleted`;
}

/** Liveness. A paused Deployment is still scaled if at most one ReplicaSet has pods. */
export const scalesWhilePaused: Law = (history) => {
  const { deployment, owned } = endOf(history);
  const { spec } = deployment;
  const active = owned.filter((each) => each.spec.replicas > 0);
  if (!spec.paused || owned.length === 0 || active.length > 1 || isGoing(deployment)) return [];
  if (sum(active.map((each) => each.spec.replicas)) === spec.replicas) return [];
  return violation(
    history,
    `in the end the paused Deployment has spec.replicas ${spec.replicas}, but its only active ReplicaSet was not scaled (${sizes(owned)}): a pause stops the roll-out, not scaling`,
  );
};

/** Liveness. In the end the status is correct: its generation, its counts, and the progress of the roll-out. */
export const finalStatus: Law = (history) => {
  const end = endOf(history);
  const { deployment, owned, current, complete } = end;
  const { status, metadata, spec } = deployment;
  if (status.observedGeneration !== metadata.generation) {
    return violation(
      history,
      `in the end status.observedGeneration is ${status.observedGeneration}; expected ${metadata.generation}`,
    );
  }
  const counted = {
    replicas: sum(owned.map((each) => each.status.replicas)),
    updatedReplicas: current?.status.replicas ?? 0,
    readyReplicas: sum(owned.map((each) => each.status.readyReplicas ?? 0)),
    availableReplicas: sum(owned.map(availableOf)),
    unavailableReplicas: Math.max(
      0,
      sum(owned.map((each) => each.spec.replicas)) - sum(owned.map(availableOf)),
    ),
  };
  for (const [field, count] of Object.entries(counted) as [keyof typeof counted, number][]) {
    if ((status[field] ?? 0) === count) continue;
    return violation(
      history,
      `in the end status.${field} is ${status[field] ?? 0}; expected ${count}, by the ReplicaSets`,
    );
  }
  const { reason } = conditionOf(status, 'Progressing') ?? {};
  const wanted = wantedReason(end);
  if (wanted === undefined || reason === wanted) return [];
  const how = complete ? 'is complete' : spec.paused ? 'is paused' : 'makes no progress';
  return violation(
    history,
    `in the end the roll-out ${how}, but the reason of Progressing is ${reason ?? 'missing'}; expected ${wanted}${collision(history)}`,
  );
};

/**
 * Explains a template without a ReplicaSet in the end by a hash collision that the controller did not resolve.
 *
 * @returns the end of a sentence; empty if no create ended in AlreadyExists
 */
export function collision(history: DeploymentHistory): string {
  const { deployment, current, owned } = endOf(history);
  if (current || deployment.spec.paused || isGoing(deployment)) return '';
  const name = history.collisions.at(-1);
  if (name === undefined) return '';
  const whose = owned.some(({ metadata }) => metadata.name === name)
    ? 'has another template'
    : 'is not its own';
  const count = deployment.status.collisionCount;
  return `: the create of ${name} ends in AlreadyExists, because a ReplicaSet of that name exists and ${whose}; status.collisionCount is ${count ?? 'missing'}. Raise it, save the status, and create under the next name`;
}

/** Tests whether the deadline of the roll-out has passed in the end. */
export function isPastDeadline(history: DeploymentHistory): boolean {
  return wantedReason(endOf(history)) === EXCEEDED;
}

/** The expected reason of `Progressing`; undefined if several are right. */
function wantedReason({ deployment, complete }: End): string | undefined {
  const { spec, status } = deployment;
  const { reason } = conditionOf(status, 'Progressing') ?? {};
  if (spec.progressDeadlineSeconds === NEVER || isGoing(deployment)) return undefined;
  if (spec.paused) return reason === EXCEEDED ? EXCEEDED : 'DeploymentPaused';
  if (complete) return COMPLETE;
  // A complete roll-out that loses or gains pods is not a new roll-out.
  if (reason === COMPLETE && (status.replicas ?? 0) === (status.updatedReplicas ?? 0)) return undefined;
  return EXCEEDED;
}

/** The final state. */
interface End {
  readonly deployment: Deployment;
  readonly owned: readonly ReplicaSet[];
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  /** Whether the roll-out is complete. */
  readonly complete: boolean;
  /** Whether a Recreate waits for a pod that is never removed. */
  readonly waits: boolean;
}

/** Returns the final state of a run. */
export function endOf({ left }: DeploymentHistory): End {
  const { deployment } = left;
  const owned = left.replicaSets.filter((each) => isOf(each, deployment));
  const current = newest(deployment, owned);
  const old = owned.filter((each) => each !== current);
  const complete = isOver(deployment, owned);
  const waits =
    deployment.spec.strategy.type === 'Recreate' &&
    left.pods.some((pod) => isGoing(pod) && pod.status.phase === 'Unknown');
  return { deployment, owned, current, old, complete, waits };
}

/** Tests whether the roll-out waits for pods that never become ready. */
function isStuck({ deployment: { spec } }: End): boolean {
  return isBroken(spec.template) && spec.replicas > 0 && spec.strategy.type !== 'Recreate';
}

/**
 * A violation at the end of the run.
 *
 * @param of - the object at fault, if there are several
 */
export function violation(
  { restedMs, healedMs }: DeploymentHistory,
  message: string,
  of?: ReplicaSet,
): readonly Violation[] {
  return [{ atMs: restedMs ?? healedMs, message, ...(of && { object: of.metadata.name }) }];
}
