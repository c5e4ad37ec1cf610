import type * as core from '#api/core/v1';
import { keyOf, type Pod } from '../../../api/objects.ts';
import { pods } from '../../../api/resource.ts';
import { hasReason } from '../../../api/status.ts';
import type { NodeComponent, NodeComponentContext } from '../../../contracts/component.ts';
import type * as cri from '../../../contracts/node/cri/index.ts';
import type { ProbeManager, ProbeUpdate } from '../../../contracts/node/probe-manager.ts';
import { formatTime } from '../../../sim/index.ts';

/** The interval between two lists of pods and containers. */
const RELIST_MS = 500;

/**
 * The part of a kubelet that probes need: it starts the containers of its pods, makes their status, and kills and
 * restarts failed containers. It has no back-off, no volumes and no retries. It uses the machine alone, so that kata 42
 * needs no other kata.
 */
export const smallKubelet: NodeComponent = async (context) => {
  const own = new Map<string, SmallPod>();
  const probes = context.newProbeManager({
    statusOf: (uid) => own.get(uid)?.status,
    onUpdate: (update) => own.get(update.podUID)?.hear(update),
  });
  while (!context.signal.aborted) {
    const { items } = await context.client.list(pods);
    const mine = items.filter((pod) => pod.spec?.nodeName === context.node);
    for (const pod of mine) {
      const { uid } = pod.metadata;
      const one = own.get(uid) ?? new SmallPod(context, probes);
      own.set(uid, one);
      await one.sync(pod);
    }
    probes.cleanupPods(new Set(mine.map(({ metadata }) => metadata.uid)));
    await context.clock.sleep(RELIST_MS, context.signal);
  }
};

interface Sandbox {
  readonly id: string;
  readonly config: cri.PodSandboxConfig;
}

class SmallPod {
  readonly #context: NodeComponentContext;
  readonly #probes: ProbeManager;
  /** The IDs of the runtime, by container name. */
  readonly #ids = new Map<string, string>();
  readonly #starts = new Map<string, number>();
  readonly #toKill = new Set<string>();
  #sandbox: Sandbox | undefined;
  /** The last status sent to the API. */
  #reported = '';
  status: Pod['status'] | undefined;

  constructor(context: NodeComponentContext, probes: ProbeManager) {
    this.#context = context;
    this.#probes = probes;
  }

  hear({ type, containerID, result }: ProbeUpdate): void {
    if (type !== 'readiness' && result === 'Failure') this.#toKill.add(bare(containerID));
  }

  async sync(pod: Pod): Promise<void> {
    const { runtime } = this.#context.host;
    if (pod.metadata.deletionTimestamp) return this.#end(pod);
    this.#probes.addPod(pod);
    const sandbox = await this.#sandboxOf(pod);
    for (const container of pod.spec?.containers ?? []) {
      const id = this.#ids.get(container.name);
      const state = id === undefined ? undefined : (await runtime.containerStatus(id)).state;
      if (id === undefined || state === 'CONTAINER_EXITED') await this.#start(sandbox, container);
      else if (this.#toKill.delete(id)) await runtime.stopContainer(id, 1);
    }
    await this.#report(pod);
  }

  async #sandboxOf({ metadata }: Pod): Promise<Sandbox> {
    if (this.#sandbox) return this.#sandbox;
    const { name, uid, namespace = 'default' } = metadata;
    const config: cri.PodSandboxConfig = {
      metadata: { name, uid, namespace, attempt: 0 },
      hostname: name,
      logDirectory: `/var/log/pods/${namespace}_${name}_${uid}`,
      labels: {},
      annotations: {},
      network: 'pod',
    };
    this.#sandbox = { id: await this.#context.host.runtime.runPodSandbox(config), config };
    return this.#sandbox;
  }

  async #start(sandbox: Sandbox, { name, image = '', command }: core.Container): Promise<void> {
    const { runtime } = this.#context.host;
    const attempt = this.#starts.get(name) ?? 0;
    this.#starts.set(name, attempt + 1);
    const config: cri.ContainerConfig = {
      metadata: { name, attempt },
      image: { image },
      ...(command && { command }),
      envs: [],
      mounts: [],
      labels: {},
      annotations: {},
      logPath: `${name}/${attempt}.log`,
    };
    const id = await runtime.createContainer(sandbox.id, config, sandbox.config);
    this.#ids.set(name, id);
    await runtime.startContainer(id);
  }

  /** Makes a status, and updates the API if it has changed. */
  async #report(pod: Pod): Promise<void> {
    const { client, host } = this.#context;
    const sandbox = this.#sandbox && (await host.runtime.podSandboxStatus(this.#sandbox.id));
    const containerStatuses = await Promise.all(
      (pod.spec?.containers ?? []).map((container) => this.#statusOf(container)),
    );
    const [podIP] = sandbox?.ips ?? [];
    const made = this.#probes.updatePodStatus(pod, {
      phase: 'Running',
      ...(podIP !== undefined && { podIP }),
      containerStatuses,
    });
    const isReady = made?.containerStatuses?.every(({ ready }) => ready);
    this.status = { ...made, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] };
    const reported = JSON.stringify(this.status);
    if (reported === this.#reported) return;
    this.#reported = reported;
    await client.updateStatus(pods, { ...pod, status: this.status }).catch(unlessGone);
  }

  async #statusOf({ name, image = '' }: core.Container): Promise<core.ContainerStatus> {
    const id = this.#ids.get(name) ?? '';
    const { state, startedAtMs, exitCode } = await this.#context.host.runtime.containerStatus(id);
    const before = this.status?.containerStatuses?.find((one) => one.containerID === `containerd://${id}`);
    return {
      name,
      image,
      imageID: image,
      containerID: `containerd://${id}`,
      ready: false,
      restartCount: (this.#starts.get(name) ?? 1) - 1,
      ...(before?.started !== undefined && { started: before.started }),
      state:
        state === 'CONTAINER_RUNNING'
          ? { running: { startedAt: formatTime(startedAtMs) } }
          : { terminated: { exitCode } },
    };
  }

  async #end(pod: Pod): Promise<void> {
    const { client, host } = this.#context;
    this.#probes.stopLivenessAndStartup(pod);
    for (const id of this.#ids.values()) await host.runtime.stopContainer(id, 1);
    this.#probes.removePod(pod);
    if (this.#sandbox) await host.runtime.stopPodSandbox(this.#sandbox.id);
    const { uid } = pod.metadata;
    await client
      .delete(pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } })
      .catch(unlessGone);
  }
}

function bare(containerID: string): string {
  return containerID.replace(/^.*:\/\//, '');
}

/** Ignores a pod that was deleted or changed meanwhile; the next list returns the new state. */
function unlessGone(error: unknown): void {
  if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
}
