import type { KubeObject } from '../../../api/objects.ts';
import { schemaOf } from '../../../apiserver/patch/index.ts';
import type { MergeSchema } from '../../../contracts/apply/index.ts';
import { type ApplyRecord, annotationOf, nameOf, type RequestRecord } from '../history.ts';
import type { JsonMap } from '../scenario/fields.ts';
import type { Wanted } from './documents.ts';
import { annotate } from './encode.ts';
import { mergeMaps } from './merge.ts';
import { originalOf } from './original.ts';

/** Returns whether the kind is a custom resource, whose patches know no merge keys. */
export const isCustom = ({ kind }: Wanted): boolean => kind.resource === undefined;

/** Returns the merge rules of an object's kind. */
export const schemaFor = (wanted: Wanted): MergeSchema | undefined =>
  isCustom(wanted) ? undefined : schemaOf(wanted.resource);

/** Returns the object of the manifest that a request is about. */
export function wantedBy({ expected }: ApplyRecord, { resource, key }: RequestRecord): Wanted | undefined {
  const name = nameOf(resource, key);
  return expected.find((each): each is Wanted => 'key' in each && nameOf(each.resource, each.key) === name);
}

/** Returns the live object that the client has read last before a request. */
export function seenBy({ requests }: ApplyRecord, request: RequestRecord): KubeObject | undefined {
  const name = nameOf(request.resource, request.key);
  const read = requests.findLast(
    ({ verb, number, resource, key, answer }) =>
      verb === 'get' && number < request.number && answer !== undefined && nameOf(resource, key) === name,
  );
  return read?.answer as KubeObject | undefined;
}

/**
 * Returns the result of an apply, before defaults.
 *
 * @param seen - the live object that the client has read
 * @param stored - the stored object when the change arrives
 * @param eager - also sets fields that had their value when the client read the object
 */
export function resultOf(wanted: Wanted, seen: KubeObject, stored: KubeObject, eager: boolean): JsonMap {
  const strategic = !isCustom(wanted);
  return mergeMaps(
    {
      original: originalOf(annotationOf(seen)),
      modified: annotate(wanted.manifest),
      seen: seen as unknown as JsonMap,
      stored: stored as unknown as JsonMap,
    },
    { schema: schemaFor(wanted), eager, strategic },
  );
}
