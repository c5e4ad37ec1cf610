import type { KubeObject } from '../../api/objects.ts';
import { getOwn } from '../../api/own.ts';
import { isObject, type Json, type JsonObject } from '../../apiserver/patch/json-value.ts';
import { LAST_APPLIED } from './words.ts';

/** The fields that one manager owns. */
export type ManagedFields = NonNullable<KubeObject['metadata']['managedFields']>[number];

/**
 * Returns the entries that own the annotation {@link LAST_APPLIED}.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/csaupgrade/upgrade.go FindFieldsOwners
 *
 * @param operation `Apply`: a server-side apply. `Update`: any other write, such as a client-side apply
 */
export function ownersOfLastApplied(
  { metadata }: KubeObject,
  operation: 'Apply' | 'Update',
): readonly ManagedFields[] {
  const path = ['f:metadata', 'f:annotations', `f:${LAST_APPLIED}`];
  return (metadata.managedFields ?? []).filter((entry) => {
    const fields = path.reduce<Json | undefined>(
      (at, name) => (isObject(at) ? getOwn(at, name) : undefined),
      entry.fieldsV1 as JsonObject | undefined,
    );
    return entry.operation === operation && fields !== undefined;
  });
}

/** Returns the union of two sets of fields, in the format of `fieldsV1`. */
export function unionOfFields(left: JsonObject, right: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...left };
  for (const [name, fields] of Object.entries(right)) {
    const own = getOwn(left, name);
    result[name] = isObject(own) && isObject(fields) ? unionOfFields(own, fields) : fields;
  }
  return result;
}
