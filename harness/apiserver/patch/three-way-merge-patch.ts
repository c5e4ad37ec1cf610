import { diffMaps } from './diff-map.ts';
import type { JsonObject } from './json-value.ts';
import { haveConflicts } from './merge-conflict.ts';
import { mergeMap } from './merge-map.ts';
import type { PatchSchema } from './patch-schema.ts';

/** The three documents of an apply. */
export interface ThreeWay {
  /** What was applied last. */
  readonly original: JsonObject;
  /** What shall be applied now. */
  readonly modified: JsonObject;
  /** What the server has. */
  readonly current: JsonObject;
}

/** How {@link createThreeWayMergePatch} treats what others changed. */
export interface ThreeWayOptions {
  /**
   * Whether to win over changes that others made since the last apply. If not, they are a conflict.
   *
   * @defaultValue true, as in `kubectl apply --overwrite`
   */
  readonly overwrite?: boolean;
  /**
   * Each must hold of the patch: kubectl checks so that an apply changes neither kind nor name.
   *
   * @defaultValue none
   */
  readonly preconditions?: readonly ((patch: JsonObject) => boolean)[];
}

/**
 * The strategic merge patch that brings the server's object to the modified configuration: it sets what
 * differs from `current`, and deletes only what `original` had and `modified` has not. So fields that
 * others own are left alone. A deletion is sent even if the server has nothing left to delete.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go CreateThreeWayMergePatch
 *
 * @throws {MergeConflictError} if `overwrite` is false and another changed what the patch changes.
 * @throws {PreconditionFailedError} if a precondition does not hold.
 * @throws {PatchError} if a merging list is malformed; the code means nothing on the client's side.
 */
export function createThreeWayMergePatch(
  { original, modified, current }: ThreeWay,
  schema: PatchSchema | undefined,
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

/** The patch and what was changed meanwhile set the same fields to different values. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';

  constructor(patch: JsonObject, changed: JsonObject) {
    super(
      `patch:\n${JSON.stringify(patch, null, 2)}\n` +
        `conflicts with changes made from original to current:\n${JSON.stringify(changed, null, 2)}\n`,
    );
  }
}

/** The patch would change what must not change. */
export class PreconditionFailedError extends Error {
  override readonly name = 'PreconditionFailedError';

  constructor(patch: JsonObject) {
    super(`precondition failed for: ${JSON.stringify(patch)}`);
  }
}
