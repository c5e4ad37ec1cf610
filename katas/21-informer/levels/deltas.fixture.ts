import { type Delta, metaNamespaceKeyFunc, type Notification } from '#given/21-informer';
import { type ConfigMap, DeletedFinalStateUnknown } from '#harness';
import { configMap } from '#laws/21-informer';

/** Returns an object from `name@version`. */
export function object(nameAtVersion: string): ConfigMap {
  const [name = '', version = ''] = nameAtVersion.split('@');
  return configMap(name, version);
}

/** An object as {@link object} takes it. */
export function written({ metadata: { name, resourceVersion } }: ConfigMap): string {
  return resourceVersion ? `${name}@${resourceVersion}` : name;
}

/** A delta in the notation of upstream's tables. */
export type WrittenDelta =
  | { readonly add: string }
  | { readonly update: string }
  | { readonly delete: string }
  | { readonly replace: readonly string[]; readonly at: string }
  | { readonly resync: 1 }
  | { readonly bookmark: string };

/** Returns the delta of this notation. */
export function delta(of: WrittenDelta): Delta<ConfigMap> {
  if ('add' in of) return { type: 'Added', object: object(of.add) };
  if ('update' in of) return { type: 'Updated', object: object(of.update) };
  if ('delete' in of) return { type: 'Deleted', object: object(of.delete) };
  if ('bookmark' in of) return { type: 'Bookmark', resourceVersion: of.bookmark };
  if ('resync' in of) return { type: 'SyncAll' };
  const objects = Object.freeze(of.replace.map(object));
  return { type: 'ReplacedAll', objects, resourceVersion: of.at };
}

/**
 * Describes a delta: `Added a@11`, `ReplacedAll a@3 b@6 at 10`, `Bookmark at 30`, `Deleted a@3 (last known)` for a
 * tombstone.
 */
export function said(of: Delta<ConfigMap>): string {
  switch (of.type) {
    case 'ReplacedAll':
      return ['ReplacedAll', ...of.objects.map(written), 'at', of.resourceVersion].join(' ');
    case 'SyncAll':
      return 'SyncAll';
    case 'Bookmark':
      return `Bookmark at ${of.resourceVersion}`;
    default:
      return `${of.type} ${lastKnown(of.object)}`;
  }
}

/**
 * Describes a notification: `add a@1`, `add a@1 in the initial list`, `update a@1 to a@2`, `delete a@2 (last known)`.
 */
export function told(of: Notification<ConfigMap>): string {
  switch (of.type) {
    case 'add':
      return `add ${written(of.object)}${of.isInInitialList ? ' in the initial list' : ''}`;
    case 'update':
      return `update ${written(of.previous)} to ${written(of.current)}`;
    case 'delete':
      return `delete ${lastKnown(of.object)}`;
  }
}

function lastKnown(deleted: ConfigMap | DeletedFinalStateUnknown<ConfigMap>): string {
  if (!(deleted instanceof DeletedFinalStateUnknown)) return written(deleted);
  const { key, object: last } = deleted;
  return key === metaNamespaceKeyFunc(last)
    ? `${written(last)} (last known)`
    : `${written(last)} (last known, under the key ${key})`;
}
