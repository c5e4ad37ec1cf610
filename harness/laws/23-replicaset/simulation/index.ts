import type { KubeObject, Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf, isReady } from '../../../api/predicates.ts';
import { pods, replicaSets } from '../../../api/resource.ts';
import { createCluster } from '../../../cluster/cluster.ts';
import type { Component, Components } from '../../../contracts/component.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { RequestRecorder } from '../../../testing/rig/recorder.ts';
import { perRevision } from '../../../testing/rig/settling.ts';
import { versionless } from '../../../testing/rig/versionless.ts';
import { Environment } from '../environment.ts';
import { historyOf } from '../history/history-of.ts';
import type { ReplicaSetHistory } from '../history/index.ts';
import { PROCESS } from '../operations.ts';
import { counts, isActive, isAvailable, selects } from '../oracle/truth.ts';
import { isStatusCorrect } from '../render/names.ts';
import type { ReplicaSetScenario } from '../scenario.ts';

/** The limit of the wait for order after the last fault: an expectation expires, and some retries. */
const SETTLE_WITHIN_MS = 1_800_000;
/** The wait ends after this many requests. */
const REQUESTS_MAX = 2_000;
/** The quiet period after that, longer than the lifetime of an expectation. */
const REST_MS = 400_000;

/**
 * Runs a ReplicaSet controller in a hostile cluster. Users scale, label and delete, nodes start and lose pods, and the nemesis
 * injects faults. Then all of them stop, and the controller has time to put everything in order.
 *
 * @param components - the other components of the cluster
 * @throws the error of the controller
 */
export async function runReplicaSet(
  controller: Component,
  components: Partial<Components>,
  scenario: ReplicaSetScenario,
): Promise<ReplicaSetHistory> {
  const { seed, schedule, replicas, latencyMs, isVersionless, hasOldLists, before, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  await using cluster = await createCluster({
    seed,
    schedule,
    replicas,
    streamingLists: Array.from({ length: replicas }, () => !hasOldLists),
    latencyMs: latency,
    components: isVersionless ? versionless(components) : components,
  });
  const { clock, sim, storage, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster);
  const sets = (): ReplicaSet[] => storage.list(replicaSets) as KubeObject[] as ReplicaSet[];
  const isInOrder = perRevision(
    cluster,
    () => areInOrder(sets(), storage.list(pods) as KubeObject[] as Pod[], clock.now()),
    () => String(recorder.requests.length),
  );
  /** Tests whether everything is in order and no request is in flight. */
  const atRest = (): boolean => !recorder.busy && isInOrder();

  const { healedMs, restedMs } = await play({
    cluster,
    before,
    start: () =>
      cluster.run(PROCESS, (context) => controller({ ...context, client: recorder.client(context.client) })),
    steps,
    act: (operation) => environment.do(operation),
    calmDown: () => environment.collectAll(),
    settle: async () => {
      const most = recorder.requests.length + REQUESTS_MAX;
      await cluster.runUntil(() => atRest() || recorder.requests.length > most, SETTLE_WITHIN_MS);
      return atRest() ? sim.elapsedMs : undefined;
    },
  });
  const [left, leftMs] = [sets(), sim.elapsedMs];
  if (restedMs !== undefined) await cluster.runFor(REST_MS);
  return historyOf(recordOf(cluster), {
    trace: trace.entries,
    recorder,
    latencyMs,
    isVersionless,
    healedMs,
    restedMs,
    left,
    leftMs,
  });
}

/** Tests whether each ReplicaSet has its pods and a correct status, and no pod must be adopted or released. */
function areInOrder(sets: readonly ReplicaSet[], all: readonly Pod[], nowMs: number): boolean {
  const active = all.filter(isActive);
  const owned = active.every((pod) => controllerOf(pod) || !sets.some((rs) => selects(rs, pod)));
  return (
    owned &&
    sets.every((rs) => {
      const own = active.filter((pod) => controllerOf(pod)?.uid === rs.metadata.uid);
      const counted = own.filter((pod) => counts(rs, pod));
      return (
        own.length === counted.length &&
        counted.length === rs.spec.replicas &&
        counted.every((pod) => !isReady(pod) || isAvailable(rs, pod, nowMs)) &&
        isStatusCorrect(rs, all, nowMs)
      );
    })
  );
}
