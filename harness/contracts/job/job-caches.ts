import {
  type Job,
  type KubeObject,
  keyOf,
  keyToString,
  type OwnerReference,
  type Pod,
} from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { pods } from '../../api/resource.ts';
import type { SharedInformerFactory } from '../component.ts';
import type { SharedInformer } from '../informer.ts';
import { lastKnown } from '../last-known.ts';
import { byController, CONTROLLER, changeHandler, ORPHAN } from '../owned-objects.ts';
import { selectorOf } from '../replicaset/selector.ts';

/** Notifications of a Job controller. Each method only records something and enqueues: it waits for nothing. */
export interface JobHandlers {
  /** A Job was added (no `previous`) or changed, or is reported again by a resync. Both have the same uid. */
  onJob(previous: Job | undefined, current: Job): void;
  /** A Job was deleted. A new one of the same name may exist, with another uid. */
  onJobGone(job: Job): void;
  /**
   * A pod was added (no `previous`), changed, or deleted (no `current`). Both have the same uid: a recreated pod is
   * reported as a deletion followed by an addition.
   */
  onPod(previous: Pod | undefined, current: Pod | undefined): void;
}

/**
 * The caches of a Job controller: Jobs, and pods indexed by their controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go addJob, updateJob, deleteJob, addPod,
 * updatePod, deletePod, resolveControllerRef, getPodJobs; pkg/controller/controller_utils.go FilterPodsByOwner
 */
export class JobCaches {
  readonly #informers: SharedInformerFactory;
  readonly #jobs: SharedInformer<Job>;
  readonly #pods: SharedInformer<Pod>;

  constructor(informers: SharedInformerFactory) {
    this.#informers = informers;
    this.#jobs = informers.forResource(jobs);
    this.#pods = informers.forResource(pods, byController);
  }

  /** Adds handlers of all events. Call it before {@link start}. */
  listen({ onJob, onJobGone, onPod }: JobHandlers): void {
    this.#jobs.addEventHandler({
      onAdd: (job) => onJob(undefined, job),
      onUpdate: (previous, current) => {
        if (previous.metadata.uid === current.metadata.uid) return onJob(previous, current);
        onJobGone(previous);
        onJob(undefined, current);
      },
      onDelete: (last) => onJobGone(lastKnown(last)),
    });
    this.#pods.addEventHandler(changeHandler(onPod));
  }

  /** Starts the caches. Resolves when they have synced. */
  async start(): Promise<void> {
    this.#informers.start();
    await this.#informers.waitForCacheSync();
  }

  /** The version that each cache has reached, by resource; `''` from a cache that does not know its version. */
  readonly versions = {
    pods: (): string => this.#pods.indexer.lastStoreSyncResourceVersion?.() ?? '',
    jobs: (): string => this.#jobs.indexer.lastStoreSyncResourceVersion?.() ?? '',
  };

  /** @param key `namespace/name` */
  job(key: string): Job | undefined {
    return this.#jobs.indexer.getByKey(key);
  }

  /** Returns the Job of an owner reference in this namespace; `undefined` if no Job has that uid. */
  resolve(namespace: string | undefined, owner: OwnerReference): Job | undefined {
    if (owner.kind !== 'Job') return undefined;
    const job = this.job(
      keyToString({ ...(namespace === undefined ? {} : { namespace }), name: owner.name }),
    );
    return job?.metadata.uid === owner.uid ? job : undefined;
  }

  /** Returns the Jobs that select this pod. */
  selecting({ metadata: { namespace = '', labels } }: Pod): Job[] {
    return this.#jobs.indexer
      .byIndex('namespace', namespace)
      .filter((job) => selectorOf(job).matches(labels));
  }

  /** Returns the pods that this Job controls, in any phase. */
  ownPods(job: Job): Pod[] {
    return this.#pods.indexer.byIndex(CONTROLLER, job.metadata.uid);
  }

  /** Returns the pods of a namespace without a controller. */
  orphans(namespace: string | undefined): Pod[] {
    return this.#pods.indexer.byIndex(ORPHAN, namespace ?? '');
  }

  /** @param key `namespace/name` */
  pod(key: string): Pod | undefined {
    return this.#pods.indexer.getByKey(key);
  }
}

/** Returns the key of an object: `namespace/name`. */
export function keyTextOf(object: KubeObject): string {
  return keyToString(keyOf(object));
}
