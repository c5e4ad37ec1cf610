import { describe, expect, test } from 'vitest';
import { deployments, pods } from '../../api/resource.ts';
import { apiTypes } from '../../api/table/table.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { openApiDocument } from './document.ts';
import { swaggerOf } from './swagger.ts';

const source = builtInSchemas(apiTypes);
const documents = [pods, deployments].map((resource) => openApiDocument([resource], source, 'v1.36.3'));
const swagger = swaggerOf(documents);
const definition = (name: string) => swagger.definitions[`io.k8s.${name}`];

/** Reference: kubernetes/kubernetes@v1.36.3 api/openapi-spec/swagger.json */
describe('the document in Swagger 2.0', () => {
  test('contains the paths and schemas of all group versions', () => {
    expect(swagger).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes', version: 'v1.36.3' } });
    const all = documents.flatMap(({ paths }) => Object.keys(paths));
    expect(Object.keys(swagger.paths)).toEqual([...all].sort());
    expect(definition('api.core.v1.Pod')).toBeDefined();
    expect(definition('api.apps.v1.Deployment')).toBeDefined();
    expect(definition('apimachinery.pkg.apis.meta.v1.DeleteOptions')).toMatchObject({
      'x-kubernetes-group-version-kind': [
        { group: '', version: 'v1', kind: 'DeleteOptions' },
        { group: 'apps', version: 'v1', kind: 'DeleteOptions' },
      ],
    });
  });

  test('has the request and response types of an operation', () => {
    expect(swagger.paths['/api/v1/namespaces/{namespace}/pods']).toMatchObject({
      parameters: [
        { name: 'namespace', in: 'path', required: true, type: 'string', uniqueItems: true },
        { name: 'pretty', in: 'query', type: 'string', uniqueItems: true },
      ],
      post: {
        operationId: 'createCoreV1NamespacedPod',
        consumes: ['*/*'],
        produces: ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'],
        parameters: [
          {
            name: 'body',
            in: 'body',
            required: true,
            schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' },
          },
          ...['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
            name,
            in: 'query',
            type: 'string',
          })),
        ],
        responses: {
          201: { description: 'Created', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
          401: { description: 'Unauthorized' },
        },
        'x-kubernetes-action': 'post',
      },
    });
  });

  test('has no defaults, and no keywords that v2 lacks', () => {
    expect(definition('api.core.v1.ServicePort')).toBeUndefined();
    expect(definition('api.core.v1.HTTPGetAction')).toMatchObject({
      properties: {
        port: { $ref: '#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
        httpHeaders: { type: 'array', items: { $ref: '#/definitions/io.k8s.api.core.v1.HTTPHeader' } },
      },
    });
    expect(definition('apimachinery.pkg.util.intstr.IntOrString')).toEqual({
      type: 'string',
      format: 'int-or-string',
    });
    const text = JSON.stringify(swagger);
    for (const word of ['"default":', '"allOf"', '"oneOf"', '#/components']) expect(text).not.toContain(word);
  });
});
