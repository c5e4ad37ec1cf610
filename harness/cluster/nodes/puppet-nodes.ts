import { keyOf, type Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { type LogEntry, sameResource } from '../../apiserver/storage/storage.ts';
import { formatTime } from '../../sim/index.ts';
import type { Cluster } from '../cluster.ts';
import { type PodScript, type ScriptPod, scripts } from './pod-script.ts';
import { type PodStage, stageAt, statusIn } from './pod-status.ts';

interface PuppetNodesOptions {
  /** The behaviour of pods. @defaultValue they become ready within a second, except `…:broken`, which never does */
  readonly script?: ScriptPod;
}

/**
 * Lets pods run without a scheduler and without kubelets: a client that sees all changes at once, and that no fault
 * affects, writes their statuses. Controllers see no difference. It costs a tenth of {@link runScriptedNodes}, which
 * matters for properties that run hundreds of clusters.
 *
 * Differs: the binding of a pod that does not become ready is not visible.
 */
export function runPuppetNodes(
  cluster: Cluster,
  { script = scripts() }: PuppetNodesOptions = {},
): PuppetNodes {
  const puppeteer = new Puppeteer(cluster, script);
  cluster.storage.follow({ wrote: (entry) => puppeteer.wrote(entry) });
  return puppeteer;
}

/** The nodes of {@link runPuppetNodes}. */
interface PuppetNodes {
  /**
   * Makes all nodes unreachable: the phase of each running pod is `Unknown`, and it is not ready. If it is deleted, it
   * stays.
   *
   * @param forMs time until the nodes are reachable again. @defaultValue forever
   */
  lose(forMs?: number): void;
}

const NODE = 'node-1';
const AUTHOR = { actor: NODE, verb: 'updateStatus' } as const;

/** A pod that runs, or will run. */
interface Life {
  readonly script: PodScript;
  readonly startedMs: number;
  stage: PodStage;
  stopping: boolean;
}

class Puppeteer implements PuppetNodes {
  readonly #cluster: Cluster;
  readonly #script: ScriptPod;
  readonly #random;
  readonly #lives = new Map<string, Life>();
  #addresses = 0;

  constructor(cluster: Cluster, script: ScriptPod) {
    this.#cluster = cluster;
    this.#script = script;
    this.#random = cluster.sim.random.fork('puppets');
  }

  wrote({ resource, type, object }: LogEntry): void {
    if (!sameResource(resource, pods)) return;
    const pod = object as Pod;
    const { uid, deletionTimestamp } = pod.metadata;
    if (type === 'ADDED') this.#begin(pod);
    else if (type === 'DELETED') this.#lives.delete(uid);
    else if (deletionTimestamp !== undefined) this.#stop(pod);
  }

  lose(forMs?: number): void {
    const { storage, clock } = this.#cluster;
    for (const pod of storage.list(pods) as Pod[]) {
      const life = this.#lives.get(pod.metadata.uid);
      if (!life || life.stopping || pod.status.phase !== 'Running') continue;
      life.stopping = true;
      storage.update(
        pods,
        { ...pod, status: lost(pod, formatTime(clock.now())) },
        pod.metadata.resourceVersion,
        AUTHOR,
      );
      if (forMs !== undefined) this.#later(forMs, pod, () => this.#find(pod, life));
    }
  }

  /** Makes the node reachable again. */
  #find(pod: Pod, life: Life): void {
    const current = this.#cluster.storage.get(pods, keyOf(pod)) as Pod | undefined;
    if (current?.metadata.uid !== pod.metadata.uid) return;
    life.stopping = false;
    life.stage = 'creating';
    if (current.metadata.deletionTimestamp !== undefined) this.#stop(current);
    else this.#goOn(current);
  }

  #begin(pod: Pod): void {
    const { uid } = pod.metadata;
    const script = this.#script(pod, this.#random.fork(uid));
    const startedMs = this.#cluster.sim.elapsedMs;
    this.#lives.set(uid, { script, startedMs, stage: 'creating', stopping: false });
    this.#later(0, pod, () => this.#goOn(pod));
  }

  #goOn(pod: Pod): void {
    const life = this.#lives.get(pod.metadata.uid);
    if (!life || life.stopping) return;
    const { stage, nextInMs } = stageAt(life.script, this.#cluster.sim.elapsedMs - life.startedMs);
    // For a controller, every pod that waits for its image looks the same.
    if (stage === 'ready' || stage === 'unready' || stage === 'failed') this.#show(pod, life, stage);
    if (nextInMs !== undefined) this.#later(nextInMs, pod, () => this.#goOn(pod));
  }

  #show(pod: Pod, life: Life, stage: PodStage): void {
    const { storage, clock } = this.#cluster;
    const current = storage.get(pods, keyOf(pod)) as Pod | undefined;
    if (current?.metadata.uid !== pod.metadata.uid || life.stage === stage) return;
    life.stage = stage;
    const podIP = current.status.podIP ?? `10.244.0.${++this.#addresses}`;
    const place = { now: formatTime(clock.now()), podIP, hostIP: '192.168.0.1' };
    storage.update(
      pods,
      { ...current, spec: { ...current.spec, nodeName: NODE }, status: statusIn(stage, current, place) },
      current.metadata.resourceVersion,
      AUTHOR,
    );
  }

  #stop(pod: Pod): void {
    const life = this.#lives.get(pod.metadata.uid);
    if (!life || life.stopping) return;
    life.stopping = true;
    const { deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
    if (finalizers.length > 0) return;
    const afterMs = Math.min(life.script.stopsAfterMs, deletionGracePeriodSeconds * 1_000);
    this.#later(afterMs, pod, () => {
      const { storage } = this.#cluster;
      const current = storage.get(pods, keyOf(pod));
      if (current?.metadata.uid !== pod.metadata.uid) return;
      storage.delete(pods, keyOf(pod), current.metadata.resourceVersion, { actor: NODE, verb: 'delete' });
    });
  }

  #later(afterMs: number, { metadata }: Pod, run: () => void): void {
    this.#cluster.sim.schedule(afterMs, NODE, `pod ${metadata.name}`, run);
  }
}

/** Returns the status that a node controller writes for a pod on an unreachable node. */
function lost({ status }: Pod, now: string): Pod['status'] {
  const conditions = (status.conditions ?? []).map((each) =>
    each.type === 'Ready' ? { ...each, status: 'Unknown', lastTransitionTime: now } : each,
  );
  return { ...status, phase: 'Unknown', conditions };
}
