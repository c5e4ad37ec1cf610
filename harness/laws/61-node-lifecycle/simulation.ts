import { configMaps } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { type Operation, PROCESS, type Scenario } from './scenario.ts';

/** Longer than the longest backoff and the longest fault. AUTHOR: the time in which a right component settles. */
const SETTLE_WITHIN_MS = 1_200_000;

/** A ConfigMap whose annotation is wrong. */
interface Unsettled {
  readonly name: string;
  readonly annotation: string | undefined;
  readonly keys: number;
}

/** One run, as the laws read it. AUTHOR: what else the laws need, such as the requests of a `RequestRecorder`. */
export interface History extends ClusterRun {
  /** When every annotation was right; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The wrong annotations at {@link leftMs}. */
  readonly unsettled: readonly Unsettled[];
  readonly leftMs: number;
}

/**
 * Runs a component through a scenario: users and faults act, then the faults end, and the component has time to settle.
 *
 * @param components the parts that the component uses: informers, queues, workers
 * @throws the error that the component rejects with
 */
export async function simulate(
  component: Component,
  components: Partial<Components>,
  { seed, schedule, replicas, latencyMs, steps }: Scenario,
): Promise<History> {
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: latency, components });
  const { sim } = cluster;
  const stage = new Stage(cluster);
  const act = (operation: Operation): Promise<void> => {
    const metadata = { namespace: 'default', name: `config-${operation.configMap}` };
    const path = `configmaps/${metadata.name}`;
    if (operation.do === 'delete')
      return stage.act('user', 'delete', path, (user) => user.delete(configMaps, metadata));
    const data = Object.fromEntries(Array.from({ length: operation.keys }, (_, i) => [`key-${i}`, '']));
    const known = stage.list(configMaps).find(({ metadata: { name } }) => name === metadata.name);
    return stage.act('user', `put ${operation.keys} keys`, path, (user) =>
      known ? user.update(configMaps, { ...known, data }) : user.create(configMaps, { metadata, data }),
    );
  };
  // AUTHOR: an oracle that shares no code with the reference.
  const unsettled = perRevision(cluster, () =>
    stage.list(configMaps).flatMap(({ metadata, data = {} }): Unsettled[] => {
      const annotation = metadata.annotations?.['katas.example.com/keys'];
      const keys = Object.keys(data).length;
      return annotation === String(keys) ? [] : [{ name: metadata.name, annotation, keys }];
    }),
  );
  const { restedMs } = await play<Operation>({
    cluster,
    start: () => cluster.run(PROCESS, component),
    steps,
    act,
    settle: async () => {
      const settled = await cluster.runUntil(() => unsettled().length === 0, SETTLE_WITHIN_MS);
      return settled ? sim.elapsedMs : undefined;
    },
  });
  return { ...recordOf(cluster), restedMs, unsettled: unsettled(), leftMs: sim.elapsedMs };
}
