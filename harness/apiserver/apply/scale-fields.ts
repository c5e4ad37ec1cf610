import type { ManagedFieldsEntry } from '#api/meta/v1';
import { difference, fieldSet, hasField } from './field-set.ts';
import { decodeManaged, encodeManaged, type Managed } from './managed-fields.ts';
import { fieldElement } from './path-element.ts';
import type { VersionedSet } from './updater.ts';

/** The path of the replicas, in a Scale and in every scalable object. */
const REPLICAS = [fieldElement('spec'), fieldElement('replicas')];
const replicas = fieldSet(REPLICAS);

const SCALE_VERSION = 'autoscaling/v1';

/**
 * Returns the owners of an object's replicas as owners of its Scale.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/scalehandler.go ScaleHandler.ToSubresource
 */
export function ownersOfScale(
  entries: readonly ManagedFieldsEntry[],
  apiVersion: string,
): ManagedFieldsEntry[] | undefined {
  const { managers, times } = decodeManaged(entries);
  const scaled = [...managers]
    .filter(([, owner]) => owner.apiVersion === apiVersion && hasField(owner.set, REPLICAS))
    .map(([key, owner]): [string, VersionedSet] => [
      key,
      { ...owner, apiVersion: SCALE_VERSION, set: replicas },
    ]);
  return encodeManaged({ managers: new Map(scaled), times });
}

/**
 * Returns the owners of an object after a write of its Scale.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/scalehandler.go ScaleHandler.ToParent
 *
 * @param entries - the entries of the object before the write
 * @param scaleEntries - the entries of the Scale after the write
 */
export function ownersAfterScale(
  entries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
  apiVersion: string,
): Managed {
  const parent = decodeManaged(entries);
  const scaled = new Map(decodeManaged(scaleEntries).managers);
  const managers = new Map<string, VersionedSet>();
  for (const [key, owner] of parent.managers) {
    if (owner.apiVersion !== apiVersion) continue;
    const isTaken = hasField(owner.set, REPLICAS) && !scaled.delete(key);
    const set = isTaken ? difference(owner.set, replicas) : owner.set;
    if (set.size > 0) managers.set(key, { ...owner, set });
  }
  // A new owner of the replicas has no time here: upstream looks it up among the former owners.
  for (const [key, owner] of scaled) {
    if (hasField(owner.set, REPLICAS)) managers.set(key, { ...owner, apiVersion, set: replicas });
  }
  return { managers, times: parent.times };
}
