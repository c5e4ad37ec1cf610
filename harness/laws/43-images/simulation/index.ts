import { setMaxListeners } from 'node:events';
import { noteCaught } from '../../../contracts/caught.ts';
import type * as cri from '../../../contracts/node/cri/index.ts';
import { CriError } from '../../../contracts/node/cri/index.ts';
import { FileError } from '../../../contracts/node/host.ts';
import {
  ImageError,
  type ImageManager,
  type NewImageManager,
} from '../../../contracts/node/image-manager.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { createMachineFiles } from '../../../node/files/index.ts';
import { MachineImages } from '../../../node/images/index.ts';
import type { Registry } from '../../../node/registry/index.ts';
import { type Effect, Line, type LocalClock, Simulation, scripted, throughLine } from '../../../sim/index.ts';
import type { AskingPod, Happening, HistoryEntry, ImagesHistory } from '../history.ts';
import { recorded } from '../laws/recorded.ts';
import { render } from '../render/history.ts';
import { PAUSE, password, registries, sourceNamed } from '../scenario/catalogue.ts';
import type { CollectStep, FaultPlan, ImagesScenario, RegistryStep } from '../scenario/index.ts';
import { dockerConfig, isBroken, pullSecrets, sandboxConfigOf } from './objects.ts';

/** The maximum latency of messages between the kubelet and its machine. */
const LATENCY_MS = 5;

/**
 * Runs one scenario of a node and its images: pods request images and are deleted, their containers run and exit,
 * registries fail and recover, the disk fills, collections run, and the kubelet crashes and restarts. The laws check the
 * returned history.
 */
export async function runImages(
  newImageManager: NewImageManager,
  scenario: ImagesScenario,
): Promise<ImagesHistory> {
  return await new KataSimulation(newImageManager, scenario).run();
}

/** One run of the kubelet. */
interface Incarnation {
  readonly number: number;
  readonly line: Line;
  readonly clock: LocalClock;
  readonly controller: AbortController;
  readonly manager: ImageManager;
  /** Settles when the last collection has ended. */
  collection?: Promise<void>;
}

class KataSimulation {
  readonly #newImageManager: NewImageManager;
  readonly #scenario: ImagesScenario;
  readonly #sim: Simulation;
  readonly #entries: HistoryEntry[] = [];
  readonly #registry: Registry;
  readonly #files = createMachineFiles();
  readonly #images: MachineImages;
  readonly #containers = new Map<string, cri.Container>();
  /** The faults that have occurred. */
  readonly #struck = new Set<FaultPlan>();
  readonly #skipped = new Map<FaultPlan, number>();
  readonly #dead = new Set<number>();
  /** The unfinished request of each pod, by UID. */
  readonly #asking = new Map<string, number>();
  #passwords = 0;
  #numbers = 0;
  #incarnation: Incarnation | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(newImageManager: NewImageManager, scenario: ImagesScenario) {
    this.#newImageManager = newImageManager;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed: scenario.seed, choose: scripted(scenario.schedule) });
    this.#registry = registries(this.#sim.clock);
    const { disk } = createMachineFiles({ capacityBytes: scenario.diskBytes });
    this.#images = new MachineImages({
      clock: this.#sim.clock,
      registry: this.#registry,
      profile: scenario.profile,
      disk,
      pinned: [PAUSE],
      onChange: (event, { config: _, executables: __, ...image }) =>
        this.#record({ kind: event === 'image-pulled' ? 'there' : 'gone', image }),
    });
    for (const { atMs, bytes } of scenario.otherFiles) {
      this.#at(atMs, 'disk', 'fills', () =>
        disk.reserve(Math.min(bytes, disk.capacityBytes - disk.usedBytes)),
      );
    }
  }

  async run(): Promise<ImagesHistory> {
    const { preloaded, pods, collect, registry, endMs } = this.#scenario;
    const sim = this.#sim;
    for (const name of [PAUSE, ...preloaded]) {
      this.#images.load(name, sourceNamed(name));
      const { config: _, executables: __, ...image } = this.#images.resolve(name) ?? this.#never();
      this.#record({ kind: 'there', image });
    }
    this.#start();
    for (const step of registry) this.#at(step.atMs, 'registry', step.happens, () => this.#befall(step));
    for (const step of collect) this.#at(step.atMs, 'kubelet', step.call, () => this.#collect(step));
    for (const [i, pod] of pods.entries()) this.#begin(this.#run({ ...pod, uid: `uid-${i + 1}` }));
    await sim.run({ forMs: endMs, until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure.error;
    this.#record({ kind: 'end' });
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      hash: sim.trace.hash(),
      timeline: () => drawTimeline(sim.trace.entries.filter(({ actor }) => actor !== 'line')),
    };
  }

  /** Starts the kubelet with a new image manager. */
  #start(): void {
    const { configuration, node, collect } = this.#scenario;
    const number = ++this.#numbers;
    const sim = this.#sim;
    const line = new Line(sim, {
      actor: 'line',
      latencyMs: () => 1 + sim.random.int(LATENCY_MS),
      interference: (call) => this.#interfere(call.verb),
    });
    const clock = sim.clockFor('kubelet');
    const controller = new AbortController();
    this.#record({ kind: 'starts', incarnation: number });
    const through = <P extends object>(remote: P, reads: readonly string[]): P =>
      recorded(throughLine(remote as never, line, { port: 'cri', reads }) as P, {
        incarnation: number,
        number: () => ++this.#numbers,
        note: (happening) => this.#note(number, happening),
      });
    const manager = this.#newImageManager({
      clock,
      recorder: {
        event: (about, type, reason, message) => {
          const { fieldPath, kind, name } = about as { fieldPath?: string; kind?: string; name?: string };
          const text = `${type} ${reason} ${message}`;
          const uid = (about as { uid?: string }).uid ?? '';
          this.#note(number, {
            kind: 'event',
            incarnation: number,
            about: fieldPath ? `${uid} ${fieldPath}` : `${kind} ${name}`,
            text,
          });
        },
      },
      node: 'node-1',
      signal: controller.signal,
      images: through(this.#images, ['listImages', 'imageStatus', 'imageFsInfo']),
      runtime: through({ listContainers: async () => [...this.#containers.values()] }, ['listContainers']),
      files: through(this.#files, ['readFile', 'readdir', 'lstat']),
      configuration,
      ...(node.length > 0 && { dockerConfig: dockerConfig(node) }),
    });
    this.#incarnation = { number, line, clock, controller, manager };
    // A kubelet also collects at its start.
    if (number > 1 && collect.length > 0) this.#collect({ atMs: 0, call: 'garbageCollect' });
  }

  #die(restartAfterMs: number): void {
    const incarnation = this.#incarnation;
    if (!incarnation) return;
    this.#incarnation = undefined;
    this.#dead.add(incarnation.number);
    this.#record({ kind: 'dies', incarnation: incarnation.number });
    incarnation.line.sever();
    incarnation.clock.sever();
    this.#at(this.#sim.elapsedMs + restartAfterMs, 'kubelet', 'starts', () => this.#start());
  }

  /** Lets a pod request its images until it has them, and then run and restart its container, until its deletion. */
  async #run(pod: AskingPod): Promise<void> {
    const deletion = new AbortController();
    // Each request adds a listener, and a pod may make a hundred of them.
    setMaxListeners(0, deletion.signal);
    await this.#sim.turn(pod.fromMs, pod.name, 'comes');
    if (pod.untilMs !== undefined) {
      this.#at(pod.untilMs, pod.name, 'goes', () => {
        const ask = this.#asking.get(pod.uid);
        if (ask !== undefined && this.#incarnation) this.#record({ kind: 'gives up', ask });
        deletion.abort(new Error('context canceled'));
        for (const container of this.#containers.values()) {
          if (container.podSandboxId === pod.uid) this.#remove(container);
        }
      });
    }
    while (!deletion.signal.aborted) {
      const incarnation = this.#incarnation;
      if (incarnation) {
        const imageRef = await this.#ask(incarnation, pod, deletion.signal);
        const other =
          pod.second === undefined
            ? imageRef
            : await this.#ask(
                incarnation,
                { ...pod, image: pod.second, container: 'second' },
                deletion.signal,
              );
        if (imageRef !== undefined && other !== undefined && this.#create(pod, imageRef)) {
          if (pod.restartAfterMs === undefined) return;
          await this.#sim.turn(pod.runsMs + pod.restartAfterMs, pod.name, 'starts again');
          continue;
        }
      }
      await this.#sim.turn(pod.retryMs, pod.name, 'waits');
    }
  }

  /** @returns undefined if the manager refuses, or the kubelet crashes */
  #ask(incarnation: Incarnation, asking: AskingPod, signal: AbortSignal): Promise<string | undefined> {
    if (incarnation.line.severed || signal.aborted) return Promise.resolve(undefined);
    const ask = ++this.#numbers;
    const isUnreadable = asking.secrets.some((secret) => isBroken(secret, this.#sim.elapsedMs));
    const pod = isUnreadable ? { ...asking, isUnreadable } : asking;
    this.#record({ kind: 'asks', incarnation: incarnation.number, ask, pod });
    return new Promise((resolve) => {
      const settle = (happening: Happening, imageRef?: string): void => {
        this.#asking.delete(pod.uid);
        if (!incarnation.line.severed) this.#record(happening);
        resolve(incarnation.line.severed ? undefined : imageRef);
      };
      incarnation.line.onSever(() => {
        this.#asking.delete(pod.uid);
        resolve(undefined);
      });
      this.#asking.set(pod.uid, ask);
      const stuck = this.#sim.spend('kubelet', `ensureImageExists(${pod.image})`);
      if (stuck) return;
      incarnation.manager
        .ensureImageExists({
          pod: {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { namespace: pod.namespace, name: pod.name, uid: pod.uid },
            spec: { containers: [] },
          } as never,
          container: {
            name: pod.container ?? 'main',
            image: pod.image,
            ...(pod.policy && { imagePullPolicy: pod.policy }),
          },
          reference: {
            apiVersion: 'v1',
            kind: 'Pod',
            namespace: pod.namespace,
            name: pod.name,
            uid: pod.uid,
            fieldPath: `spec.containers{${pod.container ?? 'main'}}`,
          },
          sandboxConfig: sandboxConfigOf(pod),
          pullSecrets: pullSecrets(pod.secrets, this.#sim.elapsedMs),
          signal,
        })
        .then(
          (imageRef) => settle({ kind: 'answer', ask, imageRef }, imageRef),
          (error: unknown) => {
            if (error instanceof NotImplemented) this.#failure ??= { error };
            if (!(error instanceof ImageError) && !signal.aborted) noteCaught(error);
            const reason = error instanceof ImageError ? error.reason : 'no ImageError';
            settle({
              kind: 'refusal',
              ask,
              reason,
              message: error instanceof Error ? error.message : String(error),
            });
          },
        );
    });
  }

  /** @returns whether the image is still present */
  #create(pod: AskingPod, imageRef: string): boolean {
    const image = this.#images.resolve(imageRef);
    if (!image) return false;
    const before = this.#containers.get(`container-${pod.uid}`);
    if (before) this.#remove(before);
    const container: cri.Container = {
      id: `container-${pod.uid}`,
      podSandboxId: pod.uid,
      metadata: { name: 'main', attempt: 0 },
      image: { image: pod.image },
      imageRef: image.repoDigests[0] ?? image.id,
      imageId: image.id,
      state: 'CONTAINER_RUNNING',
      createdAtMs: this.#sim.clock.now(),
      labels: {},
      annotations: {},
    };
    this.#containers.set(container.id, container);
    this.#record({ kind: 'container', container });
    this.#at(this.#sim.elapsedMs + pod.runsMs, pod.name, 'exits', () => {
      const running = this.#containers.get(container.id);
      if (running) this.#containers.set(container.id, { ...running, state: 'CONTAINER_EXITED' });
    });
    return true;
  }

  #remove(container: cri.Container): void {
    this.#containers.delete(container.id);
    this.#record({ kind: 'no container', container });
  }

  /** Starts a collection, after the end of a running one. */
  #collect({ call }: CollectStep): void {
    const incarnation = this.#incarnation;
    if (!incarnation) return;
    const begin = (): Promise<void> => this.#collectNow(incarnation, call);
    incarnation.collection = incarnation.collection?.then(begin) ?? begin();
  }

  async #collectNow(incarnation: Incarnation, call: CollectStep['call']): Promise<void> {
    if (this.#incarnation !== incarnation) return;
    const run = ++this.#numbers;
    this.#record({ kind: 'collects', incarnation: incarnation.number, run, call });
    let error: string | undefined;
    try {
      await incarnation.manager[call]();
    } catch (thrown) {
      if (thrown instanceof NotImplemented) this.#failure ??= { error: thrown };
      error = thrown instanceof Error ? thrown.message : String(thrown);
    }
    this.#note(incarnation.number, { kind: 'collected', run, ...(error !== undefined && { error }) });
  }

  #befall(step: RegistryStep): void {
    const host = this.#registry.at(step.host);
    if (step.happens === 'thinks') host.latencyMs = step.latencyMs;
    else if (step.happens === 'new passwords') {
      this.#passwords++;
      for (const user of ['team', 'acme']) host.setPassword(user, password(user, this.#passwords));
    } else if (step.happens.startsWith('un')) host[step.happens as 'unavailable' | 'unreachable'] = true;
    else host[`un${step.happens}` as 'unavailable' | 'unreachable'] = false;
  }

  /** Decides the effect of a call. */
  #interfere(verb: string): Effect {
    for (const fault of this.#scenario.faults) {
      if (this.#struck.has(fault) || fault.atMs > this.#sim.elapsedMs) continue;
      if (fault.fault === 'dies') {
        const skipped = this.#skipped.get(fault) ?? 0;
        this.#skipped.set(fault, skipped + 1);
        if (skipped < fault.skip) continue;
        this.#struck.add(fault);
        this.#die(fault.restartAfterMs);
        return { kind: 'vanish', performed: fault.performed };
      }
      if (fault.verb !== verb) continue;
      this.#struck.add(fault);
      const isFile = ['writeFile', 'rename', 'readFile'].includes(verb);
      const error = isFile ? new FileError('EIO', fault.says) : new CriError('Unknown', fault.says);
      return { kind: 'fail', error, performed: fault.performed };
    }
    return { kind: 'pass' };
  }

  #at(atMs: number, actor: string, what: string, run: () => void): void {
    this.#sim.schedule(Math.max(0, atMs - this.#sim.elapsedMs), actor, what, run);
  }

  #begin(incarnation: Promise<void>): void {
    incarnation.catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  /** Records an entry of this kubelet, unless it has crashed. */
  #note(incarnation: number, happening: Happening): void {
    if (!this.#dead.has(incarnation)) this.#record(happening);
  }

  #record(happening: Happening): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...happening });
    const seen = render(happening);
    if (seen) this.#sim.trace.record(seen);
  }

  #never(): never {
    throw new Error('Failed to load an image: it is not there.');
  }
}
