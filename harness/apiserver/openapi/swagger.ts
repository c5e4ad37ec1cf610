import { bearerToken, type OpenApiDocument } from './document.ts';
import type { Operation } from './operation.ts';
import type { Parameter } from './parameters.ts';
import type { PathItem } from './paths.ts';
import { referredBy, type Schema, sortedByKey } from './schema.ts';

/** What all versions of all groups offer, in Swagger 2.0, which is OpenAPI v2. */
export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: OpenApiDocument['info'];
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
  readonly securityDefinitions: Readonly<Record<string, object>>;
  readonly security: readonly object[];
}

/**
 * Says in Swagger 2.0 what these documents say.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/builder/openapi.go openAPI
 *
 * Differs: parameters stand where they are used, and not among those that operations share; and no scheme is named,
 * where upstream says https.
 *
 * @param documents - of all group versions, at least one
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

/** A schema that several documents have names the kinds of all of them. */
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
 * A schema in the words of v2: a reference has its neighbours beside it, nothing has a default, and what may be of
 * several types is a text.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/handler/default_pruning.go PruneDefaults
 */
function swaggerSchema(schema: Schema): object {
  const {
    $ref,
    allOf: [wrapped] = [],
    default: _,
    oneOf,
    properties,
    items,
    additionalProperties,
    ...rest
  } = schema;
  const referred = $ref ?? wrapped?.$ref;
  return {
    ...rest,
    ...(referred !== undefined && { $ref: `#/definitions/${referredBy(referred)}` }),
    ...(oneOf && { type: 'string' }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, swaggerSchema(property)]),
      ),
    }),
    ...(items && { items: swaggerSchema(items) }),
    ...(additionalProperties && { additionalProperties: swaggerSchema(additionalProperties) }),
  };
}
