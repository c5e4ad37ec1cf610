import type { Schema } from './schema.ts';

/**
 * The schemas of types with their own encoding, whose JSON form does not follow from the API table.
 *
 * Upstream: the methods OpenAPISchemaType, OpenAPISchemaFormat and OpenAPIV3OneOfTypes of each;
 * kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go, pkg/util/intstr/intstr.go, pkg/apis/meta/v1/time.go,
 * pkg/apis/meta/v1/micro_time.go, pkg/apis/meta/v1/duration.go, pkg/runtime/types.go; kubernetes/apiextensions-apiserver@v0.36.3
 * pkg/apis/apiextensions/v1/types_jsonschema.go
 */
export const ownSchemas: Readonly<Record<string, Schema>> = {
  'resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'intstr.IntOrString': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  'meta/v1.Time': { type: 'string', format: 'date-time' },
  'meta/v1.Duration': { type: 'string' },
  'meta/v1.MicroTime': { type: 'string', format: 'date-time' },
  'meta/v1.FieldsV1': { type: 'object' },
  'runtime.RawExtension': { type: 'object' },
  'apiextensions/v1.JSON': {},
  'apiextensions/v1.JSONSchemaPropsOrArray': {},
  'apiextensions/v1.JSONSchemaPropsOrBool': {},
  'apiextensions/v1.JSONSchemaPropsOrStringArray': {},
};
