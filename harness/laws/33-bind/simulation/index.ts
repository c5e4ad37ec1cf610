import type { KubeObject, Node, Pod } from '../../../api/objects.ts';
import { events, nodes, pods } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Process } from '../../../cluster/process.ts';
import type { Component, Components } from '../../../contracts/component.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { Observations, type ObservationsOptions } from '../../../testing/rig/observations.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { RequestRecorder } from '../../../testing/rig/recorder.ts';
import { perRevision, untilQuiet } from '../../../testing/rig/settling.ts';
import { Environment } from '../environment/index.ts';
import type { Look, SchedulerHistory } from '../history/index.ts';
import { type Operation, PROCESS } from '../operations.ts';
import { clusterStateOf, isWaiting, placesFor } from '../oracle/truth.ts';
import type { SchedulerScenario } from '../scenario.ts';
import { disturbedProfile, type Notes, recordingProfile } from './attempts.ts';
import { whimOf, whimsical } from './filters.ts';

/**
 * The time after the last fault within which every pod that fits must have a node: a request that times out (60 s), a new
 * watch (somewhat more than 30 s), a backoff (10 s). It is shorter than the time after which a pod is retried without an
 * event (300 s).
 */
const SETTLE_WITHIN_MS = 200_000;
/** The quiet period before the state is judged: a backoff (10 s), and as much for slow work. */
const CALM_MS = 20_000;
/** The longest wait for a scheduler that never stops writing. */
const CALM_WITHIN_MS = 120_000;

/**
 * Plays a scenario. Users create and delete pods, nodes change, other clients bind pods, and the nemesis injects faults. When
 * the faults end, every pod that fits must get a node. Then more operations follow, each after a quiet period, which shows
 * which pods it wakes. A period without operations ends the run.
 *
 * @param components - The components that the scheduler uses, including filters and scores.
 * @throws The error that the scheduler rejects with.
 */
export async function runScheduler(
  scheduler: Component,
  components: Partial<Components>,
  scenario: SchedulerScenario,
): Promise<SchedulerHistory> {
  const { seed, schedule, replicas, latencyMs: max } = scenario;
  const latencyMs = { min: 1, max };
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs, components });
  return await new Life(cluster, scenario).live(scheduler, components);
}

class Life {
  readonly #cluster: Cluster;
  readonly #scenario: SchedulerScenario;
  readonly #recorder: RequestRecorder;
  readonly #environment: Environment;
  readonly #told: Observations<'pods' | 'nodes'>;
  readonly #notes: Notes = { attempts: [], reservations: [] };
  readonly #looks: Look[] = [];
  readonly #isNoneMissed: () => boolean;
  /** The revisions of the last writes in the part of the journal that was read. */
  readonly #newest = { pods: 0, nodes: 0 };
  #read = 0;

  constructor(cluster: Cluster, scenario: SchedulerScenario) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#recorder = new RequestRecorder(cluster.sim);
    this.#environment = new Environment(cluster);
    this.#told = new Observations(this.#observations());
    this.#isNoneMissed = perRevision(cluster, () => this.#missed().length === 0);
  }

  async live(scheduler: Component, { filtering }: Partial<Components>): Promise<SchedulerHistory> {
    const cluster = this.#cluster;
    const { before, steps, calm, restMs } = this.#scenario;
    const { process, healedMs, restedMs } = await play<Operation>({
      cluster,
      before,
      start: () => this.#start(scheduler),
      steps,
      act: (operation) => this.#environment.do(operation),
      settle: () => this.#settle(),
    });
    this.#look('the last fault');
    const calmMs = cluster.sim.elapsedMs;
    for (const operation of calm) {
      await this.#environment.do(operation);
      await this.#waitForCalm();
      this.#look(this.#lastOperation() ?? operation.do);
    }
    const from = cluster.sim.elapsedMs;
    await cluster.runFor(restMs);
    if (process.failure !== undefined) throw process.failure;
    const { journal, storage, trace } = cluster;
    return {
      ...recordOf(cluster),
      pods: new ObjectHistories(journal.of(pods)),
      nodes: new ObjectHistories(journal.of(nodes), ({ metadata }) => metadata.name),
      ...this.#notes,
      requests: this.#recorder.requests,
      told: new Observations({ ...this.#observations(), own: this.#recorder.requests }).read(trace.entries),
      plugins: [...(filtering?.plugins ?? []), ...whimsical(() => 0)],
      latencyMs: this.#scenario.latencyMs,
      healedMs,
      restedMs,
      calmMs,
      looks: this.#looks,
      quietMs: { from, to: cluster.sim.elapsedMs },
      left: {
        nodes: storage.list(nodes) as KubeObject[] as Node[],
        pods: storage.list(pods) as KubeObject[] as Pod[],
      },
    };
  }

  #start(scheduler: Component): Process {
    const { sim } = this.#cluster;
    const recorder = this.#recorder;
    return this.#cluster.run(PROCESS, (context) => {
      const client = recorder.client(context.client);
      const profile = () =>
        recordingProfile(
          disturbedProfile(context.profile(), () => sim.elapsedMs),
          this.#notes,
          recorder,
        );
      return scheduler({ ...context, client, profile });
    });
  }

  #observations(): ObservationsOptions<'pods' | 'nodes'> {
    return { process: PROCESS, resources: ['pods', 'nodes'], latencyMs: this.#scenario.latencyMs };
  }

  /** Waits until the cluster is settled and stays so. Returns the time, or undefined if it does not settle. */
  async #settle(): Promise<number | undefined> {
    const { sim } = this.#cluster;
    const untilMs = sim.elapsedMs + SETTLE_WITHIN_MS;
    while (sim.elapsedMs < untilMs) {
      await this.#cluster.runUntil(() => this.#isInOrder(), untilMs - sim.elapsedMs);
      if (!this.#isInOrder()) return undefined;
      await this.#waitForCalm();
      if (this.#isInOrder()) return sim.elapsedMs;
    }
    return undefined;
  }

  /** Waits for a period without writes, apart from events. */
  async #waitForCalm(): Promise<void> {
    await untilQuiet(this.#cluster, {
      forMs: CALM_MS,
      withinMs: CALM_WITHIN_MS,
      isHeard: ({ resource }) => !sameResource(resource, events),
    });
  }

  /** Every pod that fits has a node, and the scheduler has observed all writes, has open watches and no pending request. */
  #isInOrder(): boolean {
    this.#told.read(this.#cluster.trace.entries);
    return !this.#recorder.busy && !this.#told.isCutOff && this.#isUpToDate() && this.#isNoneMissed();
  }

  #isUpToDate(): boolean {
    const { entries } = this.#cluster.journal;
    for (; this.#read < entries.length; this.#read++) {
      const { resource, revision } = entries[this.#read] as JournalEntry;
      if (resource.plural === 'pods' || resource.plural === 'nodes') this.#newest[resource.plural] = revision;
    }
    const { now } = this.#told;
    return this.#newest.pods <= now.pods && this.#newest.nodes <= now.nodes;
  }

  #missed(): Look['missed'] {
    const state = clusterStateOf(this.#cluster.storage);
    return state.pods
      .filter((pod) => isWaiting(pod) && !mayWait(pod))
      .flatMap((pod) => {
        const places = placesFor(pod, state);
        return places.length > 0 ? [{ pod, places }] : [];
      });
  }

  /** Describes the last operation of another client: `kubelet: Succeeded pods/p1`. */
  #lastOperation(): string | undefined {
    const others = (actor: string): boolean => actor !== PROCESS && actor !== 'nemesis';
    const last = this.#cluster.trace.entries.findLast(({ actor }) => others(actor));
    return last && `${last.actor}: ${last.verb} ${last.object ?? ''}`;
  }

  #look(after: string): void {
    const missed = this.#missed();
    const waiting = clusterStateOf(this.#cluster.storage).pods.filter(isWaiting).length;
    this.#looks.push({
      atMs: this.#cluster.sim.elapsedMs,
      missed,
      hopeless: waiting - missed.length,
      after,
    });
  }
}

/** Reports whether a filter of the test may keep this pod waiting although it fits. */
function mayWait(pod: Pod): boolean {
  const plan = whimOf(pod);
  return plan !== undefined && plan !== 'erring';
}
