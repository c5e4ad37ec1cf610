/**
 * Another controller with the same decisions. It has no queue and no workers, and never decides from a cache. After any
 * event it waits a moment for further events, and lists everything. Then it finds the first Deployment with a due
 * change, writes this one change as a patch, and starts over.
 */
import {
  allOf,
  checkPausedConditions,
  type DeploymentCondition,
  type DeploymentStatus,
  equalIgnoreHash,
  filterActiveReplicaSets,
  getDeploymentCondition,
  hasProgressDeadline,
  maxRevision,
  newReplicaSetAnnotations,
  REVISION,
  type Rollout,
  replicasAnnotations,
  rolloutOf,
  type ScaleOrder,
  scaleOrders,
  setDeploymentCondition,
} from '#given/24-deployment';
import {
  type Client,
  type Component,
  type ComponentContext,
  type Deployment,
  deployments,
  hasReason,
  isAlreadyExists,
  isSameStatus,
  type KubeObject,
  keyOf,
  labels,
  type Pod,
  pods,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import {
  calculateRolloutStatus,
  calculateStatus,
  deploymentComplete,
  fencepostsOf,
  findCleanableReplicaSets,
  findNewReplicaSet,
  isScalingEvent,
  newReplicaSetFor,
  newRSNewReplicas,
  oldPodsRunning,
  reconcileNewReplicaSet,
  reconcileOldReplicaSets,
  requeueStuckDeployment,
  scale,
} from '../deployment.ts';

export * from '../deployment.ts';

/** The time to wait for further events. */
const MOMENT_MS = 20;
/** The time to wait after an error. */
const RETRY_MS = 1_000;

/** All objects at one moment. */
interface KataSimulation {
  readonly deployments: readonly Deployment[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
}

/** Writes the change that is due. */
type Step = () => Promise<void>;

export const deploymentController: Component = async (context) => {
  const { client, clock, informers, signal, log } = context;
  let wake = (): void => {};
  let dirty = true;
  const happened = (): void => {
    dirty = true;
    wake();
  };
  const handler = { onAdd: happened, onUpdate: happened, onDelete: happened };
  informers.forResource(deployments).addEventHandler(handler);
  informers.forResource(replicaSets).addEventHandler(handler);
  informers.forResource(pods).addEventHandler(handler);
  informers.start();
  await informers.waitForCacheSync();
  signal.addEventListener('abort', happened);

  while (!signal.aborted) {
    if (!dirty) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (signal.aborted) return;
    await clock.sleep(MOMENT_MS, signal);
    dirty = false;
    try {
      const simulation = await look(client);
      for (const deployment of simulation.deployments) {
        const plan = new Plan(context, simulation, deployment);
        const step = plan.next();
        if (step) {
          await step();
          dirty = true;
          break;
        }
        if (plan.againInMs !== undefined) clock.after(plan.againInMs + 1_000, happened);
      }
    } catch (error) {
      log(`will look again: ${error}`);
      await clock.sleep(RETRY_MS, signal);
      dirty = true;
    }
  }
};

async function look(client: Client): Promise<KataSimulation> {
  // Pods first: their owners are then at least as fresh as the pods.
  const podList = await client.list(pods);
  const replicaSetList = await client.list(replicaSets);
  const deploymentList = await client.list(deployments);
  return { deployments: deploymentList.items, replicaSets: replicaSetList.items, pods: podList.items };
}

class Plan {
  readonly #context: ComponentContext;
  readonly #simulation: KataSimulation;
  readonly #deployment: Deployment;
  /** The time in ms after which a change may be due without an event. */
  againInMs: number | undefined;

  constructor(context: ComponentContext, simulation: KataSimulation, deployment: Deployment) {
    this.#context = context;
    this.#simulation = simulation;
    this.#deployment = deployment;
  }

  next(): Step | undefined {
    const { metadata, spec } = this.#deployment;
    if (Object.keys(spec.selector).length === 0) return this.#warn();
    const claim = metadata.deletionTimestamp === undefined ? this.#claim() : undefined;
    if (claim) return claim;
    const owned = this.#simulation.replicaSets.filter((each) => this.#isOwn(each) && this.#selects(each));
    const found = rolloutOf(this.#deployment, owned, findNewReplicaSet(this.#deployment, owned));
    const { newReplicaSet: current, old } = found;
    if (metadata.deletionTimestamp !== undefined) return this.#say(calculateStatus, found);
    const paused = checkPausedConditions(this.#deployment, this.#context.clock.now());
    if (paused) return () => this.#setStatus(this.#withCondition(paused));
    const upToDate = current && this.#renew(current, old);
    if (upToDate) return upToDate;
    if (spec.paused || isScalingEvent(this.#deployment, owned)) {
      return (
        this.#order(scale(this.#deployment, current, old)) ??
        (spec.paused ? this.#trim(old) : undefined) ??
        this.#say(calculateStatus, found)
      );
    }
    const step = spec.strategy.type === 'Recreate' ? this.#recreate(current, old) : this.#roll(current, old);
    return step ?? this.#trimIfComplete(old) ?? this.#say(calculateRolloutStatus, found);
  }

  #roll(current: ReplicaSet | undefined, old: readonly ReplicaSet[]): Step | undefined {
    if (!current) return () => this.#create(old);
    return (
      this.#order(
        reconcileNewReplicaSet(this.#deployment, allOf({ newReplicaSet: current, old }), current),
      ) ?? this.#order(reconcileOldReplicaSets(this.#deployment, filterActiveReplicaSets(old), current))
    );
  }

  #recreate(current: ReplicaSet | undefined, old: readonly ReplicaSet[]): Step | undefined {
    const down = this.#order(scaleOrders(old.map((each) => [each, 0])));
    if (down) return down;
    const uids = new Set(old.map(({ metadata }) => metadata.uid));
    const oldPods = this.#simulation.pods.filter((pod) => uids.has(ownerUid(pod) ?? ''));
    if (oldPodsRunning(old, oldPods)) return undefined;
    if (!current) return () => this.#create(old);
    const { replicas } = this.#deployment.spec;
    if (current.spec.replicas === replicas) return undefined;
    return this.#order([{ replicaSet: current, replicas }]);
  }

  /** Carries out only the first order. The next pass decides the others again. */
  #order([first]: readonly ScaleOrder[]): Step | undefined {
    if (!first) return undefined;
    const { replicaSet, replicas } = first;
    return async () => {
      const before = replicaSet.spec.replicas;
      await this.#patch(
        replicaSet,
        replicasAnnotations(this.#deployment, fencepostsOf(this.#deployment).maxSurge),
        { replicas },
      );
      if (before === replicas) return;
      const { name } = replicaSet.metadata;
      this.#tell(
        `Scaled ${replicas > before ? 'up' : 'down'} replica set ${name} from ${before} to ${replicas}`,
      );
    };
  }

  #claim(): Step | undefined {
    for (const replicaSet of this.#simulation.replicaSets) {
      if (replicaSet.metadata.namespace !== this.#deployment.metadata.namespace) continue;
      const owner = ownerUid(replicaSet);
      const { uid, deletionTimestamp } = replicaSet.metadata;
      const { apiVersion, kind, metadata } = this.#deployment;
      if (this.#isOwn(replicaSet) && !this.#selects(replicaSet)) {
        return () =>
          this.#own(replicaSet, { uid, ownerReferences: [{ $patch: 'delete', uid: metadata.uid }] });
      }
      if (owner !== undefined || deletionTimestamp !== undefined || !this.#selects(replicaSet)) continue;
      const ref = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
      return async () => {
        const { client } = this.#context;
        const fresh = await client.get(deployments, keyOf(this.#deployment));
        if (fresh.metadata.uid !== metadata.uid || fresh.metadata.deletionTimestamp) return;
        const ownerReferences = [{ ...ref, controller: true, blockOwnerDeletion: true }];
        await this.#own(replicaSet, { uid, ownerReferences });
      };
    }
    return undefined;
  }

  async #own(replicaSet: ReplicaSet, metadata: unknown): Promise<void> {
    await this.#context.client.patch(replicaSets, keyOf(replicaSet), {
      type: 'strategic',
      body: { metadata },
    });
  }

  #renew(current: ReplicaSet, old: readonly ReplicaSet[]): Step | undefined {
    const { spec, metadata, status } = this.#deployment;
    const before = current.metadata.annotations ?? {};
    const after = newReplicaSetAnnotations(this.#deployment, before, maxRevision(old) + 1);
    const minReadySeconds = spec.minReadySeconds ?? 0;
    const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
    if (changed.length > 0 || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      return () => this.#patch(current, Object.fromEntries(changed), { minReadySeconds });
    }
    const revision = before[REVISION] ?? '';
    const isNews = metadata.annotations?.[REVISION] !== revision;
    const progress = getDeploymentCondition(status, 'Progressing');
    const unsaid = !progress || (isNews && progress.reason === 'NewReplicaSetAvailable');
    const found = hasProgressDeadline(this.#deployment) && unsaid;
    if (!isNews && !found) return undefined;
    const message = `Found new replica set "${current.metadata.name}"`;
    return () =>
      this.#setStatus(
        found ? this.#withCondition(this.#condition('True', 'FoundNewReplicaSet', message)) : status,
        revision,
      );
  }

  async #create(old: readonly ReplicaSet[]): Promise<void> {
    const { client, recorder } = this.#context;
    const empty = newReplicaSetFor(this.#deployment);
    const replicas = newRSNewReplicas(this.#deployment, old, 0);
    const revision = maxRevision(old) + 1;
    const annotations = {
      ...newReplicaSetAnnotations(this.#deployment, {}, revision),
      ...replicasAnnotations(this.#deployment, fencepostsOf(this.#deployment).maxSurge),
    };
    const wanted = { metadata: { ...empty.metadata, annotations }, spec: { ...empty.spec, replicas } };
    const { name = '' } = empty.metadata;
    try {
      await client.create(replicaSets, wanted);
    } catch (error) {
      if (isAlreadyExists(error)) return this.#collide(name, error);
      const message = `Failed to create new replica set "${name}": ${(error as Error).message}`;
      recorder.event(this.#deployment, 'Warning', 'ReplicaSetCreateError', message);
      if (hasProgressDeadline(this.#deployment)) {
        const condition = this.#condition('False', 'ReplicaSetCreateError', message);
        await this.#setStatus(this.#withCondition(condition)).catch(() => {});
      }
      throw error;
    }
    if (replicas > 0) this.#tell(`Scaled up replica set ${name} from 0 to ${replicas}`);
    const condition = this.#condition('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
    const said = hasProgressDeadline(this.#deployment);
    await this.#setStatus(said ? this.#withCondition(condition) : this.#deployment.status, String(revision));
  }

  async #collide(name: string, error: unknown): Promise<void> {
    const { status, metadata, spec } = this.#deployment;
    const { namespace = '' } = metadata;
    const there = await this.#context.client.get(replicaSets, { namespace, name });
    // It was created since the list: list again.
    if (ownerUid(there) === metadata.uid && equalIgnoreHash(there.spec.template, spec.template)) throw error;
    await this.#setStatus({ ...status, collisionCount: (status.collisionCount ?? 0) + 1 });
  }

  #trimIfComplete(old: readonly ReplicaSet[]): Step | undefined {
    return deploymentComplete(this.#deployment, this.#deployment.status) ? this.#trim(old) : undefined;
  }

  #trim(old: readonly ReplicaSet[]): Step | undefined {
    const [first] = findCleanableReplicaSets(this.#deployment, old);
    if (!first) return undefined;
    const { uid, resourceVersion } = first.metadata;
    return async () => {
      await this.#context.client.delete(replicaSets, keyOf(first), {
        preconditions: { uid, resourceVersion },
      });
    };
  }

  #say(calculate: typeof calculateStatus, rollout: Rollout): Step | undefined {
    const nowMs = this.#context.clock.now();
    const status = calculate(rollout, nowMs);
    if (isSameStatus(status, this.#deployment.status)) {
      this.againInMs = requeueStuckDeployment(this.#deployment, status, nowMs);
      return undefined;
    }
    return () => this.#setStatus(status);
  }

  #warn(): Step | undefined {
    const { metadata, status } = this.#deployment;
    if (status.observedGeneration === metadata.generation) return undefined;
    return async () => {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.';
      this.#context.recorder.event(this.#deployment, 'Warning', 'SelectingAll', message);
      const { generation = 0 } = metadata;
      await this.#setStatus({ ...status, observedGeneration: generation });
    };
  }

  /** Changes the ReplicaSet, if it has the listed resourceVersion. */
  async #patch(replicaSet: ReplicaSet, annotations: Record<string, string>, spec: object): Promise<void> {
    const { resourceVersion } = replicaSet.metadata;
    const body = { metadata: { resourceVersion, annotations }, spec };
    await this.#context.client.patch(replicaSets, keyOf(replicaSet), { type: 'merge', body });
  }

  async #setStatus(status: DeploymentStatus, revision?: string): Promise<void> {
    const { metadata } = this.#deployment;
    const annotations = {
      ...metadata.annotations,
      ...(revision === undefined ? {} : { [REVISION]: revision }),
    };
    const object = { ...this.#deployment, metadata: { ...metadata, annotations }, status };
    await this.#context.client.updateStatus(deployments, object).catch((error: unknown) => {
      if (!hasReason(error, 'Conflict')) throw error;
    });
  }

  #withCondition(condition: DeploymentCondition): DeploymentStatus {
    const { status } = this.#deployment;
    return { ...status, conditions: setDeploymentCondition(status.conditions ?? [], condition) };
  }

  #condition(status: string, reason: string, message: string): DeploymentCondition {
    const now = `${new Date(this.#context.clock.now()).toISOString().slice(0, 19)}Z`;
    return { type: 'Progressing', status, reason, message, lastUpdateTime: now, lastTransitionTime: now };
  }

  #tell(message: string): void {
    this.#context.recorder.event(this.#deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  #isOwn(object: KubeObject): boolean {
    return ownerUid(object) === this.#deployment.metadata.uid;
  }

  #selects({ metadata }: ReplicaSet): boolean {
    return labels.labelSelectorAsSelector(this.#deployment.spec.selector).matches(metadata.labels);
  }
}

function ownerUid({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}
