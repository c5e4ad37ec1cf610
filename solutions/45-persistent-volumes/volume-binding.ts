import {
  type ComponentContext,
  deepEqual,
  framework,
  type KubeObject,
  messageOf,
  type NewVolumePlugin,
  type Node,
  nodes,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type Resource,
  type SharedInformer,
  storage,
  type VolumePlugin,
  type VolumePluginOptions,
} from '#harness';
import { keyFor } from './annotations.ts';
import { areVolumesBound } from './bound-volumes.ts';
import { NewestObjects } from './newest-objects.ts';
import { claimKeysOf } from './pod-claims.ts';
import {
  findPodVolumes,
  type PodClaims,
  type PodVolumes,
  podClaimsOf,
  UnusableVolumes,
  type VolumeObjects,
} from './pod-volumes.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/defaults.go SetDefaults_VolumeBindingArgs */
const BIND_TIMEOUT_MS = 600_000;

/** The data of the plugin about a pod with claims that is being scheduled. */
interface PodState {
  readonly claims: PodClaims;
  /** The result of each node that passed. */
  readonly byNode: Map<string, PodVolumes>;
}

const NOTHING: PodVolumes = { bindings: [], provisions: [] };

const unboundImmediate = framework.unresolvable('pod has unbound immediate PersistentVolumeClaims');

/**
 * Schedules a pod where its volumes are, or where they can be created, and binds the volumes before the pod is bound.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/volume_binding.go VolumeBinding
 *
 * Differs: it scores no nodes, and knows no drivers. It starts to watch with the first claim of the cluster.
 */
class VolumeBinding implements VolumePlugin {
  readonly name = 'VolumeBinding';
  readonly #context: Omit<ComponentContext, 'profile'>;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  #objects: VolumeObjects | undefined;
  #report: framework.ReportEvent = () => {};
  /** By the state of the scheduling cycle. A pod without claims has no entry. */
  readonly #states = new WeakMap<framework.CycleState, PodState>();
  /** Wakes the pods whose volumes are being bound. */
  readonly #waiting = new Set<() => void>();

  constructor({ context, firstClaim }: VolumePluginOptions) {
    this.#context = context;
    this.#nodes = context.informers.forResource(nodes);
    this.#pods = context.informers.forResource(pods);
    if (firstClaim) void firstClaim.then(() => this.#startWatching());
    else this.#objects = this.#watchAll();
  }

  onEvent(report: framework.ReportEvent): void {
    this.#report = report;
  }

  preFilter(state: framework.CycleState, pod: Pod): framework.Status {
    if (claimKeysOf(pod).length === 0) return framework.skip;
    try {
      const claims = podClaimsOf(pod, this.#objects);
      if (claims.immediate.length > 0) return unboundImmediate;
      this.#states.set(state, { claims, byNode: new Map() });
      return framework.success;
    } catch (error) {
      if (error instanceof UnusableVolumes) return framework.unresolvable(error.message);
      throw error;
    }
  }

  filter(state: framework.CycleState, _pod: Pod, { name, node }: framework.NodeInfo): framework.Status {
    const pod = this.#states.get(state);
    if (!pod || !this.#objects) return framework.success;
    const found = findPodVolumes(pod.claims, node, this.#objects);
    if ('reasons' in found) return framework.unresolvable(...found.reasons);
    pod.byNode.set(name, found);
    return framework.success;
  }

  /** Assumes the bindings, so that the next pod does not get the same volumes. */
  reserve(state: framework.CycleState, _pod: Pod, nodeName: string): framework.Status {
    const { bindings, provisions } = this.#volumesOn(state, nodeName);
    for (const { volume } of bindings) this.#objects?.volumes.put(volume);
    for (const claim of provisions) this.#objects?.claims.put(claim);
    return framework.success;
  }

  unreserve(state: framework.CycleState, _pod: Pod, nodeName: string): void {
    const { bindings, provisions } = this.#volumesOn(state, nodeName);
    for (const { volume } of bindings) this.#objects?.volumes.restore(keyFor(volume));
    for (const claim of provisions) this.#objects?.claims.restore(keyFor(claim));
  }

  /**
   * Binds the volumes of the pod, and waits for the controllers that finish their bindings.
   *
   * @returns `Skip`: another plugin binds the pod
   * @throws Error when a volume could not be bound: then the pod must be scheduled again
   */
  async bind(state: framework.CycleState, pod: Pod, nodeName: string): Promise<framework.Status> {
    const volumes = this.#volumesOn(state, nodeName);
    if (!this.#objects || volumes.bindings.length + volumes.provisions.length === 0) return framework.skip;
    try {
      await this.#write(volumes, this.#objects);
      await this.#untilBound(pod, volumes, this.#objects);
      return framework.skip;
    } catch (error) {
      throw new Error(`running PreBind plugin "${this.name}": ${messageOf(error)}`, { cause: error });
    }
  }

  eventsToRegister(): readonly framework.ClusterEventWithHint[] {
    const isOwnClaim: framework.QueueingHintFn = (pod, _before, claim) =>
      claim && claimKeysOf(pod).includes(`${claim.metadata.namespace}/${claim.metadata.name}`)
        ? 'Queue'
        : 'QueueSkip';
    const allowsOthers: framework.QueueingHintFn = (_pod, before, now) =>
      before && deepEqual(topologiesOf(before), topologiesOf(now)) ? 'QueueSkip' : 'Queue';
    const on = (
      resource: framework.EventResource,
      actionTypes: readonly framework.ActionType[],
      hint?: framework.QueueingHintFn,
    ) =>
      actionTypes.map((actionType) => ({
        event: { resource, actionType },
        ...(hint && { queueingHintFn: hint }),
      }));
    return [
      ...on('StorageClass', ['Add', 'Update'], allowsOthers),
      ...on('PersistentVolumeClaim', ['Add', 'Update'], isOwnClaim),
      ...on('PersistentVolume', ['Add', 'Update']),
      ...on('Node', ['Add', 'UpdateNodeLabel']),
    ];
  }

  #volumesOn(state: framework.CycleState, nodeName: string): PodVolumes {
    return this.#states.get(state)?.byNode.get(nodeName) ?? NOTHING;
  }

  #startWatching(): void {
    const { informers, signal } = this.#context;
    if (signal.aborted) return;
    this.#objects = this.#watchAll();
    informers.start();
  }

  #watchAll(): VolumeObjects {
    const wake = (): void => this.#wake();
    this.#pods.addEventHandler({ onDelete: wake });
    this.#nodes.addEventHandler({ onDelete: wake });
    return {
      claims: new NewestObjects(this.#watch(persistentVolumeClaims, 'PersistentVolumeClaim')),
      volumes: new NewestObjects(this.#watch(persistentVolumes, 'PersistentVolume')),
      classes: this.#watch(storage.storageClasses, 'StorageClass').indexer,
    };
  }

  /** Returns the informer of a resource, and reports its events. */
  #watch<T extends KubeObject>(resource: Resource<T>, name: framework.EventResource): SharedInformer<T> {
    const informer = this.#context.informers.forResource(resource);
    const changed = (actionType: framework.ActionType, before: T | undefined, now: T): void => {
      this.#report({ resource: name, actionType }, before, now);
      this.#wake();
    };
    informer.addEventHandler({
      onAdd: (object) => changed('Add', undefined, object),
      onUpdate: (previous, object) => changed('Update', previous, object),
      onDelete: () => this.#wake(),
    });
    return informer;
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/binder.go bindAPIUpdate */
  async #write({ bindings, provisions }: PodVolumes, { volumes, claims }: VolumeObjects): Promise<void> {
    const { client } = this.#context;
    for (const { volume } of bindings) volumes.put(await client.update(persistentVolumes, volume));
    for (const claim of provisions) claims.put(await client.update(persistentVolumeClaims, claim));
  }

  /**
   * Waits until the claims of the pod are bound, or their volumes cannot be bound any more.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/volumebinding/binder.go BindPodVolumes
   *
   * Differs: it checks after each event that may matter; upstream checks every second.
   */
  async #untilBound(pod: Pod, volumes: PodVolumes, objects: VolumeObjects): Promise<void> {
    const { clock } = this.#context;
    const untilMs = clock.now() + BIND_TIMEOUT_MS;
    const seen = {
      node: () => this.#nodes.indexer.getByKey(pod.spec.nodeName ?? ''),
      pod: () => this.#pods.indexer.getByKey(`${pod.metadata.namespace}/${pod.metadata.name}`),
      ...objects,
    };
    while (!areVolumesBound(pod, volumes, seen)) {
      if (clock.now() >= untilMs) throw new Error('binding volumes: context deadline exceeded');
      await this.#nextEvent(untilMs - clock.now());
    }
  }

  /** Resolves after the next event that may matter, or after this time. @throws when the scheduler is stopped */
  async #nextEvent(withinMs: number): Promise<void> {
    const { clock, signal } = this.#context;
    const happened = new AbortController();
    const wake = (): void => happened.abort();
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    await clock.sleep(withinMs, happened.signal).catch(() => {});
    signal.removeEventListener('abort', wake);
    this.#waiting.delete(wake);
    signal.throwIfAborted();
  }
}

function topologiesOf(object: KubeObject | undefined): unknown {
  return (object as storage.StorageClass | undefined)?.allowedTopologies;
}

/** Creates the plugin of a starting scheduler. */
export const newVolumeBinding: NewVolumePlugin = (options) => new VolumeBinding(options);
