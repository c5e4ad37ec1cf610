import { deepEqual } from '../../api/freeze.ts';
import { keyOf, type Node, type Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { nodes, pods } from '../../api/resource.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../api/status.ts';
import type { ComponentContext } from '../../contracts/component.ts';
import { AssignedPods } from '../../kubelet/assigned-pods.ts';
import { formatTime, type Random } from '../../sim/index.ts';
import type { Program } from '../process.ts';
import { type PodScript, type ScriptPod, scripts } from './pod-script.ts';
import { type PodStage, stageAt, statusIn } from './pod-status.ts';
import { steadily } from './steadily.ts';

/** Options of a scripted kubelet. */
interface ScriptedKubeletOptions {
  /** The name of its node: `node-1`. The number at its end determines the addresses. */
  readonly node: string;
  /** @defaultValue {@link scripts}: pods become ready within a second, except `…:broken`, which never does */
  readonly script?: ScriptPod;
}

/** Number of concurrent status writes. Differs: upstream's status manager writes one at a time. */
const WORKERS = 8;

/** Delay of a retry after a failure, in ms. */
const RETRY_MS = 100;

/**
 * A node whose pods follow a script. It plays the kubelet as far as controllers can observe it: it registers its Node,
 * and writes and deletes pods as a kubelet does. It runs no containers.
 *
 *     cluster.run('kubelet-node-1', scriptedKubelet({ node: 'node-1' }), { node: 'node-1' });
 *
 * Creates a kubelet for one node. Call it once for each node, because the returned program also holds the machine. So
 * pods keep running while their kubelet is down, and continue when it restarts.
 *
 * Differs: it renews no lease, waits for no readiness gate, and restarts no container.
 */
export function scriptedKubelet({ node, script = scripts() }: ScriptedKubeletOptions): Program {
  const machine = new Machine(node, script);
  return async (context) => {
    const { client, clock, line, random, newWorkQueue, runWorkers, log } = context;
    machine.random ??= random;
    const queue = newWorkQueue<string>({ rateLimiter: steadily(RETRY_MS) });
    const assigned = new AssignedPods(node, (uid) => queue.add(uid));

    const sync = async (uid: string): Promise<void> => {
      const pod = assigned.get(uid);
      if (!pod) return machine.forget(uid);
      const { stage, gone, nextInMs } = machine.look(pod, line.nowMs());
      if (nextInMs !== undefined) queue.addAfter(uid, nextInMs);
      if (stage !== undefined) {
        const place = { now: formatTime(clock.now()), podIP: machine.podIP(uid), hostIP: machine.hostIP };
        const status = statusIn(stage, pod, place);
        if (!deepEqual(status, pod.status)) assigned.put(await client.updateStatus(pods, { ...pod, status }));
      }
      if (gone) await remove(context, pod);
    };

    await Promise.all([
      register(context, machine),
      assigned.run(context),
      runWorkers({ queue, sync, workers: WORKERS, onError: (error) => log(String(error)) }),
    ]);
  };
}

/** Removes a stopped pod from the API: only now may a new pod use its name. */
async function remove({ client }: Pick<ComponentContext, 'client'>, pod: Pod): Promise<void> {
  // A finalizer keeps the pod, and this request was already sent.
  if (pod.metadata.deletionGracePeriodSeconds === 0) return;
  try {
    const { uid } = pod.metadata;
    await client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (error) {
    // The pod is deleted, or a new pod has its name.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/**
 * Registers its Node. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go registerWithAPIServer
 */
async function register(
  { client, clock, signal, log }: Pick<ComponentContext, 'client' | 'clock' | 'signal' | 'log'>,
  { node, zone, hostIP }: Pick<Machine, 'node' | 'zone' | 'hostIP'>,
): Promise<void> {
  while (!signal.aborted) {
    const now = formatTime(clock.now());
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: now };
    const object = {
      metadata: {
        name: node,
        labels: { 'kubernetes.io/hostname': node, 'topology.kubernetes.io/zone': zone },
      },
      spec: {},
      status: {
        capacity: CAPACITY,
        allocatable: CAPACITY,
        addresses: [
          { type: 'InternalIP', address: hostIP },
          { type: 'Hostname', address: node },
        ],
        conditions: [{ ...ready, lastHeartbeatTime: now, message: 'kubelet is posting ready status' }],
        nodeInfo: { ...NODE_INFO, systemUUID: node, machineID: node, bootID: node },
      } satisfies Node['status'],
    };
    try {
      await client.create(nodes, object, { signal });
      return;
    } catch (error) {
      if (signal.aborted || isAlreadyExists(error)) return;
      log(String(error));
      await clock.sleep(RETRY_MS, signal).catch(() => {});
    }
  }
}

const CAPACITY = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '256Gi', pods: '110' };

/** `node-1` is in the first zone, and so is `node-4`. */
const ZONES = ['zone-a', 'zone-b', 'zone-c'];

/** A kubelet no longer reports the version of kube-proxy, because it does not know it. */
const NODE_INFO = {
  architecture: 'amd64',
  containerRuntimeVersion: 'scripted://1.0.0',
  kernelVersion: '6.1.0',
  kubeProxyVersion: '',
  kubeletVersion: 'v1.36.3',
  operatingSystem: 'linux',
  osImage: 'scripted',
};

/** A pod on its machine. */
interface Running {
  readonly script: PodScript;
  readonly slot: number;
  readonly startedMs: number;
  /** The stage of the pod when the deletion was first seen, and the time. */
  stopping?: { readonly fromMs: number; readonly stage: PodStage };
}

/** The observable state of a pod at some time. */
interface Sight {
  /** Its stage; absent if nothing has changed. */
  readonly stage?: PodStage;
  /** Whether the pod was deleted and has stopped. */
  readonly gone: boolean;
  /** Time until the next change; absent if nothing changes any more. */
  readonly nextInMs?: number;
}

/** The state that outlives a kubelet: the pods on the node, with their progress. */
class Machine {
  readonly node: string;
  readonly zone: string;
  readonly hostIP: string;
  /** The generator of this node's first kubelet, which later ones share. */
  random: Random | undefined;
  readonly #script: ScriptPod;
  readonly #number: number;
  readonly #running = new Map<string, Running>();
  readonly #freeSlots: number[] = [];
  #slots = 0;

  constructor(node: string, script: ScriptPod) {
    this.node = node;
    this.#script = script;
    this.#number = Number(/\d+$/.exec(node)?.[0] ?? 0) % 256;
    this.zone = ZONES[Math.max(0, this.#number - 1) % ZONES.length] as string;
    this.hostIP = `192.168.0.${this.#number}`;
  }

  look(pod: Pod, nowMs: number): Sight {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    const gone = deletionTimestamp !== undefined;
    // A pod that has ended stays ended, whichever client wrote that.
    if (hasEnded(pod)) return { gone };
    const running = this.#start(pod, nowMs);
    const now = stageAt(running.script, nowMs - running.startedMs);
    if (!gone) return { ...now, gone };
    running.stopping ??= { fromMs: nowMs, stage: now.stage };
    const { fromMs, stage } = running.stopping;
    const graceMs = deletionGracePeriodSeconds * 1_000;
    const takesMs = isUp(stage) ? Math.min(running.script.stopsAfterMs, graceMs) : 0;
    const leftMs = fromMs + takesMs - nowMs;
    if (leftMs > 0) return { gone: false, nextInMs: leftMs };
    return { stage: stage === 'failed' ? stage : 'stopped', gone };
  }

  /** Returns the pod's address. Once the pod is deleted, another pod can get it. */
  podIP(uid: string): string {
    const { slot = 0 } = this.#running.get(uid) ?? {};
    return `10.${244 - Math.floor(slot / 253)}.${this.#number}.${2 + (slot % 253)}`;
  }

  forget(uid: string): void {
    const running = this.#running.get(uid);
    if (running && this.#running.delete(uid)) this.#freeSlots.push(running.slot);
  }

  #start(pod: Pod, nowMs: number): Running {
    const { uid } = pod.metadata;
    const known = this.#running.get(uid);
    if (known) return known;
    const random = this.random?.fork(uid);
    if (!random) throw new Error(`Failed to start a pod on ${this.node}: its kubelet never ran.`);
    const slot = this.#freeSlots.shift() ?? this.#slots++;
    const running: Running = { script: this.#script(pod, random), slot, startedMs: nowMs };
    this.#running.set(uid, running);
    return running;
  }
}

function isUp(stage: PodStage): boolean {
  return stage === 'ready' || stage === 'unready';
}
