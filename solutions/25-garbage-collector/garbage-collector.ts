/**
 * The garbage collector. Informers tell what there is. The {@link GraphBuilder} keeps a graph of owners and dependents, and
 * notes each object that may have lost an owner. The {@link Collector} looks at those, one by one, and deletes each that has no
 * owner any more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector
 */
import { type Component, DeletedFinalStateUnknown, type KubeObject, resources } from '#harness';
import { Collector, NotObserved, RestMappingError } from './collector.ts';
import { resourcesToWatch } from './deletable-resources.ts';
import { Graph } from './graph.ts';
import { GraphBuilder } from './graph-builder.ts';
import { ReferenceCache } from './reference-cache.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager --concurrent-gc-syncs */
const WORKERS = 20;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go NewDependencyGraphBuilder */
const ABSENT_OWNERS_MAX = 500;

const SYNCED_POLL_MS = 100;

/** Deletes objects whose owners are gone, and sees deletions in the foreground and with orphans through. */
export const garbageCollector: Component = async (context) => {
  const { client, informers, recorder, clock, signal, newWorkQueue, runWorkers, log } = context;
  const graph = new Graph();
  const absentOwners = new ReferenceCache(ABSENT_OWNERS_MAX);
  const attemptToDelete = newWorkQueue<string>();
  const attemptToOrphan = newWorkQueue<string>();
  const graphBuilder = new GraphBuilder({ graph, absentOwners, attemptToDelete, attemptToOrphan, recorder });
  const collector = new Collector({ client, graph, graphBuilder, absentOwners, attemptToDelete });

  const registrations = resourcesToWatch(resources).map((resource) =>
    informers.forResource(resource).addEventHandler({
      onAdd: (object) => graphBuilder.observe(object),
      onUpdate: (previous, current) => {
        // After a gap, another incarnation may come as an update of the one before: that one is gone. Differs: upstream
        // keeps it in its graph, and its dependents are garbage until it is restarted.
        if (previous.metadata.uid !== current.metadata.uid) graphBuilder.forget(previous);
        graphBuilder.observe(current);
      },
      onDelete: (last) => graphBuilder.forget(lastSeen(last)),
    }),
  );
  informers.start();
  // A graph that lacks dependents would let their owners go.
  while (!registrations.every((registration) => registration.hasSynced())) {
    await clock.sleep(SYNCED_POLL_MS, signal);
  }

  const onError = (error: unknown, uid: string): void => {
    if (error instanceof NotObserved || error instanceof RestMappingError) return;
    log(`will look at ${graph.get(uid)?.identity.name ?? uid} again: ${error}`);
  };
  await Promise.all([
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

function lastSeen(last: KubeObject | DeletedFinalStateUnknown<KubeObject>): KubeObject {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}
