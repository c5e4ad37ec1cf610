import { isShared } from '../../api/freeze.ts';
import { keyOf, type Namespace } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import type { Updated, WriteOptions } from '../../contracts/client.ts';
import { decode } from '../decode.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { updateFrom } from './update.ts';

/**
 * Replaces the finalizers in a namespace's *spec*, which no other request changes. A deleted namespace disappears with
 * the last of them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/storage/storage.go FinalizeREST
 */
export async function finalize(
  registry: Registry,
  sent: Updated<Namespace>,
  options: WriteOptions,
): Promise<Namespace> {
  const { fieldValidation = 'Strict' } = options;
  const { object } = decode(namespaces, sent, { fieldValidation, isTrusted: isShared });
  const old = readNewest(registry, namespaces, checkedKey(namespaces, keyOf(object)));
  const kind = registry.kindOf(namespaces);
  const keepStatus = (next: Namespace): Namespace => ({ ...next, status: old.status });
  return updateFrom(registry, { ...kind, prepareForUpdate: keepStatus }, object, old, options);
}
