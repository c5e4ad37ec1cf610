import { without } from '../copy-on-write.ts';
import { bearerToken, type OpenApiDocument } from './document.ts';
import type { Operation } from './operation.ts';
import type { Parameter } from './parameters.ts';
import type { PathItem } from './paths.ts';
import { referredBy, type Schema, sortedByKey } from './schema.ts';

/** The Swagger 2.0 (OpenAPI v2) document of all group versions. */
export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: OpenApiDocument['info'];
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
  readonly securityDefinitions: Readonly<Record<string, object>>;
  readonly security: readonly object[];
}

/**
 * Converts these documents to Swagger 2.0.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/builder/openapi.go openAPI
 *
 * Differs: parameters are inlined, not shared between operations. The document names no scheme; upstream's names https.
 *
 * @param documents - the documents of all group versions, at least one
 */
export function swaggerOf(documents: readonly OpenApiDocument[]): SwaggerDocument {
  const paths = documents.flatMap(({ paths }) => Object.entries(paths));
  const schemas = new Map<string, Schema>();
  for (const [name, schema] of documents.flatMap(({ components }) => Object.entries(components.schemas))) {
    schemas.set(name, withKindsOf(schema, schemas.get(name)));
  }
  return {
    swagger: '2.0',
    info: documents[0]?.info ?? { title: '', version: '' },
    paths: sortedByKey(paths.map(([path, item]) => [path, swaggerPath(item)])),
    definitions: sortedByKey([...schemas].map(([name, schema]) => [name, swaggerSchema(schema)])),
    securityDefinitions: { BearerToken: bearerToken },
    security: [{ BearerToken: [] }],
  };
}

/** Merges the kinds of a schema that occurs in several documents. */
function withKindsOf(schema: Schema, other: Schema = {}): Schema {
  const all = [...(other[KINDS] ?? []), ...(schema[KINDS] ?? [])];
  const kinds = [...new Map(all.map((kind) => [JSON.stringify(kind), kind])).values()];
  return { ...schema, ...(kinds.length > 0 && { [KINDS]: kinds }) };
}

const KINDS = 'x-kubernetes-group-version-kind';

function swaggerPath({ parameters = [], ...operations }: PathItem): object {
  return {
    ...(parameters.length > 0 && { parameters: parameters.map(swaggerParameter) }),
    ...Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, each]) => [
        method,
        swaggerOperation(each),
      ]),
    ),
  };
}

function swaggerOperation({ requestBody, parameters = [], responses, ...rest }: Operation): object {
  const [[, sent] = []] = Object.entries(requestBody?.content ?? {});
  const body = sent && {
    ...{ name: 'body', in: 'body', schema: swaggerSchema(sent.schema) },
    ...(requestBody?.required && { required: true }),
  };
  const listed = [...(body ? [body] : []), ...parameters.map(swaggerParameter)];
  return {
    ...rest,
    consumes: requestBody ? Object.keys(requestBody.content) : ['*/*'],
    produces: Object.keys(responses[200]?.content ?? {}),
    ...(listed.length > 0 && { parameters: listed }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, { description, content = {} }]) => {
        const [answered] = Object.values(content);
        return [code, { description, ...(answered && { schema: swaggerSchema(answered.schema) }) }];
      }),
    ),
  };
}

function swaggerParameter({ schema, ...parameter }: Parameter): object {
  return { ...parameter, ...schema };
}

/**
 * Converts a schema to v2: a reference allows siblings, defaults are dropped, and a value of several types is a string.
 *
 * A nullable value, and a value that preserves unknown fields, has no type, because kubectl supports neither.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/handler/default_pruning.go PruneDefaults;
 * kubernetes/apiextensions-apiserver@v0.36.3 pkg/controller/openapi/v2/conversion.go ToStructuralOpenAPIV2
 *
 * Differs: of the validation keywords, keeps only `enum`.
 */
function swaggerSchema(schema: Schema): object {
  const { $ref, allOf: [wrapped] = [], oneOf, properties, items, additionalProperties, nullable } = schema;
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isOpen = nullable === true || keepsAll;
  const mayBeNull = (name: string): boolean => properties?.[name]?.nullable === true;
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => isToldInV2(name)));
  const required = isOpen ? schema.required : schema.required?.filter((name) => !mayBeNull(name));
  const isUntyped =
    nullable || (keepsAll && schema.type === 'object') || (keepsAll && schema.type === 'array');
  const referred = $ref ?? wrapped?.$ref;
  const { [KINDS]: kinds } = schema;
  if (kinds && keepsAll) return { type: 'object', [KINDS]: kinds };
  return {
    ...(isUntyped ? without(rest as Schema, 'type') : rest),
    ...(required?.length && { required }),
    ...(referred !== undefined && { $ref: `#/definitions/${referredBy(referred)}` }),
    ...(oneOf?.[0]?.type && { type: 'string' }),
    ...(properties &&
      !isOpen && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, swaggerSchema(property)]),
        ),
      }),
    ...(items && !isOpen && { items: swaggerSchema(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: swaggerSchema(additionalProperties),
    }),
  };
}

/** Reports whether v2 keeps the keyword unchanged. */
const isToldInV2 = (name: string): boolean =>
  ['type', 'format', 'description', 'enum'].includes(name) || name.startsWith('x-');
