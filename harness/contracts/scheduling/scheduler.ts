import type { Node, ObjectKey, Pod } from '../../api/objects.ts';
import type { Clock, Random } from '../../sim/index.ts';
import type { Client } from '../client.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { ClusterEvent, CycleState, Profile, Snapshot } from '../framework/index.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** The queue, as the rest of a scheduler uses it. What each does stands at the queue. */
export interface SchedulingQueue {
  add(pod: Pod): void;
  update(oldPod: Pod, newPod: Pod): void;
  delete(pod: Pod): void;
  pop(): Promise<QueuedPodInfo | undefined>;
  done(uid: string): void;
  addUnschedulableIfNotPresent(info: QueuedPodInfo): void;
  moveAllToActiveOrBackoffQueue(
    event: ClusterEvent,
    oldObject: Pod | Node | undefined,
    newObject: Pod | Node | undefined,
    preCheck?: (pod: Pod) => boolean,
  ): void;
  flushBackoffQCompleted(): void;
  flushUnschedulablePodsLeftover(): void;
  close(): void;
}

/** The cache, as the rest of a scheduler uses it. What each does stands at the cache. */
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
 * What the pieces of a scheduler work with.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/scheduler.go Scheduler
 */
export interface Scheduler {
  readonly profile: Profile;
  readonly client: Pick<Client, 'get' | 'bind' | 'patch'>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'int'>;
  readonly recorder: EventRecorder;
  /** Aborted when the scheduler is to stop: then nothing is asked, written or recorded any more. */
  readonly signal: AbortSignal;
  readonly queue: SchedulingQueue;
  readonly cache: SchedulerCache;
  /** Where in the snapshot the next pod begins. 0 at first. */
  nextStartIndex: number;
  /** What the informer has under this key: perhaps another pod of that name. */
  getPod(key: ObjectKey): Pod | undefined;
  /** The labels of each namespace, as the informer has them now. The same object as long as they are the same. */
  namespaces(): Snapshot['namespaces'];
  /** Writes a line into the trace. */
  log(message: string): void;
}

/** What it takes to find a node for one pod. */
export interface SchedulePod {
  readonly profile: Pick<Profile, 'filtering' | 'scoring'>;
  /** Of this cycle, and no other. */
  readonly state: CycleState;
  readonly pod: Pod;
  readonly snapshot: Snapshot;
  readonly random: Pick<Random, 'int'>;
  /** Where in the snapshot to begin. @defaultValue 0 */
  readonly startIndex?: number;
}

/**
 * Where a pod goes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go ScheduleResult
 */
export interface ScheduleResult {
  /** The name of the node. */
  readonly suggestedHost: string;
  /** Where the next pod begins: what `findNodesThatFit` gave. */
  readonly nextStartIndex: number;
}

/** A pod that is being bound. */
export interface Assignment {
  /** What was popped. */
  readonly info: QueuedPodInfo;
  /** What {@link SchedulerCache.assumePod} gave. */
  readonly assumed: Pod;
  readonly state: CycleState;
}
