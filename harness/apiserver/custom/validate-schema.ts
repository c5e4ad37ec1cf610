import type { CustomResourceValidation, JSONSchemaProps, ValidationRule } from '#api/apiextensions/v1';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, notSupported, required } from '../validation/field-error.ts';
import { fieldAt } from './field-path.ts';
import { asInternalSchema, SCHEMA_FIELDS } from './internal-schema.ts';
import { type StructuralSchema, schemaOfItems } from './structural-schema.ts';
import { validateDefaults } from './validate-defaults.ts';
import { isZero, validateStructural } from './validate-structural.ts';

/**
 * Validates the schema of a custom resource.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation/validation.go
 * validateCustomResourceDefinitionValidation
 *
 * Differs: does not compile CEL rules.
 *
 * @param hasStatus - whether the status subresource exists
 */
export function validateSchema(
  { openAPIV3Schema: schema }: CustomResourceValidation,
  path: string,
  hasStatus: boolean,
): Cause[] {
  if (!schema) return [];
  const at = `${path}.openAPIV3Schema`;
  const causes = hasStatus ? rootCauses(schema, at) : [];
  if (schema.nullable) causes.push(forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  const why = unsupported(schema);
  if (!why) {
    const structural = validateStructural(schema, at);
    causes.push(...(structural.length > 0 ? structural : validateDefaults(schema, at)));
  }
  causes.push(...schemaCauses(schema, at, { isRoot: true, isMeta: false }));
  // The other checks report most schemas that are not structural.
  if (why && causes.length === 0) causes.push(invalid(at, '', why));
  return causes;
}

const AT_ROOT = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** With a status subresource, the root must not have rules that span spec and status. */
function rootCauses(schema: JSONSchemaProps, at: string): Cause[] {
  for (const [name, field] of SCHEMA_FIELDS) {
    if (schema[field] === undefined || isZero(schema[field])) continue;
    if (name === 'Type' && schema.type !== 'object') {
      const why =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(`${at}.type`, schema.type, why)];
    }
    if (AT_ROOT.includes(name)) continue;
    const why = `only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalid(at, asInternalSchema(schema), why)];
  }
  return [];
}

/**
 * Returns the reason why a schema cannot be converted to a structural one.
 *
 * Upstream: NewStructural, validateUnsupportedFields
 */
function unsupported(schema: JSONSchemaProps): string | undefined {
  const unknown = [
    'id',
    '$schema',
    '$ref',
    'patternProperties',
    'dependencies',
    'additionalItems',
    'definitions',
  ] as const;
  const found = unknown.find((field) =>
    field === 'additionalItems' ? given(schema[field]) : !isZero(schema[field]),
  );
  if (found) return `OpenAPIV3Schema '${found === '$schema' ? 'schema' : found}' is not supported`;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const { allOf = [], anyOf = [], oneOf = [], not, properties = {}, additionalProperties } = schema;
  const below = [...allOf, ...anyOf, ...oneOf, ...Object.values(properties), not, schemaOfItems(schema)];
  if (typeof additionalProperties === 'object') below.push(additionalProperties);
  for (const part of below) {
    const why = part ? unsupported(part) : undefined;
    if (why) return why;
  }
  return undefined;
}

const given = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** A place in the schema of an object. */
interface Place {
  readonly isRoot: boolean;
  /** Whether the place is in the kind, apiVersion or metadata of an object. */
  readonly isMeta: boolean;
  /** The reason why the place cannot have a default. */
  readonly noDefaults?: string;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const OBJECT_FIELDS = ['metadata', 'kind', 'apiVersion'];

/** Upstream: ValidateCustomResourceDefinitionOpenAPISchema */
function schemaCauses(schema: JSONSchemaProps, at: string, place: Place): Cause[] {
  const causes = standardCauses(schema, at, place);
  const below = {
    isRoot: false,
    isMeta: place.isMeta,
    ...(place.noDefaults && { noDefaults: place.noDefaults }),
  };
  const { properties = {}, additionalProperties, not, allOf = [], oneOf = [], anyOf = [], items } = schema;
  if (schema.uniqueItems) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.push(forbidden(`${at}.uniqueItems`, why));
  }
  if (given(additionalProperties)) {
    if (Object.keys(properties).length > 0 && additionalProperties !== true) {
      const why = 'additionalProperties and properties are mutual exclusive';
      causes.push(forbidden(`${at}.additionalProperties`, why));
    }
    if (typeof additionalProperties === 'object') {
      const noDefaults = 'inside additionalProperties applying to object metadata';
      const inner = place.isMeta ? { ...below, noDefaults } : below;
      causes.push(...schemaCauses(additionalProperties, `${at}.additionalProperties`, inner));
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const isMeta =
      (place.isRoot || schema['x-kubernetes-embedded-resource'] === true) && OBJECT_FIELDS.includes(name);
    const inner: Place = {
      ...below,
      isMeta: place.isMeta || isMeta,
      ...(isMeta && place.isRoot && { noDefaults: `in top-level ${name}` }),
    };
    causes.push(...schemaCauses(property, `${at}.properties[${name}]`, inner));
  }
  if (not) causes.push(...schemaCauses(not, `${at}.not`, below));
  for (const [field, parts] of Object.entries({ allOf, oneOf, anyOf })) {
    parts.forEach((part, i) => void causes.push(...schemaCauses(part, `${at}.${field}[${i}]`, below)));
  }
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
    causes.push(...schemaCauses(definition, `${at}.definitions[${name}]`, below));
  }
  if (Array.isArray(items)) {
    items.forEach((item, i) => void causes.push(...schemaCauses(item, `${at}.items[${i}]`, below)));
  } else if (items) causes.push(...schemaCauses(items, `${at}.items`, below));
  for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
    if (Array.isArray(dependency) || !dependency) continue;
    causes.push(...schemaCauses(dependency, `${at}.dependencies[${name}]`, below));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    causes.push(invalid(`${at}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  causes.push(...mapTypeCauses(schema, at), ...listTypeCauses(schema, at));
  (schema['x-kubernetes-validations'] ?? []).forEach((rule, i) => {
    causes.push(...ruleCauses(rule, schema, `${at}.x-kubernetes-validations[${i}]`));
  });
  return causes;
}

/** Upstream: specStandardValidatorV3.validate */
function standardCauses(schema: JSONSchemaProps, at: string, place: Place): Cause[] {
  const causes: Cause[] = [];
  const { type = '' } = schema;
  if (type && !TYPES.includes(type)) causes.push(notSupported(`${at}.type`, type, TYPES));
  if (given(schema.default) && place.noDefaults) {
    causes.push(forbidden(`${at}.default`, `must not be set ${place.noDefaults}`));
  }
  const isThere: readonly (readonly [field: keyof JSONSchemaProps, isThere: boolean])[] = [
    ['id', !isZero(schema.id)],
    ['additionalItems', given(schema.additionalItems)],
    ['patternProperties', !isZero(schema.patternProperties)],
    ['definitions', !isZero(schema.definitions)],
    ['dependencies', given(schema.dependencies)],
    ['$ref', given(schema.$ref)],
  ];
  for (const [field, is] of isThere) {
    if (is) causes.push(forbidden(`${at}.${field}`, `${field} is not supported`));
  }
  if (type === 'null') {
    causes.push(forbidden(`${at}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    causes.push(forbidden(`${at}.items`, 'items must be a schema object and not an array'));
  }
  if (place.isMeta && schema['x-kubernetes-embedded-resource']) {
    const why = 'must not be used inside of resource meta';
    causes.push(forbidden(`${at}.x-kubernetes-embedded-resource`, why));
  }
  return causes;
}

function mapTypeCauses(schema: JSONSchemaProps, at: string): Cause[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (!given(mapType)) return [];
  const causes = mustBe('object', schema, at, 'must be object if x-kubernetes-map-type is specified');
  if (!MAP_TYPES.includes(mapType)) {
    causes.push(notSupported(`${at}.x-kubernetes-map-type`, mapType, MAP_TYPES));
  }
  return causes;
}

const MAP_TYPES = ['atomic', 'granular'];
const LIST_TYPES = ['atomic', 'set', 'map'];

function mustBe(wanted: string, { type }: JSONSchemaProps, at: string, why: string): Cause[] {
  if (type === wanted) return [];
  return [type ? invalid(`${at}.type`, type, why) : required(`${at}.type`, why)];
}

function listTypeCauses(schema: JSONSchemaProps, at: string): Cause[] {
  const listType = schema['x-kubernetes-list-type'] ?? undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const items = schemaOfItems(schema);
  const causes: Cause[] = [];
  if (listType !== undefined) {
    const wrong = mustBe('array', schema, at, 'must be array if x-kubernetes-list-type is specified');
    causes.push(...wrong);
    if (wrong.length === 0 && listType === 'set' && items) causes.push(...setCauses(items, `${at}.items`));
    if (!LIST_TYPES.includes(listType)) {
      causes.push(notSupported(`${at}.x-kubernetes-list-type`, listType, LIST_TYPES));
    }
  }
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const typeAt = `${at}.x-kubernetes-list-type`;
    causes.push(listType === undefined ? required(typeAt, why) : invalid(typeAt, listType, why));
  }
  if (listType === 'map') causes.push(...keyCauses(schema, keys, at));
  if ((listType === 'map' || listType === 'set') && items) {
    causes.push(...itemCauses(items, listType, keys, `${at}.items`));
  }
  return causes;
}

/** Items of a set are compared as a whole. */
function setCauses(items: JSONSchemaProps, at: string): Cause[] {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'] ?? undefined;
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${at}.x-kubernetes-list-type`, listType, why)];
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    // Upstream prints the type of the list in place of the type of the map by mistake.
    return [invalid(`${at}.x-kubernetes-map-type`, listType, why)];
  }
  return [];
}

/** The keys of a list of type `map` must exist and be scalars. */
function keyCauses(schema: JSONSchemaProps, keys: readonly string[], at: string): Cause[] {
  const causes: Cause[] = [];
  const keysAt = `${at}.x-kubernetes-list-map-keys`;
  const itemsAt = `${at}.items`;
  if (keys.length === 0) {
    causes.push(required(keysAt, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (schema.items === undefined) {
    causes.push(required(itemsAt, 'must have a schema if x-kubernetes-list-type is map'));
    return causes;
  }
  const items = schemaOfItems(schema);
  if (!items) {
    const shown = Array.isArray(schema.items) ? schema.items.map(asInternalSchema) : null;
    const why = 'must only have a single schema if x-kubernetes-list-type is map';
    causes.push(invalid(itemsAt, { Schema: null, JSONSchemas: shown }, why));
    return causes;
  }
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    causes.push(invalid(`${itemsAt}.type`, items.type ?? '', why));
    return causes;
  }
  const { properties = {} } = items;
  keys.forEach((key, i) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property?.type === 'array' || property?.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(invalid(`${itemsAt}.properties[${key}].type`, items.type, why));
    }
    if (!property) causes.push(invalid(keysAt, keys, 'entries must all be names of item properties'));
    if (keys.indexOf(key) < i) causes.push(invalid(keysAt, keys, 'must not contain duplicate entries'));
  });
  return causes;
}

/** Upstream: validateMapListKeysMapSet */
function itemCauses(items: JSONSchemaProps, listType: string, keys: readonly string[], at: string): Cause[] {
  const causes: Cause[] = [];
  if (items.nullable) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    causes.push(forbidden(`${at}.nullable`, why));
  }
  if (listType !== 'map') return causes;
  for (const key of keys) {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (!property) continue;
    const propertyAt = `${at}.properties[${key}]`;
    if (!items.required?.includes(key) && !given(property.default)) {
      const why =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      causes.push(required(`${propertyAt}.default`, why));
    }
    if (property.nullable) {
      const why = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      causes.push(forbidden(`${propertyAt}.nullable`, why));
    }
  }
  return causes;
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Validates the syntax of a CEL rule, but not its expression. */
function ruleCauses(rule: ValidationRule, schema: StructuralSchema, at: string): Cause[] {
  const causes: Cause[] = [];
  const { rule: text = '', message = '', messageExpression = '', reason, fieldPath = '' } = rule;
  const hasBreaks = (value: string): boolean => /[\n\r]/.test(value);
  const trimmed = message.trim();
  if (text.trim() === '') causes.push(required(`${at}.rule`, 'rule is not specified'));
  else if (message && trimmed === '') {
    causes.push(invalid(`${at}.message`, message, 'must be non-empty if specified'));
  } else if (hasBreaks(trimmed)) {
    causes.push(invalid(`${at}.message`, message, 'must not contain line breaks'));
  } else if (hasBreaks(text.trim()) && trimmed === '') {
    causes.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression && messageExpression.trim() === '') {
    const why = 'messageExpression must be non-empty if specified';
    causes.push(required(`${at}.messageExpression`, why));
  }
  if (given(reason) && !REASONS.includes(reason)) {
    causes.push(notSupported(`${at}.reason`, reason, REASONS));
  }
  if (fieldPath && fieldPath.trim() === '') {
    causes.push(invalid(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  }
  if (hasBreaks(fieldPath)) {
    causes.push(invalid(`${at}.fieldPath`, fieldPath, 'must not contain line breaks'));
  }
  if (fieldPath && !unsupported(schema) && typeof fieldAt(fieldPath, schema, true) === 'string') {
    causes.push(invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path'));
  }
  return causes;
}
