import type { Namespace } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Updated, WriteOptions } from '../../contracts/client.ts';
import type { Warned } from './owner-references.ts';
import type { Registry } from './registry.ts';
import { understood, updateFrom } from './update.ts';

/**
 * Replaces the finalizers in a namespace's *spec*, which no other request changes. A deleted namespace disappears with
 * the last of them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go FinalizeREST
 */
export async function finalize(
  registry: Registry,
  sent: Updated<Namespace>,
  options: WriteOptions & Warned,
): Promise<Namespace> {
  const { kind, object, old } = understood(registry, namespaces, sent, options);
  if (!old) throw errors.notFound(namespaces, object.metadata.name);
  const keepStatus = (next: Namespace): Namespace => ({ ...next, status: old.status });
  return updateFrom(registry, { ...kind, prepareForUpdate: keepStatus }, object, old, options);
}
