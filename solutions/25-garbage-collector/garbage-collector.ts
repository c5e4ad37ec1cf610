/**
 * The garbage collector. Informers report all objects. The {@link GraphBuilder} maintains a graph of owners and
 * dependents, and queues each object that may have lost an owner. The {@link Collector} processes the queue, and
 * deletes each object that has no owner left.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector
 */
import { type Component, type Resource, resources } from '#harness';
import { Collector, NotObserved, RestMappingError } from './collector.ts';
import { Graph } from './graph.ts';
import { GraphBuilder } from './graph-builder.ts';
import { Monitors } from './monitors.ts';
import { ReferenceCache } from './reference-cache.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager --concurrent-gc-syncs */
const WORKERS = 20;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go NewDependencyGraphBuilder */
const ABSENT_OWNERS_MAX = 500;

const SYNCED_POLL_MS = 100;

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/core.go newGarbageCollectorController */
const DISCOVERY_PERIOD_MS = 30_000;

/** Deletes objects whose owners no longer exist, and carries out foreground and orphan deletion. */
export const garbageCollector: Component = async (context) => {
  const { client, informers, recorder, clock, signal, newWorkQueue, runWorkers, log, discoverResources } =
    context;
  const graph = new Graph();
  const absentOwners = new ReferenceCache(ABSENT_OWNERS_MAX);
  const attemptToDelete = newWorkQueue<string>();
  const attemptToOrphan = newWorkQueue<string>();
  const graphBuilder = new GraphBuilder({ graph, absentOwners, attemptToDelete, attemptToOrphan, recorder });
  const collector = new Collector({ client, graph, graphBuilder, absentOwners, attemptToDelete });

  const monitors = new Monitors(informers, graphBuilder);
  monitors.sync(resources);
  // With an incomplete graph, the collector would delete an owner before its dependents.
  while (!monitors.haveSynced) {
    await clock.sleep(SYNCED_POLL_MS, signal);
  }

  const onError = (error: unknown, uid: string): void => {
    if (error instanceof NotObserved || error instanceof RestMappingError) return;
    log(`will look at ${graph.get(uid)?.identity.name ?? uid} again: ${error}`);
  };
  /** Upstream: GarbageCollector.Sync */
  const watchDiscovery = async (discover: () => Promise<readonly Resource[]>): Promise<void> => {
    while (!signal.aborted) {
      try {
        const served = await discover();
        graph.mapper.reset(served);
        monitors.sync(served);
      } catch (error) {
        log(`will ask again what is served: ${error}`);
      }
      await clock.sleep(DISCOVERY_PERIOD_MS, signal).catch(() => {});
    }
  };
  await Promise.all([
    ...(discoverResources ? [watchDiscovery(discoverResources)] : []),
    runWorkers({
      queue: attemptToDelete,
      sync: (uid) => collector.attemptToDelete(uid),
      workers: WORKERS,
      onError,
    }),
    runWorkers({
      queue: attemptToOrphan,
      sync: (uid) => collector.attemptToOrphan(uid),
      workers: WORKERS,
      onError,
    }),
  ]);
};
