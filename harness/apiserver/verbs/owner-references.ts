import type { OwnerReference } from '#api/meta/v1';
import type { KubeObject, ObjectMeta } from '../../api/objects.ts';
import { semanticText } from '../../api/semantic-equality.ts';

/** Receives the warnings of a write. Only the handler passes one: a client in the same process gets no warnings. */
export interface Warned {
  readonly onWarning?: (warning: string) => void;
}

/**
 * Removes each owner reference that equals an earlier one, and warns about it. References that differ in any field
 * stay, even if they have the same uid.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go dedupOwnerReferencesAndAddWarning
 *
 * @param patched - whether the object is the result of a patch, for which upstream has other words
 */
export function withDistinctOwners<T extends KubeObject>(
  object: T,
  { onWarning }: Warned,
  patched = false,
): T {
  const { metadata } = object as { readonly metadata?: Partial<ObjectMeta> };
  const { ownerReferences = [] } = metadata ?? {};
  if (ownerReferences.length < 2) return object;
  const distinct = new Map<string, OwnerReference>();
  const duplicates: string[] = [];
  for (const reference of ownerReferences) {
    const text = semanticText(reference);
    if (distinct.has(text)) duplicates.push(reference.uid);
    else distinct.set(text, reference);
  }
  if (duplicates.length === 0) return object;
  onWarning?.(
    `.metadata.ownerReferences contains duplicate entries${patched ? ' after mutating admission happens' : ''}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
  return { ...object, metadata: { ...metadata, ownerReferences: [...distinct.values()] } };
}
