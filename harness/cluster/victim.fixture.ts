import type { KubeObject } from '../api/objects.ts';
import { configMaps } from '../api/resource.ts';
import { type ClusterOptions, createCluster } from '../cluster/cluster.ts';
import type { Watch } from '../contracts/client.ts';

/** A second, in ms. */
export const SECOND = 1_000;

/** Returns the key of an object in the namespace `default`. */
export const key = (name: string) => ({ namespace: 'default', name });

/** Returns a new, empty object of that name. */
export const sent = (name: string) => ({ metadata: key(name) });

/** Creates a cluster with a client that faults affect. */
export async function victim(options: ClusterOptions = {}) {
  const cluster = await createCluster(options);
  const client = cluster.connect('victim');
  /** Watches, and records each event with its time in `told`. */
  const watch = async (resourceVersion = String(cluster.storage.revision)) => {
    const told: string[] = [];
    void record(
      await cluster.settle(client.watch(configMaps, { resourceVersion })),
      told,
      () => cluster.sim.elapsedMs - beganMs,
    );
    const beganMs = cluster.sim.elapsedMs;
    return told;
  };
  /** Returns the outcome of a call, and the time that it took in ms. */
  const outcome = async (call: Promise<unknown>): Promise<string> => {
    const beganMs = cluster.sim.elapsedMs;
    const how = await cluster.settle(
      call.then(
        () => 'ok',
        ({ reason, code }) => reason ?? code,
      ),
    );
    return `${how} after ${cluster.sim.elapsedMs - beganMs} ms`;
  };
  const there = (name: string): boolean => cluster.storage.get(configMaps, key(name)) !== undefined;
  return Object.assign(cluster, { client, watch, outcome, there });
}

/** Records the events of a watch with their times, and its end: `ADDED a 1500`, `end 9000`. */
export async function record(watch: Watch<KubeObject>, told: string[], nowMs: () => number): Promise<void> {
  for await (const { type, object } of watch) {
    const { metadata, reason } = object as KubeObject & { reason?: string };
    told.push(`${type} ${reason ?? metadata.name} ${nowMs()}`);
  }
  told.push(`end ${nowMs()}`);
}
