import type { Components } from '../../contracts/component.ts';
import type { ScriptPlace } from './own.ts';

/**
 * The whole cluster at one moment, as the page draws it: plain data, without anything that the page does not show.
 * Lists are in a stable order, so that nothing jumps.
 */
export interface ClusterView {
  /** Virtual ms since the cluster stood. */
  readonly atMs: number;
  /** The newest revision of the storage. */
  readonly revision: number;
  /** The apiservers. */
  readonly apiservers: readonly ApiServerView[];
  /** The processes that run once in the cluster, in the order of the table of components. */
  readonly components: readonly ComponentView[];
  readonly nodes: readonly NodeView[];
  /** The pods without a node. */
  readonly pending: readonly PodView[];
  readonly deployments: readonly DeploymentView[];
  /** StatefulSets, DaemonSets, CronJobs, Jobs and claims. */
  readonly workloads: readonly WorkloadView[];
  readonly services: readonly ServiceView[];
  /** The lasting faults, and the faults that wait for the next call of a process. */
  readonly faults: readonly FaultView[];
}

/** One apiserver. */
export interface ApiServerView {
  readonly index: number;
  readonly isUp: boolean;
  /** The revision that its watch cache has reached. */
  readonly cacheRevision: number;
}

/** A process of a component. */
export interface ComponentView {
  /** The name of the process: `replicaset-controller`, `kubelet-node-1`. */
  readonly name: string;
  /** Absent for a controller that no kata builds, such as the namespace controller. */
  readonly part?: keyof Components;
  /** Whose code runs: of the process itself and of the parts that it uses. */
  readonly owner: Owner;
  readonly state: 'running' | 'crashed' | 'gave up';
  /** The kinds whose first object it waits for: `jobs.batch`. Absent for a process that works. */
  readonly waitsFor?: string;
  /** Number of starts. */
  readonly starts: number;
  /** The error of a process that gave up, or the last error that it survived in its present incarnation. */
  readonly error?: ErrorView;
  /** Items in its queues, without those being processed. */
  readonly queued: number;
  readonly caches: readonly CacheView[];
  /** Writes that its caches have not seen yet, over all resources that it watches. 0 if they are current. */
  readonly behind: number;
  /** The worst lag of its caches. */
  readonly lag: Lag;
}

/**
 * How a cache is behind the server:
 *
 * - `none`: it has seen every write of its resource;
 * - `moving`: the events of the last writes are on their way, as always for some milliseconds;
 * - `late`: it has missed a write for longer than an event is on its way;
 * - `held`: a fault holds back its events, whether or not there was a write since.
 */
export type Lag = 'none' | 'moving' | 'late' | 'held';

/** Whose code it is. */
export type Owner = 'reference' | 'yours';

/** The cache of one resource in a process. */
export interface CacheView {
  /** `pods`, `replicasets.apps` */
  readonly resource: string;
  readonly objects: number;
  /** The revision that the cache has reached; undefined before its first list. */
  readonly revision?: number;
  /** Writes of this resource that the cache has not seen yet. */
  readonly behind: number;
  readonly lag: Lag;
}

/** An error of a component. */
export interface ErrorView {
  readonly atMs: number;
  readonly message: string;
  /** The first place of its stack in a learner's file, as the browser runs it. Absent if the stack has none. */
  readonly place?: ScriptPlace;
}

/** A node, its machine and its pods. */
export interface NodeView {
  readonly name: string;
  /** The condition `Ready` as the API reports it. */
  readonly ready: 'True' | 'False' | 'Unknown';
  readonly isPowered: boolean;
  /** Whether a fault disconnects it. */
  readonly isPartitioned: boolean;
  readonly isCordoned: boolean;
  /** As kubectl writes them: `node.kubernetes.io/unreachable:NoExecute`. */
  readonly taints: readonly string[];
  /** Node conditions other than Ready that are True: `DiskPressure`. */
  readonly pressures: readonly string[];
  readonly diskUsedPercent: number;
  /** Its processes: kubelet, kube-proxy, route agent. */
  readonly components: readonly ComponentView[];
  readonly pods: readonly PodView[];
}

/** A pod, as the API reports it. */
export interface PodView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** As `kubectl get pods` prints it in the column STATUS: `Running`, `CrashLoopBackOff`, `Terminating`. */
  readonly status: string;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  readonly restarts: number;
  readonly ip?: string;
  readonly node?: string;
  /** The owner that gives the pod its colour: `ReplicaSet web-7d4b9c`. */
  readonly owner?: string;
  /** The Deployment above a ReplicaSet. */
  readonly deployment?: string;
  readonly containers: readonly ContainerView[];
}

/** A container of a pod. */
export interface ContainerView {
  readonly name: string;
  readonly image: string;
  readonly kind: 'init' | 'sidecar' | 'main' | 'ephemeral';
  readonly state: 'waiting' | 'running' | 'terminated';
  /** `CrashLoopBackOff`, `Completed`, `OOMKilled` */
  readonly reason?: string;
  readonly isReady: boolean;
  readonly restarts: number;
  /** The probes that it has. */
  readonly probes: readonly ('startup' | 'readiness' | 'liveness')[];
}

/** A Deployment with its ReplicaSets, newest first. */
export interface DeploymentView {
  readonly namespace: string;
  readonly name: string;
  readonly desired: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly isPaused: boolean;
  /** Whether its status says that it is complete at its newest generation. */
  readonly isComplete: boolean;
  /** The reason of its condition Progressing if that is False: `ProgressDeadlineExceeded`. */
  readonly stuck?: string;
  readonly replicaSets: readonly ReplicaSetView[];
}

/** A ReplicaSet. */
export interface ReplicaSetView {
  readonly name: string;
  /** The revision of the Deployment's history. */
  readonly revision: string;
  readonly desired: number;
  readonly current: number;
  readonly ready: number;
}

/** An object that owns pods or storage, other than a Deployment. */
export interface WorkloadView {
  readonly kind: 'StatefulSet' | 'DaemonSet' | 'CronJob' | 'Job' | 'PersistentVolumeClaim';
  /** `statefulsets.apps` */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The pods that are ready, or that have succeeded for a Job; absent for a kind without pods of its own. */
  readonly done?: number;
  readonly wanted?: number;
  readonly state: 'progresses' | 'complete' | 'failed' | 'suspended';
  /** The schedule of a CronJob, the reason of a failure, the phase of a claim. */
  readonly note?: string;
}

/** A Service and its endpoints, as its EndpointSlices list them. */
export interface ServiceView {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly clusterIP?: string;
  /** `80/TCP`, `80:30080/TCP` */
  readonly ports: readonly string[];
  readonly endpoints: readonly EndpointView[];
}

/** An endpoint of a Service. */
export interface EndpointView {
  readonly address: string;
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  /** `namespace/name` */
  readonly pod?: string;
}

/** A fault that has not ended. */
export interface FaultView {
  /** As `say-fault` words it. */
  readonly text: string;
  readonly sinceMs: number;
  /** Absent for a fault without an end, and for a fault that waits for a call. */
  readonly untilMs?: number;
  /** The process, node or apiserver that it strikes. */
  readonly target: PlaceId;
}

/**
 * A place of the picture. Marks travel from place to place:
 *
 * - `process:NAME`: a component, on a node or in the control plane;
 * - `apiserver:0`; `node:node-1`; `pod:namespace/name`; `service:namespace/name`;
 * - `user:NAME`: kubectl and other clients; `outside:NAME`: a host outside; `cloud`: the network between machines.
 */
export type PlaceId =
  | `${'process' | 'apiserver' | 'node' | 'pod' | 'service' | 'user' | 'outside'}:${string}`
  | 'cloud';
