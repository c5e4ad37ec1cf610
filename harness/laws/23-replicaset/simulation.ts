import type { KubeObject, Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { pods, replicaSets } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { Component, Components } from '../../contracts/component.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { Observations } from '../../testing/rig/observations.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Environment } from './environment.ts';
import type { ReplicaSetHistory } from './history.ts';
import { saysTheTruth } from './names.ts';
import type { ReplicaSetScenario } from './scenario.ts';
import { PROCESS } from './step.ts';
import { counts, isActive, isAvailable, selects } from './truth.ts';
import { versionless } from './versionless.ts';

/** How long after the last fault everything must be in order: an expectation that expires, and some time to retry. */
const SETTLE_WITHIN_MS = 1_800_000;
/** A controller that has asked for so much since has had chances enough. */
const REQUESTS_MAX = 2_000;
/** How long nothing must happen then: longer than an expectation lives. */
const REST_MS = 400_000;

/**
 * One life of a ReplicaSet controller in a hostile cluster: users scale, label and delete, nodes run pods and lose them,
 * the nemesis does what she does; then all of them stop, and the controller has time to put things in order.
 *
 * @param components what the controller stands on
 * @throws whatever the controller rejects with
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
  const { clock, journal, sim, storage, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster);
  const sets = (): ReplicaSet[] => storage.list(replicaSets) as KubeObject[] as ReplicaSet[];
  const isInOrder = perRevision(
    cluster,
    () => areInOrder(sets(), storage.list(pods) as KubeObject[] as Pod[], clock.now()),
    () => String(recorder.requests.length),
  );
  /** Is everything as it should be, and nothing under way? */
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
  const told = new Observations({
    process: PROCESS,
    resources: ['pods', 'replicasets'],
    latencyMs,
  }).read(trace.entries);
  return {
    ...recordOf(cluster),
    pods: new ObjectHistories(journal.of(pods)),
    sets: new ObjectHistories(journal.of(replicaSets)),
    requests: recorder.requests,
    knowledge: {
      at: (atMs) => {
        const sinceMs = recorder.sinceMs(atMs);
        return { ...told.at(sinceMs), sinceMs };
      },
      byThen: (atMs) => told.at(atMs + 1),
      heard: (fromMs, toMs) => told.heard(fromMs, toMs),
    },
    relistedMs: trace.entries.filter(mayRelistAfter).map(({ atMs }) => atMs),
    isVersionless,
    healedMs,
    restedMs,
    left,
    leftMs,
  };
}

/** Its informer of pods may ask for all pods again after this. A list that streams is a watch, and looks like any other in a trace. */
function mayRelistAfter({ actor, verb, object, outcome }: TraceEntry): boolean {
  if (actor !== PROCESS || object !== 'pods') return false;
  return verb === 'ERROR' || (verb === 'watch' && outcome !== 'ok');
}

/** Has each ReplicaSet the pods that it wants, all of them its own, and does its status say so? */
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
        saysTheTruth(rs, all, nowMs)
      );
    })
  );
}
