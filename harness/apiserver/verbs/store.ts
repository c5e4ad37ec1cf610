import { deepEqual, freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type Cause, errors, type StatusError } from '../../api/status.ts';
import { afterwards, type Eventually } from '../eventually.ts';
import type { Kind } from '../kind.ts';
import { storeKey } from '../mirror/store-keys.ts';
import type { Registry } from './registry.ts';

/** @throws StatusError Invalid when there are causes */
export function mustBeValid(resource: Resource, name: string, causes: readonly Cause[]): void {
  if (causes.length > 0) throw errors.invalid(resource, name, causes);
}

/**
 * Returns the conflict of a write that refers to an earlier incarnation.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/interfaces.go Preconditions.Check, errors.go StorageError
 */
export function uidConflict(resource: Resource, key: ObjectKey, uid: string, found: string): StatusError {
  const where = storeKey(resource, key);
  const why = uidMismatch(uid, found);
  return errors.conflict(
    resource,
    key.name,
    `StorageError: invalid object, Code: 4, Key: ${where}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

/** Returns the message for a uid that does not match. */
export const uidMismatch = (asked: string, actual: string): string =>
  `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${actual}`;

/**
 * Writes `object` over `old`. An update without changes is not written: it gets no new revision, and watchers see
 * nothing.
 *
 * The last step of every write: the verdict of validation, and the write itself.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GuaranteedUpdate
 */
export function replace<T extends KubeObject>(
  { writes, author }: Registry,
  resource: Resource<T>,
  object: T,
  old: T,
  dryRun: boolean | undefined,
): Eventually<T> {
  const { resourceVersion } = old.metadata;
  const candidate = { ...object, metadata: { ...object.metadata, resourceVersion } };
  if (deepEqual(candidate, old) || differsInTimesOnly(candidate, old)) return old;
  return dryRun ? freezeObject(candidate) : writes.update(resource, object, resourceVersion, author);
}

/**
 * Reports whether only the times of the field owners differ. Such a change is not written.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/fieldmanager/equality.go
 * IgnoreManagedFieldsTimestampsTransformer
 */
function differsInTimesOnly(object: KubeObject, old: KubeObject): boolean {
  const { managedFields } = object.metadata;
  const { managedFields: before } = old.metadata;
  if (!managedFields || !before || managedFields === before) return false;
  const untimed = (entries: typeof before) => entries.map(({ time, ...entry }) => entry);
  if (!deepEqual(untimed(managedFields), untimed(before))) return false;
  return deepEqual({ ...object, metadata: { ...object.metadata, managedFields: before } }, old);
}

/**
 * Writes an update over `old`. If the update removes the last obstacle to a deletion, removes the object instead.
 * Returns the requested object; watchers see the last stored one.
 */
export function replaceOrRemove<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  old: T,
  dryRun: boolean | undefined,
): Eventually<T> {
  const { resource } = kind;
  if (!isRemoval(kind, object, old)) return replace(registry, resource, object, old, dryRun);
  if (dryRun) return freezeObject(object);
  const removing = registry.writes.delete(
    resource,
    keyOf(old),
    old.metadata.resourceVersion,
    registry.author,
  );
  return afterwards(removing, () => freezeObject(object));
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go ShouldDeleteDuringUpdate */
function isRemoval<T extends KubeObject>({ termination }: Kind<T>, object: T, old: T): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds > 0) return false;
  return !object.metadata.finalizers?.length && (termination?.isFinalized(object) ?? true);
}
