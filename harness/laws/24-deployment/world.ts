/**
 * One life of a Deployment in a hostile cluster: created, edited, disturbed, left in peace. The ReplicaSet controller is a
 * real one, and so are the pods, as far as a controller can see. What comes out is a history, and the laws are read off it.
 */
import type { Deployment, Pod, ReplicaSet } from '../../api/objects.ts';
import { deployments, events, pods, replicaSets } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type ScriptPod, scripts } from '../../cluster/nodes/pod-script.ts';
import { runPuppetNodes } from '../../cluster/nodes/puppet-nodes.ts';
import type { Components } from '../../contracts/component.ts';
import type { EventRecorder } from '../../contracts/event-recorder.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import type { DeploymentHistory, Order, StatusWrite } from './history.ts';
import { RequestWatcher, Tellings, type Told } from './knowledge.ts';
import { Past } from './past.ts';
import type { DeploymentScenario } from './scenario.ts';
import { OTHER_PROCESS, PROCESS, type Step } from './step.ts';
import { controllerOf } from './truth.ts';
import { User } from './user.ts';

const LATENCY_MS = { min: 1, max: 3 };

/** Nobody reads what controllers tell, and each event costs as much as a pod. */
const SILENT: EventRecorder = { event: () => {} };

/** So long after the last fault and the last edit everything must be at rest: the longest backoffs, and the slowest pods. */
const REST_WITHIN_MS = 8_000_000;

/**
 * What has been silent for so long is at rest. Deadlines are shorter; and a backoff is no longer than the trouble that made
 * it, which is a few times 90 s.
 */
const SILENCE_MS = 800_000;

/** Who writes so much after that will not come to rest. */
const WRITES_MAX = 1_500;

/** How often is looked whether it is. */
const LOOK_MS = 100_000;

/** @throws whatever the controller rejects with */
export async function runDeployment(
  components: Components,
  scenario: DeploymentScenario,
): Promise<DeploymentHistory> {
  const { seed, schedule, replicas } = scenario;
  await using cluster = await createCluster({ seed, schedule, replicas, latencyMs: LATENCY_MS, components });
  return await new World(cluster, components, scenario).live();
}

class World {
  readonly #cluster: Cluster;
  readonly #components: Components;
  readonly #scenario: DeploymentScenario;
  readonly #watcher: RequestWatcher;
  readonly #user: User;
  #healed = false;

  constructor(cluster: Cluster, components: Components, scenario: DeploymentScenario) {
    this.#cluster = cluster;
    this.#components = components;
    this.#scenario = scenario;
    this.#watcher = new RequestWatcher(cluster.sim);
    this.#user = new User(cluster, scenario.deployment);
  }

  async live(): Promise<DeploymentHistory> {
    const { bystanders, steps } = this.#scenario;
    const cluster = this.#cluster;
    for (const bystander of bystanders) await this.#user.add(bystander);
    runPuppetNodes(cluster, { script: this.#script() });
    const { deploymentController, replicaSetController } = this.#components;
    cluster.run(OTHER_PROCESS, (context) => replicaSetController({ ...context, recorder: SILENT }));
    const process = cluster.run(PROCESS, (context) => {
      const client = this.#watcher.client(context.client);
      return deploymentController({ ...context, client, recorder: SILENT });
    });
    await this.#user.create();
    for (const step of steps) await this.#do(step);
    cluster.nemesis.heal();
    this.#healed = true;
    const healedMs = cluster.sim.elapsedMs;
    cluster.trace.record({ actor: 'nemesis', verb: 'is done' });
    const restedMs = await this.#rest();
    if (process.failure !== undefined) throw process.failure;
    return this.#history(healedMs, restedMs);
  }

  /** Pods flap and fail as long as the rest does. */
  #script(): ScriptPod {
    const { failingPercent: _, flappingPercent: __, ...calm } = this.#scenario.pods;
    const [stormy, peaceful] = [scripts(this.#scenario.pods), scripts(calm)];
    return (pod, random) => (this.#healed ? peaceful : stormy)(pod, random);
  }

  async #do(step: Step): Promise<void> {
    await this.#cluster.runFor(step.afterMs);
    if ('strike' in step) this.#cluster.nemesis.strike(step.strike);
    else await this.#user.do(step);
  }

  /** Waits until nothing is written any more. Gives when the last thing was. */
  async #rest(): Promise<number | undefined> {
    const { sim, journal } = this.#cluster;
    const endMs = sim.elapsedMs + REST_WITHIN_MS;
    const most = journal.entries.length + WRITES_MAX;
    const isRestless = (): boolean => journal.entries.length > most;
    const lastMs = (): number => this.#writes().at(-1)?.atMs ?? 0;
    while (sim.elapsedMs < endMs) {
      if (await this.#cluster.runUntil(isRestless, LOOK_MS)) return undefined;
      if (sim.elapsedMs - lastMs() > SILENCE_MS) return lastMs();
    }
    return undefined;
  }

  #writes(): readonly JournalEntry[] {
    return this.#cluster.journal.entries.filter(({ resource }) => !sameResource(resource, events));
  }

  #history(healedMs: number, restedMs: number | undefined): DeploymentHistory {
    const { journal, storage, trace, sim, clock } = this.#cluster;
    const past = new Past(journal.of(deployments));
    const pastSets = new Past(journal.of(replicaSets));
    const tellings = new Tellings(trace.entries, LATENCY_MS.max);
    const told = (atMs: number): Told => tellings.at(this.#watcher.sinceMs(atMs));
    const happened = [...trace.entries];
    return {
      journal: this.#writes(),
      deployments: past,
      replicaSets: pastSets,
      pods: new Past(journal.of(pods)),
      orders: journal
        .of(replicaSets)
        .filter(isOurs)
        .map((entry) => orderOf(entry, told(entry.atMs), past, pastSets)),
      statuses: journal
        .of(deployments)
        .filter(isOurs)
        .map((entry): StatusWrite => ({ entry, told: told(entry.atMs) })),
      failures: happened.filter(({ actor, outcome = 'ok' }) => actor === PROCESS && !outcome.startsWith('ok'))
        .length,
      looksAtPods: tellings.everOf('pods'),
      healedMs,
      restedMs,
      left: {
        deployment: storage.list(deployments)[0] as Deployment,
        replicaSets: storage.list(replicaSets) as ReplicaSet[],
        pods: storage.list(pods) as Pod[],
      },
      epochMs: clock.now() - sim.elapsedMs,
      hash: trace.hash(),
      timeline: () => drawTimeline(happened),
    };
  }
}

function isOurs({ actor }: JournalEntry): boolean {
  return actor === PROCESS;
}

function orderOf(
  entry: JournalEntry<ReplicaSet>,
  told: Told,
  past: Past<Deployment>,
  pastSets: Past<ReplicaSet>,
): Order {
  const { revision, object } = entry;
  const owner = controllerOf(object)?.uid;
  const versions = owner === undefined ? [] : past.between(owner, told.deployments, revision);
  return {
    entry,
    told,
    versions: versions.filter((version) => version !== undefined),
    others:
      owner === undefined
        ? []
        : pastSets
            .allBefore(revision)
            .filter((each) => controllerOf(each)?.uid === owner && each.metadata.uid !== object.metadata.uid),
  };
}
