import * as cri from '../../contracts/node/cri/index.ts';
import type { CniAttachment } from '../../contracts/node/network-plugin.ts';
import { NETWORK_CONFIGURATION } from '../cni/installed-network.ts';
import { type LocalImage, SANDBOX_IMAGE } from '../images/index.ts';
import { type Signal, signals } from '../programs/program.ts';
import { Container } from './container.ts';
import type { RuntimeOptions } from './profile.ts';
import { Sandbox } from './sandbox.ts';
import { addNamespace, attachmentOf, namespaceAt, netnsOf, removeNamespace } from './sandbox-network.ts';
import { containerOf, directoryOf, sandboxOf } from './shim.ts';
import { type Convert, containerIn, matchesLabels, sandboxIn, sandboxStatusIn, statusOf } from './views.ts';

/**
 * What all container runtimes have in common. Each says in its own class what it does in which order, and in which words it
 * refuses.
 *
 * Differs: without any grace SIGKILL comes alone. CRI-O and Docker send the stop signal right before it.
 */
export abstract class Runtime implements cri.RuntimeService {
  protected readonly options: RuntimeOptions;
  /** Those that are being started or removed just now; a runtime forgets it when it dies. */
  protected readonly starting = new Set<Container>();
  protected readonly removing = new Set<Container>();

  constructor(options: RuntimeOptions) {
    this.options = options;
  }

  abstract version(): Promise<cri.RuntimeVersion>;
  abstract runPodSandbox(config: cri.PodSandboxConfig): Promise<string>;
  abstract stopPodSandbox(podSandboxId: string): Promise<void>;
  abstract removePodSandbox(podSandboxId: string): Promise<void>;
  abstract createContainer(
    podSandboxId: string,
    config: cri.ContainerConfig,
    sandboxConfig: cri.PodSandboxConfig,
  ): Promise<string>;
  abstract startContainer(containerId: string): Promise<void>;
  abstract stopContainer(containerId: string, timeoutSeconds: number): Promise<void>;
  abstract removeContainer(containerId: string): Promise<void>;
  abstract execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<cri.ExecSyncResponse>;

  /** What it does first when it starts, with what it finds. @param rebooted the machine has lost its power since */
  abstract recover(rebooted: boolean): void;

  /** What it answers when there is no sandbox or container of this id. */
  protected abstract absent(kind: 'sandbox' | 'container', id: string): cri.CriError;
  /** How lists and statuses say it. */
  protected abstract readonly convert: Convert;

  /** How it says that no network is configured: the plugin's own words, and what it makes of them. */
  protected abstract readonly noNetwork: { readonly error: string; readonly message: string };

  async status(): Promise<readonly cri.RuntimeCondition[]> {
    const runtime = { type: 'RuntimeReady', status: true, reason: '', message: '' } as const;
    const network = { type: 'NetworkReady', status: true, reason: '', message: '' } as const;
    const problem = await this.networkProblem();
    if (problem === undefined) return [runtime, network];
    const message = this.noNetwork.message.replace(this.noNetwork.error, problem);
    return [runtime, { ...network, status: false, reason: 'NetworkPluginNotReady', message }];
  }

  /** A network is there when its provider has written its configuration, as a DaemonSet does. */
  async #hasNetwork(): Promise<boolean> {
    const { files, life } = this.options;
    const names = await life.while(files.readdir(NETWORK_CONFIGURATION).catch(() => []));
    return names.some((name) => /\.(conflist|conf|json)$/.test(name));
  }

  /** Why sandboxes cannot have a network now; undefined when they can. */
  protected async networkProblem(): Promise<string | undefined> {
    if (!(await this.#hasNetwork())) return this.noNetwork.error;
    const { plugin } = this.options;
    try {
      await plugin.status?.();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** @throws Error when no network is configured */
  protected async mustHaveNetwork(): Promise<void> {
    if (!(await this.#hasNetwork())) throw new Error(this.noNetwork.error);
  }

  async podSandboxStatus(podSandboxId: string): Promise<cri.PodSandboxStatus> {
    return sandboxStatusIn(this.sandbox(podSandboxId), this.convert);
  }

  async listPodSandbox({
    id,
    state,
    labelSelector,
  }: cri.PodSandboxFilter = {}): Promise<readonly cri.PodSandbox[]> {
    const { sandboxes } = this.options.state;
    const candidates = id === undefined ? [...sandboxes.values()] : [sandboxes.get(id)];
    const found = candidates.filter(
      (each): each is Sandbox =>
        each?.listed === true &&
        (state ?? each.state) === each.state &&
        matchesLabels(each.config.labels, labelSelector),
    );
    return this.convert.order(found).map(sandboxIn);
  }

  async listContainers(filter: cri.ContainerFilter = {}): Promise<readonly cri.Container[]> {
    return this.convert.order(this.#containers(filter)).map((each) => containerIn(each, this.convert));
  }

  async containerStatus(containerId: string): Promise<cri.ContainerStatus> {
    return statusOf(this.container(containerId), this.convert);
  }

  async listContainerStats(filter: cri.ContainerFilter = {}): Promise<readonly cri.ContainerStats[]> {
    const running = this.#containers({ ...filter, state: 'CONTAINER_RUNNING' });
    return Promise.all(
      running.map(async ({ id, config: { metadata, labels }, cgroup, files }) => ({
        id,
        metadata,
        labels,
        atMs: this.now(),
        cpuUsageMilli: cgroup.cpu.milli,
        cpuUsageCoreNanoSeconds: cgroup.cpu.coreNanoSeconds,
        memoryWorkingSetBytes: cgroup.memoryBytes,
        writableLayerBytes: (await files?.usage('/')) ?? 0,
      })),
    );
  }

  #containers({ id, state, podSandboxId, labelSelector }: cri.ContainerFilter): readonly Container[] {
    const { containers, sandboxes } = this.options.state;
    const candidates =
      id !== undefined
        ? [containers.get(id)]
        : podSandboxId !== undefined
          ? [...(sandboxes.get(podSandboxId)?.containers ?? containers.values())]
          : [...containers.values()];
    return candidates.filter(
      (each): each is Container =>
        each !== undefined &&
        (state ?? each.state) === each.state &&
        (podSandboxId ?? each.sandbox.id) === each.sandbox.id &&
        matchesLabels(each.config.labels, labelSelector),
    );
  }

  /** @throws CriError when there is none */
  protected sandbox(id: string): Sandbox {
    const sandbox = this.options.state.sandboxes.get(id);
    if (!sandbox?.listed) throw this.absent('sandbox', id);
    return sandbox;
  }

  /** @throws CriError when there is none */
  protected container(id: string): Container {
    const container = this.options.state.containers.get(id);
    if (!container) throw this.absent('container', id);
    return container;
  }

  protected now(): number {
    return this.options.life.clock.now();
  }

  protected takes(ms: number): Promise<void> {
    return this.options.life.clock.sleep(ms);
  }

  protected newSandbox(config: cri.PodSandboxConfig): Sandbox {
    const { state, newId } = this.options;
    const sandbox = new Sandbox(newId(), config, this.now());
    state.sandboxes.set(sandbox.id, sandbox);
    return sandbox;
  }

  protected newNamespace(sandbox: Sandbox): void {
    const { network, state } = this.options;
    sandbox.netns = netnsOf(sandbox);
    state.byNetns.set(sandbox.netns, sandbox);
    addNamespace(network, sandbox);
  }

  /** Asks the plugin. @throws Error of the plugin */
  protected async setUpNetwork(sandbox: Sandbox): Promise<void> {
    const { life, plugin } = this.options;
    await this.mustHaveNetwork();
    sandbox.network = await life.while(plugin.add(this.#attachment(sandbox)));
    sandbox.lastIPs = sandbox.ips;
  }

  /** Asks the plugin to take all back. @throws Error of the plugin */
  protected async tearDownNetwork(sandbox: Sandbox): Promise<void> {
    const { life, plugin } = this.options;
    await life.while(plugin.del(this.#attachment(sandbox)));
    sandbox.network = undefined;
    sandbox.networkStopped = true;
  }

  protected removeNamespace(sandbox: Sandbox): void {
    removeNamespace(this.options.network, sandbox.netns);
  }

  #attachment(sandbox: Sandbox): CniAttachment {
    return attachmentOf(sandbox, namespaceAt(this.options.network, sandbox.netns) ? sandbox.netns : '');
  }

  /** Fetches the image of sandboxes if it has been removed. */
  protected async ensureSandboxImage(config: cri.PodSandboxConfig): Promise<void> {
    const { images, life } = this.options;
    if (images.resolve(SANDBOX_IMAGE)) return;
    await life.while(images.pullImage({ image: SANDBOX_IMAGE }, undefined, config)).catch((error: Error) => {
      throw new Error(`failed to pull image "${SANDBOX_IMAGE}": ${error.message}`);
    });
  }

  /** Starts the first process of a sandbox, and follows it. */
  protected async startPause(sandbox: Sandbox): Promise<void> {
    await this.takes(this.options.timings.runSandboxMs);
    await this.prepare(sandbox);
    this.options.shim.startPause(sandbox);
    this.watchPause(sandbox);
  }

  /** Writes what the containers of a sandbox have in common. @throws Error also when no process can be started */
  protected async prepare(sandbox: Sandbox): Promise<void> {
    const { life, shim, canFork } = this.options;
    if (!canFork()) throw new Error('fork/exec /usr/bin/runc: resource temporarily unavailable');
    await life.while(shim.prepare(sandbox));
  }

  /** Notes the end of a sandbox's first process when it comes. */
  protected watchPause(sandbox: Sandbox): void {
    const { life, timings } = this.options;
    void sandbox.pause?.ended.then(() =>
      life.clock.after(timings.exitSeenMs, () => {
        sandbox.state = 'SANDBOX_NOTREADY';
      }),
    );
  }

  /** Ends the first process of a sandbox, and waits until that is known. */
  protected async killPause(sandbox: Sandbox): Promise<void> {
    const { life, timings } = this.options;
    if (sandbox.pause?.alive) {
      sandbox.pause.signal('SIGKILL');
      await life.while(sandbox.pause.ended);
      await this.takes(timings.exitSeenMs);
    }
    sandbox.state = 'SANDBOX_NOTREADY';
  }

  protected becomeReady(sandbox: Sandbox): void {
    sandbox.state = 'SANDBOX_READY';
    sandbox.listed = true;
    const { ips } = sandbox;
    this.options.history.record({
      event: 'sandbox-ready',
      ...sandboxOf(sandbox),
      ...(ips[0] ? { ip: ips[0] } : {}),
    });
  }

  protected async forgetSandbox(sandbox: Sandbox): Promise<void> {
    const { state, history, life, files } = this.options;
    await life.while(files.removeAll(directoryOf(sandbox)));
    if (!state.sandboxes.delete(sandbox.id)) return;
    history.record({ event: 'sandbox-removed', ...sandboxOf(sandbox) });
  }

  /** @throws CriError when it is not there */
  protected image({ image }: cri.ContainerConfig): LocalImage {
    const found = this.options.images.resolve(image.image);
    if (!found) throw new cri.CriError('NotFound', `failed to resolve image "${image.image}": not found`);
    return found;
  }

  /** Makes a container; it does not run. @throws Error when its image is not there, or the disk is full */
  protected async newContainer(sandbox: Sandbox, config: cri.ContainerConfig): Promise<Container> {
    const { state, history, newId, newCgroup, files, life } = this.options;
    const image = this.image(config);
    const container = new Container({
      id: newId(),
      sandbox,
      config,
      image,
      createdAtMs: this.now(),
      cgroup: newCgroup(config.resources),
    });
    const directory = directoryOf(container);
    const written = files.mkdirAll(directory).then(() => files.writeFile(`${directory}/config.json`, '{}'));
    await life.while(written).catch(async (error: Error) => {
      await life.while(files.removeAll(directory));
      throw new Error(`failed to create container: ${error.message}`);
    });
    state.containers.set(container.id, container);
    sandbox.containers.add(container);
    history.record({ event: 'container-created', ...containerOf(container) });
    return container;
  }

  /**
   * Starts the first process of a container, and follows it.
   *
   * @returns why it could not; undefined when it runs
   */
  protected async launch(container: Container): Promise<string | undefined> {
    const { life, shim, state, canFork } = this.options;
    // Another call may have removed it while it was being started.
    if (!state.containers.has(container.id)) return `No such container: ${container.id}`;
    if (!canFork()) return 'fork/exec /proc/self/exe: resource temporarily unavailable';
    if (!this.lives(container.sandbox)) return 'lstat /proc/1/ns/ipc: no such file or directory';
    const failure = await life.while(shim.start(container).catch((error: Error) => error.message));
    if (failure === undefined) this.noteStarted(container);
    return failure;
  }

  /** Whether there are namespaces that a container can be put into. */
  protected lives({ pause }: Sandbox): boolean {
    return pause?.alive === true;
  }

  /** From here on it runs, as far as the runtime knows, and its end is noted when it comes. */
  protected noteStarted(container: Container): void {
    container.state = 'CONTAINER_RUNNING';
    container.startedAtMs ||= this.now();
    this.#watch(container);
  }

  #watch(container: Container): void {
    const { life, timings } = this.options;
    void container.task?.ended.then(() =>
      life.clock.after(timings.exitSeenMs, () => this.noteExit(container)),
    );
  }

  /** The runtime has seen that a container has exited. */
  protected noteExit(container: Container): void {
    const { exit } = container;
    if (!exit || container.state === 'CONTAINER_EXITED') return;
    container.state = 'CONTAINER_EXITED';
    container.finishedAtMs = exit.atMs;
    container.exitCode = exit.code;
    container.reason = exit.oomKilled ? 'OOMKilled' : '';
    container.noteStopped();
  }

  /**
   * Finds out what became of a container while the runtime was away. What its shim has not seen to end, as both lost their power,
   * has ended all the same.
   */
  protected recoverContainer(container: Container, reason: string): void {
    const { task, exit, state } = container;
    if (task?.alive) this.noteStarted(container);
    else if (exit) this.noteExit(container);
    else if (state === 'CONTAINER_RUNNING' || state === 'CONTAINER_UNKNOWN') {
      container.state = 'CONTAINER_EXITED';
      container.finishedAtMs = this.now();
      container.exitCode = UNSEEN;
      container.reason = reason;
      container.noteStopped();
    }
  }

  /** Sends SIGKILL, and returns when the exit is known. */
  protected async kill(container: Container): Promise<void> {
    container.task?.signal('SIGKILL');
    await this.options.life.while(container.stopped);
  }

  protected async forgetContainer(container: Container): Promise<void> {
    const { state, history, files, life } = this.options;
    await life.while(files.removeAll(directoryOf(container)));
    if (!state.containers.delete(container.id)) return;
    container.sandbox.containers.delete(container);
    history.record({ event: 'container-removed', ...containerOf(container) });
    container.files?.remove();
  }
}

/** The exit code of what has ended while nothing saw it. Upstream: containerd/containerd@v2.3.3 client/task.go UnknownExitStatus */
const UNSEEN = 255;

/** What asks the first process of a container to end. */
export function stopSignalOf({ image }: Container): Signal {
  const { stopSignal = 'SIGTERM' } = image.config;
  return Object.hasOwn(signals, stopSignal) ? (stopSignal as Signal) : 'SIGTERM';
}
