import { expect, test } from 'vitest';
import { deployments, pods, type Resource } from '../../api/resource.ts';
import { apiTypes } from '../../api/table/table.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import type { OpenApiDocument } from './document.ts';
import { OpenApi } from './open-api.ts';
import type { Schema, SchemaSource } from './schema.ts';

const builtIn = builtInSchemas(apiTypes);

test('each document is built once, on the first request', () => {
  const asked: string[] = [];
  const source: SchemaSource = {
    ...builtIn,
    nameOf: (kind) => {
      asked.push(kind.kind);
      return builtIn.nameOf(kind);
    },
  };
  const openApi = new OpenApi([pods, deployments], source, 'v1');
  expect(asked).toEqual([]);
  const document = openApi.document('apis/apps/v1');
  expect(asked).toContain('Deployment');
  expect(asked).not.toContain('Pod');
  const before = asked.length;
  expect(openApi.document('apis/apps/v1')).toBe(document);
  expect(asked).toHaveLength(before);
  openApi.index();
  openApi.swagger('protobuf');
  expect(new Set(asked)).toContain('Pod');
  expect(asked.filter((kind) => kind === 'DeploymentList')).toHaveLength(2);
});

test('equal documents have equal hashes, and different documents have different hashes', () => {
  const hash = (release: string, resources: readonly Resource[]) =>
    new OpenApi(resources, builtIn, release).document('apis/apps/v1')?.hash;
  expect(hash('v1', [deployments])).toBe(hash('v1', [deployments, pods]));
  expect(hash('v1', [deployments])).not.toBe(hash('v2', [deployments]));
});

test('further sources of kinds can refer to built-in schemas', () => {
  const widgets = {
    ...deployments,
    group: 'example.com',
    plural: 'widgets',
    kind: 'Widget',
    subresources: ['status'],
  };
  const schemas: Record<string, Schema> = {
    'com.example.v1.Widget': {
      type: 'object',
      properties: {
        metadata: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
        },
      },
    },
    'com.example.v1.WidgetList': { type: 'object' },
  };
  const source: SchemaSource = {
    nameOf: ({ group, version, kind }) =>
      group === 'example.com' ? `com.example.${version}.${kind}` : undefined,
    schema: (name) => schemas[name] ?? builtIn.schema(name),
  };
  const openApi = new OpenApi([widgets as Resource], source, 'v1');
  const { paths, components } = JSON.parse(
    String(openApi.document('apis/example.com/v1')?.body),
  ) as OpenApiDocument;
  expect(Object.keys(paths)).toContain('/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status');
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['com.example.v1.Widget', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']),
  );
  const unknown = new OpenApi([{ ...widgets, group: 'example.org' } as Resource], source, 'v1');
  expect(() => unknown.index()).toThrow('Failed to describe Widget of example.org/v1');
});
