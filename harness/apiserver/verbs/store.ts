import { deepEqual, freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type Cause, errors } from '../../api/status.ts';
import type { Kind } from '../kind.ts';
import type { Registry } from './registry.ts';

/** @throws StatusError Invalid, when there are causes; each is named once, however often it was found */
export function mustBeValid(resource: Resource, name: string, causes: readonly Cause[]): void {
  if (causes.length === 0) return;
  const distinct = new Map(causes.map((cause) => [JSON.stringify(cause), cause]));
  throw errors.invalid(resource, name, [...distinct.values()]);
}

/**
 * Writes `object` over `old`. What changes nothing is not written: it gets no new revision and nobody is told.
 *
 * The last steps of every write: validation's verdict, and the write itself.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/etcd3/store.go store.GuaranteedUpdate
 */
export function replace<T extends KubeObject>(
  { storage, author }: Registry,
  resource: Resource<T>,
  object: T,
  old: T,
  dryRun: boolean | undefined,
): T {
  const { resourceVersion } = old.metadata;
  const candidate = { ...object, metadata: { ...object.metadata, resourceVersion } };
  if (deepEqual(candidate, old)) return old;
  return dryRun ? freezeObject(candidate) : storage.update(resource, object, resourceVersion, author);
}

/**
 * Writes an update over `old`; or removes it, if the update takes away the last that a deleted object waited for.
 * Gives back the object as it was asked for; watchers are shown what was stored.
 */
export function replaceOrRemove<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  object: T,
  old: T,
  dryRun: boolean | undefined,
): T {
  if (!isRemoval(kind, object, old)) return replace(registry, kind.resource, object, old, dryRun);
  if (!dryRun) {
    registry.storage.delete(kind.resource, keyOf(old), old.metadata.resourceVersion, registry.author);
  }
  return freezeObject(object);
}

/** Upstream: kubernetes/apiserver@v0.30.0 pkg/registry/generic/registry/store.go ShouldDeleteDuringUpdate */
function isRemoval<T extends KubeObject>({ termination }: Kind<T>, object: T, old: T): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds > 0) return false;
  return !object.metadata.finalizers?.length && (termination?.isFinalized(object) ?? true);
}
