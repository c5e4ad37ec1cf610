import * as cri from '../../contracts/node/cri/index.ts';
import { NETWORK_CONFIGURATION } from '../cni/installed-network.ts';
import { containerName, sandboxName } from './names.ts';
import { Runtime, stopSignalOf } from './runtime.ts';
import type { Container, Sandbox } from './sandbox.ts';
import { sandboxOf } from './shim.ts';
import type { Convert } from './views.ts';

/** A kubelet waits two minutes for an answer, so CRI-O must finish a call before then. */
const CALL_TIMEOUT_SECONDS = 119;
/**
 * The part of this time that CRI-O reserves for the sandbox itself. Upstream: cri-o/cri-o@v1.36.3
 * server/sandbox_stop_linux.go infraReservedTimeout
 */
const INFRA_RESERVED_SECONDS = 1;
/**
 * How often it checks a container that it stops. Upstream: cri-o/cri-o@v1.36.3 internal/oci/runtime_oci.go
 * stopProcessWatchSleep
 */
const WATCH_MS = 100;
const NO_CONFIGURATION = `no CNI configuration file in ${NETWORK_CONFIGURATION}/. Has your network provider started?`;
const KILLED = 137;
/**
 * How often it checks after its start whether the network is ready. Upstream: cri-o/cri-o@v1.36.3
 * internal/config/cnimgr/cnimgr.go initPollInterval
 */
const CNI_POLL_MS = 500;

/**
 * CRI-O implements a sandbox as namespaces without a process. The OCI runtime sets up a container at its creation. A
 * repeated request returns the existing object, and a reboot erases all sandboxes and containers.
 *
 * Upstream: cri-o/cri-o@v1.36.3 server/sandbox_run_linux.go, sandbox_stop_linux.go, sandbox_remove.go, sandbox_network.go,
 * container_create.go, container_start.go, container_stop.go, container_remove.go, container_execsync.go, server.go
 */
export class CriO extends Runtime {
  readonly #names = new Map<string, string>();
  /** The sandboxes that are being stopped. They accept no new containers. */
  readonly #closed = new WeakSet<Sandbox>();
  /** When a container that is being stopped will be killed, in ms since 1970, and callbacks for an earlier time. */
  readonly #stopping = new Map<Container, { killAtMs: number; readonly sooner: Set<() => void> }>();

  protected readonly noNetwork = {
    error: NO_CONFIGURATION,
    message: `Network plugin returns error: ${NO_CONFIGURATION}`,
  };

  protected readonly convert: Convert = {
    order: (list) => [...list].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1)),
    untagged: ({ image }) => image.repoDigests[0],
    imageRef: ({ image }) => image.repoDigests[0] ?? image.id,
    ips: ({ lastIPs }) => lastIPs,
    exitReason: ({ exitCode }) => (exitCode === 0 ? 'Completed' : 'Error'),
  };

  async version(): Promise<cri.RuntimeVersion> {
    return { runtimeName: 'cri-o', runtimeVersion: '1.36.3' };
  }

  async runPodSandbox(config: cri.PodSandboxConfig): Promise<string> {
    const name = sandboxName(config.metadata);
    const existing = this.#names.get(name);
    if (existing !== undefined) {
      if (this.options.state.sandboxes.get(existing)?.listed) return existing;
      throw new Error(`error reserving pod name ${name}: name is reserved`);
    }
    const sandbox = this.newSandbox(config);
    this.#names.set(name, sandbox.id);
    try {
      if (config.network === 'pod') {
        this.newNamespace(sandbox);
        await this.setUpNetwork(sandbox).catch((error: Error) => {
          throw new Error(`failed to create pod network sandbox ${told(sandbox)}: ${error.message}`);
        });
      }
      await this.takes(this.options.timings.runSandboxMs);
      await this.prepare(sandbox);
    } catch (error) {
      await this.#takeBackNetwork(sandbox).catch(() => {});
      this.removeNamespace(sandbox);
      this.#names.delete(name);
      this.options.state.sandboxes.delete(sandbox.id);
      throw error;
    }
    this.becomeReady(sandbox);
    return sandbox.id;
  }

  /** Releases the network. It does so once, even if the attempt fails. */
  async #takeBackNetwork(sandbox: Sandbox): Promise<void> {
    if (sandbox.config.network === 'node' || sandbox.networkStopped) return;
    sandbox.networkStopped = true;
    await this.tearDownNetwork(sandbox).catch((error: Error) => {
      this.removeNamespace(sandbox);
      throw new Error(`network teardown failed for pod sandbox ${told(sandbox)}: ${error.message}`);
    });
  }

  async stopPodSandbox(podSandboxId: string): Promise<void> {
    const sandbox = this.options.state.sandboxes.get(podSandboxId);
    if (sandbox?.listed) await this.#stopSandbox(sandbox);
  }

  async #stopSandbox(sandbox: Sandbox): Promise<void> {
    this.#closed.add(sandbox);
    await this.#takeBackNetwork(sandbox);
    if (sandbox.state === 'SANDBOX_NOTREADY') return;
    const seconds = CALL_TIMEOUT_SECONDS - INFRA_RESERVED_SECONDS;
    await Promise.all([...sandbox.containers].map((container) => this.#stop(container, seconds)));
    this.removeNamespace(sandbox);
    // A concurrent call may have stopped the sandbox already.
    if (!isReady(sandbox)) return;
    sandbox.state = 'SANDBOX_NOTREADY';
    this.options.history.record({ event: 'sandbox-stopped', ...sandboxOf(sandbox) });
  }

  async removePodSandbox(podSandboxId: string): Promise<void> {
    const sandbox = this.options.state.sandboxes.get(podSandboxId);
    if (sandbox?.listed) await this.#removeSandbox(sandbox);
  }

  async #removeSandbox(sandbox: Sandbox): Promise<void> {
    this.#closed.add(sandbox);
    for (const container of [...sandbox.containers]) await this.#remove(container);
    if (isReady(sandbox)) {
      sandbox.state = 'SANDBOX_NOTREADY';
      this.options.history.record({ event: 'sandbox-stopped', ...sandboxOf(sandbox) });
    }
    await this.#takeBackNetwork(sandbox).catch((error: Error) => {
      throw new Error(`stop pod network: ${error.message}`);
    });
    this.removeNamespace(sandbox);
    await this.takes(this.options.timings.removeMs);
    this.#names.delete(sandboxName(sandbox.config.metadata));
    await this.forgetSandbox(sandbox);
  }

  /**
   * Rejects a container whose command does not exist, because the OCI runtime sets up the container at its creation.
   */
  async createContainer(podSandboxId: string, config: cri.ContainerConfig): Promise<string> {
    const { state, shim, timings } = this.options;
    const sandbox = state.sandboxes.get(podSandboxId);
    if (!sandbox?.listed) throw new Error(`specified sandbox not found: ${podSandboxId}`);
    this.#mustBeOpen(sandbox);
    const name = containerName(sandbox, config);
    const existing = this.#names.get(name);
    if (existing !== undefined) {
      if (state.containers.has(existing)) return existing;
      throw new Error(`error reserving ctr name ${name}: name is reserved`);
    }
    this.#names.set(name, '');
    try {
      await this.takes(timings.createMs);
      this.#mustBeOpen(sandbox);
      const command = shim.refusal(config, this.image(config));
      if (command !== undefined) {
        throw new Error(
          `container create failed: executable file \`${command}\` not found in $PATH: No such file or directory`,
        );
      }
      const container = await this.newContainer(sandbox, config);
      this.#names.set(name, container.id);
      return container.id;
    } catch (error) {
      this.#names.delete(name);
      throw error;
    }
  }

  #mustBeOpen(sandbox: Sandbox): void {
    if (this.lives(sandbox)) return;
    throw new Error(`CreateContainer failed as the sandbox was stopped: ${sandbox.id}`);
  }

  protected override lives(sandbox: Sandbox): boolean {
    return isReady(sandbox) && !this.#closed.has(sandbox);
  }

  async startContainer(containerId: string): Promise<void> {
    const container = this.container(containerId);
    const mustBeCreated = (): void => {
      if (container.state === 'CONTAINER_CREATED' && !this.removing.has(container)) return;
      const is = container.state === 'CONTAINER_RUNNING' ? 'running' : 'stopped';
      throw new Error(`container ${container.id} is not in created state: ${is}`);
    };
    mustBeCreated();
    await this.takes(this.options.timings.startMs);
    mustBeCreated();
    const failure = await this.launch(container);
    if (failure === undefined) return;
    await this.#remove(container);
    throw new Error(`failed to start container ${container.id}: ${failure}`);
  }

  async stopContainer(containerId: string, timeoutSeconds: number): Promise<void> {
    const container = this.options.state.containers.get(containerId);
    if (container) await this.#stop(container, timeoutSeconds);
  }

  /**
   * Stops a container. The first stop sends the signal; a later stop can only make the kill happen sooner. A container
   * that was never started counts as killed. CRI-O checks for the exit ten times a second.
   */
  async #stop(container: Container, timeoutSeconds: number): Promise<void> {
    if (container.state === 'CONTAINER_CREATED') return this.#discard(container);
    if (container.state !== 'CONTAINER_RUNNING' && container.state !== 'CONTAINER_UNKNOWN') return;
    const beganMs = this.now();
    const killAtMs = beganMs + timeoutSeconds * 1_000;
    const before = this.#stopping.get(container);
    if (before) {
      if (killAtMs < before.killAtMs) {
        before.killAtMs = killAtMs;
        for (const wake of before.sooner) wake();
      }
      return this.#untilStopped(container, beganMs);
    }
    const stopping = { killAtMs, sooner: new Set<() => void>() };
    this.#stopping.set(container, stopping);
    if (timeoutSeconds > 0) container.task?.signal(stopSignalOf(container));
    for (;;) {
      const leftMs = Math.max(0, stopping.killAtMs - this.now());
      const changed = new Promise<void>((resolve) => {
        stopping.sooner.add(resolve);
      });
      const something = Promise.race([container.stopped, changed]);
      const inTime = leftMs > 0 && (await this.options.life.within(something, leftMs));
      if (hasExited(container)) break;
      if (inTime) continue;
      await this.kill(container);
      break;
    }
    this.#stopping.delete(container);
    await this.#untilStopped(container, beganMs);
  }

  async #untilStopped(container: Container, beganMs: number): Promise<void> {
    await this.options.life.while(container.stopped);
    const passedMs = this.now() - beganMs;
    if (passedMs % WATCH_MS > 0) await this.takes(WATCH_MS - (passedMs % WATCH_MS));
  }

  #discard(container: Container): void {
    container.state = 'CONTAINER_EXITED';
    container.exitCode = KILLED;
    container.finishedAtMs = this.now();
    container.noteStopped();
  }

  async removeContainer(containerId: string): Promise<void> {
    const container = this.options.state.containers.get(containerId);
    if (container) await this.#remove(container);
  }

  async #remove(container: Container): Promise<void> {
    this.removing.add(container);
    if (isReady(container.sandbox)) await this.#stop(container, CALL_TIMEOUT_SECONDS);
    else if (container.task?.alive) await this.kill(container);
    await this.takes(this.options.timings.removeMs);
    this.#names.delete(containerName(container.sandbox, container.config));
    await this.forgetContainer(container);
    this.removing.delete(container);
  }

  async execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<cri.ExecSyncResponse> {
    const container = this.options.state.containers.get(containerId);
    if (!container) throw this.absent('container', containerId);
    if (!container.task?.alive) {
      throw new cri.CriError('NotFound', `container is not created or running: ${containerId}`);
    }
    const { shim, timings, life } = this.options;
    await this.takes(timings.execMs);
    const exec = shim.exec(container, command);
    if (typeof exec === 'string') {
      const [name = ''] = command;
      throw new Error(
        `command error: executable file \`${name}\` not found in $PATH: No such file or directory, stdout: , stderr: , exit code -1`,
      );
    }
    if (timeoutSeconds > 0 && !(await life.within(exec.result, timeoutSeconds * 1_000))) {
      exec.task.signal('SIGKILL');
      return { stdout: '', stderr: 'command timed out', exitCode: -1 };
    }
    return life.while(exec.result);
  }

  /**
   * After a reboot, removes all sandboxes and containers. Otherwise keeps complete sandboxes and removes incomplete
   * ones.
   */
  recover(rebooted: boolean): void {
    const { state } = this.options;
    for (const sandbox of state.sandboxes.values()) {
      this.#names.set(sandboxName(sandbox.config.metadata), sandbox.id);
      if (rebooted) sandbox.state = 'SANDBOX_NOTREADY';
    }
    for (const container of state.containers.values()) {
      this.#names.set(containerName(container.sandbox, container.config), container.id);
      this.recoverContainer(container, '');
    }
    for (const sandbox of [...state.sandboxes.values()]) {
      if (rebooted || !sandbox.listed) void this.#removeSandbox(sandbox).catch(() => {});
    }
    if (this.options.plugin.gc) void this.#collectNetworks();
  }

  /**
   * Makes the network plugin release all attachments except those of the sandboxes known at the start, as soon as the
   * plugin is ready.
   *
   * Upstream: cri-o/cri-o@v1.36.3 internal/config/cnimgr/cnimgr.go CNIManager.GC, statusPollFunc
   */
  async #collectNetworks(): Promise<void> {
    const { state, plugin } = this.options;
    const valid = [...state.sandboxes.values()]
      .filter(({ listed }) => listed)
      .map(({ id }) => ({ containerID: id, ifname: 'eth0' }));
    while ((await this.networkProblem()) !== undefined) await this.takes(CNI_POLL_MS);
    await plugin.gc?.(valid).catch(() => {});
  }

  protected absent(kind: 'sandbox' | 'container', id: string): cri.CriError {
    const what = kind === 'sandbox' ? 'pod' : 'container';
    return new cri.CriError(
      'NotFound',
      `could not find ${what} "${id}": ${kind === 'sandbox' ? 'PodSandbox' : 'container'} with ID starting with ${id} not found: ID does not exist`,
    );
  }
}

function hasExited({ state }: Container): boolean {
  return state === 'CONTAINER_EXITED';
}

function isReady({ state }: Sandbox): boolean {
  return state === 'SANDBOX_READY';
}

/** Upstream: cri-o/cri-o@v1.36.3 server/naming.go makeSandboxContainerName */
function told({ id, config }: Sandbox): string {
  const { name, namespace, uid, attempt } = config.metadata;
  return `k8s_${name}_${namespace}_${uid}_${attempt}(${id})`;
}
