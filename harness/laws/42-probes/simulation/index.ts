import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import type { NewProbeManager, ProbeManager, ProbeUpdate } from '../../../contracts/node/probe-manager.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { Simulation, scripted } from '../../../sim/index.ts';
import type { Event, HistoryEntry, Known, ProbeKey, ProbesHistory } from '../history.ts';
import { render } from '../render/history.ts';
import {
  BACK_OFF_SHOWS_MS,
  nameOf,
  type PodPlan,
  PROBE_TYPES,
  type ProbesScenario,
  REACTION_MS,
  RELIST_MS,
} from '../scenario.ts';
import { PlannedContainer } from './containers.ts';
import { ProbedNode } from './node.ts';
import { INIT, type PlannedPod, podOf } from './pods.ts';

/** The time from the end to the check for leftovers: longer than each period and each call. */
const AFTERMATH_MS = 60_000;

/**
 * Runs one scenario of a probe manager: a simulated kubelet adds pods, makes statuses, kills containers, deletes pods,
 * crashes and restarts. The laws check the returned history.
 *
 * @throws every error of the manager
 */
export async function runProbes(
  newProbeManager: NewProbeManager,
  scenario: ProbesScenario,
): Promise<ProbesHistory> {
  return await new KataSimulation(newProbeManager, scenario).run();
}

/** A pod of the kubelet, and its containers. */
interface Box {
  readonly plan: PodPlan;
  readonly planned: PlannedPod;
  readonly containers: readonly PlannedContainer[];
  /** The pod in the API. */
  pod: Pod;
  isThere: boolean;
  isEnding: boolean;
  /** The time when the pod ends, from the start of the simulation. */
  endsMs?: number;
  /** The number of calls of `onUpdate` about the pod. */
  updates: number;
}

class KataSimulation {
  readonly #newProbeManager: NewProbeManager;
  readonly #scenario: ProbesScenario;
  readonly #sim: Simulation;
  readonly #startMs: number;
  readonly #entries: HistoryEntry[] = [];
  readonly #boxes: readonly Box[];
  readonly #node: ProbedNode;
  #kubelet: { readonly manager: ProbeManager; readonly controller: AbortController } | undefined;
  /** The statuses that this kubelet has made, by UID. */
  #statuses = new Map<string, Pod['status']>();
  #isOver = false;

  constructor(newProbeManager: NewProbeManager, scenario: ProbesScenario) {
    const { seed, schedule, pods } = scenario;
    this.#newProbeManager = newProbeManager;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed, choose: scripted(schedule) });
    this.#startMs = this.#sim.clock.now();
    this.#boxes = pods.map((plan, i) => this.#boxOf(plan, podOf(plan, i)));
    this.#node = new ProbedNode({
      sim: this.#sim,
      pods: this.#boxes.map(({ planned }) => planned),
      instanceOf: (key) => this.#containerOf(key)?.instance(key.type),
      record: (event) => this.#record(event),
    });
  }

  async run(): Promise<ProbesHistory> {
    const sim = this.#sim;
    const { trace } = sim;
    const { restart, endMs } = this.#scenario;
    this.#boot();
    for (const box of this.#boxes) this.#later(box.plan.addAfterMs, 'add', () => this.#admit(box));
    if (restart) {
      this.#later(restart.atMs, 'abort', () => this.#shutDown());
      const backMs = restart.atMs + restart.downMs;
      if (backMs < endMs) this.#later(backMs, 'boot', () => this.#comeBack());
    }
    await sim.run({ forMs: endMs });
    for (const box of this.#boxes) if (box.isThere) this.#remove([box], 'removePod');
    this.#isOver = true;
    this.#addTooLate();
    await sim.run({ forMs: AFTERMATH_MS });
    this.#record({
      kind: 'rest',
      timers: sim.pending,
      known: this.#boxes.flatMap((box) => this.#known(box)),
    });
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      pods: new Map(this.#boxes.map(({ planned: { pod } }) => [pod.metadata.name, pod])),
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  #boxOf(plan: PodPlan, planned: PlannedPod): Box {
    const { name } = planned.pod.metadata;
    const box: Box = {
      plan,
      planned,
      pod: planned.pod,
      isThere: false,
      isEnding: false,
      updates: 0,
      containers: plan.containers.map(
        (container, i) =>
          new PlannedContainer({
            sim: this.#sim,
            startMs: this.#startMs,
            pod: name,
            name: nameOf(container, i),
            plan: container,
            restartPolicy: plan.restartPolicy,
            mayStart: () => {
              if (!box.isThere || box.isEnding || hasFinished(box)) return 'never';
              return this.#kubelet ? 'now' : 'later';
            },
            onChange: (what, containerID) => this.#see(box, what, containerID),
          }),
      ),
    };
    return box;
  }

  #boot(): void {
    const controller = new AbortController();
    this.#record({ kind: 'boot' });
    this.#statuses = new Map();
    this.#kubelet = { manager: this.#newManager(controller), controller };
  }

  #newManager(controller: AbortController): ProbeManager {
    const statuses = this.#statuses;
    const { runtime, network } = this.#node;
    // A call of a crashed kubelet must not be mistaken for one of the next kubelet.
    const heard =
      <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        controller.signal.aborted && this.#kubelet && this.#kubelet.controller !== controller
          ? new Promise<R>(() => {})
          : call(...args);
    return this.#newProbeManager({
      clock: this.#sim.clock,
      random: this.#sim.random.fork('probes'),
      recorder: {
        event: (object, type, reason, message) => {
          const { name = '', fieldPath = '' } = 'fieldPath' in object ? object : {};
          this.#record({ kind: 'event', pod: name, container: fieldPath, type, reason, message });
        },
      },
      signal: controller.signal,
      runtime: { execSync: heard(runtime.execSync) },
      network: {
        request: heard(network.request),
        connect: heard(network.connect),
        healthCheck: heard(network.healthCheck),
      },
      statusOf: (uid) => statuses.get(uid),
      onUpdate: (update) => this.#hear(controller, update),
    });
  }

  /** Adds the pods to a manager after its abort, when no worker may start. */
  #addTooLate(): void {
    const controller = new AbortController();
    const manager = this.#newManager(controller);
    controller.abort();
    for (const { pod } of this.#boxes) manager.addPod(pod);
  }

  #shutDown(): void {
    this.#record({ kind: 'abort' });
    this.#kubelet?.controller.abort();
    this.#kubelet = undefined;
  }

  #comeBack(): void {
    if (this.#isOver) return;
    this.#boot();
    for (const box of this.#boxes) {
      if (!box.isThere || box.isEnding) continue;
      if (this.#scenario.restart?.statusFirst) this.#sync(box);
      this.#add(box);
      this.#sync(box);
    }
  }

  #admit(box: Box): void {
    if (this.#isOver) return;
    if (!this.#kubelet) {
      this.#later(1_000, 'add', () => this.#admit(box));
      return;
    }
    box.isThere = true;
    this.#add(box);
    this.#sync(box);
    for (const container of box.containers) container.begin();
    for (const atMs of box.plan.syncsMs) {
      this.#later(atMs, 'sync', () => {
        if (box.isThere) this.#kubelet?.manager.addPod(box.pod);
        this.#sync(box);
      });
    }
    const { ending } = box.plan;
    if (ending && ending.inUpdate === undefined) {
      box.endsMs = this.#sim.elapsedMs + ending.atMs;
      this.#later(ending.atMs, ending.how, () => this.#end(box, ending));
    }
  }

  #add(box: Box): void {
    this.#record({ kind: 'add', pod: box.pod.metadata.name });
    this.#kubelet?.manager.addPod(box.pod);
  }

  #end(box: Box, { how, graceMs }: NonNullable<PodPlan['ending']>): void {
    if (!box.isThere || !this.#kubelet) return;
    if (how === 'remove') {
      this.#remove([box], 'removePod');
      return;
    }
    if (how === 'clean up') {
      // One call removes all pods that end now.
      const ends = this.#boxes.filter(({ isThere, endsMs }) => isThere && endsMs === this.#sim.elapsedMs);
      const cleaned = ends.filter(({ plan }) => plan.ending?.how === 'clean up');
      this.#remove([box, ...cleaned.filter((one) => one !== box)], 'cleanupPods');
      return;
    }
    box.isEnding = true;
    const { metadata } = box.pod;
    box.pod = { ...box.pod, metadata: { ...metadata, deletionTimestamp: '2024-04-17T00:00:00Z' } };
    this.#record({ kind: 'stop', pod: metadata.name });
    this.#kubelet.manager.stopLivenessAndStartup(box.pod);
    this.#record({ kind: 'left', pod: metadata.name, known: this.#known(box) });
    this.#sync(box);
    for (const container of box.containers) {
      this.#later(graceMs, 'grace', () => container.end(container.runningID ?? '', 0));
    }
    this.#later(graceMs + 2 * RELIST_MS, 'remove', () => {
      if (box.isThere) this.#remove([box], 'removePod');
    });
  }

  #remove(boxes: readonly Box[], how: 'removePod' | 'cleanupPods'): void {
    for (const box of boxes) {
      box.isThere = false;
      this.#record({ kind: 'remove', pod: box.pod.metadata.name, how });
      if (how === 'removePod') this.#kubelet?.manager.removePod(box.pod);
    }
    if (how === 'cleanupPods') {
      const left = this.#boxes.filter(({ isThere }) => isThere).map(({ pod }) => pod.metadata.uid);
      this.#kubelet?.manager.cleanupPods(new Set(left));
    }
    for (const box of boxes) {
      this.#record({ kind: 'left', pod: box.pod.metadata.name, known: this.#known(box) });
      for (const container of box.containers) {
        this.#later(RELIST_MS, 'end', () => container.end(container.runningID ?? '', 137));
      }
    }
  }

  /** Notes a change of a container, which the kubelet sees at its next relist. */
  #see(box: Box, what: string, containerID: string): void {
    this.#record({ kind: 'container', what, containerID });
    if (box.isThere && hasFinished(box)) {
      for (const one of box.containers) if (one.runningID) one.kill(one.runningID);
    }
    this.#later(RELIST_MS, 'relist', () => this.#sync(box));
    if (what === 'ends') this.#later(BACK_OFF_SHOWS_MS + RELIST_MS, 'relist', () => this.#sync(box));
  }

  /** Lets the kubelet act on a result. */
  #hear(controller: AbortController, { podUID, containerID, type, result }: ProbeUpdate): void {
    const box = this.#boxes.find(({ pod }) => pod.metadata.uid === podUID);
    this.#record({ kind: 'update', pod: box?.pod.metadata.name ?? podUID, containerID, type, result });
    if (!box || controller.signal.aborted) return;
    const { ending } = box.plan;
    if (ending && ending.inUpdate === ++box.updates) this.#end(box, ending);
    if (result === 'Failure' && type !== 'readiness' && !box.isEnding) {
      for (const container of box.containers) container.kill(containerID);
    }
    this.#later(REACTION_MS, 'react', () => this.#sync(box));
  }

  /** Makes a status from the containers of the runtime, as a kubelet does, and stores it in the API. */
  #sync(box: Box): void {
    if (!box.isThere || !this.#kubelet || this.#isOver) return;
    const { manager } = this.#kubelet;
    const { containers, plan, planned } = box;
    const before = box.pod.status ?? {};
    const all = [...(before.containerStatuses ?? []), ...(before.initContainerStatuses ?? [])];
    const statuses = containers.map((one) => one.status(all.find(({ name }) => name === one.name)));
    const ofKind = (isSidecar: boolean) =>
      statuses.filter((_, i) => plan.containers[i]?.isSidecar === isSidecar);
    const given: Pod['status'] = {
      phase: phaseOf(box),
      ...(containers.some(({ ids }) => ids.length > 0) && { podIP: planned.ip }),
      conditions: before.conditions ?? [],
      containerStatuses: ofKind(false),
      initContainerStatuses: [
        initStatus({
          hasEnded: containers.some(({ ids }) => ids.length > 0),
          hasFailed: plan.initFails === true,
        }),
        ...ofKind(true),
      ],
    };
    const known = this.#known(box);
    const updated = manager.updatePodStatus(box.pod, given) ?? {};
    const isReady = [...(updated.containerStatuses ?? []), ...(updated.initContainerStatuses ?? [])].every(
      ({ ready }) => ready,
    );
    const status: Pod['status'] = {
      ...updated,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    };
    this.#record({
      kind: 'status',
      pod: box.pod.metadata.name,
      object: box.pod,
      given,
      answered: updated,
      status,
      known,
    });
    this.#statuses.set(box.pod.metadata.uid, status);
    box.pod = { ...box.pod, status };
  }

  #known(box: Box): readonly Known[] {
    return box.containers.flatMap(({ ids }) =>
      ids.flatMap((containerID) =>
        PROBE_TYPES.flatMap((type) => {
          const result = this.#kubelet?.manager.result(type, containerID);
          return result ? [{ containerID, type, result }] : [];
        }),
      ),
    );
  }

  #containerOf({ pod, container }: ProbeKey): PlannedContainer | undefined {
    const box = this.#boxes.find((one) => one.pod.metadata.name === pod);
    return box?.containers.find(({ name }) => name === container);
  }

  #later(ms: number, what: string, run: () => void): void {
    this.#sim.schedule(ms, 'kubelet', what, run);
  }

  #record(event: Event): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...event } as HistoryEntry);
    const seen = render(event);
    if (seen) this.#sim.trace.record(seen);
  }
}

/** Whether all containers of a pod, apart from its sidecars, have ended for good. */
function hasFinished({ containers, plan }: Box): boolean {
  return containers.every(({ isDone }, i) => isDone || plan.containers[i]?.isSidecar);
}

function initStatus({
  hasEnded,
  hasFailed,
}: {
  readonly hasEnded: boolean;
  readonly hasFailed: boolean;
}): core.ContainerStatus {
  const failed = hasFailed ? { terminated: { exitCode: 1 } } : { running: {} };
  return {
    name: INIT,
    image: 'registry.example/init:1',
    imageID: '',
    restartCount: 0,
    ready: false,
    state: hasEnded ? { terminated: { exitCode: 0 } } : failed,
  };
}

function phaseOf({ containers, plan }: Box): string {
  const apps = containers.filter((_, i) => !plan.containers[i]?.isSidecar);
  if (containers.some(({ ids }) => ids.length === 0)) return 'Pending';
  if (!apps.every(({ isDone }) => isDone)) return 'Running';
  return apps.every(({ exitCode }) => exitCode === 0) ? 'Succeeded' : 'Failed';
}
