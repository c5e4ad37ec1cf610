import { type Deployment, keyOf, type New, type ReplicaSet } from '../../api/objects.ts';
import { deployments, replicaSets } from '../../api/resource.ts';
import { isAlreadyExists, isNamespaceTerminating, isNotFound, StatusError } from '../../api/status.ts';
import type { ComponentContext } from '../component.ts';
import { isSameStatus } from '../same-status.ts';
import { REVISION, replicasAnnotations } from './annotations.ts';
import { claimReplicaSets } from './claim-replica-sets.ts';
import {
  checkPausedConditions,
  type DeploymentStatus,
  hasProgressDeadline,
  newDeploymentCondition,
  setDeploymentCondition,
} from './conditions.ts';
import type { ScaleOrder } from './facts.ts';

/** The result of {@link DeploymentControl.create}. */
interface CreatedReplicaSet {
  readonly replicaSet: ReplicaSet;
  /** Whether a ReplicaSet of this name existed before. It may have another owner or another template. */
  readonly existed: boolean;
}

/**
 * The requests of a Deployment controller to the server, and the Events about them. Each method rejects with the error
 * of the server, unless its comment names an exception.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go scaleReplicaSet, getNewReplicaSet,
 * cleanupDeployment, checkPausedConditions
 */
export class DeploymentControl {
  readonly #client;
  readonly #recorder;
  readonly #clock;

  constructor({ client, recorder, clock }: Pick<ComponentContext, 'client' | 'recorder' | 'clock'>) {
    this.#client = client;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Returns the ReplicaSets of the Deployment: see {@link claimReplicaSets}. */
  claimReplicaSets(deployment: Deployment, candidates: readonly ReplicaSet[]): Promise<ReplicaSet[]> {
    return claimReplicaSets(this.#client, deployment, candidates);
  }

  /**
   * Creates a ReplicaSet. If the name already exists, it reads that ReplicaSet from the server, because a cache may not
   * have it yet. If the server refuses for another reason, it emits an Event and sets `Progressing` to `False` with
   * reason `ReplicaSetCreateError`.
   */
  async create(deployment: Deployment, wanted: New<ReplicaSet>): Promise<CreatedReplicaSet> {
    const { namespace = '', name = '' } = wanted.metadata;
    try {
      const replicaSet = await this.#client.create(replicaSets, wanted);
      this.#tellOfScaling(deployment, replicaSet, 0, replicaSet.spec.replicas);
      return { replicaSet, existed: false };
    } catch (error) {
      if (isAlreadyExists(error)) {
        return { replicaSet: await this.#client.get(replicaSets, { namespace, name }), existed: true };
      }
      if (!isNamespaceTerminating(error)) await this.#tellOfRefusal(deployment, name, error);
      throw error;
    }
  }

  /**
   * Scales ReplicaSets one by one, and sets their size annotations in the same write. If a ReplicaSet has changed since
   * the decision, the update fails with a conflict, and the remaining orders are skipped.
   *
   * @param maxSurge the maximum number of pods above `spec.replicas`
   */
  async scale(deployment: Deployment, orders: readonly ScaleOrder[], maxSurge: number): Promise<void> {
    const sized = replicasAnnotations(deployment, maxSurge);
    for (const { replicaSet, replicas } of orders) {
      const { metadata, spec } = replicaSet;
      const annotations = { ...metadata.annotations, ...sized };
      await this.#client.update(replicaSets, {
        ...replicaSet,
        metadata: { ...metadata, annotations },
        spec: { ...spec, replicas },
      });
      this.#tellOfScaling(deployment, replicaSet, spec.replicas, replicas);
    }
  }

  /**
   * Deletes ReplicaSets one by one, if they are unchanged since the decision. Ignores ReplicaSets that no longer exist.
   */
  async delete(all: readonly ReplicaSet[]): Promise<void> {
    for (const replicaSet of all) {
      const { uid, resourceVersion } = replicaSet.metadata;
      const preconditions = { uid, resourceVersion };
      await this.#client.delete(replicaSets, keyOf(replicaSet), { preconditions }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }

  /**
   * Updates the status of a Deployment, together with its revision, if either has changed. An absent count is 0.
   *
   * @param revision @defaultValue the revision of the Deployment
   * @returns the Deployment from the server; the given object if no update was needed
   */
  async updateStatus(
    deployment: Deployment,
    status: DeploymentStatus,
    revision: string | undefined = deployment.metadata.annotations?.[REVISION],
  ): Promise<Deployment> {
    const { metadata } = deployment;
    const isKnown = metadata.annotations?.[REVISION] === revision;
    if (isKnown && isSameStatus(status, deployment.status)) return deployment;
    const annotations = {
      ...metadata.annotations,
      ...(revision === undefined ? {} : { [REVISION]: revision }),
    };
    return this.#client.updateStatus(deployments, {
      ...deployment,
      metadata: { ...metadata, annotations },
      status,
    });
  }

  /**
   * Sets the condition that the Deployment is paused or resumed, if it has changed: see {@link checkPausedConditions}.
   * @returns as above
   */
  async markPaused(deployment: Deployment): Promise<Deployment> {
    const condition = checkPausedConditions(deployment, this.#clock.now());
    if (!condition) return deployment;
    const { conditions = [] } = deployment.status;
    return this.updateStatus(deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, condition),
    });
  }

  /** Emits a warning that an empty selector would select every pod, and updates `observedGeneration`. */
  async refuseToSelectAll(deployment: Deployment): Promise<void> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#recorder.event(deployment, 'Warning', 'SelectingAll', message);
    const { generation: observedGeneration = 0 } = deployment.metadata;
    if ((deployment.status.observedGeneration ?? 0) >= observedGeneration) return;
    await this.updateStatus(deployment, { ...deployment.status, observedGeneration });
  }

  #tellOfScaling(deployment: Deployment, { metadata }: ReplicaSet, before: number, now: number): void {
    if (before === now) return;
    const direction = now > before ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${metadata.name} from ${before} to ${now}`;
    this.#recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  async #tellOfRefusal(deployment: Deployment, name: string, error: unknown): Promise<void> {
    if (!(error instanceof StatusError)) return;
    const reason = 'ReplicaSetCreateError';
    const message = `Failed to create new replica set "${name}": ${error.message}`;
    this.#recorder.event(deployment, 'Warning', reason, message);
    if (!hasProgressDeadline(deployment)) return;
    const { status } = deployment;
    const refused = { type: 'Progressing', status: 'False', reason, message };
    const condition = newDeploymentCondition(this.#clock.now(), refused);
    const conditions = setDeploymentCondition(status.conditions ?? [], condition);
    // Report the error of the create, even if this update fails.
    await this.updateStatus(deployment, { ...status, conditions }).catch(() => {});
  }
}
