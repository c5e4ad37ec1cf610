import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { configMaps, namespaces, pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has } from '../expectation.ts';
import type { Session } from '../session.ts';
import { named, pod } from './manifests.ts';

const lifecycle = from(
  'kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit',
);
const deleter = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter.go namespacedResourcesDeleter.Delete',
);
const publisher = from(
  'kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/rootcacertpublisher/publisher.go Publisher.syncNamespace',
);
const strategy = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/namespace/strategy.go namespaceStrategy',
);
const definitions = from(
  'kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go crdHandler',
);

/** Makes another namespace, and returns its name. */
async function another(api: Session): Promise<string> {
  return (await api.made(namespaces, named(api.unique('more')))).at('metadata.name');
}

const inside = (namespace: string, path: string) => `/api/v1/namespaces/${namespace}/${path}`;
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Namespaces, and their end. */
export const inNamespaces = area(
  'Namespaces',
  strategy('A namespace is active, and has its name as a label', async (api) => {
    const name = await another(api);
    await api.get(namespaces, name).answers(200, {
      metadata: { labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  }),
  publisher('A namespace gets the certificate of the cluster', async (api) => {
    await api
      .get(configMaps, 'kube-root-ca.crt')
      .becomes({ data: { 'ca.crt': /^-----BEGIN CERTIFICATE-----/ } });
  }),
  deleter('A deleted namespace takes its objects with it', async (api) => {
    const name = await another(api);
    await api.raw('POST', inside(name, 'configmaps'), { body: { ...configMap, ...named('a') } }).answers(201);
    await api.delete(namespaces, name).answers(200, { status: { phase: 'Terminating' } });
    await api.get(namespaces, name).goes();
    await api.raw('GET', inside(name, 'configmaps/a')).refused(404, 'configmaps "a" not found');
  }),
  deleter('A namespace waits for a finalizer in it, and reports that', async (api) => {
    const name = await another(api);
    const held = { ...configMap, ...named('a', { finalizers: ['example.com/f'] }) };
    await api.raw('POST', inside(name, 'configmaps'), { body: held }).answers(201);
    await api.delete(namespaces, name).answers(200);
    await api.get(namespaces, name).becomes({
      status: {
        phase: 'Terminating',
        conditions: has(
          {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message:
              'Some content in the namespace has finalizers remaining: example.com/f in 1 resource instances',
          },
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            message: 'Some resources are remaining: configmaps. has 1 resource instances',
          },
        ),
      },
    });
    const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
    await api.raw('PATCH', inside(name, 'configmaps/a'), patch).answers(200);
    await api.get(namespaces, name).goes();
  }),
  lifecycle('A terminating namespace gets no new objects', async (api) => {
    const name = await another(api);
    const held = { ...configMap, ...named('a', { finalizers: ['example.com/f'] }) };
    await api.raw('POST', inside(name, 'configmaps'), { body: held }).answers(201);
    await api.delete(namespaces, name).answers(200);
    await api
      .raw('POST', inside(name, 'configmaps'), { body: { ...configMap, ...named('b') } })
      .refused(
        403,
        `configmaps "b" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
        {
          reason: 'Forbidden',
          details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
        },
      );
    const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
    await api.raw('PATCH', inside(name, 'configmaps/a'), patch).answers(200);
  }),
  lifecycle('Objects of one name live in two namespaces', async (api) => {
    const name = await another(api);
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
    await api.raw('GET', inside(name, 'pods/a')).refused(404, 'pods "a" not found');
  }),
);

/** Returns the path of the objects of {@link defined}. */
const objectsOf = (group: string) => `/apis/${group}/v1/namespaces/$namespace/things`;

/** Makes a definition of things, each with a size, and waits until the server serves them. Returns its group. */
async function defined(api: Session): Promise<string> {
  const group = `${api.unique('x')}.example.com`;
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          required: ['size'],
          properties: {
            size: { type: 'integer', minimum: 1 },
            colour: { type: 'string', default: 'blue', enum: ['blue', 'red'] },
          },
        },
        status: { type: 'object', properties: { ready: { type: 'boolean' } } },
      },
    },
  };
  await api.made(customResourceDefinitions, {
    ...named(`things.${group}`),
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  await api
    .get(customResourceDefinitions, `things.${group}`)
    .becomes({ status: { conditions: has({ type: 'Established', status: 'True' }) } });
  await api.raw('GET', objectsOf(group)).becomes({ kind: 'ThingList' });
  return group;
}

const thing = (group: string, spec: object, more: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  ...named('a'),
  spec,
  ...more,
});

/** Custom resources. */
export const customResources = area(
  'Custom resources',
  definitions('A custom object gets defaults and loses unknown fields', async (api) => {
    const group = await defined(api);
    await api
      .raw('POST', objectsOf(group), { body: thing(group, { size: 1, shape: 'round' }) })
      .answers(201, { spec: { size: 1, colour: 'blue', shape: absent }, metadata: { generation: 1 } });
  }),
  (
    [
      [
        'of an enumeration',
        { size: 1, colour: 'green' },
        'spec.colour: Unsupported value: "green": supported values: "blue", "red"',
      ],
      [
        'of a range',
        { size: 0 },
        'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      ],
      [
        'of a type',
        { size: 'big' },
        'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      ],
      ['that is required', {}, 'spec.size: Required value'],
    ] as const
  ).map(([name, spec, message]) =>
    definitions(`A custom object is validated: a value ${name}`, async (api) => {
      const group = await defined(api);
      await api
        .raw('POST', objectsOf(group), { body: thing(group, spec) })
        .refused(422, `Thing.${group} "a" is invalid: ${message}`);
    }),
  ),
  definitions('The status of a custom object has its own URL', async (api) => {
    const group = await defined(api);
    await api
      .raw('POST', objectsOf(group), { body: thing(group, { size: 1 }, { status: { ready: true } }) })
      .answers(201, { status: absent });
    const patch = {
      body: { spec: { size: 2 }, status: { ready: true } },
      contentType: 'application/merge-patch+json',
    };
    await api
      .raw('PATCH', `${objectsOf(group)}/a/status`, patch)
      .answers(200, { spec: { size: 1 }, status: { ready: true }, metadata: { generation: 1 } });
  }),
  definitions('A custom object takes no strategic merge patch', async (api) => {
    const group = await defined(api);
    await api.raw('POST', objectsOf(group), { body: thing(group, { size: 1 }) }).answers(201);
    await api
      .raw('PATCH', `${objectsOf(group)}/a`, {
        body: {},
        contentType: 'application/strategic-merge-patch+json',
      })
      .refused(
        415,
        /^the body of the request was in an unknown format - accepted media types include: application\/json-patch\+json, application\/merge-patch\+json/,
      );
  }),
  definitions('A deleted definition takes its objects with it', async (api) => {
    const group = await defined(api);
    await api.raw('POST', objectsOf(group), { body: thing(group, { size: 1 }) }).answers(201);
    await api.delete(customResourceDefinitions, `things.${group}`).answers(200);
    await api.get(customResourceDefinitions, `things.${group}`).goes();
    await api.raw('GET', objectsOf(group)).goes();
  }),
);
