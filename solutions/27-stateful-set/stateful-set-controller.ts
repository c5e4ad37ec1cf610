import {
  type Component,
  type ComponentContext,
  type ControllerRevision,
  controllerRevisions,
  keyOf,
  keyToString,
  messageOf,
  type Pod,
  persistentVolumeClaims,
  pods,
  type RateLimitingWorkQueue,
  type StatefulSet,
  sets,
  statefulSets,
} from '#harness';
import { getRevisions, type Revisions, truncateHistory } from './history.ts';
import { isMemberOf } from './identity.ts';
import { updateReplicas } from './replicas.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';
import { calculateStatus, type RevisionNames, withCompletedUpdate } from './status.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/config/v1alpha1/defaults.go */
const WORKERS = 5;

/**
 * Gives the pods of each StatefulSet stable names and claims, and starts, stops and replaces them in order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set.go StatefulSetController
 *
 * Differs: while a set is being deleted, its status keeps the revisions that it last had. Upstream creates a revision
 * again that the garbage collector has deleted
 */
class StatefulSetController {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #caches: sets.SetCaches<StatefulSet>;
  readonly #control: StatefulPodControl;
  readonly #written: sets.ConsistencyStore;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#caches = new sets.SetCaches(context.informers, statefulSets);
    const claims = context.informers.forResource(persistentVolumeClaims);
    this.#written = new sets.ConsistencyStore({
      ...this.#caches.versions,
      persistentvolumeclaims: () => claims.indexer.lastStoreSyncResourceVersion?.() ?? '',
    });
    this.#control = new StatefulPodControl(context, { claims, written: this.#written });
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    this.#caches.listen({
      enqueue: (set) => this.#queue.add(keyToString(keyOf(set))),
      onSetGone: ({ metadata }) => this.#written.clear(metadata.uid),
    });
    await this.#caches.start();
    await this.#context.runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.#sync(key),
      onError: (error, key) => this.#context.log(`sync of ${key} failed: ${messageOf(error)}`),
    });
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set.go sync, syncStatefulSet */
  async #sync(key: string): Promise<void> {
    const set = this.#caches.set(key);
    if (!set) return;
    this.#written.ensureReady(set.metadata.uid);
    const { client, clock } = this.#context;
    const owner = { client, owner: set, ownerResource: statefulSets };
    const own = await sets.claimOwned({
      ...owner,
      resource: pods,
      candidates: this.#caches.candidatePods(set),
      accepts: (pod) => isMemberOf(set, pod),
    });
    const nowMs = clock.now();
    if (set.metadata.deletionTimestamp !== undefined) {
      const { currentRevision = '', updateRevision = '', collisionCount = 0 } = set.status;
      const names = { currentRevision, updateRevision, collisionCount };
      return this.#updateStatus(set, calculateStatus(set, { pods: own, names, nowMs }));
    }
    const revisions = await sets.claimOwned({
      ...owner,
      resource: controllerRevisions,
      candidates: this.#caches.candidateRevisions(set),
    });
    await this.#update(set, { own, all: revisions.toSorted(sets.byRevision), nowMs });
    // Time alone makes these pods available; no event reports it.
    const availableMs = sets.nextAvailabilityMs(own, set.spec.minReadySeconds ?? 0, nowMs);
    if (availableMs !== undefined) this.#queue.addAfter(key, availableMs);
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go performUpdate */
  async #update(
    set: StatefulSet,
    {
      own,
      all,
      nowMs,
    }: { readonly own: readonly Pod[]; readonly all: readonly ControllerRevision[]; readonly nowMs: number },
  ): Promise<void> {
    const { client } = this.#context;
    const wrote = (revision: ControllerRevision): void => this.#wrote(set, 'controllerrevisions', revision);
    const revisions = await getRevisions({ client, wrote }, set, all);
    const [step] = await Promise.allSettled([
      updateReplicas({ set, control: this.#control, revisions, nowMs }, own),
    ]);
    const status = calculateStatus(set, { pods: own, names: namesOf(revisions), nowMs });
    const replaced = step.status === 'fulfilled' ? step.value : 0;
    const { currentReplicas = 0 } = status;
    await this.#updateStatus(
      set,
      withCompletedUpdate(set, { ...status, currentReplicas: currentReplicas - replaced }),
    );
    if (step.status === 'rejected') throw step.reason;
    await truncateHistory(client, set, { all, revisions, pods: own });
  }

  async #updateStatus(set: StatefulSet, status: StatefulSet['status']): Promise<void> {
    const { client } = this.#context;
    this.#wrote(
      set,
      'statefulsets',
      await sets.updateSetStatus(client, { set, resource: statefulSets, status }),
    );
  }

  #wrote(set: StatefulSet, resource: string, { metadata }: StatefulSet | ControllerRevision): void {
    this.#written.wroteAt(set.metadata.uid, resource, metadata.resourceVersion);
  }
}

function namesOf({ current, update, collisionCount }: Revisions): RevisionNames {
  return {
    currentRevision: current.metadata.name,
    updateRevision: update.metadata.name,
    collisionCount,
  };
}

/** The controller as it runs in a cluster. */
export const statefulSetController: Component = (context) => new StatefulSetController(context).run();
