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

/** How often we look whether handlers have been told of everything. */
const SYNCED_POLL_MS = 100;

/** The one thing that there is to do: it waits in a queue, so that however often it is asked for, it is done once. */
const RULES = 'rules';

/** What a service proxy runs with. */
interface ServiceProxyOptions {
  readonly tools: NetworkTools;
  readonly configuration: Configuration;
  /** Absent where processes cannot listen on a port of the node: then no load balancer is answered. */
  readonly listen?: Listen;
}

/**
 * kube-proxy: what comes to the address of a service goes to one of its endpoints, by rules of the kernel. It writes the rules; packets
 * never pass through it, and go on while it is away.
 */
export const serviceProxy: NodeComponent = (context) =>
  runServiceProxy(context, { tools: context.host.tools, configuration: defaultConfiguration });

/** {@link serviceProxy}, with what may differ from cluster to cluster. */
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
  // A first sync that lacks services would remove the rules that an earlier proxy has made for them.
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
      // What happens meanwhile is done together.
      await clock.sleep(minSyncPeriodMs, signal);
    },
  });
}

interface WatchingOptions extends Pick<ProxierOptions, 'tools' | 'onApplied'> {
  readonly configuration: Configuration;
  /** Called when there is something to do. */
  readonly ring: () => void;
}

/**
 * A proxier that is told of services, of their endpoints, and of the zone of its node.
 *
 * Differs: upstream watches its own node alone, and of services and slices those alone that are its own.
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

/** Told once of whatever happens to an object, as it is and as it was. */
function onAny<T extends KubeObject>(tell: (states: readonly T[]) => void): ResourceEventHandler<T> {
  return {
    onAdd: (object) => tell([object]),
    onUpdate: (previous, current) => tell([previous, current]),
    onDelete: (last) => tell([last instanceof DeletedFinalStateUnknown ? last.object : last]),
  };
}
