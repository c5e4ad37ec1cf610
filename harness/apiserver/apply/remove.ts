import { isList, isObject, type Json, type JsonList, type JsonObject, setOwn } from '../patch/json-value.ts';
import type { FieldSet } from './field-set.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListSchema, type MapSchema, type MergeSchema } from './merge-schema.ts';
import { fieldElement } from './path-element.ts';
import { definedEntries } from './validate.ts';

/**
 * Returns the value without these fields and items. A map or list that becomes empty in this way becomes null.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 typed/remove.go removingWalker
 */
export function withoutFields(schema: MergeSchema, value: Json, fields: FieldSet): Json {
  if (fields.size === 0) return value;
  switch (formOf(schema, value)) {
    case 'map':
      return isObject(value) ? withoutKeys(schema.map as MapSchema, value, fields) : null;
    case 'list':
      return isList(value) ? withoutItems(schema.list as ListSchema, value, fields) : null;
    default:
      return value;
  }
}

function withoutKeys(schema: MapSchema, value: JsonObject, fields: FieldSet): Json {
  if (schema.atomic) return null;
  const result: Record<string, Json> = {};
  for (const [name, part] of definedEntries(value)) {
    const node = fields.get(fieldElement(name));
    if (node?.isMember) continue;
    const type = schema.value(name);
    setOwn(result, name, node && type ? withoutFields(type, part, node.children) : part);
  }
  return Object.keys(result).length > 0 ? result : null;
}

function withoutItems(schema: ListSchema, value: JsonList, fields: FieldSet): Json {
  if (schema.type === 'atomic') return null;
  const result: Json[] = [];
  for (const item of value) {
    const node = fields.get(itemElement(schema, item));
    if (node?.isMember) continue;
    result.push(node ? withoutFields(schema.item(), item, node.children) : item);
  }
  return result.length > 0 ? result : null;
}
