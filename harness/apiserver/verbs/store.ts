/** The last steps of every write: validation's verdict, and the write itself. */
import { deepEqual } from '../../api/freeze.ts';
import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type Cause, errors } from '../../api/status.ts';
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
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/etcd3/store.go store.GuaranteedUpdate
 */
export function replace<T extends KubeObject>(
  { storage }: Registry,
  resource: Resource<T>,
  object: T,
  old: T,
  dryRun: boolean | undefined,
): T {
  const { resourceVersion } = old.metadata;
  const candidate = { ...object, metadata: { ...object.metadata, resourceVersion } };
  if (deepEqual(candidate, old)) return old;
  return dryRun ? candidate : storage.update(resource, object, resourceVersion);
}
