import type { MergeSchema } from '../../contracts/apply/index.ts';
import { diffMaps } from './diff-map.ts';
import type { JsonObject } from './json-value.ts';
import { haveConflicts } from './merge-conflict.ts';
import { mergeMap } from './merge-map.ts';

/** The three documents of an apply. */
interface ThreeWay {
  /** The last applied configuration. */
  readonly original: JsonObject;
  /** The configuration to apply now. */
  readonly modified: JsonObject;
  /** The object on the server. */
  readonly current: JsonObject;
}

/** Options of {@link createThreeWayMergePatch}. */
interface ThreeWayOptions {
  /**
   * Whether to overwrite changes that other writers made since the last apply. If not, they are a conflict.
   *
   * @defaultValue true, as in `kubectl apply --overwrite`
   */
  readonly overwrite?: boolean;
  /**
   * Conditions that the patch must fulfil: kubectl checks that an apply does not change kind or name.
   *
   * @defaultValue none
   */
  readonly preconditions?: readonly ((patch: JsonObject) => boolean)[];
}

/**
 * Returns the strategic merge patch from the server's object to the modified configuration. It sets fields that differ
 * from `current`, and deletes only fields that `original` has and `modified` lacks. So it does not touch the fields of
 * other owners. It includes a deletion even if the server no longer has the field.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go CreateThreeWayMergePatch
 *
 * @throws {MergeConflictError} if `overwrite` is false and another writer changed the same fields.
 * @throws {PreconditionFailedError} if a precondition fails.
 * @throws {PatchError} if a merging list is malformed; its code is meaningless on the client's side.
 */
export function createThreeWayMergePatch(
  { original, modified, current }: ThreeWay,
  schema: MergeSchema | undefined,
  { overwrite = true, preconditions = [] }: ThreeWayOptions = {},
): JsonObject {
  const delta = diffMaps(current, modified, schema, { setElementOrder: true, ignoreDeletions: true });
  const deletions = diffMaps(original, modified, schema, {
    setElementOrder: true,
    ignoreChangesAndAdditions: true,
  });
  const patch = mergeMap(deletions, delta, schema, 'combine');
  if (!preconditions.every((holds) => holds(patch))) throw new PreconditionFailedError(patch);
  if (!overwrite) {
    const changed = diffMaps(original, current, schema, {});
    if (haveConflicts(patch, changed, schema)) throw new MergeConflictError(patch, changed);
  }
  return patch;
}

/** The patch and a concurrent change set the same fields to different values. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';

  constructor(patch: JsonObject, changed: JsonObject) {
    super(
      `patch:\n${JSON.stringify(patch, null, 2)}\n` +
        `conflicts with changes made from original to current:\n${JSON.stringify(changed, null, 2)}\n`,
    );
  }
}

/** The patch violates a precondition. */
class PreconditionFailedError extends Error {
  override readonly name = 'PreconditionFailedError';

  constructor(patch: JsonObject) {
    super(`precondition failed for: ${JSON.stringify(patch)}`);
  }
}
