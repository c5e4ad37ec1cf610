import type { OwnerReference, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyOf, keyToString } from '../../api/objects.ts';
import type { Component, ComponentContext } from '../component.ts';
import { Unwritten } from '../unwritten.ts';
import type { RateLimitingWorkQueue } from '../work-queue.ts';
import { ConsistencyStore } from './consistency-store.ts';
import { PodControl } from './pod-control.ts';
import { ReplicaSetCaches } from './replica-set-caches.ts';

/**
 * How far the cache can be trusted. `unknown`: the controller has just started, or a response was lost. `pending`: some
 * writes are not visible yet. `fulfilled`: all writes are visible. `expired`: the writes did not become visible in
 * time.
 */
export type ExpectationState = 'unknown' | 'pending' | 'fulfilled' | 'expired';

/** The effect that becomes visible in the cache: a pod exists, or a pod no longer counts. */
export type Expected = 'creations' | 'deletions';

/** The expectations of a {@link ReplicaSetSyncContext}. Kata 23 specifies each method. */
interface ReplicaSetExpectations {
  state(key: string): ExpectationState;
  begin(key: string): void;
  doubt(key: string): void;
  expect(key: string, what: Expected, uids: readonly string[]): void;
  observed(key: string, what: Expected, uid: string): void;
  forget(key: string): void;
}

/** The meaning of a pod change for the affected ReplicaSets. */
export interface PodNews {
  /** The controller that gained the pod. If the controller expected this creation, it is now observed. */
  readonly appearedTo: OwnerReference | undefined;
  /** The controller for which the pod no longer counts. */
  readonly lostTo: OwnerReference | undefined;
  /** The controllers to enqueue. */
  readonly wakes: readonly OwnerReference[];
  /** Whether the pod has just become an orphan, so that the ReplicaSets that select it are enqueued. */
  readonly orphan: boolean;
}

/** The dependencies of every part of a ReplicaSet controller. */
export interface ReplicaSetSyncContext {
  readonly context: ComponentContext;
  /** Keys of ReplicaSets: `namespace/name`. */
  readonly queue: RateLimitingWorkQueue<string>;
  readonly caches: ReplicaSetCaches;
  /** Sends the requests about pods, and emits the Events about them. */
  readonly control: PodControl;
  /** The key is the uid of the ReplicaSet. */
  readonly expectations: ReplicaSetExpectations;
  /** The written versions, by the uid of the ReplicaSet, for `pods` and `replicasets`. */
  readonly written: ConsistencyStore;
}

/** Creates the dependencies of a starting controller. */
export function newReplicaSetSyncContext(
  context: ComponentContext,
  expectations: ReplicaSetExpectations,
): ReplicaSetSyncContext {
  const caches = new ReplicaSetCaches(context.informers);
  return {
    context,
    queue: context.newWorkQueue<string>(),
    caches,
    control: new PodControl(context),
    expectations,
    written: new ConsistencyStore(caches.versions),
  };
}

/** The parts of a ReplicaSet controller that make the decisions. */
interface ReplicaSetControllerParts {
  newExpectations(context: ComponentContext): ReplicaSetExpectations;
  podNews(previous: Pod | undefined, current: Pod | undefined): PodNews;
  sync(syncContext: ReplicaSetSyncContext, key: string): Promise<void>;
}

const WORKERS = 5;

/**
 * Assembles a ReplicaSet controller from these parts: its handlers record observations and enqueue, and its workers
 * sync. A failed sync is retried with an increasing delay. A part that is not implemented yet ends the controller,
 * because a retry would not help.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go NewReplicaSetController,
 * ReplicaSetController.Run
 */
export function assembleReplicaSetController(parts: ReplicaSetControllerParts): Component {
  return async (context) => {
    const syncContext = newReplicaSetSyncContext(context, parts.newExpectations(context));
    const { caches, expectations, queue, written } = syncContext;
    const enqueue = (rs: ReplicaSet): void => queue.add(keyToString(keyOf(rs)));
    const unwritten = new Unwritten();
    caches.listen({
      onReplicaSet: enqueue,
      onReplicaSetGone: (rs) => {
        expectations.forget(rs.metadata.uid);
        written.clear(rs.metadata.uid);
        enqueue(rs);
      },
      onPod: (previous, current) => {
        try {
          const news = parts.podNews(previous, current);
          for (const rs of concerned(syncContext, news, (current ?? previous) as Pod)) enqueue(rs);
        } catch (error) {
          unwritten.meet(error);
        }
      },
    });
    await caches.start();
    const work = context.runWorkers({
      queue,
      workers: WORKERS,
      sync: (key) => parts.sync(syncContext, key).catch(unwritten.meet),
      onError: (error, key) => context.log(`sync of ${key} failed: ${String(error)}`),
    });
    await Promise.race([work, unwritten.met]);
  };
}

/** Records the observations. @returns the ReplicaSets to enqueue */
function concerned({ caches, expectations }: ReplicaSetSyncContext, news: PodNews, pod: Pod): ReplicaSet[] {
  const { uid, namespace } = pod.metadata;
  if (news.appearedTo) expectations.observed(news.appearedTo.uid, 'creations', uid);
  if (news.lostTo) expectations.observed(news.lostTo.uid, 'deletions', uid);
  const owners = news.wakes.flatMap((owner) => caches.resolve(namespace, owner) ?? []);
  return news.orphan ? [...owners, ...caches.selecting(pod)] : owners;
}
