import type { KubeObject, Node, Pod } from '../../api/objects.ts';
import { events, nodes, pods } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Process } from '../../cluster/process.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { ObjectHistories } from '../../testing/rig/object-history.ts';
import { Observations, type ObservationsOptions } from '../../testing/rig/observations.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { RequestRecorder } from '../../testing/rig/recorder.ts';
import { perRevision, untilQuiet } from '../../testing/rig/settling.ts';
import { type Notes, recordingProfile } from './attempts.ts';
import { Environment } from './environment.ts';
import { whimOf, whimsical } from './filters.ts';
import type { Look, SchedulerHistory } from './history.ts';
import type { SchedulerScenario } from './scenario.ts';
import { type Operation, PROCESS } from './step.ts';
import { clusterStateOf, isWaiting, placesFor } from './truth.ts';

/**
 * How long after the last fault every pod that can run must have a node: a request that is not answered (60 s), a watch that is
 * opened again (30 s and some), a backoff (10 s). Long before a pod that was missed would be looked at again (300 s).
 */
const SETTLE_WITHIN_MS = 200_000;
/** For so long nothing must be written before we look: a backoff (10 s), and as much for what takes its time. */
const CALM_MS = 20_000;
/** A scheduler that writes again and again is not waited for any longer. */
const CALM_WITHIN_MS = 120_000;

/**
 * One life of a scheduler in a hostile cluster: users create and delete pods, nodes come, go and change, others bind by
 * hand, the nemesis does what she does; then she stops, and every pod that can run must get a node. In the calm after that, more
 * things are done, one at a time, so that what each of them wakes can be told apart; and at last nothing is done at all.
 *
 * @param components what the scheduler stands on: its filters and scores, too
 * @throws whatever the scheduler rejects with
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
  /** The revisions of the last writes, as far as the journal was read. */
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
      const profile = () => recordingProfile(context.profile(), this.#notes, { sim, recorder });
      return scheduler({ ...context, client, profile });
    });
  }

  #observations(): ObservationsOptions<'pods' | 'nodes'> {
    return { process: PROCESS, resources: ['pods', 'nodes'], latencyMs: this.#scenario.latencyMs };
  }

  /** Waits until all is in order and stays so. Gives when that was. */
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

  /** Until nothing has been written for a while except events, which are about what was. */
  async #waitForCalm(): Promise<void> {
    await untilQuiet(this.#cluster, {
      forMs: CALM_MS,
      withinMs: CALM_WITHIN_MS,
      isHeard: ({ resource }) => !sameResource(resource, events),
    });
  }

  /** Has every pod that can run a node, has the scheduler heard of everything, will it go on hearing, and does it wait for no answer? */
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
      .filter((pod) => isWaiting(pod) && !whimOf(pod))
      .flatMap((pod) => {
        const places = placesFor(pod, state);
        return places.length > 0 ? [{ pod, places }] : [];
      });
  }

  /** What others did last: `kubelet: Succeeded pods/p1`. */
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
