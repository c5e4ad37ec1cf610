import type { Cause } from '../../api/status.ts';
import { isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { UnmarshalError } from '../schema/unmarshal.ts';
import { invalid } from '../validation/field-error.ts';
import { CoercionError, coerced, validateEmbeddedResources } from './embedded-resources.ts';
import { prune, type StructuralSchema, schemaOfItems } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

/**
 * Validates the defaults of a schema: each must be a valid value at its place.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/defaulting/validation.go ValidateDefaults
 */
export function validateDefaults(schema: StructuralSchema, path: string): Cause[] {
  const root = { ...schema, 'x-kubernetes-embedded-resource': true };
  return defaultCauses(root, path, { object: root, around: (value) => value, isMeta: false });
}

/** The object that contains a default. */
interface Surroundings {
  readonly object: StructuralSchema;
  /** Returns the object with this value in the place of the default. */
  around(value: Json): Json;
  /** Whether the place is in the kind, apiVersion or metadata of an object. */
  readonly isMeta: boolean;
}

function defaultCauses(schema: StructuralSchema, path: string, outer: Surroundings): Cause[] {
  const isObjectOfItsOwn = schema['x-kubernetes-embedded-resource'] === true;
  const here: Surroundings = isObjectOfItsOwn
    ? { object: schema, around: (value) => value, isMeta: false }
    : outer;
  const value = schema.default as Json | undefined;
  const causes =
    value === undefined || value === null ? [] : ownCauses(schema, value, `${path}.default`, here);
  const items = schemaOfItems(schema);
  if (items) {
    const around = (item: Json): Json => here.around([item]);
    causes.push(...defaultCauses(items, `${path}.items`, { ...here, around }));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = here.isMeta || (isObjectOfItsOwn && OBJECT_FIELDS.includes(name));
    const around = (part: Json): Json => here.around(Object.fromEntries([[name, part]]));
    causes.push(...defaultCauses(property, `${path}.properties[${name}]`, { ...here, around, isMeta }));
  }
  return causes;
}

const OBJECT_FIELDS = ['apiVersion', 'kind', 'metadata'];

function ownCauses(schema: StructuralSchema, value: Json, path: string, here: Surroundings): Cause[] {
  if (here.isMeta) {
    const wrong = metadataError(here.object, here.around(value) as JsonObject);
    if (wrong) return [invalid(path, value, `must result in valid metadata: ${wrong}`)];
    return [...validateValue(schema, value, path)];
  }
  const isRoot = schema['x-kubernetes-embedded-resource'] === true;
  const { unknownFields } = prune(schema, value, isRoot);
  const unpruned = unknownFields.length > 0 ? [invalid(path, value, 'must not have unknown fields')] : [];
  try {
    coerced(schema, value, {}, path);
  } catch (error) {
    if (!(error instanceof CoercionError)) throw error;
    return [...unpruned, error.told];
  }
  const embedded = validateEmbeddedResources(schema, value, path);
  return [...unpruned, ...(embedded.length > 0 ? embedded : validateValue(schema, value, path))];
}

function metadataError(schema: StructuralSchema, object: JsonObject): string | undefined {
  const whole = { apiVersion: 'validation/v1', kind: 'Validation', ...object };
  try {
    if (isObject(whole)) coerced(schema, whole, {});
  } catch (error) {
    if (!(error instanceof UnmarshalError)) throw error;
    return error.message;
  }
  const texts = validateEmbeddedResources(schema, whole).map(({ field, message }) => `${field}: ${message}`);
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
}
