import { hashContainer } from '#given/41-kubelet';
import {
  type core,
  type cri,
  deepEqual,
  formatDuration,
  ImageError,
  isConflict,
  isNotFound,
  keyOf,
  type NodeComponentContext,
  type Pod,
  pods,
  shouldRestart,
} from '#harness';
import { DIRECTORIES, environmentOf, mustHaveNetwork, pullSecretsOf } from './free-input.ts';
import { configOf, type Found, NAME, newest, ready, referenceTo, type Sight, UID } from './free-sight.ts';
import { statusOf, takesBack } from './free-status.ts';

const LOOK_EVERY_MS = 1_000;
const CLEAN_UP_AFTER_MS = 20_000;
const FIRST_WAIT_MS = 10_000;
const MOST_WAIT_MS = 300_000;
const HEALTHY_MS = 600_000;

/** State that all loops share. */
export interface Shared {
  readonly context: NodeComponentContext;
  /** The back-off of containers, by pod, container and image. */
  readonly waits: Map<string, { readonly waitMs: number; readonly updatedMs: number }>;
  readonly probes: ReturnType<NodeComponentContext['newProbeManager']>;
  readonly images: ReturnType<NodeComponentContext['newImageManager']>;
  readonly volumes: ReturnType<NodeComponentContext['newVolumeManager']>;
}

/** One pod, from its first observation until it is completely removed. */
export class Loop {
  readonly #uid: string;
  readonly #shared: Shared;
  /** The last known state from the API. */
  last: Pod | undefined;
  status: Pod['status'] | undefined;
  finished = false;
  stopped = false;
  #gone = false;
  #goneMs = 0;
  #over: Pick<Pod['status'], 'phase' | 'reason' | 'message'> | undefined;
  #woken = false;
  #wake: () => void = () => {};
  /** The reasons why containers wait, by name. */
  #waiting = new Map<string, core.ContainerStateWaiting>();
  #runtimeName = '';

  constructor(uid: string, pod: Pod | undefined, shared: Shared) {
    this.#uid = uid;
    this.last = pod;
    this.#shared = shared;
  }

  get wantsVolumes(): boolean {
    return !this.stopped && !this.#gone;
  }

  see(pod: Pod): void {
    if (Number(pod.metadata.resourceVersion) >= Number(this.last?.metadata.resourceVersion ?? 0))
      this.last = pod;
    this.wake();
  }

  gone(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#goneMs = this.#shared.context.clock.now();
    this.wake();
  }

  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  async run(): Promise<void> {
    const { clock, signal, log } = this.#shared.context;
    while (!signal.aborted && !this.finished) {
      this.#woken = false;
      try {
        await this.#tend();
      } catch (error) {
        log(String(error));
      }
      if (signal.aborted || this.finished) return;
      if (this.#woken) continue;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(LOOK_EVERY_MS, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
        signal.addEventListener('abort', () => this.#wake(), { once: true });
      });
    }
  }

  async #tend(): Promise<void> {
    this.#runtimeName ||= (await this.#shared.context.host.runtime.version()).runtimeName;
    const sight = await this.#look();
    const pod = this.last;
    if (this.#gone || !pod) return this.#cleanUp(sight);
    this.#over ??= this.#ended(pod, sight);
    if (pod.metadata.deletionTimestamp || this.#over) return this.#finish(pod, sight);
    this.#shared.probes.addPod(pod);
    await this.#report(pod, sight);
    await this.#shared.volumes.waitForAttachAndMount(pod);
    await this.#next(pod, sight);
    await this.#report(pod, await this.#look());
  }

  async #look(): Promise<Sight> {
    const { runtime } = this.#shared.context.host;
    const labelSelector = { [UID]: this.#uid };
    const byAge = <T extends { readonly createdAtMs: number }>(all: readonly T[]): T[] =>
      [...all].sort((a, b) => b.createdAtMs - a.createdAtMs);
    const sandboxes = await runtime.listPodSandbox({ labelSelector });
    const containers = await runtime.listContainers({ labelSelector });
    return {
      sandboxes: byAge(await Promise.all(sandboxes.map(({ id }) => runtime.podSandboxStatus(id)))),
      containers: byAge(
        await Promise.all(
          containers.map(async ({ id, podSandboxId }) => ({
            ...(await runtime.containerStatus(id)),
            sandboxId: podSandboxId,
          })),
        ),
      ),
    };
  }

  /** Returns the final state if the pod has ended, through its deadline, its containers, or a user. */
  #ended(pod: Pod, sight: Sight): Pick<Pod['status'], 'phase' | 'reason' | 'message'> | undefined {
    const { clock } = this.#shared.context;
    const { phase, startTime } = pod.status;
    if (phase === 'Succeeded' || phase === 'Failed') return { phase };
    const { activeDeadlineSeconds: seconds, initContainers = [], containers, restartPolicy } = pod.spec;
    if (seconds !== undefined && startTime && clock.now() >= Date.parse(startTime) + seconds * 1_000) {
      const message = 'Pod was active on the node longer than the specified deadline';
      this.#emit(pod, 'Normal', 'DeadlineExceeded', message);
      return { phase: 'Failed', reason: 'DeadlineExceeded', message };
    }
    const isOver = (spec: core.Container): boolean => {
      const found = newest(sight, spec.name);
      return found?.state === 'CONTAINER_EXITED' && !shouldRestart(spec, pod.spec, found.exitCode);
    };
    const failed = initContainers.some((spec) => isOver(spec) && newest(sight, spec.name)?.exitCode !== 0);
    const isRunning = sight.containers.some(({ state }) => state === 'CONTAINER_RUNNING');
    const isLost = restartPolicy === 'Never' && sight.containers.length > 0 && !ready(sight);
    const isSettled = containers.every(isOver) || (isLost && !isRunning);
    if (!failed && !isSettled) return undefined;
    const codes = containers
      .map(({ name }) => newest(sight, name))
      .map((each) => each?.state === 'CONTAINER_EXITED' && each.exitCode === 0);
    return { phase: !failed && codes.every(Boolean) ? 'Succeeded' : 'Failed' };
  }

  /** Performs the next step. */
  async #next(pod: Pod, sight: Sight): Promise<void> {
    const { runtime } = this.#shared.context.host;
    const sandbox = ready(sight);
    if (!sandbox) {
      await this.#stopAll(pod, sight);
      // Its restart policy allows no other sandbox.
      if (pod.spec.restartPolicy === 'Never' && sight.containers.length > 0) return this.wake();
      for (const { id, metadata } of sight.containers) {
        if (pod.spec.initContainers?.some(({ name }) => name === metadata.name))
          await runtime.removeContainer(id);
      }
      if (sight.sandboxes.length > 0)
        this.#emit(pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
      await mustHaveNetwork(this.#shared.context, pod);
      const config = configOf(pod, 1 + (sight.sandboxes[0]?.metadata.attempt ?? -1));
      await runtime.runPodSandbox(config).catch((error: unknown) => {
        this.#emit(pod, 'Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${error}`);
        throw error;
      });
      return this.wake();
    }
    for (const spec of pod.spec.initContainers ?? []) {
      const found = newest(sight, spec.name);
      const isHere = found?.sandboxId === sandbox.id;
      if (isHere && found.state === 'CONTAINER_EXITED' && found.exitCode === 0) continue;
      if (!isHere || found.state !== 'CONTAINER_RUNNING') await this.#start(pod, spec, sandbox, sight);
      return;
    }
    await Promise.all(
      pod.spec.containers.map(async (spec) => {
        const found = newest(sight, spec.name);
        if (found?.state === 'CONTAINER_RUNNING') {
          const why = this.#whyKill(spec, found);
          if (why === undefined) return;
          await this.#stop(pod, found, `Container ${spec.name} ${why}`);
          if (why.startsWith('failed') && !shouldRestart(spec, pod.spec, 137)) return;
        } else if (found?.state === 'CONTAINER_EXITED' && !shouldRestart(spec, pod.spec, found.exitCode)) {
          return;
        }
        await this.#start(pod, spec, sandbox, sight);
      }),
    );
  }

  #whyKill(spec: core.Container, found: Found): string | undefined {
    const { probes } = this.#shared;
    const id = `${this.#runtimeName}://${found.id}`;
    if (found.annotations.hash !== hashContainer(spec)) return 'definition changed, will be restarted';
    if (probes.result('liveness', id) === 'Failure') return 'failed liveness probe, will be restarted';
    if (probes.result('startup', id) === 'Failure') return 'failed startup probe, will be restarted';
    return undefined;
  }

  async #start(pod: Pod, spec: core.Container, sandbox: cri.PodSandboxStatus, sight: Sight): Promise<void> {
    const { name } = spec;
    const { images, volumes, context } = this.#shared;
    const { runtime } = context.host;
    const exited = sight.containers.find(
      (each) => each.metadata.name === name && each.state === 'CONTAINER_EXITED',
    );
    if (exited && this.#mustWait(pod, spec, exited)) return;
    const reference = referenceTo(pod, name);
    const sandboxConfig = configOf(pod, sandbox.metadata.attempt);
    let reason = 'CreateContainerError';
    try {
      const image = await images.ensureImageExists({
        pod,
        container: spec,
        reference,
        sandboxConfig,
        pullSecrets: await pullSecretsOf(context, pod),
      });
      const attempt = 1 + (newest(sight, name)?.metadata.attempt ?? -1);
      const mounts = await volumes.mountsOf(pod, spec);
      const id = await runtime.createContainer(
        sandbox.id,
        {
          metadata: { name, attempt },
          image: { image },
          ...(spec.command ? { command: spec.command } : {}),
          ...(spec.args ? { args: spec.args } : {}),
          envs: environmentOf(spec, sandbox.ips),
          mounts,
          labels: { ...sandboxConfig.labels, [NAME]: name },
          annotations: { hash: hashContainer(spec) },
          logPath: `${name}/${attempt}.log`,
          resources: { memoryLimitBytes: 64 * 1024 ** 2 },
        },
        sandboxConfig,
      );
      context.recorder.event(reference, 'Normal', 'Created', 'Container created');
      reason = 'RunContainerError';
      await runtime.startContainer(id);
      context.recorder.event(reference, 'Normal', 'Started', 'Container started');
      this.#waiting.delete(name);
    } catch (error) {
      if (error instanceof ImageError) reason = error.reason;
      const message = error instanceof Error ? error.message : String(error);
      this.#waiting.set(name, { reason, message });
      context.recorder.event(
        reference,
        'Warning',
        'Failed',
        `Error: ${error instanceof ImageError ? error.reason : message}`,
      );
    }
  }

  #mustWait(pod: Pod, spec: core.Container, { finishedAtMs }: Found): boolean {
    const { clock, recorder } = this.#shared.context;
    const { waits } = this.#shared;
    const key = `${this.#uid}/${spec.name}/${spec.image}`;
    const known = waits.get(key);
    const wait = known && finishedAtMs - known.updatedMs <= HEALTHY_MS ? known : undefined;
    if (wait && clock.now() - finishedAtMs < wait.waitMs) {
      const what = `${pod.metadata.name}_${pod.metadata.namespace}(${this.#uid})`;
      const message = `back-off ${formatDuration(wait.waitMs)} restarting failed container=${spec.name} pod=${what}`;
      if (this.#waiting.get(spec.name)?.message !== message) {
        recorder.event(
          referenceTo(pod, spec.name),
          'Warning',
          'BackOff',
          `Back-off restarting failed container ${spec.name} in pod ${what}`,
        );
      }
      this.#waiting.set(spec.name, { reason: 'CrashLoopBackOff', message });
      clock.after(finishedAtMs + wait.waitMs - clock.now(), () => this.wake());
      return true;
    }
    const waitMs = wait ? Math.min(wait.waitMs * 2, MOST_WAIT_MS) : FIRST_WAIT_MS;
    waits.set(key, { waitMs, updatedMs: clock.now() });
    return false;
  }

  /** Terminates a pod: its containers, its sandbox, its status, and, if it was deleted, its API object. */
  async #finish(pod: Pod, sight: Sight): Promise<void> {
    const { probes, volumes, context } = this.#shared;
    if (!this.stopped) {
      probes.stopLivenessAndStartup(pod);
      await this.#report(pod, sight);
      await this.#stopAll(pod, sight);
      probes.removePod(pod);
      this.stopped = true;
    }
    await volumes.waitForUnmount(pod);
    const after = await this.#look();
    const isGood = pod.spec.containers.every(
      ({ name }) => newest(after, name)?.exitCode === 0 && newest(after, name)?.state === 'CONTAINER_EXITED',
    );
    this.#over ??= { phase: isGood ? 'Succeeded' : 'Failed' };
    await this.#report(pod, after);
    const last = this.last ?? pod;
    if (!last.metadata.deletionTimestamp || last.status.phase !== this.#over.phase) return;
    try {
      await context.client.delete(pods, keyOf(pod), {
        gracePeriodSeconds: 0,
        preconditions: { uid: this.#uid },
      });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** Removes all remains of a deleted pod. */
  async #cleanUp(sight: Sight): Promise<void> {
    const { probes, volumes, context } = this.#shared;
    const { runtime } = context.host;
    await this.#stopAll(this.last, sight);
    this.stopped = true;
    if (this.last) {
      probes.removePod(this.last);
      await volumes.waitForUnmount(this.last);
    }
    if (context.clock.now() < this.#goneMs + CLEAN_UP_AFTER_MS && sight.sandboxes.length > 0) return;
    for (const { id } of sight.containers) await runtime.removeContainer(id);
    for (const { id } of sight.sandboxes) {
      await runtime.stopPodSandbox(id);
      await runtime.removePodSandbox(id);
    }
    await context.host.files.removeAll(`${DIRECTORIES}/${this.#uid}`);
    this.finished = true;
  }

  async #stopAll(pod: Pod | undefined, sight: Sight): Promise<void> {
    const { runtime } = this.#shared.context.host;
    await Promise.all(
      sight.containers
        .filter(({ state }) => state === 'CONTAINER_RUNNING' || state === 'CONTAINER_UNKNOWN')
        .map((each) => this.#stop(pod, each)),
    );
    // A dead sandbox may still hold its address.
    for (const { id } of sight.sandboxes) await runtime.stopPodSandbox(id);
  }

  async #stop(
    pod: Pod | undefined,
    { id, metadata: { name } }: Found,
    why = `Stopping container ${name}`,
  ): Promise<void> {
    const { clock, host, recorder } = this.#shared.context;
    const spec = pod?.spec.containers.find((each) => each.name === name);
    if (pod) recorder.event(referenceTo(pod, name), 'Normal', 'Killing', why);
    let seconds = pod?.metadata.deletionGracePeriodSeconds ?? pod?.spec.terminationGracePeriodSeconds ?? 2;
    const hook = spec?.lifecycle?.preStop?.sleep?.seconds;
    if (hook !== undefined && seconds > 0) {
      const spent = Math.min(hook, seconds);
      await clock.sleep(spent * 1_000);
      seconds -= spent;
    }
    await host.runtime.stopContainer(id, Math.max(2, seconds));
  }

  /** Writes the status, unless the API already has it. */
  async #report(pod: Pod, sight: Sight): Promise<void> {
    const known = this.last ?? pod;
    const { context, probes } = this.#shared;
    const status = statusOf(known, sight, {
      ip: context.host.ip,
      nowMs: context.clock.now(),
      probes,
      runtimeName: this.#runtimeName,
      over: this.#over,
      stopped: this.stopped,
      waits: this.#waiting,
    });
    this.status = status;
    if (deepEqual(status, known.status) || takesBack(known, status)) return;
    this.see(await context.client.updateStatus(pods, { ...known, status }));
  }

  #emit(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#shared.context.recorder.event(pod, type, reason, message);
  }
}
