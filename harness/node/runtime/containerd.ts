import * as cri from '../../contracts/node/cri/index.ts';
import { containerName, sandboxName } from './names.ts';
import { Runtime, stopSignalOf } from './runtime.ts';
import type { Container, Sandbox } from './sandbox.ts';
import type { Convert } from './views.ts';

/** Upstream: containerd/containerd@v2.3.3 internal/cri/server/helpers.go errorStartExitCode */
const START_ERROR = 128;

/**
 * containerd sets up the network first, then starts the first process. It cleans up after a failure. The sandbox stays,
 * not ready, only if the network cannot be released.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/sandbox_run.go, sandbox_stop.go, sandbox_remove.go,
 * container_create.go, container_start.go, container_stop.go, container_remove.go, container_execsync.go, restart.go
 */
export class Containerd extends Runtime {
  /** The reserved names of pods and containers, each with its attempt, and the id that holds the name. */
  readonly #reserved = new Map<string, string>();
  readonly #signalled = new WeakSet<Container>();

  protected readonly noNetwork = {
    error: 'cni plugin not initialized',
    message: 'Network plugin returns error: cni plugin not initialized',
  };

  protected readonly convert: Convert = {
    // Its store is a Go map, so the order is arbitrary and has no meaning.
    order: (list) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1)),
    imageRef: ({ image }, where) => (where === 'list' ? image.id : (image.repoDigests[0] ?? image.id)),
    ips: ({ ips }) => ips,
    exitReason: ({ exitCode }) => (exitCode === 0 ? 'Completed' : 'Error'),
  };

  async version(): Promise<cri.RuntimeVersion> {
    return { runtimeName: 'containerd', runtimeVersion: 'v2.3.3' };
  }

  async runPodSandbox(config: cri.PodSandboxConfig): Promise<string> {
    const sandbox = this.newSandbox(config);
    const name = sandboxName(config.metadata);
    try {
      this.#reserve(name, sandbox.id, 'sandbox');
    } catch (error) {
      this.options.state.sandboxes.delete(sandbox.id);
      throw error;
    }
    try {
      if (config.network === 'pod') {
        this.newNamespace(sandbox);
        await this.setUpNetwork(sandbox).catch((error: Error) => {
          throw new Error(`failed to setup network for sandbox "${sandbox.id}": ${error.message}`);
        });
      }
      await this.ensureSandboxImage(config);
      await this.startPause(sandbox);
    } catch (error) {
      await this.#cleanUp(sandbox, name);
      throw error;
    }
    this.becomeReady(sandbox);
    return sandbox.id;
  }

  /**
   * Cleans up after a failed start. A sandbox whose network cannot be released stays, and a kubelet stops it again
   * later.
   */
  async #cleanUp(sandbox: Sandbox, name: string): Promise<void> {
    if (sandbox.netns !== '') {
      const hadNetwork = sandbox.network !== undefined;
      try {
        await this.tearDownNetwork(sandbox);
      } catch {
        if (hadNetwork) {
          sandbox.listed = true;
          return;
        }
      }
      this.removeNamespace(sandbox);
    }
    this.#reserved.delete(name);
    this.options.state.sandboxes.delete(sandbox.id);
  }

  async stopPodSandbox(podSandboxId: string): Promise<void> {
    const sandbox = this.options.state.sandboxes.get(podSandboxId);
    if (sandbox?.listed) await this.#stopSandbox(sandbox);
  }

  async #stopSandbox(sandbox: Sandbox): Promise<void> {
    for (const container of [...sandbox.containers]) await this.#stop(container, 0);
    await this.killPause(sandbox);
    if (sandbox.config.network === 'node') return;
    const hadNetwork = sandbox.network !== undefined;
    try {
      await this.tearDownNetwork(sandbox);
    } catch (error) {
      // containerd ignores the error if the network was never set up completely.
      if (hadNetwork) {
        throw new Error(`failed to destroy network for sandbox "${sandbox.id}": ${(error as Error).message}`);
      }
    }
    this.removeNamespace(sandbox);
  }

  protected override async tearDownNetwork(sandbox: Sandbox): Promise<void> {
    await this.mustHaveNetwork();
    await super.tearDownNetwork(sandbox);
  }

  async removePodSandbox(podSandboxId: string): Promise<void> {
    const sandbox = this.options.state.sandboxes.get(podSandboxId);
    if (!sandbox?.listed) return;
    await this.#stopSandbox(sandbox).catch((error: Error) => {
      throw new Error(`failed to forcibly stop sandbox "${sandbox.id}": ${error.message}`);
    });
    for (const { id } of [...sandbox.containers]) await this.removeContainer(id);
    await this.takes(this.options.timings.removeMs);
    this.#reserved.delete(sandboxName(sandbox.config.metadata));
    await this.forgetSandbox(sandbox);
  }

  async createContainer(podSandboxId: string, config: cri.ContainerConfig): Promise<string> {
    const { sandboxes } = this.options.state;
    const sandbox = sandboxes.get(podSandboxId);
    if (!sandbox?.listed) {
      throw new cri.CriError('NotFound', `failed to find sandbox id "${podSandboxId}": not found`);
    }
    this.#mustRun(sandbox);
    const name = containerName(sandbox, config);
    this.#reserve(name, '', 'container');
    try {
      await this.takes(this.options.timings.createMs);
      const container = await this.newContainer(sandbox, config);
      this.#reserved.set(name, container.id);
      return container.id;
    } catch (error) {
      this.#reserved.delete(name);
      throw error;
    }
  }

  async startContainer(containerId: string): Promise<void> {
    const container = this.container(containerId);
    if (container.state !== 'CONTAINER_CREATED') throw new Error(`container is in ${container.state} state`);
    if (this.removing.has(container)) throw new Error("container is in removing state, can't be started");
    if (this.starting.has(container)) throw new Error('container is already in starting state');
    this.starting.add(container);
    try {
      this.#mustRun(container.sandbox);
      await this.takes(this.options.timings.startMs);
      const failure = await this.launch(container);
      if (failure !== undefined) this.#failToStart(container, failure);
    } finally {
      this.starting.delete(container);
    }
  }

  #failToStart(container: Container, failure: string): never {
    const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${failure}`;
    container.state = 'CONTAINER_EXITED';
    container.finishedAtMs = this.now();
    container.exitCode = START_ERROR;
    container.reason = 'StartError';
    container.message = message;
    container.noteStopped();
    throw new Error(message);
  }

  async stopContainer(containerId: string, timeoutSeconds: number): Promise<void> {
    const container = this.options.state.containers.get(containerId);
    if (container) await this.#stop(container, timeoutSeconds);
  }

  async removeContainer(containerId: string): Promise<void> {
    const container = this.options.state.containers.get(containerId);
    if (!container) return;
    await this.#stop(container, 0);
    if (this.starting.has(container)) {
      throw new Error(this.#cannotRemove(container, "container is in starting state, can't be removed"));
    }
    if (this.removing.has(container)) {
      throw new Error(this.#cannotRemove(container, 'container is already in removing state'));
    }
    this.removing.add(container);
    await this.takes(this.options.timings.removeMs);
    this.#reserved.delete(containerName(container.sandbox, container.config));
    await this.forgetContainer(container);
    this.removing.delete(container);
  }

  /** Sends the stop signal only once: a second stop only waits, and then kills. */
  async #stop(container: Container, timeoutSeconds: number): Promise<void> {
    if (container.state !== 'CONTAINER_RUNNING' && container.state !== 'CONTAINER_UNKNOWN') return;
    if (timeoutSeconds > 0) {
      if (!this.#signalled.has(container)) {
        this.#signalled.add(container);
        container.task?.signal(stopSignalOf(container));
      }
      if (await this.options.life.within(container.stopped, timeoutSeconds * 1_000)) return;
    }
    await this.kill(container);
  }

  #cannotRemove({ id }: Container, why: string): string {
    return `failed to set removing state for container "${id}": ${why}`;
  }

  async execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<cri.ExecSyncResponse> {
    const { state, shim, timings, life } = this.options;
    const failed = 'failed to exec in container';
    const container = state.containers.get(containerId);
    if (!container) {
      throw new cri.CriError(
        'NotFound',
        `${failed}: failed to find container "${containerId}" in store: not found`,
      );
    }
    if (container.state !== 'CONTAINER_RUNNING') {
      throw new Error(`${failed}: container is in ${container.state} state`);
    }
    await this.takes(timings.execMs);
    const exec = shim.exec(container, command);
    if (typeof exec === 'string') {
      throw new Error(
        `${failed}: failed to start exec "${this.options.newId()}": OCI runtime exec failed: exec failed: unable to start container process: ${exec}`,
      );
    }
    if (timeoutSeconds > 0 && !(await life.within(exec.result, timeoutSeconds * 1_000))) {
      exec.task.signal('SIGKILL');
      throw new cri.CriError(
        'DeadlineExceeded',
        `${failed}: timeout ${timeoutSeconds}s exceeded: context deadline exceeded`,
      );
    }
    return life.while(exec.result);
  }

  /**
   * Restores the state after a restart. The shims have kept the containers; a container that has disappeared exited
   * with an unknown code.
   */
  recover(): void {
    const { state } = this.options;
    for (const sandbox of state.sandboxes.values()) {
      // The sandbox was stored before its network was set up; a kubelet finds it not ready.
      sandbox.listed = true;
      this.#reserved.set(sandboxName(sandbox.config.metadata), sandbox.id);
      if (sandbox.pause?.alive) this.watchPause(sandbox);
      else sandbox.state = 'SANDBOX_NOTREADY';
    }
    for (const container of state.containers.values()) {
      this.#reserved.set(containerName(container.sandbox, container.config), container.id);
      this.recoverContainer(container, 'Unknown');
    }
  }

  protected absent(kind: 'sandbox' | 'container', id: string): cri.CriError {
    return new cri.CriError(
      'NotFound',
      kind === 'sandbox'
        ? 'an error occurred when try to find sandbox: not found'
        : `an error occurred when try to find container "${id}": not found`,
    );
  }

  #mustRun({ id, state }: Sandbox): void {
    if (state !== 'SANDBOX_READY') throw new Error(`sandbox container "${id}" is not running`);
  }

  #reserve(name: string, id: string, kind: string): void {
    const holder = this.#reserved.get(name);
    if (holder !== undefined) {
      throw new Error(`failed to reserve ${kind} name "${name}": name "${name}" is reserved for "${holder}"`);
    }
    this.#reserved.set(name, id);
  }
}
