/** Level 3 · From the queue into the cache. */
import {
  type Delta,
  type Indexer,
  metaNamespaceKeyFunc,
  type Notification,
  type ReplacedAll,
} from '#given/21-informer';
import { DeletedFinalStateUnknown, type KubeObject } from '#harness';

/**
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/controller.go processDeltas
 *
 * Differs: each delta is followed by its notifications; upstream adds up to 1,000 to the cache before it notifies.
 */
export function processDelta<T extends KubeObject>(
  delta: Delta<T>,
  indexer: Indexer<T>,
  isInInitialList: boolean,
): Notification<T>[] {
  switch (delta.type) {
    case 'Added':
    case 'Updated': {
      const previous = indexer.getByKey(metaNamespaceKeyFunc(delta.object));
      indexer.update(delta.object);
      return [addOrUpdate(previous, delta.object, isInInitialList)];
    }
    case 'Deleted':
      indexer.delete(delta.object);
      return [{ type: 'delete', object: delta.object }];
    case 'ReplacedAll':
      return replaceAll(delta, indexer, isInInitialList);
    case 'SyncAll':
      return indexer.list().map((object) => ({ type: 'update', previous: object, current: object }));
    case 'Bookmark':
      indexer.bookmark(delta.resourceVersion);
      return [];
  }
}

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/controller.go processReplacedAllInfo */
export function replaceAll<T extends KubeObject>(
  { objects, resourceVersion }: ReplacedAll<T>,
  indexer: Indexer<T>,
  isInInitialList: boolean,
): Notification<T>[] {
  const before = new Map(indexer.listKeys().map((key) => [key, indexer.getByKey(key) as T]));
  indexer.replace(objects, resourceVersion);
  const deletions = [...before]
    .filter(([key]) => indexer.getByKey(key) === undefined)
    .map(
      ([key, last]): Notification<T> => ({ type: 'delete', object: new DeletedFinalStateUnknown(key, last) }),
    );
  const replacements = objects.map((object) =>
    addOrUpdate(before.get(metaNamespaceKeyFunc(object)), object, isInInitialList),
  );
  return [...deletions, ...replacements];
}

/** The cache decides between add and update, not the event type of the watch. */
function addOrUpdate<T>(previous: T | undefined, current: T, isInInitialList: boolean): Notification<T> {
  if (previous === undefined) return { type: 'add', object: current, isInInitialList };
  return { type: 'update', previous, current };
}
