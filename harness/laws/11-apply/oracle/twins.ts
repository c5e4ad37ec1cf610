import { schemaOf } from '../../../apiserver/patch/index.ts';
import type { MergeSchema } from '../../../contracts/apply/index.ts';
import { annotationOf, type RequestRecord } from '../history.ts';
import type { Json } from '../scenario/fields.ts';
import type { Wanted } from './documents.ts';
import { isMap } from './json.ts';
import { originalOf } from './original.ts';

/**
 * Returns whether a list of an object has two items with one merge key, such as port 53 over UDP and TCP. The result of
 * a strategic merge patch is then not defined, and kubectl loses one of the items.
 */
export function hasTwins(wanted: Wanted, requests: readonly RequestRecord[]): boolean {
  const schema = wanted.kind.resource && schemaOf(wanted.resource);
  if (!schema) return false;
  const objects = requests.flatMap(({ answer, before, after }) => [answer, before, after]);
  const originals = requests.map(({ before }) => originalOf(annotationOf(before)));
  return [wanted.manifest, ...objects, ...originals].some((each) => twinsIn(each as Json, schema));
}

function twinsIn(value: Json | undefined, schema: MergeSchema): boolean {
  if (!isMap(value)) return false;
  return Object.entries(value).some(([key, inner]) => {
    const field = schema[key];
    if (!field) return false;
    if (!Array.isArray(inner)) return field.schema !== undefined && twinsIn(inner, field.schema);
    const mergeKey = field.patchMergeKey;
    if (mergeKey !== undefined) {
      const names = inner.map((item) => (isMap(item) ? item[mergeKey] : undefined));
      if (new Set(names).size < names.length) return true;
    }
    return field.schema !== undefined && inner.some((item) => twinsIn(item, field.schema as MergeSchema));
  });
}
