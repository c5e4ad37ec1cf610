import type { Resource } from '../../api/resource.ts';
import { failure, StatusError } from '../../api/status.ts';
import { applyPatch, type Patch, PatchError, type PatchErrorCode, schemaOf } from '../patch/index.ts';

/** Returns `old` with the patch applied. @throws StatusError, the same as from a real apiserver */
export function patched(resource: Resource, name: string, old: unknown, sent: Patch): unknown {
  try {
    return applyPatch(old, sent, schemaOf(resource));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const details = {
      ...(name ? { name } : {}),
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.plural,
    };
    throw new StatusError(
      failure(REASONS[error.code], error.message, error.code === 422 ? details : undefined),
    );
  }
}

const REASONS = {
  400: 'BadRequest',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  500: 'InternalError',
} as const satisfies Record<PatchErrorCode | 500, string>;
