import { type Cluster, type ClusterOptions, createCluster as create } from '../cluster/cluster.ts';
import { drawTimeline } from '../drawing/timeline.ts';
import { noteHistory } from './property.ts';

/** Creates a cluster for a test. If the test fails, a replay draws the history of its last cluster. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await create(options);
  noteHistory(() => drawTimeline(cluster.trace.entries));
  return cluster;
}
