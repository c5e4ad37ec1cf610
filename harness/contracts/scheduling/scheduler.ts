import type { KubeObject, Node, ObjectKey, Pod } from '../../api/objects.ts';
import type { Clock, Random } from '../../sim/index.ts';
import type { Client } from '../client.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { ClusterEvent, CycleState, Profile, Snapshot } from '../framework/index.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** The queue in the view of the scheduler's other parts. The queue of kata 33 documents each method. */
export interface SchedulingQueue {
  add(pod: Pod): void;
  update(oldPod: Pod, newPod: Pod): void;
  delete(pod: Pod): void;
  pop(): Promise<QueuedPodInfo | undefined>;
  done(uid: string): void;
  addUnschedulableIfNotPresent(info: QueuedPodInfo): void;
  /** The objects are pods and nodes; in a cluster that binds volumes also volumes, claims and storage classes. */
  moveAllToActiveOrBackoffQueue(
    event: ClusterEvent,
    oldObject: KubeObject | undefined,
    newObject: KubeObject | undefined,
    preCheck?: (pod: Pod) => boolean,
  ): void;
  flushBackoffQCompleted(): void;
  flushUnschedulablePodsLeftover(): void;
  close(): void;
}

/** The cache in the view of the scheduler's other parts. The cache of kata 33 documents each method. */
export interface SchedulerCache {
  addNode(node: Node): void;
  updateNode(oldNode: Node, newNode: Node): void;
  removeNode(node: Node): void;
  addPod(pod: Pod): void;
  updatePod(oldPod: Pod, newPod: Pod): void;
  removePod(pod: Pod): void;
  assumePod(pod: Pod, nodeName: string): Pod;
  forgetPod(pod: Pod): boolean;
  isAssumedPod(pod: Pod): boolean;
  getPod(pod: Pod): Pod | undefined;
  snapshot(namespaces?: Snapshot['namespaces']): Snapshot;
}

/**
 * The dependencies of a scheduler's parts.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go Scheduler
 */
export interface Scheduler {
  readonly profile: Profile;
  readonly client: Pick<Client, 'get' | 'bind' | 'patch'>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'int'>;
  readonly recorder: EventRecorder;
  /** Aborted to stop the scheduler: after that it sends no requests and records no events. */
  readonly signal: AbortSignal;
  readonly queue: SchedulingQueue;
  readonly cache: SchedulerCache;
  /** The index in the snapshot at which the search for the next pod starts. Initially 0. */
  nextStartIndex: number;
  /** Returns the informer's pod under this key, which may be another pod of that name. */
  getPod(key: ObjectKey): Pod | undefined;
  /** Returns the current labels of each namespace from the informer: the same object until they change. */
  namespaces(): Snapshot['namespaces'];
  /** Writes a line into the trace. */
  log(message: string): void;
}

/** The inputs to find a node for one pod. */
export interface SchedulePod {
  readonly profile: Pick<Profile, 'filtering' | 'scoring'>;
  /** The state of this cycle only. */
  readonly state: CycleState;
  readonly pod: Pod;
  readonly snapshot: Snapshot;
  readonly random: Pick<Random, 'int'>;
  /** The index in the snapshot at which the search starts. @defaultValue 0 */
  readonly startIndex?: number;
}

/**
 * The node for a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go ScheduleResult
 */
export interface ScheduleResult {
  /** The name of the node. */
  readonly suggestedHost: string;
  /** The start index for the next pod: the result of `findNodesThatFit`. */
  readonly nextStartIndex: number;
}

/** A pod that is being bound. */
export interface Assignment {
  /** The popped pod. */
  readonly info: QueuedPodInfo;
  /** The result of {@link SchedulerCache.assumePod}. */
  readonly assumed: Pod;
  readonly state: CycleState;
}
