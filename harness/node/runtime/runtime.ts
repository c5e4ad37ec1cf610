import * as cri from '../../contracts/node/cri/index.ts';
import type { CniAttachment } from '../../contracts/node/network-plugin.ts';
import { type Signal, signals } from '../programs/program.ts';
import { Cgroup } from './cgroup.ts';
import { Container } from './container.ts';
import type { RuntimeOptions } from './profile.ts';
import { Sandbox } from './sandbox.ts';
import { containerOf, directoryOf, sandboxOf } from './shim.ts';
import { type Convert, containerIn, matchesLabels, sandboxIn, sandboxStatusIn, statusOf } from './views.ts';

/**
 * What all container runtimes have in common. Each says in its own class what it does in which order, and in which words it
 * refuses.
 */
export abstract class Runtime implements cri.RuntimeService {
  protected readonly options: RuntimeOptions;
  /** Those that are being started or removed just now; a runtime forgets it when it dies. */
  protected readonly starting = new Set<Container>();
  protected readonly removing = new Set<Container>();
  protected readonly signalled = new Set<Container>();

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

  async status(): Promise<readonly cri.RuntimeCondition[]> {
    return [
      { type: 'RuntimeReady', status: true, reason: '', message: '' },
      { type: 'NetworkReady', status: true, reason: '', message: '' },
    ];
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
        cpuUsageMilli: cgroup.cpuMilli,
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
          ? [...(sandboxes.get(podSandboxId)?.containers ?? [])]
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
    const { kernel, state } = this.options;
    sandbox.netns = `/var/run/netns/cni-${sandbox.id.slice(0, 32)}`;
    state.byNetns.set(sandbox.netns, sandbox);
    kernel.addNamespace(sandbox.netns);
  }

  /** Asks the plugin. @throws Error of the plugin */
  protected async setUpNetwork(sandbox: Sandbox): Promise<void> {
    const { life, plugin } = this.options;
    sandbox.network = await life.while(plugin.add(this.#attachment(sandbox)));
  }

  /** Asks the plugin to take all back. @throws Error of the plugin */
  protected async tearDownNetwork(sandbox: Sandbox): Promise<void> {
    const { life, plugin } = this.options;
    await life.while(plugin.del(this.#attachment(sandbox)));
    sandbox.network = undefined;
  }

  protected removeNamespace(sandbox: Sandbox): void {
    this.options.kernel.removeNamespace(sandbox.netns);
  }

  #attachment({ id, netns, config }: Sandbox): CniAttachment {
    const { namespace, name, uid } = config.metadata;
    const { portMappings = [] } = config;
    return {
      containerID: id,
      netns: this.options.kernel.namespace(netns) ? netns : '',
      ifname: 'eth0',
      args: {
        IgnoreUnknown: '1',
        K8S_POD_NAMESPACE: namespace,
        K8S_POD_NAME: name,
        K8S_POD_INFRA_CONTAINER_ID: id,
        K8S_POD_UID: uid,
      },
      runtimeConfig: {
        portMappings: portMappings
          .filter(({ hostPort }) => hostPort > 0)
          .map(({ protocol, ...rest }) => ({ ...rest, protocol: protocol.toLowerCase() })),
      },
    };
  }

  /** Starts the first process of a sandbox, and follows it. */
  protected async startPause(sandbox: Sandbox): Promise<void> {
    await this.takes(this.options.timings.runSandboxMs);
    if (!this.options.canFork()) throw new Error('fork/exec /usr/bin/runc: resource temporarily unavailable');
    await this.options.life.while(this.options.shim.startPause(sandbox));
    this.watchPause(sandbox);
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

  /** Makes a container; it does not run. @throws CriError when its image is not there */
  protected newContainer(sandbox: Sandbox, config: cri.ContainerConfig): Container {
    const { state, history, images, newId } = this.options;
    const image = images.resolve(config.image.image);
    if (!image)
      throw new cri.CriError('NotFound', `failed to resolve image "${config.image.image}": not found`);
    const container = new Container({
      id: newId(),
      sandbox,
      config,
      image,
      createdAtMs: this.now(),
      cgroup: new Cgroup(config.resources?.memoryLimitBytes),
    });
    state.containers.set(container.id, container);
    sandbox.containers.add(container);
    history.record({ event: 'container-created', ...containerOf(container) });
    return container;
  }

  /**
   * Starts the first process of a container.
   *
   * @returns why it could not; undefined when it runs
   */
  protected async launch(container: Container): Promise<string | undefined> {
    const { life, shim, canFork } = this.options;
    if (!canFork()) return 'fork/exec /proc/self/exe: resource temporarily unavailable';
    return life.while(shim.start(container).catch((error: Error) => error.message));
  }

  /** Notes the end of a container when it comes. */
  protected watch(container: Container): void {
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

  /** Sends the stop signal, once, and SIGKILL when the time is over. Returns when the exit is known. */
  protected async stop(container: Container, timeoutSeconds: number): Promise<void> {
    const { life } = this.options;
    if (container.state !== 'CONTAINER_RUNNING') return;
    if (timeoutSeconds > 0) {
      if (!this.signalled.has(container)) {
        this.signalled.add(container);
        container.task?.signal(stopSignalOf(container));
      }
      if (await life.within(container.stopped, timeoutSeconds * 1_000)) return;
    }
    container.task?.signal('SIGKILL');
    await life.while(container.stopped);
  }

  protected forgetContainer(container: Container): void {
    const { state, history } = this.options;
    if (!state.containers.delete(container.id)) return;
    container.sandbox.containers.delete(container);
    history.record({ event: 'container-removed', ...containerOf(container) });
    container.files?.remove();
  }
}

function stopSignalOf({ image }: Container): Signal {
  const { stopSignal = 'SIGTERM' } = image.config;
  return Object.hasOwn(signals, stopSignal) ? (stopSignal as Signal) : 'SIGTERM';
}
