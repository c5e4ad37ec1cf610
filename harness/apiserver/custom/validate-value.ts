import { deepEqual } from '../../api/freeze.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { Cause } from '../../api/status.ts';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
  typeInvalid,
} from '../validation/field-error.ts';
import { type StructuralSchema, schemaBelow, schemaOfItems } from './structural-schema.ts';

/**
 * What in a value breaks its schema.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/validation/validation.go ValidateCustomResource;
 * the messages are those of kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/errors/schema.go
 *
 * Differs: of the formats `date`, `date-time`, `uuid`, `ipv4`, `ipv6`, `email`, `byte` and `quantity` are looked into; the
 * Go names of types that messages show are those of JSON.
 */
export function validateValue(schema: StructuralSchema, value: Json, path: string): readonly Cause[] {
  if (value === null && schema.nullable) return [];
  return [...ownCauses(schema, value, path), ...causesBelow(schema, value, path)];
}

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

function hasType(schema: StructuralSchema, value: Json): boolean {
  const actual = typeOf(value);
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string';
  return !schema.type || actual === schema.type || (schema.type === 'number' && actual === 'integer');
}

function ownCauses(schema: StructuralSchema, value: Json, path: string): Cause[] {
  if (!hasType(schema, value)) {
    const expected = schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type;
    return [
      typeInvalid(path, typeOf(value), `${inBody(path)} must be of type ${expected}: "${typeOf(value)}"`),
    ];
  }
  const causes: Cause[] = [];
  const broken = (why: string): void => {
    causes.push(invalid(path, value, `${inBody(path)} ${why}`));
  };
  if (schema.enum && !schema.enum.some((one) => deepEqual(one, value))) {
    causes.push(
      notSupported(
        path,
        value,
        schema.enum.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
      ),
    );
  }
  if (typeof value === 'number') numberCauses(schema, value, broken);
  if (typeof value === 'string') stringCauses(schema, value, broken);
  if (isList(value)) {
    const { minItems, maxItems, uniqueItems } = schema;
    if (maxItems !== undefined && value.length > maxItems) causes.push(tooMany(path, value.length, maxItems));
    if (minItems !== undefined && value.length < minItems) broken(`should have at least ${minItems} items`);
    if (
      uniqueItems &&
      value.some((item, i) => value.slice(0, i).some((earlier) => deepEqual(earlier, item)))
    ) {
      broken("shouldn't contain duplicates");
    }
    causes.push(...listTypeCauses(schema, value as readonly Json[], path));
  }
  if (isObject(value)) {
    const count = Object.keys(value).length;
    const { minProperties, maxProperties } = schema;
    if (minProperties !== undefined && count < minProperties)
      broken(`should have at least ${minProperties} properties`);
    if (maxProperties !== undefined && count > maxProperties)
      causes.push(tooMany(path, count, maxProperties));
    for (const name of schema.required ?? []) {
      if (value[name] === undefined) causes.push(required(path ? `${path}.${name}` : name));
    }
  }
  causes.push(...combined(schema, value, path));
  return causes;
}

/** A message names the path as a body has it. */
const inBody = (path: string): string => `${path || '<nil>'} in body`;

function numberCauses(schema: StructuralSchema, value: number, broken: (why: string) => void): void {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    broken(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    broken(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    broken(`should be a multiple of ${multipleOf}`);
  }
}

function stringCauses(schema: StructuralSchema, value: string, broken: (why: string) => void): void {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength) broken(`should be at most ${maxLength} chars long`);
  if (minLength !== undefined && length < minLength) broken(`should be at least ${minLength} chars long`);
  if (pattern && !regularExpression(pattern)?.test(value)) broken(`should match '${pattern}'`);
  if (format && formats[format]?.(value) === false)
    broken(`must be of type ${format}: ${JSON.stringify(value)}`);
}

/** The expression in JavaScript's words; undefined for one that it does not know. */
export function regularExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    try {
      return new RegExp(pattern);
    } catch {
      return undefined;
    }
  }
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  uuid: (text) => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text),
  ipv6: (text) => text.includes(':') && URL.canParse(`http://[${text}]/`),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  byte: (text) => /^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/.test(text),
  quantity: (text) => {
    try {
      parseQuantity(text);
      return true;
    } catch {
      return false;
    }
  },
};

function combined(schema: StructuralSchema, value: Json, path: string): Cause[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const holds = (one: StructuralSchema): boolean => validateValue(one, value, path).length === 0;
  const causes: Cause[] = allOf.flatMap((one) => validateValue(one, value, path));
  const shown = value !== null && typeof value === 'object' ? '' : value;
  if (anyOf.length > 0 && !anyOf.some(holds)) {
    causes.push(
      invalid(path, shown, `${inBody(path)} must validate at least one schema (anyOf)`),
      ...anyOf.flatMap((one) => validateValue(one, value, path)).slice(0, 1),
    );
  }
  const held = oneOf.filter(holds).length;
  if (oneOf.length > 0 && held !== 1) {
    const found = held === 0 ? 'Found none valid' : `Found ${held} valid alternatives`;
    causes.push(
      invalid(path, shown, `${inBody(path)} must validate one and only one schema (oneOf). ${found}`),
    );
  }
  if (not && holds(not))
    causes.push(invalid(path, shown, `${inBody(path)} must not validate the schema (not)`));
  return causes;
}

function causesBelow(schema: StructuralSchema, value: Json, path: string): Cause[] {
  if (isList(value)) {
    const items = schemaOfItems(schema);
    return items ? value.flatMap((item, i) => validateValue(items, item, `${path}[${i}]`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const below = schemaBelow(schema, name);
    if (!below || part === undefined) return [];
    const isNamed = schema.properties && Object.hasOwn(schema.properties, name);
    const partPath = path === '' ? name : isNamed ? `${path}.${name}` : `${path}[${name}]`;
    return validateValue(below, part, partPath);
  });
}

/**
 * Items that are told apart by themselves, or by their keys, stand once.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/listtype/validation.go ValidateListSetsAndMaps
 */
function listTypeCauses(schema: StructuralSchema, list: readonly Json[], path: string): Cause[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const items = schemaOfItems(schema);
  const keyOf = (item: Json): Json =>
    type === 'set' || !isObject(item)
      ? item
      : (Object.fromEntries(
          keys.flatMap((key) => {
            const value = item[key] ?? (items?.properties?.[key]?.default as Json | undefined);
            return value === undefined ? [] : [[key, value]];
          }),
        ) as JsonObject);
  return list.flatMap((item, i) => {
    const key = keyOf(item);
    const isSeen = list.slice(0, i).some((earlier) => deepEqual(keyOf(earlier), key));
    return isSeen ? [duplicate(`${path}[${i}]`, key)] : [];
  });
}
