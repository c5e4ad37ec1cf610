import { SLICE } from '#given/57-endpoint-slice-mirroring';
import {
  type Component,
  type EndpointSlice,
  type Endpoints,
  endpointSlices,
  endpoints,
  ItemBackoff,
  isNamespaceTerminating,
  isNotFound,
  type KubeObject,
  lastKnown,
  messageOf,
  type Service,
  services,
} from '#harness';
import { ADDRESSES_MAX, CONTROLLER_NAME, planMirroring } from './mirrored-slices.ts';

const WORKERS = 5;
const RETRIES_MAX = 15;
const BACKOFF = { baseMs: 1_000, maxMs: 100_000 };

/** The label of Endpoints whose slices another program writes. */
const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
/** The annotation of Endpoints that were once used for leader election; they have no Service. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';

/**
 * Copies the Endpoints of Services without a selector into EndpointSlices. The owner of such a Service writes its
 * Endpoints, but proxies and DNS read only slices.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go
 * Controller
 *
 * Differs: each sync lists the slices of the Service from the server. Upstream reads them from a cache, and tracks its own
 * writes to detect a cache that is behind.
 */
export const endpointSliceMirroringController: Component = async (context) => {
  const { client, informers, recorder, signal } = context;
  const queue = context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(BACKOFF) });
  const all = informers.forResource(endpoints);
  const known = informers.forResource(services);
  const slices = informers.forResource(endpointSlices, { source: sourceOf });

  const enqueue = ({ metadata: { namespace, name } }: KubeObject): void => queue.add(`${namespace}/${name}`);
  const enqueueService = (service: Service): void => {
    if (hasNoSelector(service)) enqueue(service);
  };
  const enqueueSlice = (slice: EndpointSlice): void => {
    for (const key of sourceOf(slice)) queue.add(key);
  };
  known.addEventHandler({
    onAdd: enqueueService,
    onUpdate: (old, service) => {
      if (hasNoSelector(old) !== hasNoSelector(service)) enqueue(service);
    },
    onDelete: (last) => enqueueService(lastKnown(last)),
  });
  all.addEventHandler({
    onAdd: enqueue,
    onUpdate: (_old, each) => enqueue(each),
    onDelete: (last) => enqueue(lastKnown(last)),
  });
  slices.addEventHandler({
    onAdd: enqueueSlice,
    onUpdate: (old, slice) => {
      enqueueSlice(old);
      enqueueSlice(slice);
    },
    onDelete: (last) => enqueueSlice(lastKnown(last)),
  });
  informers.start();
  await informers.waitForCacheSync();

  const remove = ({ metadata: { namespace = '', name } }: EndpointSlice): Promise<unknown> =>
    client.delete(endpointSlices, { namespace, name }, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  await context.runWorkers({
    queue,
    workers: WORKERS,
    maxRetries: RETRIES_MAX,
    sync: async (key) => {
      const source = all.indexer.getByKey(key);
      const service = known.indexer.getByKey(key);
      if (!source || isSkipped(source) || !service || !hasNoSelector(service)) {
        for (const slice of slices.indexer.byIndex('source', key)) await remove(slice);
        return;
      }
      const { namespace = '', name } = source.metadata;
      const labelSelector = `${SLICE.service}=${name},${SLICE.managedBy}=${CONTROLLER_NAME}`;
      const { items } = await client.list(endpointSlices, { namespace, labelSelector, signal });
      const { creates, updates, deletes, skipped } = planMirroring(source, items);
      if (skipped > 0) {
        const message = `A max of ${ADDRESSES_MAX} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
        recorder.event(source, 'Warning', 'TooManyAddressesToMirror', message);
      }
      try {
        if (!source.metadata.deletionTimestamp) {
          for (const slice of creates) await client.create(endpointSlices, slice, { signal });
        }
      } catch (error) {
        if (isNamespaceTerminating(error)) return;
        throw error;
      }
      for (const slice of updates) await client.update(endpointSlices, slice, { signal });
      for (const slice of deletes) await remove(slice);
    },
    onError: (error, key) => context.log(`Mirroring of Endpoints ${key} failed: ${messageOf(error)}`),
  });
};

/** Returns the key of the Endpoints that a mirrored slice copies; empty for other slices. */
function sourceOf({ metadata: { namespace, labels = {} } }: EndpointSlice): readonly string[] {
  return labels[SLICE.managedBy] === CONTROLLER_NAME ? [`${namespace}/${labels[SLICE.service]}`] : [];
}

const hasNoSelector = ({ spec }: Service): boolean => spec.selector === undefined;

/** Upstream: Controller.shouldMirror */
function isSkipped({ metadata: { labels = {}, annotations = {} } }: Endpoints): boolean {
  return labels[SKIP_MIRROR] === 'true' || annotations[LEADER] !== undefined;
}
