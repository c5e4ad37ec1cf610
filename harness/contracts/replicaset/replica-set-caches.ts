import type { OwnerReference, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyOf, keyToString } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { pods, replicaSets } from '../../api/resource.ts';
import type { SharedInformerFactory } from '../component.ts';
import type { SharedInformer } from '../informer.ts';
import { lastKnown } from '../last-known.ts';
import { byController, CONTROLLER, changeHandler, ORPHAN } from '../owned-objects.ts';
import { getPodReplicaSets } from './selector.ts';

/** Notifications of a ReplicaSet controller. Each method only records something and enqueues: it waits for nothing. */
interface ReplicaSetHandlers {
  /** A ReplicaSet was added or changed, or is reported again by a resync. */
  onReplicaSet(rs: ReplicaSet): void;
  /** A ReplicaSet was deleted. A new one of the same name may exist, with another uid. */
  onReplicaSetGone(rs: ReplicaSet): void;
  /**
   * A pod was added (no `previous`), changed, or deleted (no `current`). Both arguments have the same uid: a recreated
   * pod is reported as a deletion followed by an addition.
   */
  onPod(previous: Pod | undefined, current: Pod | undefined): void;
}

/**
 * The caches of a ReplicaSet controller: ReplicaSets and pods, indexed by their controller, and the handlers of their
 * events.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go addRS, updateRS, deleteRS, addPod,
 * updatePod,
 * deletePod, resolveControllerRef, getIndirectlyRelatedPods; pkg/controller/controller_utils.go FilterPodsByOwner
 */
export class ReplicaSetCaches {
  readonly #informers: SharedInformerFactory;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #pods: SharedInformer<Pod>;
  /** The last {@link ownPods}, and the version of the cache that had exactly these states. */
  #listed: { readonly version: string; readonly pods: readonly Pod[]; states?: ReadonlySet<Pod> } | undefined;

  constructor(informers: SharedInformerFactory) {
    this.#informers = informers;
    this.#replicaSets = informers.forResource(replicaSets, { [CONTROLLER]: byController[CONTROLLER] });
    this.#pods = informers.forResource(pods, byController);
  }

  /** Adds handlers of all events. Call it before {@link start}. */
  listen({ onReplicaSet, onReplicaSetGone, onPod }: ReplicaSetHandlers): void {
    this.#replicaSets.addEventHandler({
      onAdd: (rs) => onReplicaSet(rs),
      onUpdate: (previous, current) => {
        if (previous.metadata.uid !== current.metadata.uid) onReplicaSetGone(previous);
        onReplicaSet(current);
      },
      onDelete: (last) => onReplicaSetGone(lastKnown(last)),
    });
    this.#pods.addEventHandler(changeHandler(onPod));
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.#informers.start();
    await this.#informers.waitForCacheSync();
  }

  /** The version that each cache has reached, by resource; `''` from a cache that does not know its version. */
  readonly versions = {
    pods: (): string => this.#pods.indexer.lastStoreSyncResourceVersion?.() ?? '',
    replicasets: (): string => this.#replicaSets.indexer.lastStoreSyncResourceVersion?.() ?? '',
  };

  /** @param key `namespace/name` */
  replicaSet(key: string): ReplicaSet | undefined {
    return this.#replicaSets.indexer.getByKey(key);
  }

  /** Returns the ReplicaSet of an owner reference in this namespace; `undefined` if no ReplicaSet has that uid. */
  resolve(namespace: string | undefined, owner: OwnerReference): ReplicaSet | undefined {
    if (owner.kind !== 'ReplicaSet') return undefined;
    const key = keyToString({ ...(namespace === undefined ? {} : { namespace }), name: owner.name });
    const rs = this.replicaSet(key);
    return rs?.metadata.uid === owner.uid ? rs : undefined;
  }

  /** Returns the ReplicaSets that select this pod. */
  selecting(pod: Pod): ReplicaSet[] {
    return getPodReplicaSets(
      pod,
      this.#replicaSets.indexer.byIndex('namespace', pod.metadata.namespace ?? ''),
    );
  }

  /** Returns the pods that this ReplicaSet controls, in any phase. */
  ownPods(rs: ReplicaSet): Pod[] {
    const own = this.#pods.indexer.byIndex(CONTROLLER, rs.metadata.uid);
    this.#listed = { version: this.versions.pods(), pods: own };
    return own;
  }

  /** Returns the pods of a namespace without a controller. */
  orphans(namespace: string | undefined): Pod[] {
    return this.#pods.indexer.byIndex(ORPHAN, namespace ?? '');
  }

  /**
   * Returns the pods of every ReplicaSet with the same controller as this one, including its own; none if it has no
   * controller.
   */
  related(rs: ReplicaSet): Pod[] {
    const controller = controllerOf(rs);
    if (!controller) return [];
    return this.#replicaSets.indexer
      .byIndex(CONTROLLER, controller.uid)
      .flatMap((sibling) => this.ownPods(sibling));
  }

  /** Returns the cached state of this pod; `undefined` also if another pod has its name. */
  pod(pod: Pod): Pod | undefined {
    if (this.#isListed(pod)) return pod;
    const cached = this.#pods.indexer.getByKey(keyToString(keyOf(pod)));
    return cached?.metadata.uid === pod.metadata.uid ? cached : undefined;
  }

  /**
   * Returns whether the last list has this state, and the cache has not changed since. A sync asks for each of its pods,
   * so this must cost less than a look-up by name.
   */
  #isListed(pod: Pod): boolean {
    const listed = this.#listed;
    if (!listed || listed.version === '' || listed.version !== this.versions.pods()) return false;
    listed.states ??= new Set(listed.pods);
    return listed.states.has(pod);
  }
}
