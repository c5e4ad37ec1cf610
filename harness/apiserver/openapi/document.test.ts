import { describe, expect, test } from 'vitest';
import {
  deployments,
  groupVersion,
  namespaces,
  pods,
  type Resource,
  resources,
  verbsOf,
} from '../../api/resource.ts';
import { apiTypes } from '../../api/table/table.ts';
import { manifests } from '../decode.manifests.ts';
import { decode } from '../decode.ts';
import { served } from '../handler/served.fixture.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';
import type { Operation } from './operation.ts';
import { referredBy } from './schema.ts';
import { violationsOf } from './violations.fixture.ts';

const source = builtInSchemas(apiTypes);
const documents = new Map(
  [...new Set(resources.map(groupVersion))].map((each) => [
    each,
    openApiDocument(
      resources.filter((resource) => groupVersion(resource) === each),
      source,
      'v1.36.3',
    ),
  ]),
);
const documentOf = (resource: Resource): OpenApiDocument =>
  documents.get(groupVersion(resource)) as OpenApiDocument;
const pathOf = ({ group, version, namespaced, plural }: Resource): string =>
  `/${group ? `apis/${group}` : 'api'}/${version}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;

/** Returns each operation of a document with its path and method. */
function operationsOf({ paths }: OpenApiDocument): readonly (readonly [string, string, Operation])[] {
  return Object.entries(paths).flatMap(([path, { parameters: _, ...operations }]) =>
    Object.entries(operations as Record<string, Operation>).map(
      ([method, operation]) => [path, method, operation] as const,
    ),
  );
}
const all = [...documents.values()].flatMap(operationsOf);

describe('a document', () => {
  test('has an operation with its kind for each verb of each resource', () => {
    const verbs = {
      list: 'list',
      post: 'create',
      deletecollection: 'deletecollection',
      get: 'get',
      put: 'update',
      patch: 'patch',
      delete: 'delete',
      watchlist: 'watch',
    } as const;
    for (const resource of resources) {
      const { group, version, kind } = resource;
      const { paths } = documentOf(resource);
      const actions = (path: string) => {
        const { parameters: _, ...operations } = paths[path] ?? {};
        return Object.values(operations as Record<string, Operation>).map((operation) => {
          expect(operation['x-kubernetes-group-version-kind']).toEqual({ group, version, kind });
          return operation['x-kubernetes-action'];
        });
      };
      const allowed = (...some: readonly (keyof typeof verbs)[]) =>
        some.filter((action) => verbsOf(resource).includes(verbs[action])).sort();
      const path = pathOf(resource);
      expect(actions(path).sort(), kind).toEqual(allowed('list', 'post', 'deletecollection'));
      expect(actions(`${path}/{name}`).sort(), kind).toEqual(allowed('get', 'put', 'patch', 'delete'));
      expect(actions(path.replace(/\/(v\d+)\//, '/$1/watch/')), kind).toEqual(allowed('watchlist'));
    }
  });

  // kubectl detects server-side validation by this parameter alone.
  test('offers validation, dry run and force for every patch', () => {
    const patches = all.filter(([, method]) => method === 'patch');
    expect(patches.length).toBeGreaterThan(resources.length / 2);
    for (const [path, , { parameters = [], requestBody }] of patches) {
      expect(
        parameters.map(({ name }) => name),
        path,
      ).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
      expect(Object.keys(requestBody?.content ?? {}), path).toContain(
        'application/strategic-merge-patch+json',
      );
    }
  });

  test('has the subresources with their kinds', () => {
    const { paths } = documentOf(deployments);
    const scale = paths[`${pathOf(deployments)}/{name}/scale`]?.put;
    expect(scale).toMatchObject({
      operationId: 'replaceAppsV1NamespacedDeploymentScale',
      'x-kubernetes-group-version-kind': { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    });
    expect(scale?.requestBody?.content['*/*']?.schema.$ref).toBe(
      '#/components/schemas/io.k8s.api.autoscaling.v1.Scale',
    );
    expect(documentOf(pods).paths[`${pathOf(pods)}/{name}/eviction`]?.post?.operationId).toBe(
      'createCoreV1NamespacedPodEviction',
    );
  });

  test("has common parameters of a path's operations at the path", () => {
    const names = (path: string) => documentOf(pods).paths[path]?.parameters?.map(({ name }) => name);
    expect(names(`${pathOf(pods)}/{name}`)).toEqual(['name', 'namespace', 'pretty']);
    expect(names(`${pathOf(pods)}/{name}/binding`)).toEqual([
      ...['dryRun', 'fieldManager', 'fieldValidation', 'name', 'namespace', 'pretty'],
    ]);
    expect(documentOf(pods).paths[`${pathOf(pods)}/{name}/binding`]?.post).not.toHaveProperty('parameters');
  });

  test('distinguishes deletes that return the object', () => {
    const answered = (resource: Resource) =>
      documentOf(resource).paths[`${pathOf(resource)}/{name}`]?.delete?.responses[200]?.content?.[
        'application/json'
      ]?.schema.$ref;
    expect(answered(pods)).toBe('#/components/schemas/io.k8s.api.core.v1.Pod');
    expect(answered(namespaces)).toBe('#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Status');
  });

  test('has unique operation IDs', () => {
    const ids = all.map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['listCoreV1PodForAllNamespaces', 'watchDiscoveryV1NamespacedEndpointSliceList', 'readCoreV1Node'],
        ...['deleteCoordinationV1CollectionNamespacedLease', 'getPolicyV1APIResources'],
      ]),
    );
  });

  test('has exactly the schemas that it refers to', () => {
    for (const { paths, components } of documents.values()) {
      const text = JSON.stringify({ paths, components });
      const referred = new Set(
        [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, $ref = '']) => referredBy($ref)),
      );
      expect([...referred].sort()).toEqual(Object.keys(components.schemas));
    }
  });

  test('includes common kinds under its own group', () => {
    const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
    const kinds = (resource: Resource) =>
      documentOf(resource).components.schemas[name]?.['x-kubernetes-group-version-kind'];
    const core = { group: '', version: 'v1', kind: 'DeleteOptions' };
    expect(kinds(pods)).toEqual([core]);
    expect(kinds(deployments)).toEqual([core, { group: 'apps', version: 'v1', kind: 'DeleteOptions' }]);
  });

  test('describes only served resources', async () => {
    const { send } = await served();
    const isServed = async (method: string, path: string): Promise<boolean> => {
      const response = await send(method.toUpperCase(), path, method === 'get' ? undefined : '');
      if (response.ok) {
        await response.body?.cancel();
        return true;
      }
      const { message } = (await response.json()) as { message: string };
      return response.status !== 405 && message !== 'the server could not find the requested resource';
    };
    expect(await isServed('get', '/apis/apps/v1/widgets')).toBe(false);
    expect(await isServed('delete', '/api/v1/namespaces')).toBe(false);
    expect(all.length).toBeGreaterThan(200);
    for (const [template, method] of all) {
      const path = template.replace('{namespace}', 'default').replace('{name}', 'absent');
      expect([method, template, await isServed(method, path)]).toEqual([method, template, true]);
    }
  });
});

describe('objects that the apiserver accepts', () => {
  const violations = (resource: Resource, object: unknown) => {
    const { schemas } = documentOf(resource).components;
    return violationsOf(schemas, schemas[source.nameOf(resource) ?? ''] ?? {}, object);
  };

  test.each(manifests)('match the schemas: %s', (_, resource, manifest) => {
    const { object } = decode(resource, manifest, { fieldValidation: 'Strict' });
    expect(violations(resource, object)).toEqual([]);
    expect(violations(resource, { ...manifest, kind: 7, metadata: { labelz: {} } })).toEqual([
      '.kind: no string',
      '.metadata.labelz: is unknown',
    ]);
  });

  test('match the schemas also in their stored form with all defaults', async () => {
    const { send } = await served();
    const stored = await Promise.all(
      manifests.map(async ([, resource, { metadata, ...content }]) => {
        const path = pathOf(resource).replace('{namespace}', 'default');
        const named = { ...(metadata as object), name: 'another', namespace: undefined };
        const response = await send('POST', path, { ...content, metadata: named });
        return response.status === 201 ? [{ resource, object: await response.json() }] : [];
      }),
    );
    expect(stored.flat().length).toBeGreaterThan(10);
    for (const { resource, object } of stored.flat()) expect(violations(resource, object)).toEqual([]);
  });
});
