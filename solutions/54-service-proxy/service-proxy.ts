import {
  DeletedFinalStateUnknown,
  type EndpointSlice,
  endpointSlices,
  type KubeObject,
  type NetworkTools,
  type NodeComponent,
  type NodeComponentContext,
  nodes,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  services,
} from '#harness';
import { type Configuration, defaultConfiguration } from './configuration.ts';
import { serviceOf } from './endpoint.ts';
import { Proxier, type ProxierOptions } from './proxier.ts';
import { type Listen, ServiceHealth } from './service-health.ts';

const BY_SERVICE = 'service';
const ZONE = 'topology.kubernetes.io/zone';

/** How often the proxy checks whether its event handlers have received the initial lists. */
const SYNCED_POLL_MS = 100;

/** The only key of the work queue: however often it is added, the rules are synced once. */
const RULES = 'rules';

/** Options of a service proxy. */
interface ServiceProxyOptions {
  readonly tools: NetworkTools;
  readonly configuration: Configuration;
  /** Undefined if processes cannot listen on a port of the node: then load balancers get no health checks. */
  readonly listen?: Listen;
}

/**
 * kube-proxy: sends traffic to the address of a service to one of its endpoints, by rules in the kernel. Packets never
 * pass through the proxy itself, and connections keep working while it is down.
 */
export const serviceProxy: NodeComponent = (context) =>
  runServiceProxy(context, { tools: context.host.tools, configuration: defaultConfiguration });

/** Runs {@link serviceProxy} with a configuration. */
export async function runServiceProxy(
  context: NodeComponentContext,
  { tools, configuration, listen }: ServiceProxyOptions,
): Promise<void> {
  const { clock, signal, log } = context;
  const queue = context.newWorkQueue<typeof RULES>();
  const health = listen && new ServiceHealth(listen, log);
  signal.addEventListener('abort', () => health?.close(), { once: true });
  const { proxier, registrations } = watching(context, {
    tools,
    configuration,
    onApplied: (entries) => health?.sync(entries),
    ring: () => queue.add(RULES),
  });
  context.informers.start();
  // A first sync without all services would remove the rules that the previous proxy wrote for them.
  while (!registrations.every((each) => each.hasSynced())) await clock.sleep(SYNCED_POLL_MS, signal);

  const { syncPeriodMs, minSyncPeriodMs } = configuration;
  queue.add(RULES);
  await context.runWorkers({
    queue,
    workers: 1,
    sync: async () => {
      queue.addAfter(RULES, syncPeriodMs);
      try {
        if (!proxier.isDue) await proxier.watchCanary();
        if (proxier.isDue) await proxier.sync();
      } catch (error) {
        log(`will be tried again: ${error}`);
      }
      // The next sync combines the changes that happen meanwhile.
      await clock.sleep(minSyncPeriodMs, signal);
    },
  });
}

interface WatchingOptions extends Pick<ProxierOptions, 'tools' | 'onApplied'> {
  readonly configuration: Configuration;
  /** Called when a sync is due. */
  readonly ring: () => void;
}

/**
 * Creates a proxier that receives the changes of services, their endpoints, and the zone of its node.
 *
 * Differs: upstream watches only its own node, and only the services and slices that it handles.
 */
function watching(
  { informers, node, host, clock, log }: NodeComponentContext,
  { tools, configuration, onApplied, ring }: WatchingOptions,
): { readonly proxier: Proxier; readonly registrations: readonly ResourceEventHandlerRegistration[] } {
  const all = informers.forResource(services);
  const slices = informers.forResource(endpointSlices, {
    [BY_SERVICE]: (slice) => [serviceOf(slice) ?? []].flat(),
  });
  const machines = informers.forResource(nodes);
  const zone = (): string => machines.indexer.getByKey(node)?.metadata.labels?.[ZONE] ?? '';
  const proxier = new Proxier({
    tools,
    clock,
    keys: () => all.indexer.listKeys(),
    service: (key) => all.indexer.getByKey(key),
    slices: (key) => slices.indexer.byIndex(BY_SERVICE, key),
    circumstances: () => ({ node, zone: zone(), nodeIP: host.ip, configuration }),
    onApplied,
    log,
  });
  const changed = (keys: readonly (string | undefined)[]): void => {
    const known = keys.filter((key) => key !== undefined);
    for (const key of known) proxier.changed(key);
    if (known.length > 0) ring();
  };
  let zoneBefore = zone();
  const look = (): void => {
    if (zone() === zoneBefore) return;
    zoneBefore = zone();
    proxier.allChanged();
    ring();
  };
  return {
    proxier,
    registrations: [
      all.addEventHandler(
        onAny((each) => changed(each.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))),
      ),
      slices.addEventHandler(onAny((each: readonly EndpointSlice[]) => changed(each.map(serviceOf)))),
      machines.addEventHandler(onAny(look)),
    ],
  };
}

/** Returns handlers that call `tell` for every event, with the current and the previous state. */
function onAny<T extends KubeObject>(tell: (states: readonly T[]) => void): ResourceEventHandler<T> {
  return {
    onAdd: (object) => tell([object]),
    onUpdate: (previous, current) => tell([previous, current]),
    onDelete: (last) => tell([last instanceof DeletedFinalStateUnknown ? last.object : last]),
  };
}
