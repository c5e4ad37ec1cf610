import type { JSONSchemaProps, ValidationRule } from '#api/apiextensions/v1';

/** The value that Go prints for an absent field: empty text, false, or null. */
type Zero = '' | false | null;

/**
 * The fields of a schema with the order and the names of the apiserver's internal type, for messages that print it.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/types_jsonschema.go JSONSchemaProps
 */
export const SCHEMA_FIELDS: readonly (readonly [name: string, field: keyof JSONSchemaProps, zero: Zero])[] = [
  ['ID', 'id', ''],
  ['Schema', '$schema', ''],
  ['Ref', '$ref', null],
  ['Description', 'description', ''],
  ['Type', 'type', ''],
  ['Nullable', 'nullable', false],
  ['Format', 'format', ''],
  ['Title', 'title', ''],
  ['Default', 'default', null],
  ['Maximum', 'maximum', null],
  ['ExclusiveMaximum', 'exclusiveMaximum', false],
  ['Minimum', 'minimum', null],
  ['ExclusiveMinimum', 'exclusiveMinimum', false],
  ['MaxLength', 'maxLength', null],
  ['MinLength', 'minLength', null],
  ['Pattern', 'pattern', ''],
  ['MaxItems', 'maxItems', null],
  ['MinItems', 'minItems', null],
  ['UniqueItems', 'uniqueItems', false],
  ['MultipleOf', 'multipleOf', null],
  ['Enum', 'enum', null],
  ['MaxProperties', 'maxProperties', null],
  ['MinProperties', 'minProperties', null],
  ['Required', 'required', null],
  ['Items', 'items', null],
  ['AllOf', 'allOf', null],
  ['OneOf', 'oneOf', null],
  ['AnyOf', 'anyOf', null],
  ['Not', 'not', null],
  ['Properties', 'properties', null],
  ['AdditionalProperties', 'additionalProperties', null],
  ['PatternProperties', 'patternProperties', null],
  ['Dependencies', 'dependencies', null],
  ['AdditionalItems', 'additionalItems', null],
  ['Definitions', 'definitions', null],
  ['ExternalDocs', 'externalDocs', null],
  ['Example', 'example', null],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false],
  ['XIntOrString', 'x-kubernetes-int-or-string', false],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null],
  ['XListType', 'x-kubernetes-list-type', null],
  ['XMapType', 'x-kubernetes-map-type', null],
  ['XValidations', 'x-kubernetes-validations', null],
];

/** Returns a schema in the apiserver's internal form. */
export function asInternalSchema(schema: JSONSchemaProps): object {
  return Object.fromEntries(
    SCHEMA_FIELDS.map(([name, field, zero]) => {
      const value = schema[field] ?? undefined;
      return [name, value === undefined ? zero : internal(field, value)];
    }),
  );
}

function internal(field: keyof JSONSchemaProps, value: unknown): unknown {
  switch (field) {
    case 'allOf':
    case 'oneOf':
    case 'anyOf':
      return (value as JSONSchemaProps[]).map(asInternalSchema);
    case 'not':
      return asInternalSchema(value as JSONSchemaProps);
    case 'items':
      return Array.isArray(value)
        ? { Schema: null, JSONSchemas: value.map(asInternalSchema) }
        : { Schema: asInternalSchema(value as JSONSchemaProps), JSONSchemas: null };
    case 'additionalProperties':
    case 'additionalItems':
      return typeof value === 'boolean'
        ? { Allows: value, Schema: null }
        : { Allows: true, Schema: asInternalSchema(value as JSONSchemaProps) };
    case 'properties':
    case 'patternProperties':
    case 'definitions':
      return mapped(value as Record<string, JSONSchemaProps>, asInternalSchema);
    case 'dependencies':
      return mapped(value as Record<string, JSONSchemaProps | string[]>, (one) =>
        Array.isArray(one)
          ? { Schema: null, Property: one }
          : { Schema: one && asInternalSchema(one), Property: null },
      );
    case 'externalDocs': {
      const { description = '', url = '' } = value as { description?: string; url?: string };
      return { Description: description, URL: url };
    }
    case 'x-kubernetes-validations':
      return (value as ValidationRule[]).map((rule) => ({
        Rule: rule.rule ?? '',
        Message: rule.message ?? '',
        MessageExpression: rule.messageExpression ?? '',
        Reason: rule.reason ?? null,
        FieldPath: rule.fieldPath ?? '',
        OptionalOldSelf: rule.optionalOldSelf ?? null,
      }));
    default:
      return value;
  }
}

function mapped<T>(map: Readonly<Record<string, T>>, change: (value: T) => unknown): object {
  const names = Object.keys(map).sort();
  return Object.fromEntries(names.map((name) => [name, change(map[name] as T)]));
}
