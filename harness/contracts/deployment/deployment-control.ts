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

/** What came of an attempt to create a ReplicaSet. */
interface CreatedReplicaSet {
  readonly replicaSet: ReplicaSet;
  /** It was there before, under the same name: it may be another one's, or have another template. */
  readonly existed: boolean;
}

/**
 * What a Deployment controller asks of the server, and the Events that tell of it. Each method rejects with what the server
 * answered, unless it says otherwise.
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

  /** The ReplicaSets of the Deployment: {@link claimReplicaSets}. */
  claimReplicaSets(deployment: Deployment, candidates: readonly ReplicaSet[]): Promise<ReplicaSet[]> {
    return claimReplicaSets(this.#client, deployment, candidates);
  }

  /**
   * Creates a ReplicaSet. If the name is taken, the server is asked what has it; a cache may not show it yet. If the server refuses
   * for another reason, the Deployment says so, as an Event and as `Progressing` `False` `ReplicaSetCreateError`.
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
   * Sizes ReplicaSets, one after the other, and sets their annotations of size in the same write. A ReplicaSet that has changed
   * since it was decided on is not touched: that is a conflict, and the rest is not done.
   *
   * @param maxSurge how many pods there may be beyond `spec.replicas`
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

  /** Deletes ReplicaSets, one after the other, if they are still as they were decided on. Those that are gone are gone. */
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
   * Writes the status of a Deployment, and its revision with it, if one of the two is news. An absent count is 0.
   *
   * @param revision @defaultValue the one that the Deployment has
   * @returns what the server answered; the very Deployment that was given if nothing was written
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

  /** Says that the Deployment is paused, or is no longer, if that is news: {@link checkPausedConditions}. @returns as above */
  async markPaused(deployment: Deployment): Promise<Deployment> {
    const condition = checkPausedConditions(deployment, this.#clock.now());
    if (!condition) return deployment;
    const { conditions = [] } = deployment.status;
    return this.updateStatus(deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, condition),
    });
  }

  /** Warns that a Deployment with an empty selector would select every pod, and notes that it was looked at. */
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
    // What the server refused is the bigger trouble.
    await this.updateStatus(deployment, { ...status, conditions }).catch(() => {});
  }
}
