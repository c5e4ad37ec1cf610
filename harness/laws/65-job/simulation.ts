import type { Job, KubeObject, Pod } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { hasEnded } from '../../api/predicates.ts';
import { pods } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { entriesOf, type JournalEntry } from '../../cluster/journal.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { Observations } from '../../testing/rig/observations.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import type { Recorded } from '../../testing/rig/recorded.ts';
import { RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { versionless } from '../../testing/rig/versionless.ts';
import { Environment } from './environment/index.ts';
import type { JobHistory } from './history.ts';
import { PROCESS, type Step } from './operations.ts';
import { type Failures, jobObligations, type Snapshot } from './oracle/obligations.ts';
import { isTerminating, jobOf } from './oracle/pods.ts';
import type { JobScenario } from './scenario.ts';

/** The limit of the wait for order after the last fault: the longest back-off, and some retries. */
const SETTLE_WITHIN_MS = 1_800_000;
/** The quiet period after that, longer than the lifetime of an expectation. */
const REST_MS = 320_000;
/** After this number of writes a run ends: a right controller needs a tenth. */
const WRITES_MAX = 3_000;

/**
 * Runs a Job controller in a hostile cluster. Users create, edit and delete Jobs, nodes run pods to their end, and the
 * nemesis injects faults. Then users and faults stop, and the controller has time to put everything in order.
 *
 * @param components the parts that the controller uses: informers, queues, workers
 * @throws the error of the controller
 */
export async function simulate(
  controller: Component,
  components: Partial<Components>,
  scenario: JobScenario,
): Promise<JobHistory> {
  const { seed, schedule, replicas, latencyMs, nodes, isVersionless, before, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  const parts = isVersionless ? versionless(components) : components;
  await using cluster = await createCluster({
    seed,
    schedule,
    replicas,
    latencyMs: latency,
    components: parts,
  });
  const { journal, sim, trace } = cluster;
  const recorder = new RequestRecorder(sim);
  const environment = new Environment(cluster, nodes);
  const snapshot = (): Snapshot => snapshotOf(cluster);
  const owesNothing = perRevision(
    cluster,
    () => jobObligations(snapshot()).length === 0,
    () => `${recorder.requests.length} ${sim.elapsedMs}`,
  );
  const isOver = (): boolean => journal.entries.length > WRITES_MAX;
  const atRest = (): boolean => !recorder.busy && owesNothing();
  let restedMs: number | undefined;
  const { healedMs } = await play<Step>({
    cluster,
    before,
    start: () =>
      cluster.run(PROCESS, (context) => controller({ ...context, client: recorder.client(context.client) })),
    steps,
    writesMax: WRITES_MAX,
    act: (step) => ('strike' in step ? Promise.resolve() : environment.do(step)),
    calmDown: () => environment.collectAll(),
    settle: async () => {
      await cluster.runUntil(() => atRest() || isOver(), SETTLE_WITHIN_MS);
      if (!atRest()) return undefined;
      restedMs = sim.elapsedMs;
      await cluster.runFor(REST_MS);
      // A deadline may have passed meanwhile.
      await cluster.runUntil(() => atRest() || isOver(), SETTLE_WITHIN_MS);
      return restedMs;
    },
  });
  return historyOf(recordOf(cluster), {
    ...{ trace: trace.entries, recorder, latencyMs },
    hasFaults: [...before, ...steps].some((step) => 'strike' in step),
    ...{ healedMs, restedMs, leftMs: sim.elapsedMs, left: snapshot() },
  });
}

/** Returns the history of the controller, from a simulation of this kata or from a whole cluster. */
export function historyOf(
  run: ClusterRun,
  {
    trace,
    recorder,
    latencyMs,
    ...rest
  }: Recorded & Pick<JobHistory, 'hasFaults' | 'healedMs' | 'restedMs' | 'leftMs' | 'left'>,
): JobHistory {
  const observations = new Observations({ process: PROCESS, resources: ['pods', 'jobs'], latencyMs });
  observations.read(trace);
  return {
    ...run,
    pods: new ObjectHistories(entriesOf(run.journal, pods)),
    jobs: new ObjectHistories(entriesOf(run.journal, jobs)),
    requests: recorder.requests,
    knowledge: (atMs) => ({
      ...observations.at(recorder.sinceMs(atMs)),
      bornMs: observations.at(atMs).bornMs,
    }),
    ...rest,
  };
}

function snapshotOf({ clock, journal, sim, storage }: Cluster): Snapshot {
  return {
    jobs: storage.list(jobs) as KubeObject[] as Job[],
    pods: storage.list(pods) as KubeObject[] as Pod[],
    failures: failuresIn(journal.of(pods), clock.now() - sim.elapsedMs),
    nowMs: clock.now(),
  };
}

/**
 * Returns the failures of each Job in these writes since its last success: pods that failed, or that were deleted before
 * their end. A pod that is deleted and then fails counts twice, because a policy decides which of the two is the failure.
 */
export function failuresIn(
  writes: readonly JournalEntry<Pod>[],
  epochMs: number,
): ReadonlyMap<string, Failures> {
  const failures = new Map<string, Failures>();
  for (const { atMs, object, previous, type } of writes) {
    const uid = jobOf(object);
    if (uid === undefined) continue;
    // A Job also counts a failed pod that it adopts.
    const before = previous && jobOf(previous) === uid ? stateOf(previous) : 'alive';
    const state = type === 'DELETED' && !hasEnded(object) ? 'deleted' : stateOf(object);
    if (state === before || state === 'alive') continue;
    const { count } = failures.get(uid) ?? { count: 0 };
    // A deleted pod can have counted as failed before it succeeded.
    const isSuccess = state === 'Succeeded' && before === 'alive';
    failures.set(uid, { count: isSuccess ? 0 : count + 1, lastMs: epochMs + atMs });
  }
  return failures;
}

function stateOf(pod: Pod): 'alive' | 'deleted' | 'Succeeded' | 'Failed' {
  if (hasEnded(pod)) return pod.status.phase as 'Succeeded' | 'Failed';
  return isTerminating(pod) ? 'deleted' : 'alive';
}
