/** The computations of the variant `free`: sizes and statuses. */
import {
  byCreationTimestamp,
  DESIRED_REPLICAS,
  type DeploymentCondition,
  type DeploymentStatus,
  equalIgnoreHash,
  findActiveOrLatest,
  getActualReplicaCountForReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getDeploymentCondition,
  getReadyReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  getReplicaFailure,
  getReplicasAnnotation,
  getTerminatingReplicaCountForReplicaSets,
  hasProgressDeadline,
  isRollingUpdate,
  isSaturated,
  MAX_REPLICAS,
  newDeploymentCondition,
  replaceDeploymentCondition,
  setDeploymentCondition,
} from '#given/24-deployment';
import {
  type ComponentContext,
  controllerOf,
  type Deployment,
  intstr,
  type KubeObject,
  labels,
  type RateLimitingWorkQueue,
  type ReplicaSet,
} from '#harness';

/** The desired size of each ReplicaSet. */
export type Sizes = readonly (readonly [ReplicaSet, number])[];

/** One Deployment and the ReplicaSets of its namespace, as read from the server. */
export interface Seen {
  readonly context: ComponentContext;
  readonly queue: RateLimitingWorkQueue<string>;
  readonly deployment: Deployment;
  readonly around: readonly ReplicaSet[];
}

/** The state at one moment, and the desired state. */
export class Scene {
  readonly context: ComponentContext;
  readonly queue: RateLimitingWorkQueue<string>;
  readonly deployment: Deployment;
  readonly around: readonly ReplicaSet[];
  /** Its own selected ReplicaSets, the oldest first. */
  readonly sets: readonly ReplicaSet[];
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly surge: number;
  readonly missing: number;

  constructor({ context, queue, deployment, around }: Seen) {
    [this.context, this.queue, this.deployment, this.around] = [context, queue, deployment, around];
    const { replicas, strategy, template } = deployment.spec;
    this.sets = around.filter((each) => this.isOwn(each) && this.selects(each)).sort(byCreationTimestamp);
    this.current = this.sets.find(({ spec }) => equalIgnoreHash(spec.template ?? {}, template));
    this.old = this.sets.filter((each) => each !== this.current);
    const { rollingUpdate = {} } = strategy;
    const steps = isRollingUpdate(deployment);
    const share = (value: intstr.IntOrString = 0, up = false): number =>
      steps ? intstr.getScaledValueFromIntOrPercent(value, replicas, up) : 0;
    this.surge = share(rollingUpdate.maxSurge, true);
    const missing = share(rollingUpdate.maxUnavailable);
    this.missing = Math.min(replicas, steps && this.surge + missing === 0 ? 1 : missing);
  }

  isOwn(object: KubeObject): boolean {
    return controllerOf(object)?.uid === this.deployment.metadata.uid;
  }

  selects({ metadata }: ReplicaSet): boolean {
    return labels.labelSelectorAsSelector(this.deployment.spec.selector).matches(metadata.labels);
  }

  step(current: ReplicaSet): Sizes {
    const { replicas } = this.deployment.spec;
    const total = getReplicaCountForReplicaSets(this.sets);
    if (current.spec.replicas > replicas) return [[current, replicas]];
    const room = Math.min(replicas + this.surge - total, replicas - current.spec.replicas);
    if (room > 0) return [[current, current.spec.replicas + room]];
    const least = replicas - this.missing;
    const spare = total - least - (current.spec.replicas - staying(current));
    if (spare <= 0) return [];
    let broken = spare;
    let good = this.sets.reduce((sum, each) => sum + staying(each), 0) - least;
    const left = this.old.map((each) => {
      const lacking = Math.min(broken, each.spec.replicas - staying(each));
      broken -= lacking;
      return [each, each.spec.replicas - lacking] as const;
    });
    return left.map(([each, size]) => {
      const taken = Math.min(Math.max(0, good), size);
      good -= taken;
      return [each, size - taken];
    });
  }

  isResized(): boolean {
    const { replicas } = this.deployment.spec;
    const active = this.sets.filter(({ spec }) => spec.replicas > 0);
    if (!isRollingUpdate(this.deployment) && active.length > 1) return false;
    return active.some((each) => (getReplicasAnnotation(each, DESIRED_REPLICAS) ?? replicas) !== replicas);
  }

  shares(): Sizes {
    const { spec, status } = this.deployment;
    const active = this.sets.filter((each) => each.spec.replicas > 0);
    const only = findActiveOrLatest(this.current, this.old);
    if (only) return [[only, spec.replicas]];
    if (isSaturated(this.deployment, this.current)) return this.old.map((each) => [each, 0]);
    if (!isRollingUpdate(this.deployment)) return [];
    const goal = spec.replicas === 0 ? 0 : spec.replicas + this.surge;
    let rest = goal - getReplicaCountForReplicaSets(active);
    const up = rest > 0 ? -1 : 1;
    const sorted = active.toSorted(
      (a, b) => b.spec.replicas - a.spec.replicas || up * byCreationTimestamp(a, b),
    );
    const sizes = sorted.map((each): [ReplicaSet, number] => {
      const before = getReplicasAnnotation(each, MAX_REPLICAS) || status.replicas || 0;
      const size = each.spec.replicas;
      const wished = goal === 0 ? -size : before === 0 ? 0 : Math.round((size * goal) / before) - size;
      const gets = rest > 0 ? Math.min(wished, rest) : rest < 0 ? Math.max(wished, rest) : 0;
      rest -= gets;
      return [each, size + gets];
    });
    const [biggest] = sizes;
    if (biggest) biggest[1] = Math.max(0, biggest[1] + rest);
    return sizes;
  }

  counts(): DeploymentStatus {
    const { metadata, spec, status } = this.deployment;
    const availableReplicas = getAvailableReplicaCountForReplicaSets(this.sets);
    const terminatingReplicas = getTerminatingReplicaCountForReplicaSets(this.sets);
    const enough = availableReplicas >= spec.replicas - this.missing;
    const available = newDeploymentCondition(this.context.clock.now(), {
      type: 'Available',
      status: enough ? 'True' : 'False',
      reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: 'see the counts',
    });
    return {
      ...(status.collisionCount === undefined ? {} : { collisionCount: status.collisionCount }),
      observedGeneration: metadata.generation ?? 0,
      replicas: getActualReplicaCountForReplicaSets(this.sets),
      updatedReplicas: this.current?.status.replicas ?? 0,
      readyReplicas: getReadyReplicaCountForReplicaSets(this.sets),
      availableReplicas,
      unavailableReplicas: Math.max(0, getReplicaCountForReplicaSets(this.sets) - availableReplicas),
      ...(terminatingReplicas === undefined ? {} : { terminatingReplicas }),
      conditions: setDeploymentCondition(status.conditions ?? [], available),
    };
  }

  isOver({ updatedReplicas, replicas, availableReplicas, observedGeneration }: DeploymentStatus): boolean {
    const { metadata, spec } = this.deployment;
    return (
      [updatedReplicas, replicas, availableReplicas].every((count) => (count ?? 0) === spec.replicas) &&
      observedGeneration === metadata.generation
    );
  }

  progress(): DeploymentStatus {
    const { status: before } = this.deployment;
    const status = this.counts();
    const failure = getReplicaFailure({ newReplicaSet: this.current, old: this.old });
    const others = (status.conditions ?? []).filter(
      ({ type }) =>
        (type !== 'ReplicaFailure' || failure) &&
        (type !== 'Progressing' || hasProgressDeadline(this.deployment)),
    );
    const conditions = failure ? setDeploymentCondition(others, failure) : others;
    const told = { ...status, conditions };
    const progressing = getDeploymentCondition(before, 'Progressing');
    const reason = progressing?.reason;
    if (!hasProgressDeadline(this.deployment)) return told;
    if (reason === 'NewReplicaSetAvailable' && status.replicas === status.updatedReplicas) return told;
    if (this.isOver(status)) return this.says('NewReplicaSetAvailable', 'True', told);
    const olds = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number =>
      updatedReplicas - replicas;
    const values = (each: DeploymentStatus): number[] => [
      each.updatedReplicas ?? 0,
      each.readyReplicas ?? 0,
      each.availableReplicas ?? 0,
      olds(each),
    ];
    const then = values(before);
    if (values(status).some((value, i) => value > (then[i] ?? 0))) {
      return this.says('ReplicaSetUpdated', 'True', told, replaceDeploymentCondition);
    }
    const isLate = progressing && reason !== 'NewReplicaSetAvailable' && this.leftMs(progressing) < 0;
    return isLate ? this.says('ProgressDeadlineExceeded', 'False', told) : told;
  }

  leftMs({ lastUpdateTime }: DeploymentCondition): number {
    const { progressDeadlineSeconds } = this.deployment.spec;
    return Date.parse(lastUpdateTime ?? '') + progressDeadlineSeconds * 1_000 - this.context.clock.now();
  }

  says(
    reason: string,
    value = 'True',
    status: DeploymentStatus = this.deployment.status,
    set = setDeploymentCondition,
  ): DeploymentStatus {
    if (!hasProgressDeadline(this.deployment)) return status;
    const said = { type: 'Progressing', status: value, reason, message: reason };
    const condition = newDeploymentCondition(this.context.clock.now(), said);
    return { ...status, conditions: set(status.conditions ?? [], condition) };
  }
}

/** Counts the available pods that will stay. */
function staying({ spec, status }: ReplicaSet): number {
  return Math.min(spec.replicas, status.availableReplicas ?? 0);
}
