import { keyOf, type Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { formatTime } from '../../../sim/index.ts';
import type { Stage } from '../../../testing/rig/stage.ts';
import type { NodeBehaviour } from '../operations.ts';
import { ended, running, STOPPED } from './pod-status.ts';

const NODES = ['node-1', 'node-2', 'node-3'];

/** The scheduler and the kubelets. They have no latency and no faults. */
export class Nodes {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  #bound = 0;
  #created = 0;

  constructor(cluster: Cluster, stage: Stage) {
    this.#cluster = cluster;
    this.#stage = stage;
  }

  /** Lets every pod of a Job run, end and stop by itself from now on. */
  runPods({ startMs, runMs, stopMs, codes }: NodeBehaviour): void {
    const { sim, storage } = this.#cluster;
    const later = (afterMs: number, act: () => Promise<void>): void => {
      sim.schedule(afterMs, 'kubelet', 'pod', () => void act());
    };
    storage.follow({
      wrote: ({ type, resource, object, previous }) => {
        if (resource.plural !== pods.plural || type === 'DELETED') return;
        const pod = object as unknown as Pod;
        if (!previous) {
          const code = codes[this.#created++ % codes.length] ?? 0;
          later(startMs, () => this.start(pod));
          later(startMs + runMs, () => this.end(pod, code));
        } else if (pod.metadata.deletionTimestamp && !previous.metadata.deletionTimestamp)
          later(stopMs, () => this.stop(pod, STOPPED));
      },
    });
  }

  /** Binds an active pod to a node, if it has none; it runs and is ready. */
  async start(pod: Pod): Promise<void> {
    const now = this.#current(pod);
    if (!now || now.metadata.deletionTimestamp || now.status.phase !== 'Pending') return;
    if (!now.spec.nodeName) {
      const node = NODES[this.#bound++ % NODES.length] as string;
      await this.#stage.act('scheduler', `bind to ${node}`, nameOf(pod), (scheduler) =>
        scheduler.bind(keyOf(pod), node),
      );
    }
    await this.#update(pod, 'runs and is ready', (current) => running(current, this.#now()));
  }

  /** Ends the container of a running pod. */
  async end(pod: Pod, code: number, isDisrupted = false): Promise<void> {
    const now = this.#current(pod);
    if (now?.status.phase !== 'Running') return;
    await this.#update(pod, `ends with exit code ${code}`, (current) =>
      ended(current, this.#now(), code, isDisrupted),
    );
  }

  /** Restarts the container of a running pod, or changes its readiness. */
  async change(pod: Pod, verb: string, ready: boolean, restarts: number): Promise<void> {
    await this.#update(pod, verb, (current) => running(current, this.#now(), ready, restarts));
  }

  /** Ends a terminating pod, and removes it when it has no finalizer. */
  async stop(pod: Pod, code: number): Promise<void> {
    const now = this.#current(pod);
    if (!now?.metadata.deletionTimestamp) return;
    if (!hasEnded(now))
      await this.#update(pod, `stops with exit code ${code}`, (current) => ended(current, this.#now(), code));
    await this.#stage.act('kubelet', 'has stopped', nameOf(pod), (kubelet) =>
      kubelet.delete(pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } }),
    );
  }

  async #update(pod: Pod, verb: string, statusOf: (current: Pod) => Pod['status']): Promise<void> {
    const now = this.#current(pod);
    if (!now) return;
    await this.#stage.act('kubelet', verb, nameOf(pod), (kubelet) =>
      kubelet.updateStatus(pods, { ...now, status: statusOf(now) }),
    );
  }

  /** Returns the stored version of a pod; undefined if it is gone. */
  #current(pod: Pod): Pod | undefined {
    const now = this.#cluster.storage.get(pods, keyOf(pod)) as Pod | undefined;
    return now?.metadata.uid === pod.metadata.uid ? now : undefined;
  }

  #now(): string {
    return formatTime(this.#cluster.clock.now());
  }
}

const nameOf = ({ metadata }: Pod): string => `pods/${metadata.name}`;
