import type { Cause } from '../../api/status.ts';
import type { Json } from '../patch/json-value.ts';
import { forbidden, invalid, required } from '../validation/field-error.ts';
import { prune, type StructuralSchema } from './structural-schema.ts';
import { regularExpression, validateValue } from './validate-value.ts';

type Level = 'root' | 'item' | 'field';

/**
 * What in a schema is not structural: each value must have a type, and what is logic says nothing of what there is.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/validation.go ValidateStructural,
 * pkg/apiserver/schema/defaulting/validation.go ValidateDefaults
 *
 * Differs: properties that are named in `allOf` and its kin alone are let in.
 */
export function validateStructural(schema: StructuralSchema, path: string, level: Level = 'root'): Cause[] {
  const causes: Cause[] = [];
  const { type = '', properties = {}, items, additionalProperties, nullable, pattern } = schema;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (level === 'root' && nullable)
    causes.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  if (type === 'array' && items === undefined) causes.push(required(`${path}.items`, 'must be specified'));
  if (level === 'root' && additionalProperties !== undefined) {
    causes.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (additionalProperties !== undefined && Object.keys(properties).length > 0) {
    causes.push(
      forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    );
  }
  if (!type && !intOrString && !(keepsAll && level !== 'root')) {
    causes.push(required(`${path}.type`, `must not be empty ${EMPTY_AT[level]}`));
  }
  if (type && !TYPES.includes(type))
    causes.push(invalid(`${path}.type`, type, `must be one of ${TYPES.join(', ')}`));
  if (level === 'root' && type && type !== 'object')
    causes.push(invalid(`${path}.type`, type, 'must be object at the root'));
  if (embedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    causes.push(type ? invalid(`${path}.type`, type, why) : required(`${path}.type`, why));
  }
  if (embedded && !keepsAll && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.push(required(`${path}.properties`, why));
  }
  if (intOrString && keepsAll) {
    causes.push(
      invalid(
        `${path}.x-kubernetes-preserve-unknown-fields`,
        true,
        'must be false if x-kubernetes-int-or-string is true',
      ),
    );
  }
  if (pattern && !regularExpression(pattern)) {
    causes.push(invalid(`${path}.pattern`, pattern, 'must be a valid regular expression, but is not'));
  }
  causes.push(
    ...listTypeCauses(schema, path),
    ...defaultCauses(schema, path, level),
    ...logicCauses(schema, path),
  );
  for (const [name, property] of Object.entries(properties)) {
    if (level === 'root' && OBJECT_FIELDS.includes(name)) continue;
    causes.push(...validateStructural(property, `${path}.properties[${name}]`, 'field'));
  }
  if (typeof additionalProperties === 'object') {
    causes.push(...validateStructural(additionalProperties, `${path}.additionalProperties`, 'field'));
  }
  if (Array.isArray(items))
    causes.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  else if (items) causes.push(...validateStructural(items as StructuralSchema, `${path}.items`, 'item'));
  return causes;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const OBJECT_FIELDS = ['apiVersion', 'kind', 'metadata'];
const EMPTY_AT: Readonly<Record<Level, string>> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
};

function listTypeCauses(schema: StructuralSchema, path: string): Cause[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (listType === undefined) {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    return keys.length > 0 ? [required(`${path}.x-kubernetes-list-type`, why)] : [];
  }
  if (schema.type !== 'array') {
    return [
      invalid(`${path}.type`, schema.type ?? '', 'must be array if x-kubernetes-list-type is specified'),
    ];
  }
  if (listType === 'map' && keys.length === 0) {
    const why = 'must not be empty if x-kubernetes-list-type is map';
    return [required(`${path}.x-kubernetes-list-map-keys`, why)];
  }
  return [];
}

/** A default must be what an object could say. */
function defaultCauses(schema: StructuralSchema, path: string, level: Level): Cause[] {
  const value = schema.default as Json | undefined;
  if (value === undefined) return [];
  const at = `${path}.default`;
  if (level === 'root') return [forbidden(at, 'must not be set at the root')];
  const { unknownFields } = prune(schema, value, schema['x-kubernetes-embedded-resource'] === true);
  if (unknownFields.length > 0) return [invalid(at, value, 'must not have unknown fields')];
  return [...validateValue(schema, value, at)];
}

/** Upstream: validateNestedValueValidation */
function logicCauses(schema: StructuralSchema, path: string): Cause[] {
  const parts: [string, StructuralSchema][] = [
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (schema[name] ?? []).map((each, i): [string, StructuralSchema] => [`${path}.${name}[${i}]`, each]),
    ),
    ...(schema.not ? [[`${path}.not`, schema.not] as [string, StructuralSchema]] : []),
  ];
  return parts.flatMap(([at, part]) => nestedCauses(part, at, schema['x-kubernetes-int-or-string'] === true));
}

function nestedCauses(part: StructuralSchema, at: string, ofIntOrString: boolean): Cause[] {
  const { type, default: byDefault, title, description, nullable, additionalProperties } = part;
  return [
    ...(type && !ofIntOrString ? [forbidden(`${at}.type`, 'must be empty to be structural')] : []),
    ...(additionalProperties !== undefined
      ? [forbidden(`${at}.additionalProperties`, 'must be undefined to be structural')]
      : []),
    ...(byDefault !== undefined ? [forbidden(`${at}.default`, 'must be undefined to be structural')] : []),
    ...(title ? [forbidden(`${at}.title`, 'must be empty to be structural')] : []),
    ...(description ? [forbidden(`${at}.description`, 'must be empty to be structural')] : []),
    ...(nullable ? [forbidden(`${at}.nullable`, 'must be false to be structural')] : []),
    ...Object.entries(part.properties ?? {}).flatMap(([name, below]) =>
      nestedCauses(below, `${at}.properties[${name}]`, ofIntOrString),
    ),
    ...logicCauses(part, at),
  ];
}
