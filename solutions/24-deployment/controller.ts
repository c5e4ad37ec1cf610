/** Level 9 · The controller. */
import {
  type Client,
  type Clock,
  type Component,
  type ComponentContext,
  type Deployment,
  deepEqual,
  deployments,
  type EventRecorder,
  type IndexReader,
  isAlreadyExists,
  isNotFound,
  keyOf,
  keyToString,
  type New,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
  type ReplicaSet,
  replicaSets,
  type SharedInformer,
  StatusError,
} from '#harness';
import { REVISION } from './constants.ts';
import { EventHandlers } from './event-handlers.ts';
import { findCleanableReplicaSets, maxRevision, newReplicaSetAnnotations } from './history.ts';
import { controllerOf } from './metadata.ts';
import { isScalingEvent, replicasAnnotations, scale } from './proportion.ts';
import { oldPodsRunning, scaleDownOldReplicaSetsForRecreate } from './recreate.ts';
import { ReplicaSetRefManager } from './ref-manager.ts';
import { allOf, type Rollout, rolloutOf } from './rollout.ts';
import { reconcileOldReplicaSets } from './scale-down.ts';
import { orders, type ScaleOrder } from './scale-order.ts';
import { newRSNewReplicas, reconcileNewReplicaSet } from './scale-up.ts';
import {
  calculateRolloutStatus,
  calculateStatus,
  checkPausedConditions,
  type DeploymentCondition,
  type DeploymentStatus,
  deploymentComplete,
  getDeploymentCondition,
  hasProgressDeadline,
  newCondition,
  requeueStuckDeployment,
  setDeploymentCondition,
} from './status.ts';
import { equalIgnoreHash, filterActiveReplicaSets, newReplicaSetFor } from './template.ts';

const WORKERS = 5;
/** So that a timer which fires a little early does not find the deadline a little ahead. */
const DEADLINE_SKEW_MS = 1_000;

class DeploymentController {
  readonly #context: ComponentContext;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #recorder: EventRecorder;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #pods: IndexReader<Pod>;
  readonly #refs: ReplicaSetRefManager;

  constructor(context: ComponentContext) {
    const { client, clock, recorder, informers } = context;
    this.#context = context;
    this.#client = client;
    this.#clock = clock;
    this.#recorder = recorder;
    this.#queue = context.newWorkQueue<string>();
    this.#deployments = informers.forResource(deployments);
    this.#replicaSets = informers.forResource(replicaSets);
    const podInformer = informers.forResource(pods, { controller: byController });
    this.#pods = podInformer.indexer;
    this.#refs = new ReplicaSetRefManager(client, this.#replicaSets);
    new EventHandlers(this.#queue, this.#deployments, this.#replicaSets).register(podInformer);
  }

  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    informers.start();
    await informers.waitForCacheSync();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.syncDeployment(key),
      onError: (error, key) => log(`will sync ${key} again: ${error}`),
    });
  }

  async syncDeployment(key: string): Promise<void> {
    const cached = this.#deployments.indexer.getByKey(key);
    if (!cached) return;
    if (deepEqual(cached.spec.selector, {})) return this.#refuseToSelectAll(cached);
    const owned = await this.#refs.claimReplicaSets(cached);
    if (cached.metadata.deletionTimestamp !== undefined) {
      return this.#syncStatus(rolloutOf(cached, owned), calculateStatus);
    }
    const deployment = await this.#markPaused(cached);
    const rollout = await this.#syncRevision(rolloutOf(deployment, owned));
    if (deployment.spec.paused || isScalingEvent(deployment, allOf(rollout))) return this.#sync(rollout);
    if (deployment.spec.strategy.type === 'Recreate') return this.#rolloutRecreate(rollout);
    return this.#rolloutRolling(rollout);
  }

  async #refuseToSelectAll(deployment: Deployment): Promise<void> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#recorder.event(deployment, 'Warning', 'SelectingAll', message);
    const { generation = 0 } = deployment.metadata;
    if ((deployment.status.observedGeneration ?? 0) >= generation) return;
    await this.#updateStatus(deployment, { ...deployment.status, observedGeneration: generation });
  }

  /** So that the time for which it was paused does not count against the deadline. */
  async #markPaused(deployment: Deployment): Promise<Deployment> {
    const condition = checkPausedConditions(deployment, this.#clock.now());
    if (!condition) return deployment;
    const { conditions = [] } = deployment.status;
    return this.#updateStatus(deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, condition),
    });
  }

  /** Paused, or to be scaled: nothing is rolled out. */
  async #sync(rollout: Rollout): Promise<void> {
    const { deployment, newReplicaSet, old } = rollout;
    await this.#carryOut(deployment, scale(deployment, newReplicaSet, old));
    if (deployment.spec.paused) await this.#cleanup(rollout);
    await this.#syncStatus(rollout, calculateStatus);
  }

  async #rolloutRolling(before: Rollout): Promise<void> {
    const rollout = before.newReplicaSet ? before : await this.#createNew(before);
    const { deployment, newReplicaSet, old } = rollout;
    if (!newReplicaSet) return;
    // One of the two a sync: the second would be decided on what the first has just changed.
    const up = reconcileNewReplicaSet(deployment, allOf(rollout), newReplicaSet);
    const active = filterActiveReplicaSets(old);
    const changes = up.length > 0 ? up : reconcileOldReplicaSets(deployment, active, newReplicaSet);
    await this.#carryOut(deployment, changes);
    if (changes.length === 0) await this.#cleanupIfComplete(rollout);
    await this.#syncStatus(rollout, calculateRolloutStatus);
  }

  async #rolloutRecreate(before: Rollout): Promise<void> {
    const down = scaleDownOldReplicaSetsForRecreate(before.old);
    await this.#carryOut(before.deployment, down);
    const oldPods = before.old.flatMap(({ metadata }) => this.#pods.byIndex('controller', metadata.uid));
    if (down.length > 0 || oldPodsRunning(before.old, oldPods)) {
      return this.#syncStatus(before, calculateRolloutStatus);
    }
    const rollout = before.newReplicaSet ? before : await this.#createNew(before);
    const { deployment, newReplicaSet } = rollout;
    if (!newReplicaSet) return;
    await this.#carryOut(deployment, orders([[newReplicaSet, deployment.spec.replicas]]));
    await this.#cleanupIfComplete(rollout);
    await this.#syncStatus(rollout, calculateRolloutStatus);
  }

  /** Brings the new ReplicaSet's annotations up to date, and the Deployment's revision after them. */
  async #syncRevision(rollout: Rollout): Promise<Rollout> {
    const { deployment, newReplicaSet, old } = rollout;
    if (!newReplicaSet) return rollout;
    const { metadata, spec } = newReplicaSet;
    const annotations = newReplicaSetAnnotations(
      deployment,
      metadata.annotations ?? {},
      maxRevision(old) + 1,
    );
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    if (
      !deepEqual(annotations, metadata.annotations ?? {}) ||
      minReadySeconds !== (spec.minReadySeconds ?? 0)
    ) {
      const updated = await this.#client.update(replicaSets, {
        ...newReplicaSet,
        metadata: { ...metadata, annotations },
        spec: { ...spec, minReadySeconds },
      });
      return { ...rollout, newReplicaSet: updated };
    }
    const current = metadata.annotations?.[REVISION] ?? '';
    const isNews = current !== deployment.metadata.annotations?.[REVISION];
    const progress = getDeploymentCondition(deployment.status, 'Progressing');
    // Who died between making this ReplicaSet and saying so has left a status that speaks of the last roll-out, which is
    // over: nobody would notice that this one is stuck.
    const unsaid = !progress || (isNews && progress.reason === 'NewReplicaSetAvailable');
    const condition =
      hasProgressDeadline(deployment) && unsaid
        ? newCondition(this.#clock.now(), {
            type: 'Progressing',
            status: 'True',
            reason: 'FoundNewReplicaSet',
            message: `Found new replica set "${metadata.name}"`,
          })
        : undefined;
    return { ...rollout, deployment: await this.#setRevision(deployment, current, condition) };
  }

  async #setRevision(
    deployment: Deployment,
    current: string,
    condition: DeploymentCondition | undefined,
  ): Promise<Deployment> {
    const { metadata, status } = deployment;
    const known = metadata.annotations?.[REVISION] === current;
    if (known && !condition) return deployment;
    const { conditions = [] } = status;
    return this.#client.updateStatus(deployments, {
      ...deployment,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [REVISION]: current } },
      status: condition ? { ...status, conditions: setDeploymentCondition(conditions, condition) } : status,
    });
  }

  /** Makes the ReplicaSet of the template. Gives no new one when the namespace is going away: then none is to be. */
  async #createNew(rollout: Rollout): Promise<Rollout> {
    const { deployment, old } = rollout;
    const empty = newReplicaSetFor(deployment);
    const replicas = newRSNewReplicas(deployment, old, empty);
    const newRevision = maxRevision(old) + 1;
    const wanted: New<ReplicaSet> = {
      ...empty,
      metadata: {
        ...empty.metadata,
        annotations: {
          ...newReplicaSetAnnotations(deployment, {}, newRevision),
          ...replicasAnnotations(deployment),
        },
      },
      spec: { ...empty.spec, replicas },
    };
    let created: ReplicaSet;
    try {
      created = await this.#client.create(replicaSets, wanted);
    } catch (error) {
      if (isAlreadyExists(error)) return this.#alreadyThere(rollout, wanted, error);
      if (isNamespaceTerminating(error)) return rollout;
      await this.#reportCreateError(deployment, wanted, error);
      throw error;
    }
    const { name } = created.metadata;
    if (replicas > 0) this.#tell(deployment, `Scaled up replica set ${name} to ${replicas}`);
    const condition = hasProgressDeadline(deployment)
      ? newCondition(this.#clock.now(), {
          type: 'Progressing',
          status: 'True',
          reason: 'NewReplicaSetCreated',
          message: `Created new replica set "${name}"`,
        })
      : undefined;
    const updated = await this.#setRevision(deployment, String(newRevision), condition);
    return { ...rollout, deployment: updated, newReplicaSet: created };
  }

  /**
   * There is a ReplicaSet of that name. Either it is the one that was wanted, made by an earlier try of which the cache
   * does not know yet; or another template has the same hash, and the next try must have another.
   */
  async #alreadyThere(rollout: Rollout, wanted: New<ReplicaSet>, error: StatusError): Promise<Rollout> {
    const { deployment } = rollout;
    const { namespace, name = '' } = wanted.metadata;
    const existing = await this.#client.get(
      replicaSets,
      namespace === undefined ? { name } : { namespace, name },
    );
    const isOurs = controllerOf(existing)?.uid === deployment.metadata.uid;
    if (isOurs && equalIgnoreHash(existing.spec.template, deployment.spec.template)) {
      return { ...rollout, newReplicaSet: existing };
    }
    const { status } = deployment;
    await this.#updateStatus(deployment, { ...status, collisionCount: (status.collisionCount ?? 0) + 1 });
    throw error;
  }

  async #reportCreateError(deployment: Deployment, wanted: New<ReplicaSet>, error: unknown): Promise<void> {
    if (!(error instanceof StatusError)) return;
    const message = `Failed to create new replica set "${wanted.metadata.name}": ${error.message}`;
    this.#recorder.event(deployment, 'Warning', 'ReplicaSetCreateError', message);
    if (!hasProgressDeadline(deployment)) return;
    const { conditions = [] } = deployment.status;
    const condition = newCondition(this.#clock.now(), {
      type: 'Progressing',
      status: 'False',
      reason: 'ReplicaSetCreateError',
      message,
    });
    await this.#updateStatus(deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, condition),
    }).catch(() => {}); // The bigger trouble is the one that is being reported.
  }

  /** Sizes ReplicaSets, one after the other, each only if it still is what the decision was made on. */
  async #carryOut(deployment: Deployment, changes: readonly ScaleOrder[]): Promise<void> {
    for (const { replicaSet, replicas } of changes) {
      const { metadata, spec } = replicaSet;
      await this.#client.update(replicaSets, {
        ...replicaSet,
        metadata: {
          ...metadata,
          annotations: { ...metadata.annotations, ...replicasAnnotations(deployment) },
        },
        spec: { ...spec, replicas },
      });
      if (replicas === spec.replicas) continue;
      const direction = replicas > spec.replicas ? 'up' : 'down';
      this.#tell(
        deployment,
        `Scaled ${direction} replica set ${metadata.name} to ${replicas} from ${spec.replicas}`,
      );
    }
  }

  async #cleanupIfComplete(rollout: Rollout): Promise<void> {
    const { deployment } = rollout;
    if (deploymentComplete(deployment, deployment.status)) await this.#cleanup(rollout);
  }

  async #cleanup({ deployment, old }: Rollout): Promise<void> {
    for (const { metadata } of findCleanableReplicaSets(deployment, old)) {
      const { uid, resourceVersion } = metadata;
      await this.#client
        .delete(replicaSets, keyOf({ metadata }), { preconditions: { uid, resourceVersion } })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
  }

  async #syncStatus(
    { deployment, newReplicaSet, old }: Rollout,
    calculate: typeof calculateStatus,
  ): Promise<void> {
    const nowMs = this.#clock.now();
    const status = calculate(deployment, newReplicaSet, old, nowMs);
    if (!deepEqual(status, deployment.status)) {
      await this.#updateStatus(deployment, status);
      return;
    }
    if (calculate !== calculateRolloutStatus) return;
    // Nothing moves, so nothing will wake this Deployment: only the clock can say that it is stuck.
    const afterMs = requeueStuckDeployment(deployment, status, nowMs);
    if (afterMs === undefined) return;
    this.#queue.addAfter(keyToString(keyOf(deployment)), afterMs + DEADLINE_SKEW_MS);
  }

  #updateStatus(deployment: Deployment, status: DeploymentStatus): Promise<Deployment> {
    return this.#client.updateStatus(deployments, { ...deployment, status });
  }

  #tell(deployment: Deployment, message: string): void {
    this.#recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
}

function byController(pod: Pod): readonly string[] {
  const owner = controllerOf(pod);
  return owner ? [owner.uid] : [];
}

function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}

/** The Deployment controller: what the rest of a cluster knows of this kata. */
export const deploymentController: Component = (context) => new DeploymentController(context).run();
