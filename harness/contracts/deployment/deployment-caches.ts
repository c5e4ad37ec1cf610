import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { Deployment, KubeObject, OwnerReference, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyToString } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { deployments, pods, replicaSets } from '../../api/resource.ts';
import type { SharedInformerFactory } from '../component.ts';
import type { SharedInformer } from '../informer.ts';
import { lastKnown } from '../last-known.ts';
import { byController, CONTROLLER, ORPHAN } from '../owned-objects.ts';

/**
 * The caches of a Deployment controller, and the handlers that map an event to its Deployment.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/deployment_controller.go addReplicaSet,
 * updateReplicaSet,
 * deleteReplicaSet, deletePod, resolveControllerRef, getDeploymentsForReplicaSet, getPodMapForDeployment
 */
export class DeploymentCaches {
  readonly #informers: SharedInformerFactory;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #pods: SharedInformer<Pod>;

  constructor(informers: SharedInformerFactory) {
    this.#informers = informers;
    this.#deployments = informers.forResource(deployments);
    this.#replicaSets = informers.forResource(replicaSets, byController);
    this.#pods = informers.forResource(pods, { [CONTROLLER]: byController[CONTROLLER] });
  }

  /**
   * Enqueues a Deployment when it changes, and when one of its pods is deleted. Also when one of its ReplicaSets
   * changes, or a ReplicaSet that it might adopt. Call it before {@link start}.
   */
  listen(enqueue: (deployment: Deployment) => void): void {
    this.#deployments.addEventHandler({
      onAdd: (deployment) => enqueue(deployment),
      onUpdate: (_, deployment) => enqueue(deployment),
    });
    const changed = (replicaSet: ReplicaSet): void => {
      const owner = controllerOf(replicaSet);
      if (owner) this.#enqueueOwner(replicaSet, owner, enqueue);
      // A Deployment may adopt the ReplicaSet.
      else if (replicaSet.metadata.deletionTimestamp === undefined)
        this.#selecting(replicaSet).forEach(enqueue);
    };
    this.#replicaSets.addEventHandler({
      onAdd: changed,
      onUpdate: (previous, current) => {
        if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
        const owner = controllerOf(previous);
        if (owner && owner.uid !== controllerOf(current)?.uid) this.#enqueueOwner(previous, owner, enqueue);
        changed(current);
      },
      onDelete: (last) => {
        const replicaSet = lastKnown(last);
        const owner = controllerOf(replicaSet);
        if (owner) this.#enqueueOwner(replicaSet, owner, enqueue);
      },
    });
    // A Recreate roll-out waits for the deletion of its old pods, and no ReplicaSet event reports the last deletion.
    this.#pods.addEventHandler({ onDelete: (last) => this.#podGone(lastKnown(last), enqueue) });
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.#informers.start();
    await this.#informers.waitForCacheSync();
  }

  /** @param key `namespace/name` */
  deployment(key: string): Deployment | undefined {
    return this.#deployments.indexer.getByKey(key);
  }

  /**
   * Returns the ReplicaSets that this Deployment controls, and the ReplicaSets of its namespace without a controller.
   *
   * Differs: upstream lists the whole namespace, and ignores the ReplicaSets of other controllers when it claims.
   */
  candidateReplicaSets({ metadata }: Deployment): ReplicaSet[] {
    const { indexer } = this.#replicaSets;
    return [
      ...indexer.byIndex(CONTROLLER, metadata.uid),
      ...indexer.byIndex(ORPHAN, metadata.namespace ?? ''),
    ];
  }

  /** Returns the pods that these ReplicaSets control, in any phase. */
  podsOf(all: readonly ReplicaSet[]): Pod[] {
    return all.flatMap(({ metadata }) => this.#pods.indexer.byIndex(CONTROLLER, metadata.uid));
  }

  #podGone(pod: Pod, enqueue: (deployment: Deployment) => void): void {
    const owner = controllerOf(pod);
    if (owner?.kind !== 'ReplicaSet') return;
    const replicaSet = this.#replicaSets.indexer.getByKey(keyIn(pod, owner.name));
    const controller =
      replicaSet?.metadata.uid === owner.uid ? controllerOf(replicaSet as ReplicaSet) : undefined;
    if (controller) this.#enqueueOwner(pod, controller, enqueue);
  }

  /** Enqueues the Deployment of an owner reference, unless the Deployment of that name has another uid. */
  #enqueueOwner(
    owned: KubeObject,
    { kind, name, uid }: OwnerReference,
    enqueue: (deployment: Deployment) => void,
  ): void {
    if (kind !== 'Deployment') return;
    const deployment = this.deployment(keyIn(owned, name));
    if (deployment?.metadata.uid === uid) enqueue(deployment);
  }

  #selecting({ metadata }: ReplicaSet): Deployment[] {
    const around = this.#deployments.indexer.byIndex('namespace', metadata.namespace ?? '');
    return around.filter(({ spec }) => {
      const selector = labelSelectorAsSelector(spec.selector);
      return !selector.empty && selector.matches(metadata.labels);
    });
  }
}

function keyIn({ metadata }: KubeObject, name: string): string {
  return keyToString({
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name,
  });
}
