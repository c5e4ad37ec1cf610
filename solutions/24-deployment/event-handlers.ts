/** Level 9 · The controller: which Deployment an event is about. */
import {
  DeletedFinalStateUnknown,
  type Deployment,
  type KubeObject,
  keyOf,
  keyToString,
  labels,
  type OwnerReference,
  type Pod,
  type RateLimitingWorkQueue,
  type ReplicaSet,
  type SharedInformer,
} from '#harness';
import { controllerOf, namespaceOf } from './metadata.ts';

/**
 * Puts a Deployment into the queue whenever something has changed that it must answer: itself, one of its ReplicaSets, or
 * one that it could adopt, or the last of its pods.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go addReplicaSet, deletePod
 */
export class EventHandlers {
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;

  constructor(
    queue: RateLimitingWorkQueue<string>,
    deploymentInformer: SharedInformer<Deployment>,
    replicaSetInformer: SharedInformer<ReplicaSet>,
  ) {
    this.#queue = queue;
    this.#deployments = deploymentInformer;
    this.#replicaSets = replicaSetInformer;
  }

  /** Adds the handlers to the informers. Call it once. */
  register(podInformer: SharedInformer<Pod>): void {
    this.#deployments.addEventHandler({
      onAdd: (deployment) => this.#enqueue(deployment),
      onUpdate: (_, deployment) => this.#enqueue(deployment),
    });
    this.#replicaSets.addEventHandler({
      onAdd: (replicaSet) => this.#replicaSetChanged(replicaSet),
      onUpdate: (previous, current) => this.#replicaSetUpdated(previous, current),
      onDelete: (gone) => this.#replicaSetChanged(lastState(gone), { deleted: true }),
    });
    podInformer.addEventHandler({ onDelete: (gone) => this.#podDeleted(lastState(gone)) });
  }

  #enqueue(deployment: Deployment): void {
    this.#queue.add(keyToString(keyOf(deployment)));
  }

  #replicaSetChanged(replicaSet: ReplicaSet, { deleted = false } = {}): void {
    const owner = controllerOf(replicaSet);
    if (owner) this.#enqueueOwner(replicaSet, owner);
    // An orphan: somebody may want it, unless it is going.
    if (owner || deleted || replicaSet.metadata.deletionTimestamp !== undefined) return;
    for (const deployment of this.#deployments.indexer.byIndex('namespace', namespaceOf(replicaSet))) {
      if (selects(deployment, replicaSet)) this.#enqueue(deployment);
    }
  }

  #replicaSetUpdated(previous: ReplicaSet, current: ReplicaSet): void {
    if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
    const owner = controllerOf(previous);
    if (owner && owner.uid !== controllerOf(current)?.uid) this.#enqueueOwner(previous, owner);
    this.#replicaSetChanged(current);
  }

  /** A Recreate waits for the old pods to be gone, and no ReplicaSet says when the last one is. */
  #podDeleted(pod: Pod): void {
    const owner = controllerOf(pod);
    if (owner?.kind !== 'ReplicaSet') return;
    const key = keyToString({ namespace: namespaceOf(pod), name: owner.name });
    const replicaSet = this.#replicaSets.indexer.getByKey(key);
    if (replicaSet?.metadata.uid !== owner.uid) return;
    const controller = controllerOf(replicaSet);
    if (controller) this.#enqueueOwner(replicaSet, controller);
  }

  /** Wakes the Deployment that a controllerRef points to, if it is still that one and not another of its name. */
  #enqueueOwner(owned: KubeObject, { kind, name, uid }: OwnerReference): void {
    if (kind !== 'Deployment') return;
    const key = keyToString({ namespace: namespaceOf(owned), name });
    const deployment = this.#deployments.indexer.getByKey(key);
    if (deployment?.metadata.uid === uid) this.#enqueue(deployment);
  }
}

function selects({ spec }: Deployment, { metadata }: ReplicaSet): boolean {
  const selector = labels.labelSelectorAsSelector(spec.selector);
  return !selector.empty && selector.matches(metadata.labels);
}

function lastState<T>(gone: T | DeletedFinalStateUnknown<T>): T {
  return gone instanceof DeletedFinalStateUnknown ? gone.object : gone;
}
