import {
  type Component,
  type ComponentContext,
  type ControllerRevision,
  type DaemonSet,
  daemonSets,
  deepEqual,
  isNamespaceTerminating,
  keyOf,
  keyToString,
  labels,
  messageOf,
  type Node,
  nodes,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
  type SharedInformer,
  sets,
} from '#harness';
import { FailedPodsBackoff } from './failed-pods-backoff.ts';
import { cleanupHistory, constructHistory, type History } from './history.ts';
import { nodeShouldRunDaemonPod } from './nodes.ts';
import { type Orders, placementOrders, type Scene } from './placement.ts';
import { isTerminating, newPod, podsByNode } from './pods.ts';
import { rollingUpdateOrders } from './rolling-update.ts';
import { calculateStatus } from './status.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/config/v1alpha1/defaults.go ConcurrentDaemonSetSyncs */
const WORKERS = 2;
/** The maximum number of pods that one step creates, and deletes. Upstream: BurstReplicas */
const BURST_REPLICAS = 250;

/**
 * Runs one pod of each DaemonSet on every eligible node, and replaces old pods step by step.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go DaemonSetsController
 *
 * Differs: upstream also counts expected creations and deletions. Here, the versions of the controller's own writes
 * suffice; after a start or a lost response, it compares its cache with a list from the server before it acts. So no
 * node gets two pods at once.
 */
class DaemonSetController {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #caches: sets.SetCaches<DaemonSet>;
  readonly #nodes: SharedInformer<Node>;
  readonly #control: sets.PodControl;
  readonly #written: sets.ConsistencyStore;
  readonly #backoff: FailedPodsBackoff;
  /** The uids of the sets whose pods in the cache were those on the server, after the last lost response. */
  readonly #confirmed = new Set<string>();

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#caches = new sets.SetCaches(context.informers, daemonSets);
    this.#nodes = context.informers.forResource(nodes);
    this.#control = new sets.PodControl(context);
    this.#written = new sets.ConsistencyStore(this.#caches.versions);
    this.#backoff = new FailedPodsBackoff(context.clock);
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    this.#listen();
    await this.#caches.start();
    await this.#context.runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.#sync(key),
      onError: (error, key) => this.#context.log(`sync of ${key} failed: ${messageOf(error)}`),
    });
  }

  #listen(): void {
    const enqueue = (set: DaemonSet): void => this.#queue.add(keyToString(keyOf(set)));
    this.#caches.listen({
      enqueue,
      onSetGone: ({ metadata: { uid } }) => {
        this.#written.clear(uid);
        this.#confirmed.delete(uid);
      },
    });
    this.#nodes.addEventHandler({
      onAdd: (node) => this.#onNode(undefined, node),
      onUpdate: (previous, current) => {
        const isSame =
          deepEqual(previous.metadata.labels, current.metadata.labels) &&
          deepEqual(previous.spec.taints, current.spec.taints);
        if (!isSame) this.#onNode(previous, current);
      },
      onDelete: () => this.#caches.sets().forEach(enqueue),
    });
  }

  /**
   * Enqueues the sets whose decision about a node has changed.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go syncNodeUpdate
   *
   * Differs: upstream enqueues the sets whose pods on the node do not fit the decision. It ignores the deletion of a
   * node, and a running pod whose node is no longer eligible, so their status stays wrong until the next event
   */
  #onNode(previous: Node | undefined, current: Node): void {
    for (const set of this.#caches.sets()) {
      const decide = nodeShouldRunDaemonPod(set);
      const [before, now] = [previous && decide(previous), decide(current)];
      const isChanged = before
        ? before.shouldRun !== now.shouldRun || before.shouldContinueRunning !== now.shouldContinueRunning
        : now.shouldRun || now.shouldContinueRunning;
      if (isChanged) this.#queue.add(keyToString(keyOf(set)));
    }
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go syncDaemonSet */
  async #sync(key: string): Promise<void> {
    const set = this.#caches.set(key);
    if (!set) return;
    const { uid } = set.metadata;
    this.#written.ensureReady(uid);
    const selector = labels.labelSelectorAsSelector(set.spec.selector);
    if (selector.empty) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#context.recorder.event(set, 'Warning', 'SelectingAll', message);
      return;
    }
    // The garbage collector may delete its revisions before its pods.
    if (set.metadata.deletionTimestamp !== undefined) return;
    if (!this.#confirmed.has(uid)) await this.#confirm(set);
    const history = await constructHistory(
      {
        client: this.#context.client,
        wrote: (revision) => this.#wrote(set, 'controllerrevisions', revision),
      },
      set,
      { candidates: this.#caches.candidateRevisions(set), ownPods: this.#caches.ownPods(set) },
    );
    const [update] = await Promise.allSettled([this.#update(set, history)]);
    await this.#updateStatus(set, history);
    if (update.status === 'rejected') throw update.reason;
  }

  /**
   * Checks that the cache has the pods that the server has. A response may have been lost, by this process or by its
   * predecessor.
   *
   * @throws Error when the cache is behind
   */
  async #confirm(set: DaemonSet): Promise<void> {
    const { namespace = '', uid } = set.metadata;
    const labelSelector = labels.labelSelectorAsSelector(set.spec.selector).toString();
    const { items } = await this.#context.client.list(pods, { namespace, labelSelector });
    const isOwn = ({ metadata }: Pod): boolean =>
      (metadata.ownerReferences ?? []).some((owner) => owner.controller && owner.uid === uid);
    const stateOf = (all: readonly Pod[]): string[] =>
      all.map((pod) => `${pod.metadata.uid} ${isTerminating(pod)}`).sort();
    const cached = this.#caches
      .ownPods(set)
      .filter(({ metadata }) => labels.labelSelectorAsSelector(set.spec.selector).matches(metadata.labels));
    if (!deepEqual(stateOf(items.filter(isOwn)), stateOf(cached))) {
      throw new Error('the cache does not show the pods that the server has');
    }
    this.#confirmed.add(uid);
  }

  /** Creates and deletes pods. @throws the first error, after everything was tried */
  async #update(set: DaemonSet, history: History): Promise<void> {
    const { client } = this.#context;
    const claimed = await sets.claimOwned({
      client,
      owner: set,
      ownerResource: daemonSets,
      resource: pods,
      candidates: this.#caches.candidatePods(set),
    });
    const scene = this.#scene(set, history, claimed);
    const placed = await this.#perform(
      scene,
      placementOrders(scene, (pod, node) => this.#retire(set, pod, node)),
    );
    // Until the cache shows these writes, the next step would be based on old facts.
    if (!placed && set.spec.updateStrategy?.type === 'RollingUpdate') {
      await this.#perform(scene, rollingUpdateOrders(scene));
    }
    await cleanupHistory(client, set, { old: history.old, ownPods: claimed });
  }

  #scene(set: DaemonSet, { current }: History, own: readonly Pod[]): Scene {
    return {
      set,
      hash: current.metadata.labels?.[sets.REVISION_LABEL] ?? '',
      nodes: this.#nodes.indexer.list(),
      decide: nodeShouldRunDaemonPod(set),
      pods: podsByNode(own),
      nowMs: this.#context.clock.now(),
    };
  }

  /** Returns whether an ended pod is deleted now. A failed pod may have to wait; then the set is synced again. */
  #retire(set: DaemonSet, pod: Pod, node: string): boolean {
    const { recorder } = this.#context;
    const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
    if (pod.status.phase === 'Succeeded') {
      const message = `Found succeeded daemon pod ${name} on node ${node}, will try to delete it`;
      recorder.event(set, 'Normal', 'SucceededDaemonPod', message);
      return true;
    }
    const { observedGeneration = 0 } = set.status;
    const delayMs = this.#backoff.next(`${set.metadata.uid}/${observedGeneration}/${node}`);
    if (delayMs > 0) {
      this.#queue.addAfter(keyToString(keyOf(set)), delayMs);
      return false;
    }
    const message = `Found failed daemon pod ${name} on node ${node}, will try to kill it`;
    recorder.event(set, 'Warning', 'FailedDaemonPod', message);
    return true;
  }

  /**
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go syncNodes
   *
   * @returns whether there was anything to do
   */
  async #perform({ set, hash }: Scene, orders: Orders): Promise<boolean> {
    const created = orders.create.slice(0, BURST_REPLICAS);
    const deleted = orders.delete.slice(0, BURST_REPLICAS);
    const creation = await sets.slowStart(created, (node) => this.#create(set, hash, node));
    const deletions = await Promise.allSettled(deleted.map((pod) => this.#delete(set, pod)));
    if (creation.error !== undefined) throw creation.error;
    for (const result of deletions) if (result.status === 'rejected') throw result.reason;
    return created.length + deleted.length > 0;
  }

  async #create(set: DaemonSet, hash: string, node: string): Promise<void> {
    try {
      this.#wrote(set, 'pods', await this.#control.create(set, newPod(set, hash, node)));
    } catch (error) {
      if (sets.mayHaveHappened(error)) this.#confirmed.delete(set.metadata.uid);
      // The namespace is being deleted, so no later create can succeed: no retry.
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  async #delete(set: DaemonSet, pod: Pod): Promise<void> {
    try {
      const deleted = await this.#control.delete(set, pod);
      if (deleted) this.#wrote(set, 'pods', deleted);
    } catch (error) {
      if (sets.mayHaveHappened(error)) this.#confirmed.delete(set.metadata.uid);
      throw error;
    }
  }

  async #updateStatus(set: DaemonSet, history: History): Promise<void> {
    const own = this.#caches.ownPods(set);
    const scene = this.#scene(set, history, own);
    const status = calculateStatus(scene);
    const updated = await sets.updateSetStatus(this.#context.client, { set, resource: daemonSets, status });
    this.#wrote(set, 'daemonsets', updated);
    // Time alone makes these pods available; no event reports it.
    const availableMs = sets.nextAvailabilityMs(own, set.spec.minReadySeconds ?? 0, scene.nowMs);
    if (availableMs !== undefined) this.#queue.addAfter(keyToString(keyOf(set)), availableMs);
  }

  #wrote(set: DaemonSet, resource: string, { metadata }: DaemonSet | Pod | ControllerRevision): void {
    this.#written.wroteAt(set.metadata.uid, resource, metadata.resourceVersion);
  }
}

/** The controller as it runs in a cluster. */
export const daemonSetController: Component = (context) => new DaemonSetController(context).run();
