import type { KubeObject, Pod } from '../../../api/objects.ts';
import { nodes, pods } from '../../../api/resource.ts';
import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { Components, NodeComponent } from '../../../contracts/component.ts';
import { PODS_DIRECTORY } from '../../../kubelet/paths.ts';
import type { LocalImage } from '../../../node/images/index.ts';
import type { Machine } from '../../../node/machine.ts';
import type { TraceEntry } from '../../../sim/index.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { Observations } from '../../../testing/rig/observations.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { RequestRecorder } from '../../../testing/rig/recorder.ts';
import { Environment } from '../environment/index.ts';
import type { Incarnation, KubeletHistory } from '../history/index.ts';
import { MachineHistory } from '../history/machine.ts';
import { isFinal, type Snapshot } from '../oracle/obligations.ts';
import { drawChanges } from '../render/timeline.ts';
import {
  type KubeletScenario,
  NODE,
  type Operation,
  PRIVATE_IMAGE,
  PROCESS,
  type Step,
} from '../scenario/index.ts';
import { IMAGES } from '../workloads/plans.ts';
import { EXECUTABLE, imageSource, Programs } from './programs.ts';
import { RuntimeRecorder } from './recording.ts';
import { registriesOf } from './registries.ts';

/** Time after the last fault until the kubelet retries the runtime, and until it retries the API. */
const RUNTIME_WELL_AFTER_MS = 25_000;
const API_WELL_AFTER_MS = 130_000;
/** Longer than the longest back-off and half as long again, and the longest grace period. */
const SETTLE_WITHIN_MS = 600_000;
/** Time without an event before the simulation checks for the final state. */
const QUIESCENT_MS = 8_000;
/** Longer than the periodic work of a kubelet, once a minute. */
const QUIET_MS = 100_000;
const AFTER_STOP_MS = 3_000;

/**
 * Plays a scenario: users create, change and delete pods, programs crash, and the nemesis injects faults. After the faults the node
 * must reach its desired state. Then come the calm operations and a quiet period, and the kubelet is stopped.
 *
 * @param components managers of probes, images and volumes for the kubelet
 * @throws the error that the kubelet rejects with
 */
export async function runKubelet(
  kubelet: NodeComponent,
  components: Partial<Components>,
  scenario: KubeletScenario,
): Promise<KubeletHistory> {
  const { seed, schedule, latencyMs: max } = scenario;
  const simulation = new KataSimulation(scenario);
  const recorded: NodeComponent = (context) => simulation.run(kubelet, context);
  await using cluster = await createCluster({
    seed,
    schedule,
    latencyMs: { min: 1, max },
    components: { volumeManager: () => noVolumes, ...components, kubelet: recorded },
  });
  return await simulation.play(cluster);
}

/** A volume manager for pods without volumes. */
const noVolumes: ReturnType<NonNullable<Components['volumeManager']>> = {
  waitForAttachAndMount: async () => {},
  waitForUnmount: async () => {},
  mountsOf: async () => [],
  hasPossiblyMountedVolumesForPod: () => false,
  volumesInUse: () => [],
};

/** The state of one run. */
class KataSimulation {
  readonly #scenario: KubeletScenario;
  #cluster!: Cluster;
  #machine!: Machine;
  #programs!: Programs;
  #environment!: Environment;
  #requests!: RequestRecorder;
  #calls!: RuntimeRecorder;
  #kubelet: Process | undefined;
  #healedMs = 0;
  #directories: readonly string[] = [];
  /** Names of images in specs, by their names in the runtime. */
  readonly #names = new Map<string, string>();

  constructor(scenario: KubeletScenario) {
    this.#scenario = scenario;
  }

  /** Runs one incarnation of the kubelet, and records its requests and calls. */
  run(kubelet: NodeComponent, context: Parameters<NodeComponent>[0]): Promise<void> {
    const client = this.#requests.client(context.client);
    const runtime = this.#calls.runtime(context.host.runtime, this.#requests.incarnation);
    return kubelet({ ...context, client, host: { ...context.host, runtime } });
  }

  async play(cluster: Cluster): Promise<KubeletHistory> {
    const { sim } = cluster;
    const { profile, before, steps, calm } = this.#scenario;
    this.#cluster = cluster;
    this.#programs = new Programs(sim);
    this.#machine = cluster.addMachine(NODE, {
      profile,
      registry: registriesOf(sim.clock),
      programs: { [EXECUTABLE]: this.#programs.program },
    });
    for (const name of IMAGES) {
      this.#machine.images.load(name, imageSource(name));
      this.#nameImage(name);
    }
    this.#environment = new Environment(cluster, this.#machine, this.#programs);
    this.#requests = new RequestRecorder(sim);
    this.#calls = new RuntimeRecorder(sim, this.#scenario.listsAfterMs ?? 0);
    await cluster.admin.create(nodes, { metadata: { name: NODE }, spec: {} });
    const { healedMs } = await play<Operation>({
      cluster,
      before,
      start: () => {
        [this.#kubelet] = cluster.runOnNode(NODE, 'kubelet');
        return this.#kubelet as Process;
      },
      steps,
      act: (operation) => this.#environment.do(operation, () => this.#kubelet),
      calmDown: () => {
        this.#programs.calmDown();
        this.#environment.calmDown();
      },
      settle: async () => undefined,
    });
    this.#healedMs = healedMs;
    const wellMs = this.#wellMs(healedMs);
    await cluster.runFor(Math.max(0, wellMs - sim.elapsedMs));
    await this.#take(calm);
    const restedMs = await this.#settle();
    const from = sim.elapsedMs;
    await cluster.runFor(this.#scenario.quietMs ?? QUIET_MS);
    const stoppedMs = sim.elapsedMs;
    this.#directories = await this.#machine.files.readdir(PODS_DIRECTORY).catch(() => []);
    this.#kubelet?.stop();
    await cluster.runFor(AFTER_STOP_MS);
    if (this.#kubelet?.failure !== undefined) throw this.#kubelet.failure;
    return this.#history({ healedMs, wellMs, restedMs, quietMs: { from, to: stoppedMs }, stoppedMs });
  }

  /** Notes the names of an image in the runtime, if the machine has it. */
  #nameImage(name: string): void {
    const found: LocalImage | undefined = this.#machine.images.resolve(name);
    if (!found) return;
    const { id, repoDigests, repoTags } = found;
    for (const each of [id, ...repoDigests, ...repoTags]) this.#names.set(each, name);
  }

  async #take(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#cluster.runFor(step.afterMs);
      if (!('strike' in step)) await this.#environment.do(step, () => this.#kubelet);
    }
  }

  /** Whether the scenario has faults other than crashes of the kubelet and of programs. */
  get #hasFaults(): boolean {
    return this.#scenario.steps.some((step) =>
      'strike' in step
        ? step.strike.fault !== 'crash'
        : step.do === 'restart-runtime' || step.do === 'lose-network' || step.do === 'reboot',
    );
  }

  #wellMs(healedMs: number): number {
    if (!this.#hasFaults) return -1;
    const isOfApi = this.#scenario.steps.some(
      (step) => 'strike' in step && step.strike.fault !== 'fail-call' && step.strike.fault !== 'crash',
    );
    return healedMs + (isOfApi ? API_WELL_AFTER_MS : RUNTIME_WELL_AFTER_MS);
  }

  /** Waits for the final state, and returns its time; undefined if it does not come. */
  async #settle(): Promise<number | undefined> {
    const { sim } = this.#cluster;
    const untilMs = sim.elapsedMs + SETTLE_WITHIN_MS;
    while (sim.elapsedMs < untilMs) {
      const happened = this.#happened();
      await this.#cluster.runUntil(() => this.#happened() !== happened, QUIESCENT_MS);
      if (this.#happened() !== happened) continue;
      const isQuiet = this.#kubelet?.running && !this.#programs.areSomeToEnd;
      if (isQuiet && isFinal(this.#snapshot())) return sim.elapsedMs;
      await this.#cluster.runUntil(() => this.#happened() !== happened, untilMs - sim.elapsedMs);
    }
    return undefined;
  }

  /** Counts the events so far. */
  #happened(): number {
    return this.#machine.history.length + this.#cluster.journal.entries.length;
  }

  #snapshot(): Snapshot {
    const nowMs = this.#cluster.sim.elapsedMs;
    const times = {
      healedMs: this.#healedMs,
      wellMs: 0,
      restedMs: undefined,
      quietMs: { from: 0, to: 0 },
      stoppedMs: nowMs,
    };
    const history = this.#history(times);
    return { nowMs, history, pods: this.#cluster.storage.list(pods) as KubeObject[] as Pod[] };
  }

  #history(
    times: Pick<KubeletHistory, 'healedMs' | 'wellMs' | 'restedMs' | 'quietMs' | 'stoppedMs'>,
  ): KubeletHistory {
    const cluster = this.#cluster;
    const { journal, trace } = cluster;
    this.#nameImage(PRIVATE_IMAGE);
    const past = new MachineHistory(this.#machine.history, (image) => this.#names.get(image) ?? image);
    const { keys, plans, violentMs, networkLosses } = this.#environment;
    const started = new Map<string, string[]>();
    for (const { id, uid, name, startedMs } of past.containers) {
      const key = keys.get(`${uid} ${name}`);
      if (key !== undefined && startedMs < Number.POSITIVE_INFINITY)
        started.set(key, [...(started.get(key) ?? []), id]);
    }
    const ofPods = journal.of(pods);
    return {
      ...recordOf(cluster),
      timeline: () => drawChanges(cluster.trace.entries),
      ...times,
      ...this.#programs.ends((key, nth) => started.get(key)?.[nth]),
      process: PROCESS,
      scenario: this.#scenario,
      pods: new ObjectHistories(ofPods),
      plans,
      machine: past,
      requests: this.#requests.requests,
      calls: this.#calls.calls,
      observed: new Observations({
        process: PROCESS,
        resources: ['pods'],
        latencyMs: this.#scenario.latencyMs,
        own: this.#requests.requests,
      }).read(trace.entries),
      violentMs,
      networkLosses,
      directories: this.#directories,
      incarnations: incarnationsIn(trace.entries, PROCESS),
      hasFaults: this.#hasFaults,
      writes: ofPods.filter(({ actor }) => actor === PROCESS),
    };
  }
}

/** Returns the incarnations of the kubelet with this process, in order. */
export function incarnationsIn(entries: readonly TraceEntry[], process: string): readonly Incarnation[] {
  const incarnations: { bornMs: number; diedMs: number }[] = [];
  for (const { actor, verb, atMs } of entries) {
    if (actor !== process) continue;
    const last = incarnations.at(-1);
    if (verb === 'start') incarnations.push({ bornMs: atMs, diedMs: Number.POSITIVE_INFINITY });
    if ((verb === 'crash' || verb === 'exit') && last) last.diedMs = atMs;
  }
  return incarnations;
}
