import * as cri from '../../contracts/node/cri/index.ts';
import type { CniAttachment } from '../../contracts/node/network-plugin.ts';
import { NETWORK_CONFIGURATION } from '../cni/installed-network.ts';
import { type LocalImage, SANDBOX_IMAGE } from '../images/index.ts';
import { type Signal, signals } from '../programs/program.ts';
import type { RuntimeOptions } from './profile.ts';
import { Container, Sandbox } from './sandbox.ts';
import { addNamespace, attachmentOf, namespaceAt, netnsOf, removeNamespace } from './sandbox-network.ts';
import { selectContainers, selectSandboxes, selectsAll } from './selection.ts';
import { SharedList } from './shared-list.ts';
import { containerOf, directoryOf, sandboxOf } from './shim.ts';
import { type Convert, containerIn, sandboxIn, sandboxStatusIn, statusOf } from './views.ts';

/**
 * The common part of all container runtimes. Each subclass defines its own order of steps and its own error messages.
 *
 * Differs: with a grace period of 0, only SIGKILL is sent. CRI-O and Docker send the stop signal right before it.
 */
export abstract class Runtime implements cri.RuntimeService {
  protected readonly options: RuntimeOptions;
  /** The containers that are being started or removed. A crash of the runtime loses this state. */
  protected readonly starting = new Set<Container>();
  protected readonly removing = new Set<Container>();
  readonly #allSandboxes = new SharedList<Sandbox, cri.PodSandbox>();
  readonly #allContainers = new SharedList<Container, cri.Container>();

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

  /** Restores the state at the start of the runtime. @param rebooted - whether the machine has lost its power since */
  abstract recover(rebooted: boolean): void;

  /** Returns the error for a missing sandbox or container. */
  protected abstract absent(kind: 'sandbox' | 'container', id: string): cri.CriError;
  /** The format of its lists and statuses. */
  protected abstract readonly convert: Convert;

  /** Its messages when no network is configured: the plugin's error, and the message of the condition. */
  protected abstract readonly noNetwork: { readonly error: string; readonly message: string };

  async status(): Promise<readonly cri.RuntimeCondition[]> {
    const runtime = { type: 'RuntimeReady', status: true, reason: '', message: '' } as const;
    const network = { type: 'NetworkReady', status: true, reason: '', message: '' } as const;
    const problem = await this.networkProblem();
    if (problem === undefined) return [runtime, network];
    const message = this.noNetwork.message.replace(this.noNetwork.error, problem);
    return [runtime, { ...network, status: false, reason: 'NetworkPluginNotReady', message }];
  }

  /** Whether a network is configured: its provider, such as a DaemonSet, has written a configuration file. */
  async #hasNetwork(): Promise<boolean> {
    const { files, life } = this.options;
    const names = await life.while(files.readdir(NETWORK_CONFIGURATION).catch(() => []));
    return names.some((name) => /\.(conflist|conf|json)$/.test(name));
  }

  /** Returns why sandboxes cannot get a network now; undefined if they can. */
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

  async listPodSandbox(filter: cri.PodSandboxFilter = {}): Promise<readonly cri.PodSandbox[]> {
    const found = selectSandboxes(this.options.state, filter);
    const list = (of: readonly Sandbox[]) => this.convert.order(of).map(sandboxIn);
    return selectsAll(filter) ? this.#allSandboxes.of(found, list) : list(found);
  }

  async listContainers(filter: cri.ContainerFilter = {}): Promise<readonly cri.Container[]> {
    const found = selectContainers(this.options.state, filter);
    const list = (of: readonly Container[]) =>
      this.convert.order(of).map((each) => containerIn(each, this.convert));
    return selectsAll(filter) ? this.#allContainers.of(found, list) : list(found);
  }

  async containerStatus(containerId: string): Promise<cri.ContainerStatus> {
    return statusOf(this.container(containerId), this.convert);
  }

  async listContainerStats(filter: cri.ContainerFilter = {}): Promise<readonly cri.ContainerStats[]> {
    const running = selectContainers(this.options.state, { ...filter, state: 'CONTAINER_RUNNING' });
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

  /** @throws CriError when the sandbox does not exist */
  protected sandbox(id: string): Sandbox {
    const sandbox = this.options.state.sandboxes.get(id);
    if (!sandbox?.listed) throw this.absent('sandbox', id);
    return sandbox;
  }

  /** @throws CriError when the container does not exist */
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

  /** Calls the plugin to set up the network. @throws Error when the plugin fails */
  protected async setUpNetwork(sandbox: Sandbox): Promise<void> {
    const { life, plugin } = this.options;
    await this.mustHaveNetwork();
    sandbox.network = await life.while(plugin.add(this.#attachment(sandbox)));
    sandbox.lastIPs = sandbox.ips;
  }

  /** Calls the plugin to tear down the network. @throws Error when the plugin fails */
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

  /** Pulls the sandbox image if it has been removed. */
  protected async ensureSandboxImage(config: cri.PodSandboxConfig): Promise<void> {
    const { images, life } = this.options;
    if (images.resolve(SANDBOX_IMAGE)) return;
    await life.while(images.pullImage({ image: SANDBOX_IMAGE }, undefined, config)).catch((error: Error) => {
      throw new Error(`failed to pull image "${SANDBOX_IMAGE}": ${error.message}`);
    });
  }

  /** Starts the first process of a sandbox, and watches for its exit. */
  protected async startPause(sandbox: Sandbox): Promise<void> {
    await this.takes(this.options.timings.runSandboxMs);
    await this.prepare(sandbox);
    this.options.shim.startPause(sandbox);
    this.watchPause(sandbox);
  }

  /** Writes the files that the containers of a sandbox share. @throws Error also when no process can be started */
  protected async prepare(sandbox: Sandbox): Promise<void> {
    const { life, shim, canFork } = this.options;
    if (!canFork()) throw new Error('fork/exec /usr/bin/runc: resource temporarily unavailable');
    await life.while(shim.prepare(sandbox));
  }

  /** Updates the state after the exit of a sandbox's first process. */
  protected watchPause(sandbox: Sandbox): void {
    const { life, timings } = this.options;
    void sandbox.pause?.ended.then(() =>
      life.clock.after(timings.exitSeenMs, () => {
        sandbox.state = 'SANDBOX_NOTREADY';
      }),
    );
  }

  /** Kills the first process of a sandbox, and waits until the runtime notices its exit. */
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

  /** @throws CriError when the image does not exist */
  protected image({ image }: cri.ContainerConfig): LocalImage {
    const found = this.options.images.resolve(image.image);
    if (!found) throw new cri.CriError('NotFound', `failed to resolve image "${image.image}": not found`);
    return found;
  }

  /** Creates a container without starting it. @throws Error when its image does not exist, or when the disk is full */
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
   * Starts the first process of a container, and watches for its exit.
   *
   * @returns the error message; undefined on success
   */
  protected async launch(container: Container): Promise<string | undefined> {
    const { life, shim, state, canFork } = this.options;
    // Another call may have removed the container during the start.
    if (!state.containers.has(container.id)) return `No such container: ${container.id}`;
    if (!canFork()) return 'fork/exec /proc/self/exe: resource temporarily unavailable';
    if (!this.lives(container.sandbox)) return 'lstat /proc/1/ns/ipc: no such file or directory';
    const failure = await life.while(shim.start(container).catch((error: Error) => error.message));
    if (failure === undefined) this.noteStarted(container);
    return failure;
  }

  /** Whether the namespaces of the sandbox exist, so that a container can join them. */
  protected lives({ pause }: Sandbox): boolean {
    return pause?.alive === true;
  }

  /** Marks the container as running, and watches for its exit. */
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

  /** Records the exit of a container, once the runtime notices it. */
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
   * Updates a container after a restart of the runtime. A container whose exit no shim recorded, because of a power
   * failure, has exited too.
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

  /** Sends SIGKILL, and waits until the runtime notices the exit. */
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

/**
 * The exit code of a process whose exit was not observed. Upstream: containerd/containerd@v2.3.3 client/task.go
 * UnknownExitStatus
 */
const UNSEEN = 255;

/** Returns the signal that asks the first process of a container to exit. */
export function stopSignalOf({ image }: Container): Signal {
  const { stopSignal = 'SIGTERM' } = image.config;
  return Object.hasOwn(signals, stopSignal) ? (stopSignal as Signal) : 'SIGTERM';
}
