/**
 * One life of a scheduler in a hostile cluster: users create and delete pods, nodes come, go and change, others bind by
 * hand, the nemesis does what she does; then she stops, and whoever can run must get a node. In the calm after that, more
 * things are done, one at a time, so that what each of them wakes can be told apart; and at last nothing is done at all.
 * What comes out is a history, and the laws are read off it.
 */
import type { KubeObject, Node, Pod } from '../../api/objects.ts';
import { events, nodes, pods } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Process } from '../../cluster/process.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { Actors } from './actors.ts';
import type { Look, SchedulerHistory } from './history.ts';
import { Past, PastNodes } from './past.ts';
import { Recorder } from './recorder.ts';
import type { SchedulerScenario } from './scenario.ts';
import { type Deed, PROCESS, type Step } from './step.ts';
import { Tellings } from './tellings.ts';
import { isWaiting, placesFor, worldOf } from './truth.ts';

/**
 * How long after the last fault whoever can run must have a node: a request that is not answered (60 s), a watch that is
 * opened again (30 s and some), a backoff (10 s). Long before whoever was missed would be looked at again (300 s).
 */
const SETTLE_WITHIN_MS = 200_000;
/** So long nothing must be written before we look: a backoff (10 s), and as much for those who take their time. */
const CALM_MS = 20_000;
/** Who writes again and again is not waited for any longer. */
const CALM_WITHIN_MS = 120_000;

/**
 * @param components what the scheduler stands on: its filters and scores, too
 * @throws whatever the scheduler rejects with
 */
export async function runScheduler(
  scheduler: Component,
  components: Partial<Components>,
  scenario: SchedulerScenario,
): Promise<SchedulerHistory> {
  const { seed, schedule, replicas, latencyMs } = scenario;
  await using cluster = await createCluster({
    seed,
    schedule,
    replicas,
    latencyMs: { min: 1, max: latencyMs },
    components,
  });
  return await new World(cluster, scheduler, components, scenario).live();
}

class World {
  readonly #cluster: Cluster;
  readonly #scheduler: Component;
  readonly #components: Partial<Components>;
  readonly #scenario: SchedulerScenario;
  readonly #recorder: Recorder;
  readonly #actors: Actors;
  readonly #told: Tellings;
  readonly #looks: Look[] = [];
  /** At which revision, and after how many requests, we looked last whether everything is in order. */
  #looked = '';
  #inOrder = false;
  /** The revisions of the last writes, as far as the journal was read. */
  readonly #newest = { pods: 0, nodes: 0 };
  #read = 0;

  constructor(
    cluster: Cluster,
    scheduler: Component,
    components: Partial<Components>,
    scenario: SchedulerScenario,
  ) {
    this.#cluster = cluster;
    this.#scheduler = scheduler;
    this.#components = components;
    this.#scenario = scenario;
    this.#recorder = new Recorder(cluster.sim);
    this.#actors = new Actors(cluster);
    this.#told = new Tellings(scenario.latencyMs);
  }

  async live(): Promise<SchedulerHistory> {
    const cluster = this.#cluster;
    const { before, steps, calm, restMs } = this.#scenario;
    const epochMs = cluster.clock.now() - cluster.sim.elapsedMs;
    for (const step of before) await this.#do(step);
    const process = cluster.run(PROCESS, (context) => {
      this.#recorder.begin();
      const client = this.#recorder.client(context.client);
      return this.#scheduler({
        ...context,
        client,
        profile: () => this.#recorder.profile(context.profile()),
      });
    });
    for (const step of steps) await this.#do(step);
    cluster.nemesis.heal();
    const healedMs = cluster.sim.elapsedMs;
    const restedMs = await this.#settle();
    this.#mustRun(process);
    this.#look('the last fault');
    const calmMs = cluster.sim.elapsedMs;
    await this.#beCalm(calm);
    const from = cluster.sim.elapsedMs;
    await cluster.runFor(restMs);
    this.#mustRun(process);
    const quietMs = { from, to: cluster.sim.elapsedMs };
    return this.#history({ epochMs, healedMs, restedMs, calmMs, quietMs });
  }

  async #do(step: Step): Promise<void> {
    await this.#cluster.runFor(step.afterMs);
    if ('strike' in step) this.#cluster.nemesis.strike(step.strike);
    else await this.#actors.do(step);
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

  async #beCalm(deeds: readonly Deed[]): Promise<void> {
    for (const deed of deeds) {
      await this.#actors.do(deed);
      await this.#waitForCalm();
      this.#look(this.#lastDeed() ?? deed.do);
    }
  }

  /** Until nothing has been written for a while, but for events, which are about what was. */
  async #waitForCalm(): Promise<void> {
    const { sim } = this.#cluster;
    const untilMs = sim.elapsedMs + CALM_WITHIN_MS;
    let calmMs = sim.elapsedMs + CALM_MS;
    while (sim.elapsedMs < calmMs && sim.elapsedMs < untilMs) {
      await this.#cluster.runFor(calmMs - sim.elapsedMs);
      calmMs = Math.max(calmMs, this.#wroteMs() + CALM_MS);
    }
  }

  #wroteMs(): number {
    const last = this.#cluster.journal.entries.findLast(({ resource }) => !sameResource(resource, events));
    return last?.atMs ?? 0;
  }

  /** Has whoever can run a node, has the scheduler heard of everything, and does it wait for no answer? */
  #isInOrder(): boolean {
    this.#told.read(this.#cluster.trace.entries);
    if (this.#recorder.busy || !this.#isUpToDate()) return false;
    const look = `${this.#cluster.storage.revision}`;
    if (look !== this.#looked) {
      this.#looked = look;
      this.#inOrder = this.#missed().length === 0;
    }
    return this.#inOrder;
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
    const world = worldOf(this.#cluster.storage);
    return world.pods.filter(isWaiting).flatMap((pod) => {
      const places = placesFor(pod, world);
      return places.length > 0 ? [{ pod, places }] : [];
    });
  }

  /** What others did last: `kubelet: Succeeded pods/p1`. */
  #lastDeed(): string | undefined {
    const others = (actor: string): boolean => actor !== PROCESS && actor !== 'nemesis';
    const last = this.#cluster.trace.entries.findLast(({ actor }) => others(actor));
    return last && `${last.actor}: ${last.verb} ${last.object ?? ''}`;
  }

  #look(after: string): void {
    const missed = this.#missed();
    const waiting = worldOf(this.#cluster.storage).pods.filter(isWaiting).length;
    this.#looks.push({
      atMs: this.#cluster.sim.elapsedMs,
      missed,
      hopeless: waiting - missed.length,
      after,
    });
  }

  #mustRun(process: Process): void {
    if (process.failure !== undefined) throw process.failure;
  }

  #history(
    times: Pick<SchedulerHistory, 'epochMs' | 'healedMs' | 'restedMs' | 'calmMs' | 'quietMs'>,
  ): SchedulerHistory {
    const { journal, trace, storage } = this.#cluster;
    const happened = [...trace.entries];
    const told = new Tellings(this.#scenario.latencyMs, this.#recorder.lists);
    told.read(happened);
    return {
      ...times,
      journal: journal.entries,
      pods: new Past(journal.of(pods)),
      nodes: new PastNodes(journal.of(nodes)),
      attempts: this.#recorder.attempts,
      requests: this.#recorder.requests,
      told,
      plugins: this.#components.filtering?.plugins ?? [],
      latencyMs: this.#scenario.latencyMs,
      looks: this.#looks,
      left: {
        nodes: storage.list(nodes) as KubeObject[] as Node[],
        pods: storage.list(pods) as KubeObject[] as Pod[],
      },
      hash: trace.hash(),
      timeline: () => drawTimeline(happened),
    };
  }
}
