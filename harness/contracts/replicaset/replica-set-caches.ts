import type { KubeObject, OwnerReference, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyOf, keyToString } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { pods, replicaSets } from '../../api/resource.ts';
import type { SharedInformerFactory } from '../component.ts';
import { DeletedFinalStateUnknown, type SharedInformer } from '../informer.ts';
import { getPodReplicaSets } from './selector.ts';

/** What a ReplicaSet controller is told. Each of these only notes something and enqueues: it does not wait for anything. */
interface ReplicaSetHandlers {
  /** A ReplicaSet has come or changed, or it is told of again. */
  onReplicaSet(rs: ReplicaSet): void;
  /** A ReplicaSet is gone. One of the same name may be there: that one has another uid. */
  onReplicaSetGone(rs: ReplicaSet): void;
  /**
   * A pod has come (no `previous`), has changed, or is gone (no `current`). Both are the same pod: one that was made again
   * under its name is told of as gone, and then as come.
   */
  onPod(previous: Pod | undefined, current: Pod | undefined): void;
}

const CONTROLLER = 'controller';
const ORPHAN = 'orphan';

/**
 * The caches of a ReplicaSet controller: ReplicaSets and pods, found by their controller, and the handlers that are told of them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go addRS, updateRS, deleteRS, addPod, updatePod,
 * deletePod, resolveControllerRef, getIndirectlyRelatedPods; pkg/controller/controller_utils.go FilterPodsByOwner
 */
export class ReplicaSetCaches {
  readonly #informers: SharedInformerFactory;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #pods: SharedInformer<Pod>;

  constructor(informers: SharedInformerFactory) {
    this.#informers = informers;
    const controller = (object: KubeObject): string[] => {
      const owner = controllerOf(object);
      return owner ? [owner.uid] : [];
    };
    const orphan = (pod: Pod): string[] => (controllerOf(pod) ? [] : [pod.metadata.namespace ?? '']);
    this.#replicaSets = informers.forResource(replicaSets, { [CONTROLLER]: controller });
    this.#pods = informers.forResource(pods, { [CONTROLLER]: controller, [ORPHAN]: orphan });
  }

  /** Tells these handlers whatever happens from now on. Call it before {@link start}. */
  listen({ onReplicaSet, onReplicaSetGone, onPod }: ReplicaSetHandlers): void {
    this.#replicaSets.addEventHandler({
      onAdd: (rs) => onReplicaSet(rs),
      onUpdate: (previous, current) => {
        if (previous.metadata.uid !== current.metadata.uid) onReplicaSetGone(previous);
        onReplicaSet(current);
      },
      onDelete: (last) => onReplicaSetGone(lastKnown(last)),
    });
    this.#pods.addEventHandler({
      onAdd: (pod) => onPod(undefined, pod),
      onUpdate: (previous, current) => {
        if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
        if (previous.metadata.uid === current.metadata.uid) return onPod(previous, current);
        onPod(previous, undefined);
        onPod(undefined, current);
      },
      onDelete: (last) => onPod(lastKnown(last), undefined),
    });
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.#informers.start();
    await this.#informers.waitForCacheSync();
  }

  /** The version that each cache has reached, by resource; `''` from a cache that does not know. */
  readonly versions = {
    pods: (): string => this.#pods.indexer.lastStoreSyncResourceVersion?.() ?? '',
    replicasets: (): string => this.#replicaSets.indexer.lastStoreSyncResourceVersion?.() ?? '',
  };

  /** @param key `namespace/name` */
  replicaSet(key: string): ReplicaSet | undefined {
    return this.#replicaSets.indexer.getByKey(key);
  }

  /** The ReplicaSet that an object of this namespace means by its owner; `undefined` if there is none of that uid. */
  resolve(namespace: string | undefined, owner: OwnerReference): ReplicaSet | undefined {
    if (owner.kind !== 'ReplicaSet') return undefined;
    const key = keyToString({ ...(namespace === undefined ? {} : { namespace }), name: owner.name });
    const rs = this.replicaSet(key);
    return rs?.metadata.uid === owner.uid ? rs : undefined;
  }

  /** The ReplicaSets that select this pod. */
  selecting(pod: Pod): ReplicaSet[] {
    return getPodReplicaSets(
      pod,
      this.#replicaSets.indexer.byIndex('namespace', pod.metadata.namespace ?? ''),
    );
  }

  /** The pods that this ReplicaSet controls, whatever has become of them. */
  ownPods(rs: ReplicaSet): Pod[] {
    return this.#pods.indexer.byIndex(CONTROLLER, rs.metadata.uid);
  }

  /** The pods of a namespace that nothing controls. */
  orphans(namespace: string | undefined): Pod[] {
    return this.#pods.indexer.byIndex(ORPHAN, namespace ?? '');
  }

  /** The pods of every ReplicaSet that has the same controller as this one, its own among them; none if it has no controller. */
  related(rs: ReplicaSet): Pod[] {
    const controller = controllerOf(rs);
    if (!controller) return [];
    return this.#replicaSets.indexer
      .byIndex(CONTROLLER, controller.uid)
      .flatMap((sibling) => this.ownPods(sibling));
  }

  /** What the cache has of this very pod now; `undefined` also if another pod has its name. */
  pod(pod: Pod): Pod | undefined {
    const cached = this.#pods.indexer.getByKey(keyToString(keyOf(pod)));
    return cached?.metadata.uid === pod.metadata.uid ? cached : undefined;
  }
}

function lastKnown<T>(last: T | DeletedFinalStateUnknown<T>): T {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}
