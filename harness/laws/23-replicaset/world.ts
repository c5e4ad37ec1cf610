/**
 * One life of a ReplicaSet controller in a hostile cluster: users scale, label and delete, nodes run pods and lose them,
 * the nemesis does what she does; then all of them stop, and the controller has time to put things in order. What comes
 * out is a history, and the laws are read off it.
 */
import type { KubeObject, Pod, ReplicaSet } from '../../api/objects.ts';
import { pods, replicaSets } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { Process } from '../../cluster/process.ts';
import type { Component, Components } from '../../contracts/component.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { Actors } from './actors.ts';
import type { ReplicaSetHistory } from './history.ts';
import { Recorder } from './recorder.ts';
import type { ReplicaSetScenario } from './scenario.ts';
import { PROCESS, type Step } from './step.ts';
import { controllerOf, counts, isActive, isAvailable, isReady, selects } from './truth.ts';
import { saysTheTruth } from './words.ts';

/** How long after the last fault everything must be in order: an expectation that expires, and some time to retry. */
const SETTLE_WITHIN_MS = 1_800_000;
/** Who has asked for so much since has had chances enough. */
const REQUESTS_MAX = 2_000;
/** How long nothing must happen then: longer than an expectation lives. */
const REST_MS = 400_000;

/**
 * @param components what the controller stands on
 * @throws whatever the controller rejects with
 */
export async function runReplicaSet(
  controller: Component,
  components: Partial<Components>,
  scenario: ReplicaSetScenario,
): Promise<ReplicaSetHistory> {
  const { seed, schedule, replicas, latencyMs } = scenario;
  await using cluster = await createCluster({
    seed,
    schedule,
    replicas,
    latencyMs: { min: 1, max: latencyMs },
    components,
  });
  return await new World(cluster, controller, scenario).live();
}

class World {
  readonly #cluster: Cluster;
  readonly #controller: Component;
  readonly #scenario: ReplicaSetScenario;
  readonly #recorder: Recorder;
  readonly #actors: Actors;
  /** At which revision, and after how many requests, we looked last whether everything is in order. */
  #looked = '';
  #inOrder = false;

  constructor(cluster: Cluster, controller: Component, scenario: ReplicaSetScenario) {
    this.#cluster = cluster;
    this.#controller = controller;
    this.#scenario = scenario;
    this.#recorder = new Recorder(cluster.sim);
    this.#actors = new Actors(cluster);
  }

  async live(): Promise<ReplicaSetHistory> {
    const cluster = this.#cluster;
    const { before, steps, latencyMs } = this.#scenario;
    const epochMs = cluster.clock.now() - cluster.sim.elapsedMs;
    for (const step of before) await this.#do(step);
    const process = cluster.run(PROCESS, (context) =>
      this.#controller({ ...context, client: this.#recorder.client(context.client) }),
    );
    for (const step of steps) await this.#do(step);
    cluster.nemesis.heal();
    const healedMs = cluster.sim.elapsedMs;
    await this.#actors.collectAll();
    const spent = this.#recorder.requests.length;
    await cluster.runUntil(
      () => this.#atRest() || this.#recorder.requests.length - spent > REQUESTS_MAX,
      SETTLE_WITHIN_MS,
    );
    this.#mustRun(process);
    const restedMs = this.#atRest() ? cluster.sim.elapsedMs : undefined;
    const left = this.#sets();
    const leftMs = cluster.sim.elapsedMs;
    if (restedMs !== undefined) await cluster.runFor(REST_MS);
    const happened = [...cluster.trace.entries];
    return {
      journal: cluster.journal.entries,
      requests: this.#recorder.requests,
      knowledge: this.#recorder.knowledge(happened, latencyMs),
      healedMs,
      restedMs,
      left,
      leftMs,
      epochMs,
      hash: cluster.trace.hash(),
      timeline: () => drawTimeline(happened),
    };
  }

  async #do(step: Step): Promise<void> {
    await this.#cluster.runFor(step.afterMs);
    if ('strike' in step) this.#cluster.nemesis.strike(step.strike);
    else await this.#actors.do(step);
  }

  /** Is everything as it should be, and nobody at work on it? */
  #atRest(): boolean {
    if (this.#recorder.busy) return false;
    const { requests } = this.#recorder;
    const look = `${this.#cluster.storage.revision} ${requests.length}`;
    if (look !== this.#looked) {
      this.#looked = look;
      this.#inOrder = this.#isInOrder();
    }
    return this.#inOrder;
  }

  #isInOrder(): boolean {
    const sets = this.#sets();
    const all = (this.#cluster.storage.list(pods) as Pod[]).filter(isActive);
    const nowMs = this.#cluster.clock.now();
    const owned = all.every((pod) => controllerOf(pod) || !sets.some((rs) => selects(rs, pod)));
    return (
      owned &&
      sets.every((rs) => {
        const own = all.filter((pod) => controllerOf(pod)?.uid === rs.metadata.uid);
        const counted = own.filter((pod) => counts(rs, pod));
        return (
          own.length === counted.length &&
          counted.length === rs.spec.replicas &&
          counted.every((pod) => !isReady(pod) || isAvailable(rs, pod, nowMs)) &&
          saysTheTruth(rs, counted, nowMs)
        );
      })
    );
  }

  #sets(): ReplicaSet[] {
    return this.#cluster.storage.list(replicaSets) as KubeObject[] as ReplicaSet[];
  }

  #mustRun(process: Process): void {
    if (process.failure !== undefined) throw process.failure;
  }
}
