import type { OwnerReference, Pod, ReplicaSet } from '../../api/objects.ts';
import { keyOf, keyToString } from '../../api/objects.ts';
import type { Component, ComponentContext } from '../component.ts';
import { Unwritten } from '../unwritten.ts';
import type { RateLimitingWorkQueue } from '../work-queue.ts';
import { ConsistencyStore } from './consistency-store.ts';
import { PodControl } from './pod-control.ts';
import { ReplicaSetCaches } from './replica-set-caches.ts';

/**
 * What the cache is worth. `unknown`: nothing is known, because the controller has only started, or an answer did not
 * come. `pending`: it has yet to show something. `fulfilled`: it shows all that was done. `expired`: it had time
 * enough to show it.
 */
export type ExpectationState = 'unknown' | 'pending' | 'fulfilled' | 'expired';

/** What a cache shows later: that a pod is there, or that a pod no longer counts. */
export type Expected = 'creations' | 'deletions';

/** What a {@link ReplicaSetDesk} asks of expectations; kata 23 says what each of these must keep to. */
interface ReplicaSetExpectations {
  state(key: string): ExpectationState;
  begin(key: string): void;
  doubt(key: string): void;
  expect(key: string, what: Expected, uids: readonly string[]): void;
  observed(key: string, what: Expected, uid: string): void;
  forget(key: string): void;
}

/** What a change of a pod means to the ReplicaSets that may be concerned. */
export interface PodNews {
  /** The controller for which the pod is there from now on: if it was awaited, it has been seen. */
  readonly appearedTo: OwnerReference | undefined;
  /** The controller for which the pod no longer counts. */
  readonly lostTo: OwnerReference | undefined;
  /** The controllers that are to look. */
  readonly wakes: readonly OwnerReference[];
  /** Nothing controls the pod, and that is new: are the ReplicaSets that select it to look? */
  readonly orphan: boolean;
}

/** What every part of a ReplicaSet controller works with. */
export interface ReplicaSetDesk {
  readonly context: ComponentContext;
  /** Keys of ReplicaSets: `namespace/name`. */
  readonly queue: RateLimitingWorkQueue<string>;
  readonly caches: ReplicaSetCaches;
  /** Requests about pods, and the Events that tell of them. */
  readonly control: PodControl;
  /** By the uid of the ReplicaSet. */
  readonly expectations: ReplicaSetExpectations;
  /** Which versions were written, by the uid of the ReplicaSet, for `pods` and `replicasets`. */
  readonly written: ConsistencyStore;
}

/** The desk of a controller that starts. */
export function newReplicaSetDesk(
  context: ComponentContext,
  expectations: ReplicaSetExpectations,
): ReplicaSetDesk {
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

/** The parts of a ReplicaSet controller that decide. */
interface ReplicaSetControllerParts {
  newExpectations(context: ComponentContext): ReplicaSetExpectations;
  podNews(previous: Pod | undefined, current: Pod | undefined): PodNews;
  sync(desk: ReplicaSetDesk, key: string): Promise<void>;
}

const WORKERS = 5;

/**
 * A ReplicaSet controller of these parts: its handlers note what they are told and enqueue, and its workers sync. A sync that
 * fails is tried again, later each time. A part that is not written yet ends the controller: to try it again is no use.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go NewReplicaSetController,
 * ReplicaSetController.Run
 */
export function assembleReplicaSetController(parts: ReplicaSetControllerParts): Component {
  return async (context) => {
    const desk = newReplicaSetDesk(context, parts.newExpectations(context));
    const { caches, expectations, queue, written } = desk;
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
          for (const rs of concerned(desk, news, (current ?? previous) as Pod)) enqueue(rs);
        } catch (error) {
          unwritten.meet(error);
        }
      },
    });
    await caches.start();
    const work = context.runWorkers({
      queue,
      workers: WORKERS,
      sync: (key) => parts.sync(desk, key).catch(unwritten.meet),
      onError: (error, key) => context.log(`sync of ${key} failed: ${String(error)}`),
    });
    await Promise.race([work, unwritten.met]);
  };
}

/** Notes what was observed. @returns the ReplicaSets that are to look */
function concerned({ caches, expectations }: ReplicaSetDesk, news: PodNews, pod: Pod): ReplicaSet[] {
  const { uid, namespace } = pod.metadata;
  if (news.appearedTo) expectations.observed(news.appearedTo.uid, 'creations', uid);
  if (news.lostTo) expectations.observed(news.lostTo.uid, 'deletions', uid);
  const owners = news.wakes.flatMap((owner) => caches.resolve(namespace, owner) ?? []);
  return news.orphan ? [...owners, ...caches.selecting(pod)] : owners;
}
