import type { Cause } from '../../api/status.ts';
import { equalJson, type Json } from '../patch/json-value.ts';
import { forbidden, invalid, required } from '../validation/field-error.ts';
import { regularExpression } from './regular-expression.ts';
import { type StructuralSchema, schemaOfItems } from './structural-schema.ts';

type Level = 'root' | 'item' | 'field';

/**
 * Returns the parts of a schema that are not structural. Each value needs a type, and logical junctors must not define
 * structure.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/validation.go ValidateStructural
 */
export function validateStructural(schema: StructuralSchema, path: string): Cause[] {
  const text = ({ field, message }: Cause): string => `${field}: ${message}`;
  return [...invariantCauses(schema, 'root', path), ...logicIncomplete(schema, schema, path, path)].sort(
    (a, b) => (text(a) < text(b) ? -1 : 1),
  );
}

/** Reports whether a keyword is empty. The number 0 is not empty. */
export function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Upstream: validateStructuralInvariants */
function invariantCauses(schema: StructuralSchema, level: Level, path: string): Cause[] {
  const causes: Cause[] = [];
  const { type = '', properties = {}, additionalProperties } = schema;
  const items = schemaOfItems(schema);
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (type === 'array' && !items) causes.push(required(`${path}.items`, 'must be specified'));
  if (items) causes.push(...invariantCauses(items, 'item', `${path}.items`));
  for (const [name, property] of Object.entries(properties)) {
    causes.push(...invariantCauses(property, 'field', `${path}.properties[${name}]`));
  }
  if (given(additionalProperties)) {
    const at = `${path}.additionalProperties`;
    if (level === 'root') causes.push(forbidden(at, 'must not be used at the root'));
    if (typeof additionalProperties === 'object') {
      causes.push(...invariantCauses(additionalProperties, 'field', at));
    }
  }
  if (intOrString) {
    for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
      if (!schema[name]) continue;
      causes.push(invalid(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
    }
  }
  const first = schema.allOf?.[0];
  causes.push(...logicCauses(schema, level, path, isIntOrString(schema.anyOf), isIntOrString(first?.anyOf)));
  if (embedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    causes.push(type ? invalid(`${path}.type`, type, why) : required(`${path}.type`, why));
  } else if (!type && !intOrString && !keepsAll) {
    causes.push(required(`${path}.type`, `must not be empty ${EMPTY_AT[level]}`));
  }
  if (embedded && given(additionalProperties)) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set';
    causes.push(forbidden(`${path}.additionalProperties`, why));
  }
  if (level === 'root' && type && type !== 'object') {
    causes.push(invalid(`${path}.type`, type, 'must be object at the root'));
  }
  if (level === 'root' || embedded) {
    for (const name of ['kind', 'apiVersion']) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!property || property.type === 'string') continue;
      causes.push(invalid(`${path}.properties[${name}].type`, property.type ?? '', 'must be string'));
    }
  }
  if (Object.hasOwn(properties, 'metadata')) {
    const metadata = properties.metadata as StructuralSchema;
    causes.push(
      ...metadataCauses(metadata, level === 'root' || embedded, level, `${path}.properties[metadata]`),
    );
  }
  if (embedded && !keepsAll && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.push(required(`${path}.properties`, why));
  }
  return causes;
}

const given = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

const EMPTY_AT: Readonly<Record<Level, string>> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
};

const INT_OR_STRING: Json = [{ type: 'integer' }, { type: 'string' }];

/** Reports whether these alternatives denote an int-or-string. Upstream: isIntOrStringAnyOfPattern */
export const isIntOrString = (anyOf: readonly StructuralSchema[] | undefined): boolean =>
  equalJson(anyOf as Json | undefined, INT_OR_STRING);

/** The root's metadata has the standard schema of the API. Upstream: validateStructuralMetadataInvariants */
function metadataCauses(schema: StructuralSchema, isChecked: boolean, level: Level, path: string): Cause[] {
  const causes: Cause[] = [];
  if (isChecked && schema.type !== 'object') {
    causes.push(invalid(`${path}.type`, schema.type ?? '', 'must be object'));
  }
  if (level !== 'root') return causes;
  const { type: _, default: __, properties = {}, ...rest } = schema;
  const isLimited = Object.keys(properties).every((name) => name === 'name' || name === 'generateName');
  if (!isLimited || !Object.values(rest).every(isZero)) {
    const why =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.push(forbidden(path, why));
  }
  return causes;
}

/** Upstream: validateValueValidation */
function logicCauses(
  { allOf = [], anyOf = [], oneOf = [], not, pattern }: StructuralSchema,
  level: Level,
  path: string,
  skipsAnyOf: boolean,
  skipsFirstAnyOf: boolean,
): Cause[] {
  const causes: Cause[] = [];
  if (!skipsAnyOf)
    anyOf.forEach((each, i) => void causes.push(...nestedCauses(each, level, `${path}.anyOf[${i}]`)));
  allOf.forEach((each, i) => {
    causes.push(...nestedCauses(each, level, `${path}.allOf[${i}]`, skipsFirstAnyOf && i === 0));
  });
  oneOf.forEach((each, i) => void causes.push(...nestedCauses(each, level, `${path}.oneOf[${i}]`)));
  if (not) causes.push(...nestedCauses(not, level, `${path}.not`));
  const why = pattern ? regularExpression(pattern) : undefined;
  if (typeof why === 'string') {
    causes.push(invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${why}`));
  }
  return causes;
}

/** Keywords that a logical junctor must not contain. */
const FORBIDDEN: readonly (readonly [field: keyof StructuralSchema, why: string])[] = [
  ['default', 'must be undefined'],
  ['title', 'must be empty'],
  ['description', 'must be empty'],
  ['nullable', 'must be false'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false'],
  ['x-kubernetes-embedded-resource', 'must be false'],
  ['x-kubernetes-int-or-string', 'must be false'],
  ['x-kubernetes-list-map-keys', 'must be empty'],
  ['x-kubernetes-list-type', 'must be undefined'],
  ['x-kubernetes-map-type', 'must be undefined'],
  ['x-kubernetes-validations', 'must be empty'],
];

/** Upstream: validateNestedValueValidation */
function nestedCauses(part: StructuralSchema, level: Level, path: string, skipsAnyOf = false): Cause[] {
  const causes = logicCauses(part, level, path, skipsAnyOf, false);
  const items = schemaOfItems(part);
  const { properties = {}, additionalProperties } = part;
  if (items) causes.push(...nestedCauses(items, level, `${path}.items`));
  for (const [name, property] of Object.entries(properties)) {
    causes.push(...nestedCauses(property, 'field', `${path}.properties[${name}]`));
  }
  const mustNot = (field: string, what: string): void => {
    causes.push(forbidden(`${path}.${field}`, `${what} to be structural`));
  };
  if (part.type) mustNot('type', 'must be empty');
  if (additionalProperties) mustNot('additionalProperties', 'must be undefined');
  for (const [field, why] of FORBIDDEN) {
    const value = part[field];
    // A default counts as missing only if it is undefined or null.
    if (field === 'default' ? given(value) : !isZero(value)) mustNot(field, why);
  }
  if (Object.hasOwn(properties, 'metadata')) {
    causes.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return causes;
}

/**
 * Every field in a logical junctor must also be defined outside of it.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/complete.go validateValueValidationCompleteness
 *
 * @param at - the path of the schema
 * @param logicAt - the path of the junctor
 */
function logicIncomplete(
  { not, allOf = [], anyOf = [], oneOf = [] }: StructuralSchema,
  schema: StructuralSchema,
  at: string,
  logicAt: string,
): Cause[] {
  const each = (name: string, parts: readonly StructuralSchema[]): Cause[] =>
    parts.flatMap((part, i) => nestedIncomplete(part, schema, at, `${logicAt}.${name}[${i}]`));
  return [
    ...(not ? nestedIncomplete(not, schema, at, `${logicAt}.not`) : []),
    ...each('allOf', allOf),
    ...each('anyOf', anyOf),
    ...each('oneOf', oneOf),
  ];
}

/** Upstream: validateNestedValueValidationCompleteness */
function nestedIncomplete(
  part: StructuralSchema,
  schema: StructuralSchema,
  at: string,
  partAt: string,
): Cause[] {
  const causes = logicIncomplete(part, schema, at, partAt);
  const below = (nested: StructuralSchema, known: StructuralSchema | undefined, field: string): Cause[] =>
    known
      ? nestedIncomplete(nested, known, `${at}.${field}`, `${partAt}.${field}`)
      : [required(`${at}.${field}`, `because it is defined in ${partAt}.${field}`)];
  const items = schemaOfItems(part);
  if (items) causes.push(...below(items, schemaOfItems(schema), 'items'));
  const { properties: known = {} } = schema;
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    causes.push(...below(property, own, `properties[${name}]`));
  }
  return causes;
}
