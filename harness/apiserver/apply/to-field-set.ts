import { isList, isObject, type Json, type JsonList, type JsonObject } from '../patch/json-value.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListSchema, type MapSchema, type MergeSchema } from './merge-schema.ts';
import { fieldElement, type Path, type PathElement } from './path-element.ts';
import { definedEntries } from './validate.ts';

/**
 * Returns the fields of an object: its leaves, its list items with keys, and its map keys.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/tofieldset.go toFieldSetWalker
 *
 * @throws Error when an item of a list has no key
 */
export function fieldsOf(schema: MergeSchema, value: Json): FieldSet {
  const builder = new FieldSetBuilder();
  collect(builder, schema, value, []);
  return builder.set;
}

function collect(builder: FieldSetBuilder, schema: MergeSchema, value: Json, path: Path): void {
  const form = formOf(schema, value);
  if (form === 'scalar') builder.insert(path);
  else if (form === 'map') collectMap(builder, schema.map as MapSchema, value, path);
  else collectList(builder, schema.list as ListSchema, value, path);
}

function collectMap(builder: FieldSetBuilder, schema: MapSchema, value: Json, path: Path): void {
  if (schema.atomic) builder.insert(path);
  else if (isObject(value)) collectFields(builder, schema, value, path);
}

function collectFields(builder: FieldSetBuilder, schema: MapSchema, value: JsonObject, path: Path): void {
  for (const [name, part] of definedEntries(value)) {
    const inner = [...path, fieldElement(name)];
    const type = schema.value(name);
    if (type) collect(builder, type, part, inner);
    const isEmpty = part === null || (isObject(part) && definedEntries(part).length === 0);
    if (isEmpty || !schema.fields.has(name)) builder.insert(inner);
  }
}

function collectList(builder: FieldSetBuilder, schema: ListSchema, value: Json, path: Path): void {
  if (schema.type === 'atomic') builder.insert(path);
  else if (isList(value)) collectItems(builder, schema, value, path);
}

/** Records only the presence of a duplicate item, not its fields. */
function collectItems(builder: FieldSetBuilder, schema: ListSchema, items: JsonList, path: Path): void {
  const elements = items.map((item) => itemElement(schema, item));
  const times = new Map<PathElement, number>();
  for (const element of elements) times.set(element, (times.get(element) ?? 0) + 1);
  for (const [index, element] of elements.entries()) {
    const inner = [...path, element];
    if (times.get(element) === 1) collect(builder, schema.item(), items[index] as Json, inner);
    builder.insert(inner);
  }
}
