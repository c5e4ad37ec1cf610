import type { ManifestDocument } from '../../../contracts/apply/index.ts';
import { without } from '../oracle/json.ts';
import { type Json, type JsonMap, setField } from './fields.ts';
import type { Broken, DocumentPlan, ObjectPlan } from './index.ts';
import { kinds } from './kinds.ts';

/** Returns the documents of an apply, each from its own file. */
export function documentsOf(plans: readonly DocumentPlan[]): ManifestDocument[] {
  return plans.map((plan, i) => {
    const source = sourceOf(i);
    if ('broken' in plan && plan.broken === 'not parsed') return { source, error: 'yaml: line 2: no' };
    return { source, value: documentValue(plan) };
  });
}

/** Returns the file of a document. */
export const sourceOf = (index: number): string => `file-${index}.yaml`;

function documentValue(plan: DocumentPlan): unknown {
  if ('broken' in plan) return BROKEN[plan.broken];
  if ('list' in plan) {
    const { kind } = plan;
    const items = plan.list.map(documentValue);
    const bare = items.map((item, i) =>
      'broken' in (plan.list[i] as object) ? item : without(item as JsonMap, ['apiVersion', 'kind']),
    );
    return { apiVersion: 'v1', kind: kind ?? 'List', metadata: {}, items: kind === undefined ? items : bare };
  }
  return manifestOf(plan);
}

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bad' }, data: { a: 'b' } };

const BROKEN: Readonly<Record<Broken, unknown>> = {
  'not parsed': undefined,
  null: null,
  text: 'text',
  number: 7,
  'no kind': { apiVersion: 'v1', metadata: { name: 'bad' } },
  'no apiVersion': { kind: 'ConfigMap', metadata: { name: 'bad' } },
  'no name': { ...MAP, metadata: {} },
  'generated name': { ...MAP, metadata: { generateName: 'bad-' } },
  'unknown kind': { apiVersion: 'example.com/v1', kind: 'Nonsense', metadata: { name: 'bad' } },
};

/** Documents without an object and without an error. */
export const isEmpty = (plan: DocumentPlan): boolean => 'broken' in plan && plan.broken === 'null';

/** Returns the object of a plan, as a reader of YAML returns it. */
export function manifestOf({
  kind,
  name,
  namespace,
  fields,
  reversed = false,
  keysReversed = false,
}: ObjectPlan): JsonMap {
  const plan = kinds[kind];
  const named = kind === 'definition' ? 'gadgets.example.com' : name;
  const object: JsonMap = {
    apiVersion: plan.apiVersion,
    kind: plan.kind,
    metadata: { name: named, ...(namespace === undefined ? {} : { namespace }) },
    ...structuredClone(plan.base),
  };
  for (const [field, choice] of Object.entries(fields)) {
    const known = plan.fields[field];
    if (known && choice > 0) setField(object, known.path, known.values[(choice - 1) % known.values.length]);
  }
  const listed = reversed ? (withListsReversed(object) as JsonMap) : object;
  return keysReversed ? (withKeysReversed(listed) as JsonMap) : listed;
}

/** Reverses all lists of objects. */
export function withListsReversed(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map(withListsReversed);
    return items.every((item) => typeof item === 'object') ? items.reverse() : items;
  }
  return mapped(value, (entries) => entries, withListsReversed);
}

function withKeysReversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  return mapped(value, (entries) => entries.reverse(), withKeysReversed);
}

function mapped(
  value: Json,
  arrange: (entries: [string, Json][]) => [string, Json][],
  each: (value: Json) => Json,
): Json {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    arrange(Object.entries(value as JsonMap)).map(([key, inner]) => [key, each(inner)]),
  );
}
