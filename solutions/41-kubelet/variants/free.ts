/**
 * A kubelet by somebody who took none of the levels: each pod has one loop, which looks at the runtime and at the API, does the
 * next thing that is to be done, and looks again. There are no workers, no relist and no status manager; what a loop knows it has
 * just looked up.
 */
import {
  type core,
  type cri,
  deepEqual,
  formatDuration,
  formatTime,
  hashContainer,
  ImageError,
  isConflict,
  isNotFound,
  keyOf,
  type NodeComponent,
  type NodeComponentContext,
  type Pod,
  pods,
  shouldRestart,
} from '#harness';

const LOOK_EVERY_MS = 1_000;
const CLEAN_UP_AFTER_MS = 20_000;
const FIRST_WAIT_MS = 10_000;
const MOST_WAIT_MS = 300_000;
const HEALTHY_MS = 600_000;
const UID = 'io.kubernetes.pod.uid';
const NAME = 'io.kubernetes.container.name';

/** A container as the runtime has it: what it says, and in which sandbox it is. */
type Found = cri.ContainerStatus & { readonly sandboxId: string };

/** What there is of a pod on the machine, newest first. */
interface Sight {
  readonly sandboxes: readonly cri.PodSandboxStatus[];
  readonly containers: readonly Found[];
}

export const kubelet: NodeComponent = async (context) => {
  await new FreeKubelet(context).run();
};

class FreeKubelet {
  readonly #context: NodeComponentContext;
  readonly #loops = new Map<string, Loop>();
  readonly shared: Shared;

  constructor(context: NodeComponentContext) {
    this.#context = context;
    const loopOf = (uid: string): Loop | undefined => this.#loops.get(uid);
    this.shared = {
      context,
      waits: new Map(),
      probes: context.newProbeManager({
        statusOf: (uid) => loopOf(uid)?.status,
        onUpdate: ({ podUID }) => loopOf(podUID)?.wake(),
      }),
      images: context.newImageManager(),
      volumes: context.newVolumeManager({
        desiredPods: () =>
          [...this.#loops.values()].flatMap(({ wantsVolumes, last }) => (wantsVolumes && last ? [last] : [])),
        couldHaveRunningContainers: (uid) => !(loopOf(uid)?.stopped ?? true),
        statusOf: (uid) => loopOf(uid)?.status,
      }),
    };
  }

  async run(): Promise<void> {
    const { informers, node, signal, clock, host } = this.#context;
    const informer = informers.forResource(pods);
    const see = (pod: Pod): void => {
      if (pod.spec.nodeName === node) this.#loop(pod.metadata.uid, pod).see(pod);
    };
    informer.addEventHandler({
      onAdd: see,
      onUpdate: (_, pod) => see(pod),
      onDelete: (pod) => ('key' in pod ? this.#wakeAll() : this.#loops.get(pod.metadata.uid)?.gone()),
    });
    informers.start();
    await informers.waitForCacheSync();
    while (!signal.aborted) {
      const there = new Set(informer.indexer.list().map(({ metadata }) => metadata.uid));
      for (const [uid, loop] of this.#loops) {
        if (!there.has(uid)) loop.gone();
        if (loop.finished) this.#loops.delete(uid);
      }
      const sandboxes = await host.runtime.listPodSandbox().catch(() => []);
      for (const { metadata } of sandboxes) if (!there.has(metadata.uid)) this.#loop(metadata.uid).gone();
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {});
    }
  }

  #wakeAll(): void {
    for (const loop of this.#loops.values()) loop.wake();
  }

  #loop(uid: string, pod?: Pod): Loop {
    let loop = this.#loops.get(uid);
    if (!loop) {
      loop = new Loop(uid, pod, this.shared);
      this.#loops.set(uid, loop);
      void loop.run();
    }
    return loop;
  }
}

/** What all loops share. */
interface Shared {
  readonly context: NodeComponentContext;
  /** How long containers wait before they are started again, by pod, container and image. */
  readonly waits: Map<string, { readonly waitMs: number; readonly updatedMs: number }>;
  readonly probes: ReturnType<NodeComponentContext['newProbeManager']>;
  readonly images: ReturnType<NodeComponentContext['newImageManager']>;
  readonly volumes: ReturnType<NodeComponentContext['newVolumeManager']>;
}

/** One pod, from when it is first seen until nothing is left of it. */
class Loop {
  readonly #uid: string;
  readonly #shared: Shared;
  /** As the API has it, or had it last. */
  last: Pod | undefined;
  status: Pod['status'] | undefined;
  finished = false;
  stopped = false;
  #gone = false;
  #goneMs = 0;
  #over: Pick<Pod['status'], 'phase' | 'reason' | 'message'> | undefined;
  #woken = false;
  #wake: () => void = () => {};
  /** Why containers wait, by name. */
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
    const { host } = this.#shared.context;
    this.#runtimeName ||= (await host.runtime.version()).runtimeName;
    const sight = await this.#look();
    const pod = this.last;
    if (this.#gone || !pod) return this.#cleanUp(sight);
    this.#over ??= this.#ended(pod, sight);
    if (pod.metadata.deletionTimestamp || this.#over) return this.#finish(pod, sight);
    this.#shared.probes.addPod(pod);
    await this.#say(pod, sight);
    await this.#shared.volumes.waitForAttachAndMount(pod);
    await this.#next(pod, sight);
    await this.#say(pod, await this.#look());
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

  /** Has it come to its end, by its deadline, its containers, or what somebody has said? */
  #ended(pod: Pod, sight: Sight): Pick<Pod['status'], 'phase' | 'reason' | 'message'> | undefined {
    const { clock } = this.#shared.context;
    const { phase, startTime } = pod.status;
    if (phase === 'Succeeded' || phase === 'Failed') return { phase };
    const { activeDeadlineSeconds: seconds, initContainers = [], containers, restartPolicy } = pod.spec;
    if (seconds !== undefined && startTime && clock.now() >= Date.parse(startTime) + seconds * 1_000) {
      const message = 'Pod was active on the node longer than the specified deadline';
      return { phase: 'Failed', reason: 'DeadlineExceeded', message };
    }
    const isOver = (spec: core.Container): boolean => {
      const found = newest(sight, spec.name);
      return found?.state === 'CONTAINER_EXITED' && !shouldRestart(spec, pod.spec, found.exitCode);
    };
    const failed = initContainers.some((spec) => isOver(spec) && newest(sight, spec.name)?.exitCode !== 0);
    const isSettled =
      containers.every(isOver) || (restartPolicy === 'Never' && sight.containers.length > 0 && !ready(sight));
    if (!failed && !isSettled) return undefined;
    const codes = containers
      .map(({ name }) => newest(sight, name))
      .map((each) => each?.state === 'CONTAINER_EXITED' && each.exitCode === 0);
    return { phase: !failed && codes.every(Boolean) ? 'Succeeded' : 'Failed' };
  }

  /** Does what is to be done now. */
  async #next(pod: Pod, sight: Sight): Promise<void> {
    const { runtime } = this.#shared.context.host;
    const sandbox = ready(sight);
    if (!sandbox) {
      await this.#stopAll(pod, sight);
      for (const { id, metadata } of sight.containers) {
        if (pod.spec.initContainers?.some(({ name }) => name === metadata.name))
          await runtime.removeContainer(id);
      }
      if (sight.sandboxes.length > 0)
        this.#tell(pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
      const config = configOf(pod, 1 + (sight.sandboxes[0]?.metadata.attempt ?? -1));
      try {
        await runtime.runPodSandbox(config);
      } catch (error) {
        this.#tell(pod, 'Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${error}`);
        throw error;
      }
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
        pullSecrets: [],
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
          envs: (spec.env ?? []).map((env) => ({ key: env.name, value: env.value ?? '' })),
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

  /** Ends a pod: its containers, its sandbox, its status, and, if it was deleted, its object. */
  async #finish(pod: Pod, sight: Sight): Promise<void> {
    const { probes, volumes, context } = this.#shared;
    if (!this.stopped) {
      probes.stopLivenessAndStartup(pod);
      await this.#say(pod, sight);
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
    await this.#say(pod, after);
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

  /** Leaves nothing of a pod that is gone. */
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
    for (const { id } of sight.sandboxes) await runtime.removePodSandbox(id);
    this.finished = true;
  }

  async #stopAll(pod: Pod | undefined, sight: Sight): Promise<void> {
    const { runtime } = this.#shared.context.host;
    await Promise.all(
      sight.containers
        .filter(({ state }) => state === 'CONTAINER_RUNNING' || state === 'CONTAINER_UNKNOWN')
        .map((each) => this.#stop(pod, each)),
    );
    for (const { id, state } of sight.sandboxes)
      if (state === 'SANDBOX_READY') await runtime.stopPodSandbox(id);
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

  /** Writes the status, unless that is what the API has. */
  async #say(pod: Pod, sight: Sight): Promise<void> {
    const { client } = this.#shared.context;
    const known = this.last ?? pod;
    const status = this.#statusOf(known, sight);
    this.status = status;
    if (deepEqual(status, known.status)) return;
    this.see(await client.updateStatus(pods, { ...known, status }));
  }

  #statusOf(pod: Pod, sight: Sight): Pod['status'] {
    const { context, probes } = this.#shared;
    const now = formatTime(context.clock.now());
    const { initContainers = [], containers } = pod.spec;
    const toStatus = (spec: core.Container): core.ContainerStatus =>
      this.#containerStatus(pod, spec, sight, initContainers.length > 0);
    const sandbox = ready(sight);
    const inits = initContainers.map(toStatus);
    const isInitialized = inits.every(({ state }) => state?.terminated?.exitCode === 0);
    const withoutPhase = {
      ...pod.status,
      hostIP: context.host.ip,
      hostIPs: [{ ip: context.host.ip }],
      startTime: pod.status.startTime ?? now,
      observedGeneration: pod.metadata.generation ?? 0,
      ...(sandbox?.ips?.[0] ? { podIP: sandbox.ips[0], podIPs: sandbox.ips.map((ip) => ({ ip })) } : {}),
      ...(inits.length > 0 ? { initContainerStatuses: inits } : {}),
      containerStatuses: containers.map(toStatus).sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
    const isUp = withoutPhase.containerStatuses.every(
      ({ state, lastState }) => state?.running ?? state?.terminated ?? lastState?.terminated,
    );
    const isStopping = this.#over && !this.stopped;
    const phase =
      this.#over && !isStopping ? this.#over.phase : isInitialized && isUp ? 'Running' : 'Pending';
    const said = isStopping ? pod.status.phase : phase;
    const status = probes.updatePodStatus(pod, {
      ...withoutPhase,
      ...(this.#over && !isStopping ? this.#over : {}),
      ...(said ? { phase: said } : {}),
    });
    const isReady =
      !this.#over && isInitialized && (status.containerStatuses ?? []).every(({ ready: up }) => up);
    const conditions = [
      ['PodReadyToStartContainers', sandbox !== undefined],
      ['Initialized', isInitialized],
      ['Ready', isReady],
      ['ContainersReady', isReady],
      ['PodScheduled', true],
    ] as const;
    const old = pod.status.conditions ?? [];
    return {
      ...status,
      conditions: [
        ...old.filter(({ type }) => !conditions.some(([ours]) => ours === type)),
        ...conditions.map(([type, holds]): core.PodCondition => {
          const value = holds ? 'True' : 'False';
          const before = old.find((each) => each.type === type);
          const lastTransitionTime =
            before?.status === value && before.lastTransitionTime ? before.lastTransitionTime : now;
          return {
            type,
            status: value,
            lastProbeTime: null,
            lastTransitionTime,
            observedGeneration: pod.metadata.generation ?? 0,
          };
        }),
      ],
    };
  }

  #containerStatus(pod: Pod, spec: core.Container, sight: Sight, hasInits: boolean): core.ContainerStatus {
    const [found, before] = sight.containers.filter((each) => each.metadata.name === spec.name);
    const old = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(
      (each) => each.name === spec.name,
    );
    const base = {
      name: spec.name,
      image: spec.image ?? '',
      imageID: found?.imageRef ?? '',
      ready: false,
      restartCount: found?.metadata.attempt ?? old?.restartCount ?? 0,
      started: false,
    };
    if (!found) {
      const waiting = this.#waiting.get(spec.name) ?? {
        reason: hasInits ? 'PodInitializing' : 'ContainerCreating',
      };
      return { ...base, state: { waiting }, lastState: old?.lastState ?? {} };
    }
    const containerID = `${this.#runtimeName}://${found.id}`;
    const terminated = (each: Found): core.ContainerStateTerminated => ({
      exitCode: each.exitCode,
      reason: each.reason,
      ...(each.message ? { message: each.message } : {}),
      startedAt: formatTime(each.startedAtMs),
      finishedAt: formatTime(each.finishedAtMs),
      containerID: `${this.#runtimeName}://${each.id}`,
    });
    const lastState =
      before?.state === 'CONTAINER_EXITED' ? { terminated: terminated(before) } : (old?.lastState ?? {});
    const isInit = pod.spec.initContainers?.includes(spec) ?? false;
    switch (found.state) {
      case 'CONTAINER_RUNNING':
        return {
          ...base,
          containerID,
          state: { running: { startedAt: formatTime(found.startedAtMs) } },
          lastState,
        };
      case 'CONTAINER_EXITED': {
        const waiting = this.#waiting.get(spec.name);
        const goesOn =
          waiting &&
          !this.#over &&
          !pod.metadata.deletionTimestamp &&
          shouldRestart(spec, pod.spec, found.exitCode);
        if (goesOn)
          return { ...base, containerID, state: { waiting }, lastState: { terminated: terminated(found) } };
        return {
          ...base,
          containerID,
          ready: isInit && found.exitCode === 0,
          state: { terminated: terminated(found) },
          lastState,
        };
      }
      default:
        return {
          ...base,
          containerID,
          state: { waiting: this.#waiting.get(spec.name) ?? { reason: 'ContainerCreating' } },
          lastState,
        };
    }
  }

  #tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#shared.context.recorder.event(pod, type, reason, message);
  }
}

function newest({ containers }: Sight, name: string): Found | undefined {
  return containers.find((each) => each.metadata.name === name);
}

function ready({ sandboxes }: Sight): cri.PodSandboxStatus | undefined {
  const [first] = sandboxes;
  return first?.state === 'SANDBOX_READY' ? first : undefined;
}

function configOf({ metadata: { namespace = '', name, uid } }: Pod, attempt: number): cri.PodSandboxConfig {
  return {
    metadata: { namespace, name, uid, attempt },
    hostname: name,
    logDirectory: `/var/log/pods/${namespace}_${name}_${uid}`,
    labels: { 'io.kubernetes.pod.namespace': namespace, 'io.kubernetes.pod.name': name, [UID]: uid },
    annotations: {},
    network: 'pod',
  };
}

function referenceTo({ metadata, spec }: Pod, container: string): core.ObjectReference {
  const list = spec.initContainers?.some(({ name }) => name === container) ? 'initContainers' : 'containers';
  const { namespace = '', name, uid } = metadata;
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, fieldPath: `spec.${list}{${container}}` };
}
