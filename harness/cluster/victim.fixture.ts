import type { KubeObject } from '../api/objects.ts';
import { configMaps } from '../api/resource.ts';
import { type ClusterOptions, createCluster } from '../cluster/cluster.ts';
import type { Watch } from '../contracts/client.ts';

/** 1 s, in ms. */
export const SECOND = 1_000;

/** The key of an object in the namespace `default`. */
export const key = (name: string) => ({ namespace: 'default', name });

/** A new object of that name, without anything in it. */
export const sent = (name: string) => ({ metadata: key(name) });

/**
 * A cluster with a client on which the nemesis has her eye.
 */
export async function victim(options: ClusterOptions = {}) {
  const cluster = await createCluster(options);
  const client = cluster.connect('victim');
  /** Watches; `told` fills with when what arrives. */
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
  /** What a call comes to and after how many ms. */
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

/** Writes down what a watch brings and when, and its end: `ADDED a 1500`, `end 9000`. */
export async function record(watch: Watch<KubeObject>, told: string[], nowMs: () => number): Promise<void> {
  for await (const { type, object } of watch) {
    const { metadata, reason } = object as KubeObject & { reason?: string };
    told.push(`${type} ${reason ?? metadata.name} ${nowMs()}`);
  }
  told.push(`end ${nowMs()}`);
}
