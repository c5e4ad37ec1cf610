import {
  type Component,
  type ComponentContext,
  type EndpointSlice,
  endpointSlices,
  isNotFound,
  keyOf,
  messageOf,
  type Node,
  nodes,
  type Service,
  type SharedInformer,
} from '#harness';
import { SlowBackoff } from './backoff.ts';
import {
  CacheOutOfDate,
  hasEndpoints,
  isNamespaceTerminating,
  lastKnown,
  ServiceQueue,
} from './service-queue.ts';
import { CONTROLLER_NAME, MANAGED_BY, planSlices, type SlicePlan } from './slice-plan.ts';
import { SliceTracker, serviceKeyOf } from './slice-tracker.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';

/** The index of the controller's own slices, by the key of their Service. */
const SERVICE_INDEX = 'service';
/**
 * The delay before the controller reacts to a slice that someone else has changed.
 *
 * Upstream: endpointSliceChangeMinSyncDelay
 */
const SLICE_CHANGE_DELAY_MS = 1_000;

interface EndpointSliceControllerOptions {
  /** The maximum number of endpoints in a slice. @defaultValue 100 */
  readonly maxEndpointsPerSlice?: number;
}

/**
 * Maintains the EndpointSlices of each Service with a selector: the addresses and the state of its pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/endpointslice_controller.go Controller
 */
class EndpointSliceController {
  readonly #context: ComponentContext;
  readonly #maxEndpointsPerSlice: number;
  readonly #queue: ServiceQueue;
  readonly #slices: SharedInformer<EndpointSlice>;
  readonly #nodes: SharedInformer<Node>;
  readonly #tracker = new SliceTracker();
  readonly #times = new TriggerTimes();

  constructor(context: ComponentContext, { maxEndpointsPerSlice = 100 }: EndpointSliceControllerOptions) {
    this.#context = context;
    this.#maxEndpointsPerSlice = maxEndpointsPerSlice;
    this.#queue = new ServiceQueue(context, new SlowBackoff());
    this.#nodes = context.informers.forResource(nodes);
    this.#slices = context.informers.forResource(endpointSlices, {
      [SERVICE_INDEX]: (slice) => (isOwn(slice) ? [serviceKeyOf(slice)] : []),
    });
    this.#slices.addEventHandler({
      onAdd: (slice) => this.#sliceChanged(slice, slice),
      onUpdate: (previous, current) => this.#sliceChanged(previous, current),
      onDelete: (last) => {
        const slice = lastKnown(last);
        if (isOwn(slice) && this.#tracker.isLost(slice)) this.#lookAgain(slice);
      },
    });
  }

  async run(): Promise<void> {
    await this.#queue.run((key) => this.#syncService(key));
  }

  /**
   * Queues the Service of a changed slice. If the slice has moved to another Service or controller, queues both
   * Services.
   */
  #sliceChanged(previous: EndpointSlice, current: EndpointSlice): void {
    if (previous.metadata.uid !== current.metadata.uid) this.#tracker.forget(previous);
    const isMoved = serviceKeyOf(previous) !== serviceKeyOf(current) || isOwn(previous) !== isOwn(current);
    if (isMoved) {
      this.#lookAgain(previous);
      this.#lookAgain(current);
    } else if (isOwn(current) && this.#tracker.isNews(current)) this.#lookAgain(current);
  }

  #lookAgain(slice: EndpointSlice): void {
    this.#queue.add(serviceKeyOf(slice), SLICE_CHANGE_DELAY_MS);
  }

  async #syncService(key: string): Promise<void> {
    const service = this.#queue.service(key);
    if (!service) {
      // The garbage collector deletes its slices.
      this.#tracker.forgetService(key);
      this.#times.forget(key);
      return;
    }
    if (!hasEndpoints(service)) return;
    const pods = this.#queue.podsOf(service);
    const slices = this.#slices.indexer
      .byIndex(SERVICE_INDEX, key)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await this.#mustBeFresh(key, slices);
    const time = this.#times.lastChange(key, service, pods);
    const plan = planSlices({
      service,
      pods,
      slices,
      nodeCalled: (name) => this.#nodes.indexer.getByKey(name),
      maxEndpointsPerSlice: this.#maxEndpointsPerSlice,
    });
    try {
      await this.#carryOut(plan, service, time);
      // The written slice may be deleted during a gap in the watch, so that the cache shows neither event.
      if (plan.creates.length + plan.updates.length > 0) this.#queue.add(key, SLICE_CHANGE_DELAY_MS);
      const [skipped] = plan.skipped;
      if (skipped) {
        const { name } = skipped.metadata;
        throw new Error(`skipping Pod ${name} for Service ${key}: Node ${skipped.spec.nodeName} Not Found`);
      }
    } catch (error) {
      const message = `Error updating Endpoint Slices for Service ${key}: ${messageOf(error)}`;
      this.#context.recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message);
      throw error;
    }
  }

  /** @throws CacheOutOfDate while the cache does not show the controller's last writes */
  async #mustBeFresh(key: string, slices: readonly EndpointSlice[]): Promise<void> {
    const missing = this.#tracker.missing(key, slices);
    for (const slice of missing) {
      const fresh = await this.#read(slice);
      // The slice was deleted or belongs to another controller or Service, so the cache may never show it.
      if (!fresh || !isOwn(fresh) || serviceKeyOf(fresh) !== key) this.#tracker.forget(slice);
    }
    if (missing.length > 0 || this.#tracker.isStale(key, slices)) {
      throw new CacheOutOfDate('EndpointSlice informer cache is out of date');
    }
  }

  /** Returns the live slice; undefined if it was deleted or recreated under the same name. */
  async #read(slice: EndpointSlice): Promise<EndpointSlice | undefined> {
    try {
      const fresh = await this.#context.client.get(endpointSlices, keyOf(slice));
      return fresh.metadata.uid === slice.metadata.uid ? fresh : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Upstream: kubernetes/endpointslice@v0.36.3 reconciler.go Reconciler.finalize */
  async #carryOut(plan: SlicePlan, service: Service, time: string | undefined): Promise<void> {
    const { client } = this.#context;
    // A slice that is created for a Service in deletion would delay the garbage collector.
    const creates = service.metadata.deletionTimestamp === undefined ? plan.creates : [];
    for (const slice of creates) {
      try {
        this.#tracker.wrote(await client.create(endpointSlices, withTime(slice, time)));
      } catch (error) {
        if (isNamespaceTerminating(error)) return;
        throw error;
      }
    }
    for (const slice of plan.updates) {
      this.#tracker.wrote(await client.update(endpointSlices, withTime(slice, time)));
    }
    for (const slice of plan.deletes) {
      await client.delete(endpointSlices, keyOf(slice), { preconditions: { uid: slice.metadata.uid } });
      this.#tracker.deleted(slice);
    }
  }
}

/** Creates the controller with other limits than upstream's. */
export function newEndpointSliceController(options: EndpointSliceControllerOptions = {}): Component {
  return (context) => new EndpointSliceController(context, options).run();
}

/** The controller as it runs in a cluster. */
export const endpointSliceController: Component = newEndpointSliceController();

function isOwn({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[MANAGED_BY] === CONTROLLER_NAME;
}

function withTime<T extends { metadata: { annotations?: Record<string, string> } }>(
  slice: T,
  time: string | undefined,
): T {
  const annotations = withTriggerTime(slice.metadata.annotations, time);
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}
