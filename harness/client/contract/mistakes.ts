import { expect, test } from 'vitest';
import type { ConfigMap, New, Pod } from '../../api/objects.ts';
import { configMaps, deployments, namespaces, pods } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import { configMap, deployment, inDefault, pod, refusal } from './objects.ts';
import type { Open } from './open.ts';

/** An error of a client, and the server's response: code, reason and message. */
interface Mistake {
  readonly name: string;
  readonly make: (client: Client) => Promise<unknown>;
  readonly told: readonly [code: number, reason: string, message: string];
}

const mistakes: readonly Mistake[] = [
  {
    name: 'gets a missing object',
    make: (client) => client.get(pods, inDefault('a')),
    told: [404, 'NotFound', 'pods "a" not found'],
  },
  {
    name: 'updates a missing object',
    make: (client) =>
      client.update(deployments, {
        ...deployment('web', 1),
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: inDefault('web'),
      } as never),
    told: [404, 'NotFound', 'deployments.apps "web" not found'],
  },
  {
    name: 'deletes a missing object',
    make: (client) => client.delete(pods, inDefault('a')),
    told: [404, 'NotFound', 'pods "a" not found'],
  },
  {
    name: 'binds a missing pod',
    make: (client) => client.bind(inDefault('a'), 'node-1'),
    told: [404, 'NotFound', 'pods "a" not found'],
  },
  {
    name: 'gets an object without a name',
    make: (client) => client.get(pods, inDefault('')),
    told: [400, 'BadRequest', 'Name parameter required.'],
  },
  {
    name: 'gets a namespaced object without a namespace',
    make: (client) => client.get(pods, { name: 'a' }),
    told: [400, 'BadRequest', 'Namespace parameter required.'],
  },
  {
    name: 'creates an object twice',
    make: async (client) => {
      await client.create(configMaps, configMap('a'));
      await client.create(configMaps, configMap('a'));
    },
    told: [409, 'AlreadyExists', 'configmaps "a" already exists'],
  },
  {
    name: 'creates in a missing namespace',
    make: (client) => client.create(configMaps, { metadata: { name: 'a', namespace: 'nowhere' } }),
    told: [404, 'NotFound', 'namespaces "nowhere" not found'],
  },
  {
    name: 'creates in a terminating namespace',
    make: async (client) => {
      await client.create(namespaces, { metadata: { name: 'old' }, spec: {} });
      await client.delete(namespaces, { name: 'old' });
      await client.create(configMaps, { metadata: { name: 'a', namespace: 'old' } });
    },
    told: [
      403,
      'Forbidden',
      'configmaps "a" is forbidden: unable to create new content in namespace old because it is being terminated',
    ],
  },
  {
    name: 'creates without a namespace',
    make: (client) => client.create(configMaps, { metadata: { name: 'a' } }),
    told: [400, 'BadRequest', 'an empty namespace may not be set during creation'],
  },
  {
    name: 'creates without a name',
    make: (client) => client.create(configMaps, { metadata: { namespace: 'default' } }),
    told: [
      422,
      'Invalid',
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
  },
  {
    name: 'creates with an invalid name',
    make: (client) => client.create(configMaps, configMap('A')),
    told: [
      422,
      'Invalid',
      `ConfigMap "A" is invalid: metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  },
  {
    name: 'creates with a resourceVersion',
    make: (client) => {
      const sent = configMap('a');
      return client.create(configMaps, { ...sent, metadata: { ...sent.metadata, resourceVersion: '1' } });
    },
    told: [500, 'InternalError', 'resourceVersion should not be set on objects to be created'],
  },
  {
    name: 'creates an object of another kind',
    make: (client) => client.create(configMaps, { ...pod('a'), kind: 'Pod' } as unknown as New<ConfigMap>),
    told: [
      400,
      'BadRequest',
      'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    ],
  },
  {
    name: 'creates an object of an unknown kind',
    make: (client) =>
      client.create(configMaps, { ...configMap('a'), kind: 'Gadget' } as unknown as New<ConfigMap>),
    told: [
      400,
      'BadRequest',
      'Gadget in version "v1" cannot be handled as a ConfigMap: no kind "Gadget" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
  },
  {
    name: 'creates an object of a removed version',
    make: (client) => client.create(deployments, { ...deployment('web', 1), apiVersion: 'apps/v1beta1' }),
    told: [
      400,
      'BadRequest',
      'the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)',
    ],
  },
  {
    name: 'sends an unknown field',
    make: (client) => client.create(configMaps, { ...configMap('a'), date: {} } as New<ConfigMap>),
    told: [
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "date"',
    ],
  },
  {
    name: 'sends a value of the wrong type',
    make: (client) => client.create(pods, { ...pod('a'), spec: { containers: 3 } } as unknown as New<Pod>),
    told: [
      400,
      'BadRequest',
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
  },
  {
    name: 'changes an immutable field',
    make: async (client) => {
      const created = await client.create(configMaps, { ...configMap('a', { x: '1' }), immutable: true });
      await client.update(configMaps, { ...created, data: { x: '2' } });
    },
    told: [
      422,
      'Invalid',
      'ConfigMap "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    ],
  },
  {
    name: 'updates with another uid',
    make: async (client) => {
      const { metadata, ...rest } = await client.create(configMaps, configMap('a'));
      const other = { name: 'a', namespace: 'default', uid: 'other' };
      await client.update(configMaps, { ...rest, metadata: other });
    },
    told: [
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: (uid)',
    ],
  },
  {
    name: 'renames by patch',
    make: async (client) => {
      await client.create(configMaps, configMap('a'));
      const body = { metadata: { name: 'b' } };
      await client.patch(configMaps, inDefault('a'), { type: 'merge', body });
    },
    told: [400, 'BadRequest', 'the name of the object (b) does not match the name on the URL (a)'],
  },
  {
    name: 'sends a JSON patch that is not a list',
    make: async (client) => {
      await client.create(configMaps, configMap('a'));
      await client.patch(configMaps, inDefault('a'), { type: 'json', body: {} as unknown[] });
    },
    told: [
      400,
      'BadRequest',
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
  },
  {
    name: 'writes the status of a kind without status',
    make: async (client) => client.updateStatus(configMaps, await client.create(configMaps, configMap('a'))),
    told: [404, 'NotFound', 'the server could not find the requested resource'],
  },
  {
    name: 'scales a kind that cannot be scaled',
    make: async (client) => {
      await client.create(configMaps, configMap('a'));
      await client.getScale(configMaps, inDefault('a'));
    },
    told: [404, 'NotFound', 'the server could not find the requested resource'],
  },
  {
    name: 'scales below zero',
    make: async (client) => {
      await client.create(deployments, deployment('web', 1));
      await client.updateScale(deployments, inDefault('web'), { replicas: -1 });
    },
    told: [
      422,
      'Invalid',
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
  {
    name: 'sends an invalid label selector',
    make: (client) => client.list(pods, { labelSelector: 'app in web' }),
    told: [400, 'BadRequest', "unable to parse requirement: found 'web' expected: '('"],
  },
  {
    name: 'selects by an unsupported field',
    make: (client) => client.list(pods, { fieldSelector: 'spec.containers=a' }),
    told: [400, 'BadRequest', 'field label not supported: spec.containers'],
  },
  {
    name: 'selects by another field than metadata.name and metadata.namespace',
    make: (client) => client.watch(configMaps, { fieldSelector: 'data=a' }),
    told: [
      400,
      'BadRequest',
      '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  },
  {
    name: 'requests an exact match without a revision',
    make: (client) => client.list(pods, { resourceVersionMatch: 'Exact' }),
    told: [
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
  },
  {
    name: 'lists from an invalid resourceVersion',
    make: (client) => client.list(pods, { resourceVersion: 'abc' }),
    told: [
      400,
      'BadRequest',
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
  },
  {
    name: 'watches from an invalid resourceVersion',
    make: (client) => client.watch(pods, { resourceVersion: '-1' }),
    told: [
      500,
      'InternalError',
      'resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
  },
  {
    name: 'sends a forged continue token',
    make: (client) => client.list(pods, { continue: '???' }),
    told: [
      400,
      'BadRequest',
      'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
    ],
  },
];

/** Runs every mistake and checks the server's response. */
export function describeMistakes(open: Open): void {
  test.each(mistakes)('rejects a client that $name', async ({ make, told: [code, reason, message] }) => {
    await using opened = await open();
    const told = await refusal(make(opened.client));
    // Uids are not known beforehand.
    told[2] = told[2].replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '(uid)');
    expect(told).toEqual([code, reason, message]);
  });
}
