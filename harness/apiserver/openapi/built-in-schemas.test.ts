import { describe, expect, test } from 'vitest';
import { apiTypes } from '../../api/table/table.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { reachableSchemas, type Schema } from './schema.ts';

const source = builtInSchemas(apiTypes);
const schema = (name: string): Schema => source.schema(`io.k8s.${name}`) ?? {};
const property = (name: string, field: string): Schema => schema(name).properties?.[field] ?? {};
const refersTo = (name: string): Schema => ({ $ref: `#/components/schemas/io.k8s.${name}` });

/** Reference: kubernetes/kubernetes@v1.36.3 api/openapi-spec/v3/api__v1_openapi.json and its siblings */
describe('the schemas of the built-in types', () => {
  test('are named after the Go package and the type', () => {
    expect(source.nameOf({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBe(
      'io.k8s.api.apps.v1.Deployment',
    );
    expect(source.nameOf({ group: '', version: 'v1', kind: 'PodList' })).toBe('io.k8s.api.core.v1.PodList');
    expect(source.nameOf({ group: 'apps', version: 'v1', kind: 'Pod' })).toBeUndefined();
    expect(property('api.core.v1.Pod', 'metadata').allOf).toEqual([
      refersTo('apimachinery.pkg.apis.meta.v1.ObjectMeta'),
    ]);
    expect(source.schema('io.k8s.api.core.v1.Cod')).toBeUndefined();
  });

  test('include their kinds', () => {
    const kinds = (name: string) => schema(name)['x-kubernetes-group-version-kind'];
    expect(kinds('api.apps.v1.Deployment')).toEqual([{ group: 'apps', version: 'v1', kind: 'Deployment' }]);
    expect(kinds('api.discovery.v1.EndpointSlice')).toEqual([
      { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' },
    ]);
    expect(kinds('apimachinery.pkg.apis.meta.v1.Status')).toEqual([
      { group: '', version: 'v1', kind: 'Status' },
    ]);
    expect(kinds('api.core.v1.PodSpec')).toBeUndefined();
  });

  test("have Go's formats and the required fields", () => {
    expect(property('api.apps.v1.DeploymentSpec', 'replicas')).toEqual({ type: 'integer', format: 'int32' });
    expect(property('apimachinery.pkg.apis.meta.v1.ObjectMeta', 'generation')).toEqual({
      type: 'integer',
      format: 'int64',
    });
    expect(property('api.core.v1.Secret', 'data')).toEqual({
      type: 'object',
      additionalProperties: { type: 'string', format: 'byte' },
    });
    expect(schema('api.core.v1.Container').required).toEqual(['name']);
    expect(schema('api.apps.v1.DeploymentSpec').required).toEqual(['selector', 'template']);
    expect(schema('api.core.v1.Pod').required).toBeUndefined();
  });

  test('of types with their own encoding are not derived from fields', () => {
    expect(property('api.core.v1.ServicePort', 'targetPort')).toEqual({
      allOf: [refersTo('apimachinery.pkg.util.intstr.IntOrString')],
    });
    expect(schema('apimachinery.pkg.util.intstr.IntOrString')).toEqual({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(property('api.core.v1.ResourceRequirements', 'limits').additionalProperties).toEqual(
      refersTo('apimachinery.pkg.api.resource.Quantity'),
    );
    expect(schema('apimachinery.pkg.apis.meta.v1.Time')).toEqual({ type: 'string', format: 'date-time' });
  });

  test('have declared defaults, and the zero values that Go always prints', () => {
    expect(property('api.core.v1.Pod', 'spec').default).toEqual({});
    expect(property('api.core.v1.Container', 'name').default).toBe('');
    expect(property('api.core.v1.ContainerPort', 'containerPort').default).toBe(0);
    expect(property('api.core.v1.ContainerPort', 'protocol').default).toBe('TCP');
    expect(property('api.core.v1.Container', 'image')).not.toHaveProperty('default');
    expect(property('api.core.v1.Container', 'livenessProbe')).not.toHaveProperty('default');
    expect(property('api.core.v1.Container', 'args').items).toEqual({ type: 'string', default: '' });
    expect(property('api.core.v1.PodSpec', 'containers').items).toEqual({
      allOf: [refersTo('api.core.v1.Container')],
      default: {},
    });
  });

  test('list the values of an enumeration', () => {
    expect(property('api.core.v1.PodSpec', 'restartPolicy').enum).toEqual(['Always', 'Never', 'OnFailure']);
    expect(property('api.discovery.v1.EndpointSlice', 'addressType').enum).toEqual(['FQDN', 'IPv4', 'IPv6']);
    expect(property('api.core.v1.Node', 'kind')).not.toHaveProperty('enum');
  });

  test('contain the merge rules of patches and server-side apply', () => {
    expect(property('api.core.v1.Container', 'ports')).toMatchObject({
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'containerPort',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    });
    expect(property('api.core.v1.PodSpec', 'volumes')['x-kubernetes-patch-strategy']).toBe(
      'merge,retainKeys',
    );
    expect(property('api.core.v1.PodSpec', 'nodeSelector')['x-kubernetes-map-type']).toBe('atomic');
    expect(schema('apimachinery.pkg.apis.meta.v1.LabelSelector')['x-kubernetes-map-type']).toBe('atomic');
    expect(property('api.apps.v1.DeploymentSpec', 'selector')).not.toHaveProperty('x-kubernetes-map-type');
    // The declaration of the field overrides that of the type.
    expect(property('api.core.v1.PersistentVolumeSpec', 'claimRef')['x-kubernetes-map-type']).toBe(
      'granular',
    );
    expect(schema('api.core.v1.ObjectReference')['x-kubernetes-map-type']).toBe('atomic');
  });

  test('have no descriptions', () => {
    const text = JSON.stringify(reachableSchemas(['io.k8s.api.core.v1.Namespace'], source));
    expect(text).toContain('"phase"');
    expect(text).not.toContain('"description"');
  });

  test('cover each kind of the API table', () => {
    const kinds = Object.values(apiTypes.table.packages).flatMap(({ apiVersion = '', kinds = {} }) => {
      const [version = '', group = ''] = apiVersion.split('/').reverse();
      return Object.keys(kinds).flatMap((kind) => source.nameOf({ group, version, kind }) ?? []);
    });
    expect(kinds.length).toBeGreaterThan(150);
    expect(Object.keys(reachableSchemas(kinds, source)).length).toBeGreaterThan(500);
  });
});

describe('reachableSchemas', () => {
  test('follows references, also from a type to itself', () => {
    const names = Object.keys(
      reachableSchemas(['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'], source),
    );
    expect(names).toContain('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON');
    expect(names).toEqual([...names].sort());
  });

  test('rejects an unknown name', () => {
    expect(() => reachableSchemas(['io.k8s.Cod'], source)).toThrow('Failed to describe io.k8s.Cod');
  });
});
