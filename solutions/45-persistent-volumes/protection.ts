import {
  type ComponentContext,
  messageOf,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type RateLimitingWorkQueue,
  type Resource,
} from '#harness';
import { keyFor } from './annotations.ts';

/** The objects that a finalizer keeps while they are in use, and their queue. */
export interface Protection<T extends PersistentVolume | PersistentVolumeClaim> {
  readonly resource: Resource<T>;
  readonly finalizer: string;
  readonly queue: RateLimitingWorkQueue<string>;
  readonly workers: number;
  /** Returns whether the object is in use. It must be certain of a false. */
  isUsed(object: T): Promise<boolean>;
}

/**
 * Adds the finalizer to each object, and removes it from an object that is being deleted once nothing uses it. Runs until
 * the context's signal is aborted. Admission adds the finalizer to new objects, where it is active.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/protectionutil/utils.go
 */
export async function runProtection<T extends PersistentVolume | PersistentVolumeClaim>(
  { client, informers, runWorkers, log }: ComponentContext,
  { resource, finalizer, queue, workers, isUsed }: Protection<T>,
): Promise<void> {
  const informer = informers.forResource(resource);
  const enqueue = (object: T): void => {
    if (isDeletionCandidate(object, finalizer) || isUnprotected(object, finalizer)) queue.add(keyFor(object));
  };
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_previous, object) => enqueue(object) });
  informers.start();
  await informers.waitForCacheSync();
  await runWorkers({
    queue,
    workers,
    sync: async (key) => {
      const object = informer.indexer.getByKey(key);
      if (!object) return;
      const { finalizers = [] } = object.metadata;
      if (isUnprotected(object, finalizer)) {
        await client.update(resource, withFinalizers(object, [...finalizers, finalizer]));
      } else if (isDeletionCandidate(object, finalizer) && !(await isUsed(object))) {
        const others = finalizers.filter((each) => each !== finalizer);
        await client.update(resource, withFinalizers(object, others));
      }
    },
    onError: (error, key) => log(`${resource.kind} ${key} failed with: ${messageOf(error)}`),
  });
}

function isDeletionCandidate(
  { metadata }: PersistentVolume | PersistentVolumeClaim,
  finalizer: string,
): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

function isUnprotected({ metadata }: PersistentVolume | PersistentVolumeClaim, finalizer: string): boolean {
  return metadata.deletionTimestamp === undefined && !(metadata.finalizers ?? []).includes(finalizer);
}

function withFinalizers<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  finalizers: readonly string[],
): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
