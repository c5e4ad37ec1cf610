import {
  type Component,
  type ComponentContext,
  deepEqual,
  type Endpoints,
  endpoints,
  isNotFound,
  keyOf,
  keyToString,
  messageOf,
  type New,
  type Service,
  type SharedInformer,
} from '#harness';
import {
  CacheOutOfDate,
  hasEndpoints,
  isNamespaceTerminating,
  lastKnown,
  ServiceQueue,
} from './service-queue.ts';
import { HEADLESS } from './slice-plan.ts';
import { subsetsOf, truncated } from './subsets.ts';
import { TRIGGER_TIME, TriggerTimes, withTriggerTime } from './trigger-times.ts';

/** The label with the controller that manages the Endpoints. */
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
/** The annotation of truncated Endpoints. */
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
/** The annotation of Endpoints that were once used for leader election; they have no Service. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';

/** The delay before a written Service is synced again. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Maintains the Endpoints of each Service with a selector: the predecessor of EndpointSlices.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpoint/endpoints_controller.go Controller
 */
class EndpointsController {
  readonly #context: ComponentContext;
  readonly #queue: ServiceQueue;
  readonly #endpoints: SharedInformer<Endpoints>;
  readonly #times = new TriggerTimes();
  /**
   * By the Service's key: the last resourceVersion that the controller has replaced. A cache that still shows it is out
   * of date.
   */
  readonly #replaced = new Map<string, string>();

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = new ServiceQueue(context);
    this.#endpoints = context.informers.forResource(endpoints);
    this.#endpoints.addEventHandler({
      onDelete: (last) => this.#queue.add(keyToString(keyOf(lastKnown(last)))),
    });
  }

  async run(): Promise<void> {
    await this.#queue.run(
      (key) => this.#syncService(key),
      () => this.#checkLeftovers(),
    );
  }

  /** Queues existing Endpoints, whose Service may have been deleted while no controller ran. */
  #checkLeftovers(): void {
    for (const each of this.#endpoints.indexer.list()) {
      if (!each.metadata.annotations?.[LEADER]) this.#queue.add(keyToString(keyOf(each)));
    }
  }

  async #syncService(key: string): Promise<void> {
    const { client } = this.#context;
    const service = this.#queue.service(key);
    if (!service) {
      const [namespace = '', name = ''] = key.split('/');
      await client.delete(endpoints, { namespace, name }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      this.#times.forget(key);
      this.#replaced.delete(key);
      return;
    }
    if (!hasEndpoints(service)) return;
    const pods = this.#queue.podsOf(service);
    const time = this.#times.lastChange(key, service, pods);
    const current = this.#endpoints.indexer.getByKey(key);
    if (current && current.metadata.resourceVersion === this.#replaced.get(key)) {
      throw new CacheOutOfDate('the Endpoints informer cache is out of date');
    }
    const next = desired(service, truncated(subsetsOf(service, pods)), { current, time });
    if (current && isSame(current, next)) return;
    try {
      await this.#write(current, next);
      // The written object may be deleted during a gap in the watch, so that the cache shows neither event.
      this.#queue.add(key, LOOK_AGAIN_MS);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      throw error;
    }
  }

  async #write(current: Endpoints | undefined, next: New<Endpoints>): Promise<void> {
    const { client, recorder } = this.#context;
    const key = keyToString(keyOf(next));
    try {
      if (!current) return void (await client.create(endpoints, next));
      const updated = await client.update(endpoints, {
        ...current,
        ...next,
        metadata: { ...current.metadata, ...next.metadata },
      });
      if (updated.metadata.resourceVersion !== current.metadata.resourceVersion) {
        this.#replaced.set(key, current.metadata.resourceVersion);
      }
    } catch (error) {
      const [reason, message] = current
        ? ['FailedToUpdateEndpoint', `Failed to update endpoint ${key}: ${messageOf(error)}`]
        : ['FailedToCreateEndpoint', `Failed to create endpoint for service ${key}: ${messageOf(error)}`];
      const { namespace, name } = keyOf(next);
      const about = { kind: 'Endpoints', apiVersion: 'v1', ...(namespace ? { namespace } : {}), name };
      recorder.event(current ?? about, 'Warning', reason as string, message as string);
      throw error;
    }
  }
}

/** The controller as it runs in a cluster. */
export const endpointsController: Component = (context) => new EndpointsController(context).run();

/** Returns the desired Endpoints. */
function desired(
  { metadata, spec }: Service,
  { subsets, isCut }: ReturnType<typeof truncated>,
  { current, time }: { readonly current: Endpoints | undefined; readonly time: string | undefined },
): New<Endpoints> {
  const { name, namespace, labels = {} } = metadata;
  const { [HEADLESS]: _, ...own } = labels;
  const isHeadless = !spec.clusterIP || spec.clusterIP === 'None';
  const { [OVER_CAPACITY]: __, ...annotations } = withTriggerTime(current?.metadata.annotations, time);
  return {
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      labels: { ...own, ...(isHeadless ? { [HEADLESS]: '' } : {}), [MANAGED_BY]: 'endpoint-controller' },
      annotations: { ...annotations, ...(isCut ? { [OVER_CAPACITY]: 'truncated' } : {}) },
    },
    subsets,
  };
}

/** Compares everything except the trigger time, which alone does not justify a write. */
function isSame(current: Endpoints, next: New<Endpoints>): boolean {
  const timeless = ({ [TRIGGER_TIME]: _, ...annotations }: Readonly<Record<string, string>> = {}) =>
    annotations;
  return (
    deepEqual(current.subsets ?? [], next.subsets ?? []) &&
    deepEqual(current.metadata.labels, next.metadata.labels) &&
    deepEqual(timeless(current.metadata.annotations), timeless(next.metadata.annotations))
  );
}
