import { labelSelectorAsSelector } from '../api/label-selector.ts';
import {
  type DaemonSet,
  type Deployment,
  type KubeObject,
  keyOf,
  keyToString,
  type StatefulSet,
} from '../api/objects.ts';
import { controllerOf } from '../api/predicates.ts';
import type { Resource } from '../api/resource.ts';
import { hasReason, isNotFound } from '../api/status.ts';
import type { Client } from './client.ts';
import { newControllerRef } from './controller-ref.ts';

/** The controllers of apps/v1 that own objects by a selector. */
export type Owner = DaemonSet | Deployment | StatefulSet;

/** The objects that {@link claimOwned} claims, and the controller that claims them. */
export interface ClaimOptions<O extends Owner, T extends KubeObject> {
  readonly client: Pick<Client, 'get' | 'patch'>;
  readonly owner: O;
  readonly ownerResource: Resource<O>;
  readonly resource: Resource<T>;
  /** Objects in the owner's namespace. */
  readonly candidates: readonly T[];
  /** Returns whether the owner accepts an object that its selector matches. @defaultValue every object */
  readonly accepts?: (object: T) => boolean;
}

/**
 * Adopts the objects that the owner selects and that have no controller. Releases owned objects that it no longer
 * selects, as kata 23 does with pods. An owner that is being deleted does neither.
 *
 * Both patches check the `uid` of the object, without a `resourceVersion`: a concurrent change of the same object does
 * not fail them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject,
 * RecheckDeletionTimestamp
 *
 * @returns the objects that it owns afterwards
 * @throws the error of the server; an Error when there is an object to adopt, but on the server the owner has another
 * uid or is being deleted
 */
export async function claimOwned<O extends Owner, T extends KubeObject>(
  options: ClaimOptions<O, T>,
): Promise<T[]> {
  const { owner, ownerResource, candidates, accepts = () => true } = options;
  const { uid, deletionTimestamp } = owner.metadata;
  const selector = labelSelectorAsSelector(owner.spec.selector);
  const claimed: T[] = [];
  let alive: Promise<void> | undefined;
  for (const object of candidates) {
    const controller = controllerOf(object);
    const selected = selector.matches(object.metadata.labels) && accepts(object);
    if (controller?.uid === uid && selected) claimed.push(object);
    else if (deletionTimestamp !== undefined) continue;
    else if (controller?.uid === uid) await release(options, object);
    else if (!controller && selected && object.metadata.deletionTimestamp === undefined) {
      // The cache may lag behind a deletion of the owner, so this reads it from the server, once.
      alive ??= mustBeAlive(options);
      await alive;
      const kind = ownerResource.kind as Parameters<typeof newControllerRef>[1];
      const adopted = await patchOwners(options, object, [newControllerRef(owner, kind)]);
      if (adopted) claimed.push(adopted);
    }
  }
  return claimed;
}

async function mustBeAlive<O extends Owner, T extends KubeObject>({
  client,
  owner,
  ownerResource,
}: ClaimOptions<O, T>): Promise<void> {
  const key = keyOf(owner);
  const { uid, deletionTimestamp } = (await client.get(ownerResource, key)).metadata;
  if (uid === owner.metadata.uid && deletionTimestamp === undefined) return;
  const why = deletionTimestamp === undefined ? 'it is another one now' : 'it is being deleted';
  throw new Error(`Failed to adopt for ${ownerResource.kind} ${keyToString(key)}: ${why}.`);
}

async function release<O extends Owner, T extends KubeObject>(
  options: ClaimOptions<O, T>,
  object: T,
): Promise<void> {
  try {
    await patchOwners(options, object, [{ $patch: 'delete', uid: options.owner.metadata.uid }]);
  } catch (error) {
    // Another object has the name by now.
    if (!hasReason(error, 'Invalid')) throw error;
  }
}

/** Returns undefined if the object no longer exists. */
async function patchOwners<O extends Owner, T extends KubeObject>(
  { client, resource }: ClaimOptions<O, T>,
  object: T,
  ownerReferences: readonly unknown[],
): Promise<T | undefined> {
  const body = { metadata: { uid: object.metadata.uid, ownerReferences } };
  try {
    return await client.patch(resource, keyOf(object), { type: 'strategic', body });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
