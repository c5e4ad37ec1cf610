import { isShared } from '../../api/freeze.ts';
import { type KubeObject, type ObjectKey, keyOf } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { StatusError, errors, failure } from '../../api/status.ts';
import type { Patch, PatchOptions } from '../../contracts/client.ts';
import { decode } from '../decode.ts';
import { PatchError, type PatchErrorCode, applyPatch, schemaOf } from '../patch/index.ts';
import { type Registry, checkedKey, readNewest } from './registry.ts';
import { updateFrom, updateStatusFrom } from './update.ts';
import { patchScale } from './scale.ts';

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
  const patched = applied(resource, key.name, old, sent);
  const { object } = decode<T>(resource, patched, {
    fieldValidation: options.fieldValidation ?? 'Strict',
    isTrusted: isShared,
  });
  const { name, namespace } = keyOf(object);
  if (name !== checked.name) {
    throw errors.badRequest(`the name of the object (${name}) does not match the name on the URL (${checked.name})`);
  }
  if (namespace !== checked.namespace) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return options.subresource === 'status'
    ? updateStatusFrom(registry, kind, object, old, options)
    : updateFrom(registry, kind, object, old, options);
}

/** `old` with the patch applied. @throws StatusError as a real apiserver gives it */
export function applied(resource: Resource, name: string, old: unknown, sent: Patch): unknown {
  try {
    return applyPatch(old, sent, schemaOf(resource));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const details = {
      ...(name ? { name } : {}),
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.plural,
    };
    throw new StatusError(failure(REASONS[error.code], error.message, error.code === 422 ? details : undefined));
  }
}

const REASONS = {
  400: 'BadRequest',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  500: 'InternalError',
} as const satisfies Record<PatchErrorCode | 500, string>;
