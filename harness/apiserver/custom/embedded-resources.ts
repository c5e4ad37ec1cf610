import type * as meta from '#api/meta/v1';
import { isDNS1035Label, isValidPathSegmentName } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { apiTypes, type Struct } from '../../api/table/table.ts';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { UnmarshalError, type UnmarshalOptions, unmarshal } from '../schema/unmarshal.ts';
import { invalid, required } from '../validation/field-error.ts';
import { validatePlainObjectMeta } from '../validation/object-meta.ts';
import { child, type StructuralSchema, schemaOfItems } from './structural-schema.ts';

/** The decoded metadata of an object. */
interface DecodedMetadata {
  readonly object: Record<string, unknown>;
  readonly unknownFields: readonly string[];
}

/** Decodes the metadata of a custom resource or of an embedded object. @throws UnmarshalError */
export function decodeMetadata(metadata: unknown, options: UnmarshalOptions): DecodedMetadata {
  return unmarshal(apiTypes.struct('meta/v1.ObjectMeta') as Struct, metadata as object, options);
}

/**
 * Decodes the metadata of all embedded objects in a value.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/objectmeta/algorithm.go CoerceWithOptions
 *
 * @param path - the path of the value
 * @throws CoercionError when the kind, apiVersion or metadata of an embedded object has another type
 */
export function coerced(
  schema: StructuralSchema,
  value: Json,
  options: UnmarshalOptions,
  path = '',
): { readonly value: Json; readonly unknownFields: readonly string[] } {
  if (!hasObjects(schema)) return { value, unknownFields: [] };
  const unknownFields: string[] = [];
  const visit = (below: StructuralSchema, part: Json, path: string): Json => {
    if (!hasObjects(below)) return part;
    const next = mapParts(below, part, path, visit);
    if (!isObjectOfItsOwn(below) || !isObject(next)) return next;
    for (const name of ['apiVersion', 'kind']) {
      if (Object.hasOwn(next, name) && typeof next[name] !== 'string')
        throw refused(child(path, name), next[name], 'must be a string');
    }
    if (!Object.hasOwn(next, 'metadata')) return next;
    const metadata = metadataOf(next.metadata as Json, child(path, 'metadata'), options, unknownFields);
    return { ...next, metadata };
  };
  return { value: visit(schema, value, path), unknownFields: unknownFields.toSorted() };
}

function metadataOf(value: Json, path: string, options: UnmarshalOptions, unknown: string[]): JsonObject {
  try {
    const { object, unknownFields } = decodeMetadata(value ?? {}, options);
    unknown.push(...unknownFields.map((field) => `${path}.${field}`));
    const { creationTimestamp, ...rest } = object;
    return (creationTimestamp ? object : rest) as JsonObject;
  } catch (error) {
    throw refused(path, value, (error as Error).message);
  }
}

/** The error for an embedded object whose kind, apiVersion or metadata cannot be decoded. */
export class CoercionError extends UnmarshalError {
  readonly told: Cause;

  constructor(told: Cause) {
    super(`${told.field}: ${told.message}`);
    this.told = told;
  }
}

const refused = (path: string, value: unknown, why: string): CoercionError =>
  new CoercionError(invalid(path, value, why));

/**
 * Returns the violations in the kind, apiVersion and metadata of embedded objects.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/objectmeta/validation.go Validate
 */
export function validateEmbeddedResources(schema: StructuralSchema, value: Json, path = ''): Cause[] {
  const causes: Cause[] = [];
  const visit = (below: StructuralSchema, part: Json, path: string): Json => {
    if (!hasObjects(below)) return part;
    if (isObjectOfItsOwn(below) && isObject(part)) causes.push(...objectCauses(part, path));
    return mapParts(below, part, path, visit);
  };
  visit(schema, value, path);
  return causes;
}

function objectCauses(object: JsonObject, path: string): Cause[] {
  const causes = ['apiVersion', 'kind']
    .filter((name) => !Object.hasOwn(object, name))
    .map((name) => required(child(path, name)));
  const { apiVersion, kind, metadata } = object;
  if (apiVersion === '') causes.push(invalid(child(path, 'apiVersion'), '', 'must not be empty'));
  else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    causes.push(
      invalid(child(path, 'apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`),
    );
  }
  if (kind === '') causes.push(invalid(child(path, 'kind'), '', 'must not be empty'));
  else if (typeof kind === 'string') {
    const reasons = isDNS1035Label(kind.toLowerCase());
    const why = `may have mixed case, but should otherwise match: ${reasons.join(',')}`;
    if (reasons.length > 0) causes.push(invalid(child(path, 'kind'), kind, why));
  }
  if (isObject(metadata)) {
    const { name = 'fakename', namespace = '' } = metadata as unknown as meta.ObjectMeta;
    causes.push(
      ...validatePlainObjectMeta(
        { ...(metadata as unknown as meta.ObjectMeta), name },
        { namespaced: namespace !== '', validateName: isValidPathSegmentName, path: child(path, 'metadata') },
      ),
    );
  }
  return causes;
}

const isObjectOfItsOwn = (schema: StructuralSchema): boolean =>
  schema['x-kubernetes-embedded-resource'] === true;

/** Reports whether the schema allows embedded objects. The results are cached. */
function hasObjects(schema: StructuralSchema): boolean {
  let known = withObjects.get(schema);
  if (known === undefined) {
    const { properties = {}, additionalProperties } = schema;
    const below = [...Object.values(properties), additionalProperties, schemaOfItems(schema)];
    known = isObjectOfItsOwn(schema) || below.some((part) => typeof part === 'object' && hasObjects(part));
    withObjects.set(schema, known);
  }
  return known;
}

const withObjects = new WeakMap<StructuralSchema, boolean>();

/** Returns the value with each part of the schema replaced by the result of `visit`. */
function mapParts(
  schema: StructuralSchema,
  value: Json,
  path: string,
  visit: (schema: StructuralSchema, part: Json, path: string) => Json,
): Json {
  if (isList(value)) {
    const items = schemaOfItems(schema);
    return items ? value.map((item, i) => visit(items, item, `${path}[${i}]`)) : value;
  }
  if (!isObject(value)) return value;
  const { properties, additionalProperties } = schema;
  const entries = Object.entries(value).map(([name, part]): [string, Json] => {
    if (properties && Object.hasOwn(properties, name)) {
      return [name, visit(properties[name] as StructuralSchema, part, child(path, name))];
    }
    if (typeof additionalProperties !== 'object') return [name, part];
    return [name, visit(additionalProperties, part, `${path}[${name}]`)];
  });
  return Object.fromEntries(entries);
}
