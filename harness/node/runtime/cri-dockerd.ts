import * as cri from '../../contracts/node/cri/index.ts';
import { containerName, sandboxName } from './names.ts';
import { Runtime, stopSignalOf } from './runtime.ts';
import type { Sandbox } from './sandbox.ts';
import type { Convert } from './views.ts';

/** Docker's exit code for a missing command. */
const NOT_FOUND = 127;

/**
 * cri-dockerd runs a sandbox as an ordinary Docker container. So the sandbox runs before it has a network, stays after
 * a failure, and stops without the containers that share its network. Docker's errors have no gRPC code, so they become
 * `Unknown`.
 *
 * Upstream: Mirantis/cri-dockerd@v0.4.3 core/sandbox_run.go, sandbox_stop.go, sandbox_remove.go, container_create.go,
 * container_start.go, container_stop.go, container_remove.go, container_status.go, container_exec.go, exec.go, helpers.go
 */
export class CriDockerd extends Runtime {
  readonly #names = new Map<string, string>();
  /** The sandboxes that Docker is about to start. */
  readonly #making = new WeakSet<Sandbox>();

  protected readonly noNetwork = {
    error: 'cni config uninitialized',
    message: 'docker: network plugin is not ready: cni config uninitialized',
  };

  protected readonly convert: Convert = {
    // Docker lists the newest container first.
    order: (list) => [...list].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1)),
    imageRef: ({ image }, where) =>
      where === 'list' ? image.id : `docker-pullable://${image.repoDigests[0] ?? image.id}`,
    ips: ({ ips }) => ips,
    exitReason: ({ exitCode }) => (exitCode === 0 ? 'Completed' : 'Error'),
  };

  async version(): Promise<cri.RuntimeVersion> {
    return { runtimeName: 'docker', runtimeVersion: '28.5.2' };
  }

  async runPodSandbox(config: cri.PodSandboxConfig): Promise<string> {
    await this.ensureSandboxImage(config);
    this.#makeRoom(config);
    const sandbox = this.newSandbox(config);
    this.#names.set(sandboxName(config.metadata), sandbox.id);
    sandbox.listed = true;
    this.#making.add(sandbox);
    if (config.network === 'pod') this.newNamespace(sandbox);
    await this.startPause(sandbox).catch((error: Error) => {
      this.#making.delete(sandbox);
      throw new Error(
        `failed to start sandbox container for pod "${config.metadata.name}": ${error.message}`,
      );
    });
    this.#making.delete(sandbox);
    sandbox.state = 'SANDBOX_READY';
    if (config.network === 'pod') await this.#network(sandbox);
    this.becomeReady(sandbox);
    return sandbox.id;
  }

  /**
   * Checks that a sandbox can get its name. An older sandbox that does not run loses the name, but its checkpoint
   * stays, so that it can still be stopped.
   * @throws Error when the older sandbox runs or is about to run
   */
  #makeRoom({ metadata }: cri.PodSandboxConfig): void {
    const id = this.#names.get(sandboxName(metadata));
    const before = id === undefined ? undefined : this.options.state.sandboxes.get(id);
    if (!before) return;
    if (before.pause?.alive || before.state === 'SANDBOX_READY' || this.#making.has(before)) {
      throw new Error(
        `failed to create a sandbox for pod "${metadata.name}": ${conflict(`k8s_POD_${sandboxName(metadata)}`, before.id)}`,
      );
    }
  }

  async #network(sandbox: Sandbox): Promise<void> {
    const { name } = sandbox.config.metadata;
    try {
      await this.setUpNetwork(sandbox);
    } catch (error) {
      const errors = [
        `failed to set up sandbox container "${sandbox.id}" network for pod "${name}": networkPlugin cni failed to set up pod "${name}_${sandbox.config.metadata.namespace}" network: ${(error as Error).message}`,
      ];
      await this.tearDownNetwork(sandbox).catch((reason: Error) => {
        errors.push(
          `failed to clean up sandbox container "${sandbox.id}" network for pod "${name}": ${reason.message}`,
        );
      });
      await this.killPause(sandbox);
      throw aggregate(errors);
    }
  }

  /** Stops only the sandbox: its containers continue to run. */
  async stopPodSandbox(podSandboxId: string): Promise<void> {
    const sandbox = this.options.state.sandboxes.get(podSandboxId);
    if (!sandbox) return;
    const errors: string[] = [];
    if (sandbox.config.network === 'pod' && !sandbox.networkStopped) {
      await this.tearDownNetwork(sandbox).then(
        () => {
          sandbox.networkStopped = true;
        },
        (error: Error) => {
          const { name, namespace } = sandbox.config.metadata;
          errors.push(
            `networkPlugin cni failed to teardown pod "${name}_${namespace}" network: ${error.message}`,
          );
        },
      );
    }
    await this.killPause(sandbox);
    if (errors.length > 0) throw aggregate(errors);
    this.removeNamespace(sandbox);
  }

  protected override async tearDownNetwork(sandbox: Sandbox): Promise<void> {
    await this.mustHaveNetwork();
    await super.tearDownNetwork(sandbox);
  }

  async removePodSandbox(podSandboxId: string): Promise<void> {
    const sandbox = this.options.state.sandboxes.get(podSandboxId);
    if (!sandbox) return;
    for (const { id } of [...sandbox.containers]) await this.removeContainer(id);
    await this.killPause(sandbox);
    await this.takes(this.options.timings.removeMs);
    this.removeNamespace(sandbox);
    this.#release(sandboxName(sandbox.config.metadata), podSandboxId);
    await this.forgetSandbox(sandbox);
  }

  async createContainer(podSandboxId: string, config: cri.ContainerConfig): Promise<string> {
    const sandbox = this.sandbox(podSandboxId);
    const name = containerName(sandbox, config);
    await this.takes(this.options.timings.createMs);
    const before = this.options.state.containers.get(this.#names.get(name) ?? '');
    if (before?.task?.alive) throw new Error(conflict(`k8s_${name}`, before.id));
    if (before) await this.forgetContainer(before);
    const container = await this.newContainer(sandbox, config);
    this.#names.set(name, container.id);
    return container.id;
  }

  async startContainer(containerId: string): Promise<void> {
    const container = this.container(containerId);
    await this.takes(this.options.timings.startMs);
    // Docker reports no error.
    if (container.state === 'CONTAINER_RUNNING') return;
    const failed = `failed to start container "${containerId}": Error response from daemon`;
    if (!container.sandbox.pause?.alive) {
      throw new Error(`${failed}: cannot join network of a non running container: ${container.sandbox.id}`);
    }
    if (this.starting.has(container)) throw new Error(`${failed}: container is already being started`);
    if (container.state !== 'CONTAINER_CREATED') throw new Error(`${failed}: it has run already`);
    this.starting.add(container);
    const failure = await this.launch(container);
    this.starting.delete(container);
    if (failure === undefined) return;
    const message = `failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${failure}: unknown`;
    container.state = 'CONTAINER_EXITED';
    container.startedAtMs = container.createdAtMs;
    container.finishedAtMs = container.createdAtMs;
    container.exitCode = NOT_FOUND;
    container.reason = 'ContainerCannotRun';
    container.message = message;
    container.noteStopped();
    throw new Error(`${failed}: ${message}`);
  }

  /** Every stop sends the signal again, and waits for its own timeout. */
  async stopContainer(containerId: string, timeoutSeconds: number): Promise<void> {
    const container = this.options.state.containers.get(containerId);
    if (!container) throw new cri.CriError('NotFound', noSuch(containerId));
    if (container.state !== 'CONTAINER_RUNNING') return;
    if (timeoutSeconds > 0) {
      container.task?.signal(stopSignalOf(container));
      if (await this.options.life.within(container.stopped, timeoutSeconds * 1_000)) return;
    }
    await this.kill(container);
  }

  async removeContainer(containerId: string): Promise<void> {
    const { state, timings } = this.options;
    const container = state.containers.get(containerId);
    if (!container) {
      const inspect = `failed to inspect container "${containerId}": ${noSuch(containerId)}`;
      throw new Error(`failed to get container "${containerId}" log path: ${inspect}`);
    }
    if (this.removing.has(container)) {
      throw new Error(
        `failed to remove container "${containerId}": Error response from daemon: removal of container ${containerId} is already in progress`,
      );
    }
    this.removing.add(container);
    if (container.state === 'CONTAINER_RUNNING') await this.kill(container);
    await this.takes(timings.removeMs);
    this.#release(containerName(container.sandbox, container.config), containerId);
    await this.forgetContainer(container);
    this.removing.delete(container);
  }

  /** Releases a name, unless another container has it by now. */
  #release(name: string, id: string): void {
    if (this.#names.get(name) === id) this.#names.delete(name);
  }

  /** Stops waiting for a command after the timeout, but does not kill it. */
  async execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<cri.ExecSyncResponse> {
    const container = this.container(containerId);
    if (container.state !== 'CONTAINER_RUNNING') throw new Error(`container not running (${containerId})`);
    const { shim, timings, life } = this.options;
    await this.takes(timings.execMs);
    const exec = shim.exec(container, command);
    if (typeof exec === 'string') {
      return {
        stdout: `OCI runtime exec failed: exec failed: unable to start container process: ${exec}: unknown\r\n`,
        stderr: '',
        exitCode: NOT_FOUND,
      };
    }
    if (timeoutSeconds > 0 && !(await life.within(exec.result, timeoutSeconds * 1_000))) {
      throw new cri.CriError('DeadlineExceeded', 'context deadline exceeded');
    }
    return life.while(exec.result);
  }

  /** Rebuilds the state from Docker, because cri-dockerd stores no state. */
  recover(): void {
    const { state } = this.options;
    for (const sandbox of state.sandboxes.values()) {
      this.#names.set(sandboxName(sandbox.config.metadata), sandbox.id);
      sandbox.networkStopped = false;
      if (sandbox.pause?.alive) {
        sandbox.state = 'SANDBOX_READY';
        this.watchPause(sandbox);
      } else sandbox.state = 'SANDBOX_NOTREADY';
    }
    for (const container of state.containers.values()) {
      this.#names.set(containerName(container.sandbox, container.config), container.id);
      this.recoverContainer(container, '');
    }
  }

  protected absent(_: 'sandbox' | 'container', id: string): cri.CriError {
    return new cri.CriError('Unknown', noSuch(id));
  }
}

function noSuch(id: string): string {
  return `Error response from daemon: No such container: ${id}`;
}

function conflict(name: string, id: string): string {
  return `Error response from daemon: Conflict. The container name "/${name}" is already in use by container "${id}". You have to remove (or rename) that container to be able to reuse that name.`;
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/errors/errors.go Aggregate */
function aggregate(messages: readonly string[]): Error {
  return new Error(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
}
