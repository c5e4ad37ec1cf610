import type { KubeObject } from '../../../api/objects.ts';
import type { MergeSchema } from '../../../contracts/apply/index.ts';
import type { RequestRecord } from '../history.ts';
import type { Json, JsonMap } from '../scenario/fields.ts';
import type { Judged } from './findings.ts';
import type { Course } from './flow.ts';
import { isMap } from './json.ts';
import { isCustom, schemaFor } from './result.ts';

/** A list that merges by key, with the items of a manifest in another order. */
interface Disorder {
  readonly path: string;
  readonly right: readonly string[];
  readonly actual: readonly string[];
}

/** ★ Judges the order of lists that merge: items of the manifest in its order, other items in their own. */
export function judgeOrder(
  { findings, name }: Judged,
  course: Course,
  request: RequestRecord,
  { stored, actual }: { readonly stored: KubeObject; readonly actual: KubeObject },
): void {
  const { wanted } = course;
  const schema = schemaFor(wanted);
  if (isCustom(wanted) || !schema) return;
  const found = actual as unknown as JsonMap;
  if (disorders(wanted.manifest, stored as unknown as JsonMap, schema, '').length > 0) {
    findings.meet('keepsOrder');
  }
  for (const { path, right, actual: order } of disorders(wanted.manifest, found, schema, '')) {
    findings.report(
      'keepsOrder',
      request.answeredMs ?? request.sentMs,
      `${name} changed ${course.name}: ${path} has ${order.join(', ')}; the order of the manifest is ${right.join(', ')}.`,
    );
  }
  for (const { path, right, actual: order } of foreignDisorders(
    wanted.manifest,
    stored as unknown as JsonMap,
    found,
    schema,
    '',
  )) {
    findings.report(
      'keepsOrder',
      request.answeredMs ?? request.sentMs,
      `${name} changed ${course.name}: ${path} has ${order.join(', ')} of others; their order was ${right.join(', ')}.`,
    );
  }
}

/**
 * Returns whether the lists of an object have exactly the items of the manifest, in its order. If not, kubectl sends the
 * order with every apply, even if it is right.
 */
export function hasSameItems(manifest: JsonMap, object: JsonMap, schema: MergeSchema | undefined): boolean {
  if (!schema) return true;
  return bothIn(manifest, object, schema, '').every(({ field, wanted, found }) => {
    if (isMap(wanted) && isMap(found)) return hasSameItems(wanted, found, field.schema);
    if (!Array.isArray(wanted) || !Array.isArray(found) || !field.patchStrategy?.includes('merge'))
      return true;
    const isSame = namesIn(wanted, field).join('\n') === namesIn(found, field).join('\n');
    return (
      isSame &&
      wanted.every((item, i) => {
        const other = found[i];
        return !isMap(item) || !isMap(other) || hasSameItems(item, other, field.schema);
      })
    );
  });
}

function disorders(manifest: JsonMap, object: JsonMap, schema: MergeSchema, path: string): Disorder[] {
  return bothIn(manifest, object, schema, path).flatMap(({ field, wanted, found, inner }) => {
    if (isMap(wanted) && isMap(found))
      return field.schema ? disorders(wanted, found, field.schema, inner) : [];
    if (!Array.isArray(wanted) || !Array.isArray(found) || !field.patchStrategy?.includes('merge')) return [];
    const [right, all] = [namesIn(wanted, field), namesIn(found, field)];
    const actual = all.filter((each) => right.includes(each));
    const kept = right.filter((each) => all.includes(each));
    const own = kept.join('\n') === actual.join('\n') ? [] : [{ path: inner, right: kept, actual }];
    const nested = wanted.flatMap((item) => {
      const other = found.find((each) => nameIn(each, field) === nameIn(item, field));
      const isDeep = isMap(item) && isMap(other) && field.schema;
      return isDeep ? disorders(item, other, field.schema ?? {}, `${inner}[${nameIn(item, field)}]`) : [];
    });
    return [...own, ...nested];
  });
}

function foreignDisorders(
  manifest: JsonMap,
  before: JsonMap,
  after: JsonMap,
  schema: MergeSchema,
  path: string,
): Disorder[] {
  return bothIn(before, after, schema, path).flatMap(({ key, field, wanted: old, found, inner }) => {
    const own = manifest[key];
    if (isMap(old) && isMap(found)) {
      return field.schema ? foreignDisorders(isMap(own) ? own : {}, old, found, field.schema, inner) : [];
    }
    if (!Array.isArray(old) || !Array.isArray(found) || !field.patchStrategy?.includes('merge')) return [];
    const mine = Array.isArray(own) ? namesIn(own, field) : [];
    const [olds, news] = [namesIn(old, field), namesIn(found, field)];
    const right = olds.filter((each) => !mine.includes(each) && news.includes(each));
    const actual = news.filter((each) => !mine.includes(each) && olds.includes(each));
    return right.join('\n') === actual.join('\n') ? [] : [{ path: inner, right, actual }];
  });
}

function bothIn(a: JsonMap, b: JsonMap, schema: MergeSchema, path: string) {
  return Object.entries(a).flatMap(([key, wanted]) => {
    const [field, found] = [schema[key], b[key]];
    const inner = path === '' ? key : `${path}.${key}`;
    return field && found !== undefined ? [{ key, field, wanted, found, inner }] : [];
  });
}

const nameIn = (item: Json, { patchMergeKey }: MergeSchema[string]): string =>
  String(patchMergeKey !== undefined && isMap(item) ? item[patchMergeKey] : item);

const namesIn = (list: readonly Json[], field: MergeSchema[string]): string[] =>
  list.map((item) => nameIn(item, field));
