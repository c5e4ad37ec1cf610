import type { Pod } from '../../../api/objects.ts';
import { configMaps, pods } from '../../../api/resource.ts';
import { isNotFound } from '../../../api/status.ts';
import type { NewVolumeManager, VolumeManager } from '../../../contracts/node/index.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import type {
  ContainerIncarnation,
  LastingPod,
  Release,
  Report,
  Sighting,
  Unbound,
  Version,
  VolumeHistory,
} from '../history.ts';
import type { ClaimState, Operation, VolumeKind, VolumeScenario } from '../scenario/index.ts';
import { bind, CONFIG, claims, furnish, HOST_PATH, podOf } from '../scenario/pod-volumes.ts';
import { PROCESS, VolumeNode } from './node.ts';
import { runMiniKubelet } from './small-kubelet.ts';

const PODS = '/var/lib/kubelet/pods';
const DEVICES = '/var/lib/kubelet/plugins/kubernetes.io/csi';

/** Longer than the longest pause between two tries, and than the kubelet's next sync of its pods. */
const SETTLE_MS = 300_000;

/** Enough time for a stopped container to start again. */
const RESTART_MS = 5_000;

/** A pod and its state. */
interface Plan {
  readonly pod: Pod;
  readonly volumes: readonly VolumeKind[];
  readonly createdMs: number;
  runs: number;
  isEnding: boolean;
}

/**
 * Runs a node's volumes: pods are created and deleted, the config map changes, and faults occur. Then all of that
 * stops, and the node must converge.
 *
 * @throws an uncaught error of the volume manager
 */
export async function runVolumes(
  newVolumeManager: NewVolumeManager,
  scenario: VolumeScenario,
): Promise<VolumeHistory> {
  const { seed, schedule, latencyMs: max, knowsAfterMs } = scenario;
  const simulation = new KataSimulation();
  await using node = await VolumeNode.create(newVolumeManager, {
    seed,
    schedule,
    latencyMs: { min: 1, max },
    knowsAfterMs,
    kubelet: (kubelet) => simulation.runKubelet(kubelet),
  });
  return await simulation.run(node, scenario);
}

class KataSimulation {
  readonly #plans = new Map<string, Plan>();
  readonly #containers: ContainerIncarnation[] = [];
  readonly #sightings: Sighting[] = [];
  readonly #reports: Report[] = [];
  readonly #releases: Release[] = [];
  readonly #versions: Version[] = [];
  readonly #unbound: Unbound[] = [];
  readonly #bootsMs: number[] = [];
  readonly #written = new Set<string>();
  #node!: VolumeNode;
  #seen = -1;

  async run(node: VolumeNode, { steps }: VolumeScenario): Promise<VolumeHistory> {
    this.#node = node;
    const { cluster, machine } = node;
    await furnish(cluster, node.storage);
    await machine.files.mkdirAll(HOST_PATH);
    this.#versions.push({ text: '1', fromMs: 0, toMs: Number.POSITIVE_INFINITY });
    const { healedMs } = await play<Operation>({
      cluster,
      start: () => node.run(),
      steps,
      act: (operation) => this.#act(operation),
      pass: (ms) => this.#pass(ms),
      settle: async () => undefined,
    });
    // Without the config map and the claim, pods would wait forever.
    await this.#bind('bound');
    if (this.#version.toMs < Number.POSITIVE_INFINITY) await this.#edit();
    await this.#pass(SETTLE_MS);
    // A subPath shows changes only to a new container, so each container starts again.
    for (const { pod, isEnding } of this.#plans.values()) if (!isEnding) this.#stop(pod);
    await this.#pass(RESTART_MS);
    if (node.kubelet.failure !== undefined) throw node.kubelet.failure;
    return this.#history(healedMs);
  }

  /** Runs one incarnation of the kubelet. */
  runKubelet(kubelet: Pick<Parameters<typeof runMiniKubelet>[0], 'manager' | 'clock' | 'signal'>): void {
    const plans = (): readonly Plan[] => [...this.#plans.values()];
    runMiniKubelet({
      ...kubelet,
      wanted: () => plans().flatMap(({ pod, isEnding }) => (isEnding ? [] : [pod])),
      ended: () => plans().flatMap(({ pod, isEnding }) => (isEnding && !this.#isRunning(pod) ? [pod] : [])),
      isRunning: (pod) => this.#isRunning(pod),
      start: (pod, manager) => this.#start(pod, manager),
      release: (pod) => this.#release(pod),
    });
  }

  async #act(operation: Operation): Promise<void> {
    const plan = 'pod' in operation ? this.#planOf(operation.pod) : undefined;
    switch (operation.do) {
      case 'create':
        if (!plan) await this.#create(operation.pod, operation.volumes);
        return;
      case 'delete':
        if (plan && !plan.isEnding) this.#delete(plan, operation.graceMs);
        return;
      case 'vanish':
        if (plan) await this.#forget(plan);
        return;
      case 'restart':
        if (plan && !plan.isEnding) this.#stop(plan.pod);
        return;
      case 'edit':
        return this.#edit();
      case 'recreate':
        await this.#drop();
        return this.#edit(operation.immutable);
      case 'drop':
        return this.#drop();
      case 'claim':
        return this.#bind(operation.is);
      case 'kill':
        this.#kill(operation.awayMs);
        return;
      case 'reboot':
        return this.#reboot();
    }
  }

  async #create(name: string, volumes: readonly VolumeKind[]): Promise<void> {
    const { cluster } = this.#node;
    const pod = await cluster.admin.create(pods, podOf(name, volumes));
    const plan = { pod, volumes, createdMs: cluster.sim.elapsedMs, runs: 0, isEnding: false };
    this.#plans.set(pod.metadata.uid, plan);
    this.#node.pods.set(pod.metadata.uid, pod);
  }

  #delete(plan: Plan, graceMs: number): void {
    plan.isEnding = true;
    const { uid } = plan.pod.metadata;
    const end = (): void => {
      this.#stop(plan.pod);
      this.#node.pods.delete(uid);
    };
    if (graceMs === 0 || !this.#isRunning(plan.pod)) end();
    else this.#node.cluster.sim.schedule(graceMs, 'runtime', 'container stops', end);
  }

  async #forget(plan: Plan): Promise<void> {
    const { name, namespace = '', uid } = plan.pod.metadata;
    this.#stop(plan.pod);
    this.#plans.delete(uid);
    this.#node.pods.delete(uid);
    const { admin } = this.#node.cluster;
    await admin.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
  }

  /** Lets the pod leave the API, on behalf of the kubelet. */
  #release({ metadata }: Pod): void {
    const plan = this.#plans.get(metadata.uid);
    if (!plan) return;
    const atMs = this.#nowMs;
    this.#releases.push({ atMs, pod: metadata.name, left: this.#mountedOf(metadata.uid) });
    this.#plans.delete(metadata.uid);
    const { namespace = '', name } = metadata;
    void this.#node.cluster.admin.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
  }

  /** Changes the config map, or recreates it. An immutable one cannot change. */
  async #edit(immutable = false): Promise<void> {
    const { admin } = this.#node.cluster;
    const text = String(this.#versions.length + 1);
    const data = { a: text, b: text };
    const old = await admin.get(configMaps, CONFIG).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (old?.immutable) await admin.delete(configMaps, CONFIG);
    this.#endVersion();
    if (!old || old.immutable) await admin.create(configMaps, { metadata: CONFIG, data, immutable });
    else await admin.update(configMaps, { ...old, data });
    this.#versions.push({ text, fromMs: this.#nowMs, toMs: Number.POSITIVE_INFINITY });
  }

  async #drop(): Promise<void> {
    if (this.#version.toMs < Number.POSITIVE_INFINITY) return;
    await this.#node.cluster.admin.delete(configMaps, CONFIG);
    this.#endVersion();
  }

  async #bind(state: ClaimState): Promise<void> {
    const last = this.#unbound.at(-1);
    if (last && state === 'bound') last.toMs = Math.min(last.toMs, this.#nowMs);
    await bind(this.#node.cluster, state);
    const isOpen = last?.toMs === Number.POSITIVE_INFINITY;
    if (state !== 'bound' && !isOpen)
      this.#unbound.push({ fromMs: this.#nowMs, toMs: Number.POSITIVE_INFINITY });
  }

  get #version(): Version {
    return this.#versions.at(-1) as Version;
  }

  #endVersion(): void {
    this.#version.toMs = Math.min(this.#version.toMs, this.#nowMs);
  }

  #kill(awayMs: number): void {
    const { cluster, kubelet } = this.#node;
    kubelet.crash();
    cluster.sim.schedule(awayMs, 'init', 'start the kubelet', () => kubelet.start());
  }

  #reboot(): void {
    const { kubelet, machine } = this.#node;
    kubelet.crash();
    machine.powerOff();
    for (const { pod, isEnding } of this.#plans.values()) {
      this.#stop(pod);
      if (isEnding) this.#node.pods.delete(pod.metadata.uid);
    }
    this.#bootsMs.push(this.#nowMs);
    machine.powerOn();
    kubelet.start();
  }

  async #start(pod: Pod, manager: VolumeManager): Promise<void> {
    const { uid, name } = pod.metadata;
    const plan = this.#plans.get(uid);
    const files = await this.#node.prepareContainer(pod, 'main', manager);
    // In the meantime the pod may have been deleted, or another kubelet may have created the container.
    if (!plan || plan.isEnding || !this.#plans.has(uid) || this.#isRunning(pod)) return;
    this.#node.runContainer(pod, 'main', files());
    const { volumes, createdMs } = plan;
    const isFirst = plan.runs++ === 0;
    const incarnation = {
      ...{ uid, pod: name, volumes, isFirst, createdMs },
      startedMs: this.#nowMs,
      endedMs: Number.POSITIVE_INFINITY,
    };
    this.#containers.push(incarnation);
    this.#seen = -1;
    this.#observe();
    await this.#write(plan);
  }

  /** Writes the data of each container to its writable volumes. */
  async #write({ pod, volumes }: Plan): Promise<void> {
    const files = this.#node.files(pod);
    for (const kind of volumes) {
      if (kind === 'disk' || kind === 'memory' || kind === 'inline') {
        await files.writeFile(`/v/${kind}/mine`, pod.metadata.uid);
      }
      if (kind === 'host' || kind === 'claim' || kind === 'share') {
        await files.writeFile(`/v/${kind}/${pod.metadata.uid}`, 'kept');
        this.#written.add(`${kind} ${pod.metadata.uid}`);
      }
    }
  }

  #stop({ metadata }: Pod): void {
    for (const incarnation of this.#containers) {
      if (incarnation.uid === metadata.uid) incarnation.endedMs = Math.min(incarnation.endedMs, this.#nowMs);
    }
    this.#node.stopContainers(metadata.uid);
  }

  #isRunning({ metadata }: Pod): boolean {
    return this.#node.containers.has(metadata.uid);
  }

  #planOf(name: string): Plan | undefined {
    return [...this.#plans.values()].find(({ pod }) => pod.metadata.name === name);
  }

  get #nowMs(): number {
    return this.#node.cluster.sim.elapsedMs;
  }

  /** Advances the time, and records the files of the containers after each event. */
  #pass(ms: number): Promise<void> {
    const until = (): boolean => {
      this.#observe();
      return false;
    };
    return this.#node.cluster.sim.run({ forMs: ms, until });
  }

  #observe(): void {
    this.#report();
    const { changes } = this.#node.machine.files;
    if (changes === this.#seen) return;
    this.#seen = changes;
    for (const container of this.#containers) {
      if (container.endedMs < Number.POSITIVE_INFINITY) continue;
      for (const kind of container.volumes) this.#look(container, kind);
    }
  }

  #look(container: ContainerIncarnation, kind: VolumeKind): void {
    const running = this.#node.containers.get(container.uid)?.[0];
    if (!running) return;
    const names = LOOKED_AT[kind];
    const files = Object.fromEntries(names.map((name) => [name, running.files.peek(`/v/${kind}/${name}`)]));
    const last = this.#sightings.findLast((each) => each.container === container && each.kind === kind);
    if (last && names.every((name) => last.files[name] === files[name])) return;
    this.#sightings.push({ atMs: this.#nowMs, container, kind, files });
  }

  /** Records the kubelet's report for the status of its node, and the real state. */
  #report(): void {
    if (!this.#node.kubelet.running || !this.#node.hasManager) return;
    const reported = this.#node.manager.volumesInUse();
    const { mountPoints } = this.#node.machine.files;
    const used = Object.values(claims)
      .filter(({ volumeHandle }) => mountPoints.some(({ source }) => source.endsWith(`/${volumeHandle}`)))
      .map(({ driver, volumeHandle }) => `kubernetes.io/csi/${driver}^${volumeHandle}`);
    const last = this.#reports.at(-1);
    if (last && String(last.reported) === String(reported) && String(last.used) === String(used)) return;
    this.#reports.push({ atMs: this.#nowMs, reported, used });
  }

  #mountedOf(uid: string): readonly string[] {
    return this.#node.machine.files.mountPoints
      .map(({ target }) => target)
      .filter((target) => target.startsWith(`${PODS}/${uid}/`));
  }

  #history(healedMs: number): VolumeHistory {
    const { cluster, machine, storage } = this.#node;
    const lasting = [...this.#plans.values()].map(
      ({ pod, volumes }): LastingPod => ({ pod, volumes, isRunning: this.#isRunning(pod) }),
    );
    const { files } = machine;
    const below = (dir: string): readonly string[] => files.peekNames(dir).map((name) => `${dir}/${name}`);
    const kept = {
      host: files.peekNames(HOST_PATH),
      claim: [...(storage.disk(claims.claim.volumeHandle)?.root.entries.keys() ?? [])],
      share: [...(storage.disk(claims.share.volumeHandle)?.root.entries.keys() ?? [])],
    };
    return {
      ...recordOf(cluster),
      healedMs,
      machine: machine.history,
      containers: this.#containers,
      sightings: this.#sightings,
      reports: this.#reports,
      releases: this.#releases,
      versions: this.#versions,
      unbound: this.#unbound,
      bootsMs: this.#bootsMs,
      written: [...this.#written],
      kept: Object.entries(kept).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`)),
      trace: cluster.trace.entries.filter(({ actor }) => actor === PROCESS),
      end: {
        atMs: this.#nowMs,
        pods: lasting,
        mounts: files.mountPoints,
        devices: files.devices,
        directories: [
          ...below(PODS).flatMap(below),
          ...below(PODS).flatMap((pod) => below(`${pod}/volumes`).flatMap(below)),
          ...below(PODS).flatMap((pod) => below(`${pod}/volume-subpaths`)),
          ...below(DEVICES).flatMap(below),
        ],
      },
    };
  }
}

/** The recorded files of each volume. */
const LOOKED_AT: Readonly<Record<VolumeKind, readonly string[]>> = {
  config: ['a', 'b'],
  projected: ['a', 'b', 'name'],
  secret: ['a'],
  part: ['a'],
  disk: ['mine'],
  memory: ['mine'],
  inline: ['mine'],
  claim: [],
  share: [],
  host: [],
  piece: [],
  folder: [],
};
