import type { KubeObject, Node } from '../../api/objects.ts';
import { nodes, type Resource } from '../../api/resource.ts';
import { installStorageClass } from '../../cluster/addons/local-path.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment } from './environment.ts';
import type { ClusterHistory, Exchange } from './history.ts';
import { katasInCluster } from './katas/index.ts';
import type { Operation } from './operations.ts';
import { onlyWorkloads, type Snapshot, unmetIn } from './oracle/as-asked.ts';
import { runningContainers } from './oracle/running-containers.ts';
import type { ClusterScenario } from './scenario.ts';
import { openConnections } from './traffic.ts';

/** Time for the machines of a new cluster to become ready nodes. */
const BORN_WITHIN_MS = 120_000;
/**
 * Time for a cluster to heal. Upstream's waits that can follow each other: a back-off of images and one of containers,
 * five minutes each; the toleration of a taint, five minutes; the next try of a pod that no event wakes, five minutes.
 */
export const HEALED_WITHIN_MS = 1_200_000;
/**
 * How long a healed cluster must stay as its users asked: longer than a request that gets no answer, and than every
 * period of a component but those of a resync.
 */
const STEADY_MS = 150_000;
/** A cluster that writes more than this is in a loop. */
const WRITES_MAX = 40_000;
/** How often the cluster is compared with the wishes of its users. */
const LOOK_MS = 1_000;

/**
 * Runs a whole cluster through a scenario: its machines start, its users create workloads, faults strike. Then all
 * faults end, and the cluster has time to heal.
 *
 * @throws the rejection of a component
 */
export async function runCluster(
  components: Partial<Components>,
  scenario: ClusterScenario,
): Promise<ClusterHistory> {
  const { seed, schedule, nodes: count, replicas, latencyMs, secured, workloads, steps } = scenario;
  const recorders = new Map<string, RequestRecorder>();
  const observers = katasInCluster.flatMap(({ kata, observer }) =>
    observer ? [{ kata, observer: observer(recorders) }] : [],
  );
  const whole = await createWholeCluster({
    seed,
    schedule,
    replicas,
    latencyMs: { min: 1, max: latencyMs },
    nodes: count,
    secured,
    names: false,
    components: observers.reduce((wrapped, { observer }) => observer.wrap(wrapped), components),
    intercept: (client, { name, sim }) => {
      const recorder = recorders.get(name) ?? new RequestRecorder(sim);
      recorders.set(name, recorder);
      return recorder.client(client);
    },
  });
  await using cluster = whole.cluster;
  const { sim, trace, nemesis } = cluster;
  if (!secured) await installStorageClass(cluster.as('kubeadm'));
  const environment = new Environment(cluster, scenario);
  const bornMs = await settled(cluster, () => nodesAreReady(cluster), BORN_WITHIN_MS);
  const exchanges = openConnections(cluster);
  const unmet = perRevision(
    cluster,
    () => unmetIn(snapshotOf(cluster)),
    () => `${eventsOn(cluster)}`,
  );
  let lastUnmet: readonly string[] = [];
  const { healedMs, restedMs } = await play<Operation>({
    cluster,
    start: async () => {
      for (let i = 0; i < workloads.length; i++) await environment.create(i);
      const [first] = whole.processes;
      if (!first) throw new Error('Failed to run a cluster: it has no process.');
      return first;
    },
    steps,
    act: (operation) => environment.do(operation),
    writesMax: WRITES_MAX,
    calmDown: () => environment.calmDown(),
    settle: () => steady(cluster, unmet, (last) => (lastUnmet = last)),
  });
  for (const { failure } of whole.processes) if (failure !== undefined) throw failure;
  return {
    ...recordOf(cluster),
    scenario,
    trace: [...trace.entries],
    recorders,
    starts: trace.entries.flatMap(({ actor, verb, atMs }) =>
      verb === 'start' ? [{ process: actor, atMs }] : [],
    ),
    struck: [...nemesis.struck],
    machines: new Map(cluster.machines.map(({ node, history }) => [node, [...history]])),
    exchanges: [...exchanges] as readonly Exchange[],
    observed: new Map(observers.map(({ kata, observer }) => [kata, observer.observed])),
    bornMs,
    healedMs,
    restedMs,
    unmet: lastUnmet,
    endMs: sim.elapsedMs,
    left: leftIn(cluster),
    inspected: await inspected(cluster),
  };
}

async function inspected(cluster: Cluster): Promise<ClusterHistory['inspected']> {
  const all = new Map<string, unknown>();
  for (const { kata, inspect } of katasInCluster) if (inspect) all.set(kata, await inspect(cluster));
  return all;
}

/**
 * Waits until the cluster has been as asked for {@link STEADY_MS}.
 *
 * @param onUnmet called with the differences whenever there are any
 * @returns the time since when there are none; undefined if that never happened in time
 */
async function steady(
  cluster: Cluster,
  unmet: () => readonly string[],
  onUnmet: (unmet: readonly string[]) => void,
): Promise<number | undefined> {
  const { sim } = cluster;
  const untilMs = sim.elapsedMs + HEALED_WITHIN_MS;
  let sinceMs = sim.elapsedMs;
  while (sinceMs <= untilMs) {
    const differences = unmet();
    if (differences.length > 0) {
      onUnmet(differences);
      sinceMs = sim.elapsedMs + LOOK_MS;
    } else if (sim.elapsedMs - sinceMs >= STEADY_MS) return sinceMs;
    await cluster.runFor(LOOK_MS);
  }
  return undefined;
}

/** Waits until a condition holds. @returns the time since when it holds; undefined if it did not hold in time */
async function settled(
  cluster: Cluster,
  holds: () => boolean,
  withinMs: number,
): Promise<number | undefined> {
  const untilMs = cluster.sim.elapsedMs + withinMs;
  while (cluster.sim.elapsedMs < untilMs) {
    if (holds()) return cluster.sim.elapsedMs;
    await cluster.runFor(LOOK_MS);
  }
  return holds() ? cluster.sim.elapsedMs : undefined;
}

function nodesAreReady({ storage, machines }: Cluster): boolean {
  const ready = (storage.list(nodes) as Node[]).filter(({ status, spec }) => {
    const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
    return isReady && (spec.taints ?? []).length === 0;
  });
  return ready.length === machines.length;
}

function snapshotOf(cluster: Cluster): Snapshot {
  return onlyWorkloads({
    list: <T extends KubeObject>(resource: Resource<T>) =>
      cluster.storage.list(resource) as KubeObject[] as T[],
    running: new Map(cluster.machines.map((machine) => [machine.node, runningContainers(machine)])),
  });
}

/** Returns the number of events on all machines. */
function eventsOn({ machines }: Cluster): number {
  return machines.reduce((sum, { history }) => sum + history.length, 0);
}

/** Returns the objects at the end. The storage of a cluster that has ended does not change. */
function leftIn({ storage }: Cluster): ClusterHistory['left'] {
  return <T extends KubeObject>(resource: Resource<T>) => storage.list(resource) as KubeObject[] as T[];
}
