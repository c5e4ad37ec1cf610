import type { CustomResourceDefinition, KubeObject } from '../api/objects.ts';
import { customResourceDefinitions } from '../api/plain-resources.ts';
import { groupVersion, type Resource, resources } from '../api/resource.ts';
import { resourcesOf } from '../apiserver/custom/custom-resources.ts';
import { decode } from '../apiserver/decode.ts';
import type { Storage } from '../apiserver/storage/storage.ts';

/**
 * Every object of a cluster, in order of its last write. It is a List, so kubectl can read it, too.
 *
 * Differs: a real cluster that restarts also keeps the disks and containers of its nodes.
 */
interface SavedState {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly items: readonly KubeObject[];
}

/** An object, and the resource that it is stored as. */
export interface StoredObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** Returns all stored objects. */
export function savedState(storage: Storage): SavedState {
  const items = storage.everything().map(({ object }) => object);
  const revision = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);
  return { apiVersion: 'v1', kind: 'List', items: items.sort((a, b) => revision(a) - revision(b)) };
}

/**
 * Returns the objects of a saved state, in order. They keep their uids and times; storage assigns new revisions.
 *
 * @param value the parsed content of the file
 * @throws Error when the state is not valid; the message names the item
 */
export function readSavedState(value: unknown): readonly StoredObject[] {
  const { kind, items } = (value ?? {}) as Partial<SavedState>;
  if (kind !== 'List' || !Array.isArray(items)) throw new Error('it is not a List with items');
  const custom = items
    .filter((item: Partial<KubeObject>) => item?.kind === customResourceDefinitions.kind)
    .flatMap((item) => resourcesOf(item as unknown as CustomResourceDefinition));
  return items.map((item: Partial<KubeObject>, index) => {
    const resource = [...resources, ...custom].find(
      (each) => each.kind === item?.kind && groupVersion(each) === item.apiVersion,
    );
    if (!resource) throw new Error(`item ${index} has an unknown kind: ${item?.apiVersion} ${item?.kind}`);
    const { object } = decode<KubeObject>(resource, item, { fieldValidation: 'Strict' });
    if (!object.metadata?.uid)
      throw new Error(`item ${index} has no metadata.uid: it never was in a cluster`);
    return { resource, object };
  });
}

/** Writes saved objects to an empty storage. */
export function restore(storage: Storage, objects: readonly StoredObject[]): void {
  for (const { resource, object } of objects) storage.create(resource, object);
}
