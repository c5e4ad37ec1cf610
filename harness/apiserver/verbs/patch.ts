import { isShared } from '../../api/freeze.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Patch, PatchOptions } from '../../contracts/client.ts';
import { decodePatched } from '../decode.ts';
import { patched } from './apply-patch.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { patchScale } from './scale.ts';
import { updateFrom, updateStatusFrom } from './update.ts';

/**
 * Reads, changes and writes in one step. A resourceVersion in the patch makes it a compare-and-swap.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/patch.go patcher
 */
export async function patch<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
  sent: Patch,
  options: PatchOptions,
): Promise<T> {
  const kind = registry.kindOf(resource);
  const checked = checkedKey(resource, key);
  const old = readNewest(registry, resource, checked);
  if (options.subresource === 'scale') {
    return (await patchScale(registry, resource, checked, sent, options)) as unknown as T;
  }
  const value = patched(resource, key.name, old, sent) as object;
  const { object } = decodePatched<T>(
    resource,
    value,
    { type: sent.type, value: sent.body },
    {
      fieldValidation: options.fieldValidation ?? 'Strict',
      isTrusted: isShared,
    },
  );
  const { name, namespace } = keyOf(object);
  if (name !== checked.name) {
    throw errors.badRequest(
      `the name of the object (${name}) does not match the name on the URL (${checked.name})`,
    );
  }
  if (namespace !== checked.namespace) {
    throw errors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  return options.subresource === 'status'
    ? updateStatusFrom(registry, kind, object, old, options)
    : updateFrom(registry, kind, object, old, options);
}
