import type { Resource } from '../../api/resource.ts';
import { inEveryGroup } from './built-in-schemas.ts';
import type { Operation } from './operation.ts';
import { type PathItem, pathsOf } from './paths.ts';
import { reachableSchemas, referredBy, type Schema, type SchemaSource } from './schema.ts';

/** The OpenAPI v3 document of one group version. */
export interface OpenApiDocument {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/**
 * Creates the document of one group version.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/routes/openapi.go OpenAPI.InstallV3
 *
 * @param resources - the resources of the group version, at least one
 * @param source - has the schemas of the resources, of their lists and subresources, and the common ones of meta/v1
 * @param release - the release of the server: `v1.36.3`
 * @throws Error when the source does not have a kind
 */
export function openApiDocument(
  resources: readonly Resource[],
  source: SchemaSource,
  release: string,
): OpenApiDocument {
  const { group = '', version = '' } = resources[0] ?? {};
  const paths = pathsOf(resources, source);
  const schemas = reachableSchemas(Object.values(paths).flatMap(referredIn), source);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: release },
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, ofGroup(schema, group, version)]),
      ),
      securitySchemes: { BearerToken: bearerToken },
    },
  };
}

/** The scheme that authenticates a request. */
export const bearerToken = { type: 'apiKey', name: 'authorization', in: 'header' } as const;

/** Adds the group of this document to a kind that every group registers as its own. */
function ofGroup(schema: Schema, group: string, version: string): Schema {
  const [known] = schema['x-kubernetes-group-version-kind'] ?? [];
  if (known === undefined || !inEveryGroup.has(known.kind) || (group === '' && version === 'v1'))
    return schema;
  return { ...schema, 'x-kubernetes-group-version-kind': [known, { group, version, kind: known.kind }] };
}

/** Returns the names of the schemas that a path refers to. */
function referredIn({ parameters: _, ...operations }: PathItem): readonly string[] {
  return Object.values(operations as Record<string, Operation>).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).flatMap(({ schema: { $ref } }) => ($ref ? [referredBy($ref)] : [])),
    ),
  );
}
