import { getOwn } from '../../api/own.ts';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import { PATCH, RETAIN_KEYS } from './directives.ts';
import { isList, isObject, type Json, type JsonList, type JsonObject } from './json-value.ts';
import { elementTypeOf, identityOf } from './list-order.ts';
import { fieldOf, mergesLists } from './patch-schema.ts';

/**
 * Reports whether two patches set the same field to different values. Different elements of a merging list, and merging
 * lists of scalars, never conflict.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go MergingMapsHaveConflicts
 */
export function haveConflicts(left: JsonObject, right: JsonObject, schema: MergeSchema | undefined): boolean {
  return valuesConflict(left, right, schema ? { schema } : {});
}

function valuesConflict(left: Json, right: Json, field: MergeField): boolean {
  if (isObject(left)) return !isObject(right) || objectsConflict(left, right, field);
  if (isList(left)) return !isList(right) || listsConflict(left, right, field);
  return left !== right;
}

function objectsConflict(left: JsonObject, right: JsonObject, field: MergeField): boolean {
  // A directive affects the whole object, so it conflicts with any change on the other side.
  if (getOwn(left, PATCH) !== getOwn(right, PATCH)) return true;
  if (field.patchStrategy === 'replace') return false;
  return Object.entries(left).some(([key, value]) => {
    if (key === PATCH || key === RETAIN_KEYS) return false;
    const other = getOwn(right, key);
    return other !== undefined && valuesConflict(value, other, fieldOf(field.schema, key));
  });
}

function listsConflict(left: JsonList, right: JsonList, field: MergeField): boolean {
  const ofObjects = elementTypeOf(left, right) === 'object';
  const element: MergeField = field.schema ? { schema: field.schema } : {};
  if (mergesLists(field)) {
    if (!ofObjects) return false;
    const others = new Map(right.map((item) => [identityOf(item, field.patchMergeKey), item]));
    return left.some((item) => {
      const other = others.get(identityOf(item, field.patchMergeKey));
      return other !== undefined && valuesConflict(item, other, element);
    });
  }
  if (left.length !== right.length) return true;
  // Upstream does not report a different order of scalars as a conflict.
  const [ours, theirs] = ofObjects ? [left, right] : [left.toSorted(), right.toSorted()];
  return ours.some((item, index) => valuesConflict(item, theirs[index] as Json, element));
}
