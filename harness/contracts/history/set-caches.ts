import { deepEqual } from '../../api/freeze.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { ControllerRevision, KubeObject, OwnerReference, Pod } from '../../api/objects.ts';
import { keyToString } from '../../api/objects.ts';
import { controllerRevisions } from '../../api/plain-resources.ts';
import { controllerOf } from '../../api/predicates.ts';
import { pods, type Resource } from '../../api/resource.ts';
import type { SharedInformerFactory } from '../component.ts';
import type { DeletedFinalStateUnknown, SharedInformer } from '../informer.ts';
import { lastKnown } from '../last-known.ts';
import { byController, CONTROLLER, ORPHAN } from '../owned-objects.ts';
import type { PodSet } from './revision.ts';

/** Notifications of a controller of sets. Each method only records something and enqueues. */
interface SetHandlers<T extends PodSet> {
  /** The set, one of its pods or revisions, or an object that the set might adopt has changed. */
  enqueue(set: T): void;
  /** The set was deleted. A new one of the same name may exist, with another uid. */
  onSetGone(set: T): void;
}

/**
 * The caches of a DaemonSet or StatefulSet controller: sets, their pods and their revisions, and the handlers that map
 * an event to its sets.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go addPod, updatePod, deletePod,
 * addHistory, updateHistory, deleteHistory, resolveControllerRef; pkg/controller/statefulset/stateful_set.go addPod,
 * updatePod, deletePod; pkg/controller/controller_utils.go FilterPodsByOwner
 *
 * Differs: a changed revision also enqueues a StatefulSet. Upstream's controller has no handler for revisions
 */
export class SetCaches<T extends PodSet> {
  readonly #informers: SharedInformerFactory;
  readonly #resource: Resource<T>;
  readonly #sets: SharedInformer<T>;
  readonly #pods: SharedInformer<Pod>;
  readonly #revisions: SharedInformer<ControllerRevision>;

  constructor(informers: SharedInformerFactory, resource: Resource<T>) {
    this.#informers = informers;
    this.#resource = resource;
    this.#sets = informers.forResource(resource);
    this.#pods = informers.forResource(pods, byController);
    this.#revisions = informers.forResource(controllerRevisions, byController);
  }

  /** Adds handlers of all events. Call it before {@link start}. */
  listen({ enqueue, onSetGone }: SetHandlers<T>): void {
    this.#sets.addEventHandler({
      onAdd: (set) => enqueue(set),
      onUpdate: (previous, current) => {
        if (previous.metadata.uid !== current.metadata.uid) onSetGone(previous);
        enqueue(current);
      },
      onDelete: (last) => onSetGone(lastKnown(last)),
    });
    const wake = (previous: KubeObject | undefined, current: KubeObject | undefined): void => {
      for (const set of this.#concerned(previous, current)) enqueue(set);
    };
    const handler = {
      onAdd: (object: KubeObject) => wake(undefined, object),
      onUpdate: (previous: KubeObject, current: KubeObject) => {
        if (previous.metadata.resourceVersion !== current.metadata.resourceVersion) wake(previous, current);
      },
      onDelete: (last: KubeObject | DeletedFinalStateUnknown<KubeObject>) => wake(lastKnown(last), undefined),
    };
    this.#pods.addEventHandler(handler);
    this.#revisions.addEventHandler(handler);
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.#informers.start();
    await this.#informers.waitForCacheSync();
  }

  /** Returns functions with the version that each cache has reached, by the plural of its resource. */
  get versions(): Readonly<Record<string, () => string>> {
    return {
      [this.#resource.plural]: () => this.#sets.indexer.lastStoreSyncResourceVersion?.() ?? '',
      pods: () => this.#pods.indexer.lastStoreSyncResourceVersion?.() ?? '',
      controllerrevisions: () => this.#revisions.indexer.lastStoreSyncResourceVersion?.() ?? '',
    };
  }

  /** @param key `namespace/name` */
  set(key: string): T | undefined {
    return this.#sets.indexer.getByKey(key);
  }

  /** Returns all sets. */
  sets(): T[] {
    return this.#sets.indexer.list();
  }

  /** Returns the pods that this set controls, in any phase. */
  ownPods({ metadata }: T): Pod[] {
    return this.#pods.indexer.byIndex(CONTROLLER, metadata.uid);
  }

  /** Returns the pods that this set controls, and the pods of its namespace without a controller. */
  candidatePods(set: T): Pod[] {
    return [...this.ownPods(set), ...this.#pods.indexer.byIndex(ORPHAN, set.metadata.namespace ?? '')];
  }

  /** Returns the revisions that this set controls, and the revisions of its namespace without a controller. */
  candidateRevisions({ metadata }: T): ControllerRevision[] {
    const { indexer } = this.#revisions;
    return [
      ...indexer.byIndex(CONTROLLER, metadata.uid),
      ...indexer.byIndex(ORPHAN, metadata.namespace ?? ''),
    ];
  }

  /** Returns the sets to enqueue after a change of a pod or a revision. */
  #concerned(previous: KubeObject | undefined, current: KubeObject | undefined): T[] {
    const [before, now] = [previous && controllerOf(previous), current && controllerOf(current)];
    const hasMoved = previous !== undefined && before?.uid !== now?.uid;
    const object = (current ?? previous) as KubeObject;
    const owners = [hasMoved ? before : undefined, now].flatMap(
      (owner) => this.#resolve(object.metadata.namespace, owner) ?? [],
    );
    const isRelabelled = !deepEqual(previous?.metadata.labels, current?.metadata.labels);
    const isNewOrphan = current !== undefined && !now && (!previous || hasMoved || isRelabelled);
    return isNewOrphan ? [...owners, ...this.#selecting(current)] : owners;
  }

  #resolve(namespace: string | undefined, owner: OwnerReference | undefined): T | undefined {
    if (owner?.kind !== this.#resource.kind) return undefined;
    const key = keyToString({ ...(namespace === undefined ? {} : { namespace }), name: owner.name });
    const set = this.set(key);
    return set?.metadata.uid === owner.uid ? set : undefined;
  }

  #selecting({ metadata }: KubeObject): T[] {
    return this.#sets.indexer.byIndex('namespace', metadata.namespace ?? '').filter(({ spec }) => {
      const selector = labelSelectorAsSelector(spec.selector);
      return !selector.empty && selector.matches(metadata.labels);
    });
  }
}
