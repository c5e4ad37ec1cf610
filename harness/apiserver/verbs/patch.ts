import { isShared } from '../../api/freeze.ts';
import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Patch, PatchOptions } from '../../contracts/client.ts';
import { decodePatched } from '../decode.ts';
import { mustBeValidOptions } from '../validation/list-options.ts';
import { validatePatchOptions } from '../validation/patch-options.ts';
import { apply } from './apply.ts';
import { patched } from './apply-patch.ts';
import { asServed, asStored } from './conversion.ts';
import { type Warned, withDistinctOwners } from './owner-references.ts';
import { placedAt } from './placed.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { patchScale } from './scale.ts';
import { updateFrom, updatePartFrom, updateStatusFrom } from './update.ts';

/**
 * Reads, changes and writes an object in one step. A resourceVersion in the patch makes it a compare-and-swap.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go patcher
 */
export async function patch<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
  sent: Patch,
  options: PatchOptions & Warned,
): Promise<T> {
  mustBeValidOptions('PatchOptions', validatePatchOptions(sent.type, options));
  const kind = registry.kindOf(resource);
  const checked = checkedKey(resource, key);
  if (options.subresource === 'scale') {
    return (await patchScale(registry, resource, checked, sent, options)) as unknown as T;
  }
  if (sent.type === 'apply') return apply(registry, kind, checked, sent.body, options);
  const old = readNewest(registry, resource, checked);
  const { conversion } = kind;
  const served = (conversion?.served ?? resource) as Resource<T>;
  const told = conversion ? asServed(conversion, old) : old;
  const value = patched(served, key.name, told, sent) as object;
  const { object: decoded } = decodePatched<T>(
    served,
    value,
    { type: sent.type, value: sent.body },
    {
      fieldValidation: options.fieldValidation ?? 'Strict',
      isTrusted: isShared,
    },
  );
  const placed = placedAt(checked, conversion ? asStored<T>(conversion, decoded) : decoded);
  const object = withDistinctOwners(placed, options, true);
  return updates[options.subresource ?? 'object'](registry, kind, object, old, options);
}

/** The functions that write the result, by the patched subresource. */
const updates = {
  object: updateFrom,
  status: updateStatusFrom,
  ephemeralcontainers: updatePartFrom('ephemeralcontainers'),
  approval: updatePartFrom('approval'),
} as const;
