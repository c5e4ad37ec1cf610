import type { Resource } from '../../api/resource.ts';
import { inEveryGroup } from './built-in-schemas.ts';
import type { Operation } from './operation.ts';
import { type PathItem, pathsOf } from './paths.ts';
import { reachableSchemas, referredBy, type Schema, type SchemaSource } from './schema.ts';

/** What one version of one group offers, in OpenAPI v3. */
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
 * Describes one version of one group.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/routes/openapi.go OpenAPI.InstallV3
 *
 * @param resources - those of the group version, at least one
 * @param source - knows the kinds of the resources, of their lists and subresources, and what meta/v1 has for all
 * @param release - of the server: `v1.36.3`
 * @throws Error at a kind that the source does not know
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

/** How a request says who sends it. */
export const bearerToken = { type: 'apiKey', name: 'authorization', in: 'header' } as const;

/** A kind that every group has as its own is in this document one of this group. */
function ofGroup(schema: Schema, group: string, version: string): Schema {
  const [known] = schema['x-kubernetes-group-version-kind'] ?? [];
  if (known === undefined || !inEveryGroup.has(known.kind) || (group === '' && version === 'v1'))
    return schema;
  return { ...schema, 'x-kubernetes-group-version-kind': [known, { group, version, kind: known.kind }] };
}

/** The names of the schemas that a path refers to. */
function referredIn({ parameters: _, ...operations }: PathItem): readonly string[] {
  return Object.values(operations as Record<string, Operation>).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).flatMap(({ schema: { $ref } }) => ($ref ? [referredBy($ref)] : [])),
    ),
  );
}
