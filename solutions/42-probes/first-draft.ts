/** The functions of the short way, as a first draft: an old container is ready by its condition, and leaves before the trigger. */
import { hasSurvived, type Probed } from '#given/42-probes';
import {
  type core,
  isSidecar,
  type Pod,
  type ProbeManager,
  type ProbeManagerOptions,
  type ProbeType,
} from '#harness';
import { probe } from './prober.ts';
import { Results } from './results.ts';
import { Worker, wasReady } from './worker.ts';

/** A container's workers start in this order. */
const TYPES: readonly ProbeType[] = ['startup', 'readiness', 'liveness'];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager */
export class Manager implements ProbeManager {
  readonly #options: ProbeManagerOptions;
  readonly #startedMs: number;
  readonly #results: Readonly<Record<ProbeType, Results>>;
  /** The workers of each pod by uid, and of each container by type. An ended worker is undefined. */
  readonly #workers = new Map<string, Map<string, Worker | undefined>>();

  constructor(options: ProbeManagerOptions) {
    const { clock, signal, onUpdate } = options;
    this.#options = options;
    this.#startedMs = clock.now();
    this.#results = {
      liveness: new Results('liveness', onUpdate),
      readiness: new Results('readiness', onUpdate),
      startup: new Results('startup', onUpdate),
    };
    signal.addEventListener('abort', () => this.cleanupPods(new Set()), { once: true });
  }

  // Level 9 · All probes of a node

  addPod(pod: Pod): void {
    if (this.#options.signal.aborted) return;
    const workers = this.#workers.get(pod.metadata.uid) ?? new Map<string, Worker | undefined>();
    this.#workers.set(pod.metadata.uid, workers);
    for (const container of probedContainersOf(pod)) {
      for (const type of TYPES) {
        const spec = container[`${type}Probe`];
        const key = keyOf(container.name, type);
        if (!spec || workers.has(key)) continue;
        const worker = this.#newWorker({ pod, container, type, probe: spec }, () =>
          workers.set(key, undefined),
        );
        workers.set(key, worker);
        void worker.run();
      }
    }
  }

  stopLivenessAndStartup({ metadata, spec }: Pod): void {
    const workers = this.#workers.get(metadata.uid);
    for (const { name } of spec?.containers ?? []) {
      for (const type of ['liveness', 'startup'] as const) workers?.get(keyOf(name, type))?.stop();
      if (workers?.has(keyOf(name, 'startup'))) workers.set(keyOf(name, 'startup'), undefined);
    }
  }

  removePod({ metadata }: Pick<Pod, 'metadata'>): void {
    this.#remove(metadata.uid);
  }

  cleanupPods(desired: ReadonlySet<string>): void {
    for (const uid of [...this.#workers.keys()]) if (!desired.has(uid)) this.#remove(uid);
  }

  result(type: ProbeType, containerID: string) {
    return this.#results[type].get(containerID);
  }

  #remove(uid: string): void {
    for (const worker of this.#workers.get(uid)?.values() ?? []) worker?.stop();
    this.#workers.delete(uid);
  }

  #newWorker(probed: Probed, onEnd: () => void): Worker {
    const { clock, random, statusOf } = this.#options;
    const { pod, container, type } = probed;
    return new Worker(probed, {
      clock,
      random: random.fork(`${pod.metadata.uid}/${container.name}/${type}`),
      startedMs: this.#startedMs,
      statusOf,
      results: this.#results[type],
      probe: (containerID, podIP) => probe(this.#options, { ...probed, containerID, podIP }),
      onEnd,
    });
  }

  // Level 10 · Ready and started

  updatePodStatus(pod: Pod, status: Pod['status'] = {}): Pod['status'] {
    const { initContainerStatuses: inits, containerStatuses: apps } = status;
    const sidecars = new Set(sidecarsOf(pod).map(({ name }) => name));
    const update = (container: core.ContainerStatus): core.ContainerStatus => {
      const started = this.#isStarted(pod, container);
      return { ...container, started, ready: started && this.#isReady(pod, container) };
    };
    const updateInit = (container: core.ContainerStatus): core.ContainerStatus =>
      sidecars.has(container.name)
        ? update(container)
        : {
            ...container,
            started: this.#isStarted(pod, container),
            ready: container.state?.terminated?.exitCode === 0,
          };
    return {
      ...status,
      ...(inits && { initContainerStatuses: inits.map(updateInit) }),
      ...(apps && { containerStatuses: apps.map(update) }),
    };
  }

  #isStarted({ metadata }: Pod, { name, containerID = '', state, started }: core.ContainerStatus): boolean {
    if (!state?.running) return false;
    const result = this.result('startup', containerID);
    if (result) return result === 'Success';
    return started === true || !this.#workerOf(metadata.uid, name, 'startup');
  }

  #isReady(pod: Pod, container: core.ContainerStatus): boolean {
    const { name, containerID = '' } = container;
    const result = this.result('readiness', containerID);
    if (result === 'Success') return true;
    if (!result && hasSurvived(container, this.#startedMs)) return wasReady(pod, container);
    this.#workerOf(pod.metadata.uid, name, 'readiness')?.trigger();
    return !this.#workers.get(pod.metadata.uid)?.has(keyOf(name, 'readiness'));
  }

  #workerOf(uid: string, name: string, type: ProbeType): Worker | undefined {
    return this.#workers.get(uid)?.get(keyOf(name, type));
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go getRestartableInitContainers */
function sidecarsOf({ spec }: Pod): readonly core.Container[] {
  return (spec?.initContainers ?? []).filter(isSidecar);
}

function probedContainersOf(pod: Pod): readonly core.Container[] {
  return [...(pod.spec?.containers ?? []), ...sidecarsOf(pod)];
}

function keyOf(container: string, type: ProbeType): string {
  return `${container}/${type}`;
}
