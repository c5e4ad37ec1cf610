import type { Client } from '#harness';
import { Collector } from './collector.ts';
import { Graph } from './graph.ts';
import { GraphBuilder } from './graph-builder.ts';
import { ReferenceCache } from './reference-cache.ts';

/** Creates a collector without workers, which process its queues. */
export function collectorOver(
  client: Pick<Client, 'get' | 'delete' | 'patch'>,
  absentOwners = new ReferenceCache(500),
) {
  const graph = new Graph();
  const attemptToDelete = { add: () => {} };
  const recorder = { event: () => {} };
  const graphBuilder = new GraphBuilder({
    graph,
    absentOwners,
    attemptToDelete,
    attemptToOrphan: attemptToDelete,
    recorder,
  });
  return {
    graph,
    graphBuilder,
    collector: new Collector({ client, graph, graphBuilder, absentOwners, attemptToDelete }),
  };
}
