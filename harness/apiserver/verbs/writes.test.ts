import { describe, expect, test } from 'vitest';
import { generateName } from '../../api/names.ts';
import type { ConfigMap, Deployment, KubeObject, Lease } from '../../api/objects.ts';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { configMaps, deployments, leases, namespaces, pods } from '../../api/resource.ts';
import type { Patch, PatchOptions, Updated } from '../../contracts/client.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { samples } from '../kinds/samples.fixture.ts';
import { configMap, key, record, refusal, world } from './replicas.fixture.ts';

const container = { name: 'main', image: 'nginx' };

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

describe('Create', () => {
  test('sets the time of the server’s clock and a unique uid', async () => {
    const { sim, server, other } = await world();
    await sim.run({ forMs: 61_500 });
    const a = await server.create(configMaps, configMap('a'));
    const b = await other.create(configMaps, configMap('b'));
    expect(a.metadata.creationTimestamp).toBe('2024-04-17T00:01:01Z');
    expect(a.metadata.uid).not.toBe(b.metadata.uid);
  });

  test('rejects a name that does not fit into a URL, even if the kind accepts it', async () => {
    const { server } = await world();
    const request = { ...samples.CertificateSigningRequest, metadata: { name: 'a/b' } };
    expect(await refusal(server.create(certificateSigningRequests, request as never))).toBe(
      `422 Invalid: CertificateSigningRequest.certificates.k8s.io "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain '/'`,
    );
  });

  test('gives another incarnation another uid', async () => {
    const { server } = await world();
    const first = await server.create(configMaps, configMap('a'));
    await server.delete(configMaps, key('a'));
    const second = await server.create(configMaps, configMap('a'));
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });

  test('rejects an existing name, even at a stale replica', async () => {
    const { server, other } = await world();
    other.cache.hold();
    await server.create(configMaps, configMap('a'));
    expect(await refusal(other.create(configMaps, configMap('a')))).toBe(
      '409 AlreadyExists: configmaps "a" already exists',
    );
    expect(await refusal(other.create(configMaps, configMap('a'), { dryRun: true }))).toMatch(
      /^409 AlreadyExists/,
    );
  });

  test('tries eight generated names', async () => {
    const sim = new Simulation();
    let drawn = 0;
    const random = { ...seededRandom(1), float: () => (drawn++ < 40 ? 0 : 0.5) };
    const server = new ApiServer({ clock: sim.clock, random });
    await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
    const sent = { metadata: { namespace: 'default', generateName: 'web-' } };
    // The first create takes a name; the second draws it seven times, and then another one.
    await server.create(configMaps, sent);
    const { metadata } = await server.create(configMaps, sent);
    expect(metadata.name).toBe(generateName('web-', () => 0.5));
    expect(drawn).toBe(45);
  });

  test('reports that an object with the name is being deleted', async () => {
    const { server } = await world();
    await server.create(configMaps, { metadata: { ...key('a'), finalizers: ['example.com/a'] } });
    await server.delete(configMaps, key('a'));
    expect(await refusal(server.create(configMaps, configMap('a')))).toBe(
      '409 AlreadyExists: object is being deleted: configmaps "a" already exists',
    );
  });

  test('reports a collision of a generated name with its own message', async () => {
    const sim = new Simulation();
    const server = new ApiServer({ clock: sim.clock, random: { ...seededRandom(1), float: () => 0 } });
    await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
    const sent = { metadata: { namespace: 'default', generateName: 'web-' } };
    const { metadata } = await server.create(configMaps, sent);
    expect(metadata.name).toBe(generateName('web-', () => 0));
    const told = await refusal(server.create(configMaps, sent));
    expect(told).toContain('409 AlreadyExists: configmaps "web-');
    expect(told).toContain('the server was not able to generate a unique name for the object');
  });

  test('rejects a resourceVersion and a missing namespace', async () => {
    const { server } = await world();
    const metadata = { ...key('a'), resourceVersion: '1' };
    expect(await refusal(server.create(configMaps, { metadata }))).toBe(
      '500 InternalError: resourceVersion should not be set on objects to be created',
    );
    expect(await refusal(server.create(configMaps, { metadata: { namespace: 'nowhere', name: 'a' } }))).toBe(
      '404 NotFound: namespaces "nowhere" not found',
    );
  });

  test('returns frozen objects, stored or not', async () => {
    const { server } = await world();
    expect(isFrozen(await server.create(configMaps, configMap('a', { x: '1' }), { dryRun: true }))).toBe(
      true,
    );
    const created = await server.create(configMaps, configMap('a', { x: '1' }));
    expect(isFrozen(created)).toBe(true);
    expect(
      isFrozen(await server.update(configMaps, { ...created, data: { x: '2' } }, { dryRun: true })),
    ).toBe(true);
    expect(await server.get(configMaps, key('a'))).toBe(created);
  });

  test('shares parts of objects that the server returned instead of copying them', async () => {
    const { server } = await world();
    const { spec } = await server.create(pods, { metadata: key('a'), spec: { containers: [container] } });
    const twin = await server.create(pods, { metadata: key('b'), spec });
    expect(twin.spec.containers).toBe(spec.containers);
  });
});

describe('Update', () => {
  test('rejects the second of two from the same version, at any replica', async () => {
    const { server, other } = await world();
    const read = await server.create(configMaps, configMap('a'));
    const outcomes = await Promise.allSettled([
      server.update(configMaps, { ...read, data: { by: 'server' } }),
      other.update(configMaps, { ...read, data: { by: 'other' } }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('without changes is not written and sends no event', async () => {
    const { sim, storage, server } = await world();
    const created = await server.create(deployments, deployment());
    const watch = record(
      await server.watch(deployments, { resourceVersion: created.metadata.resourceVersion }),
    );
    const { revision } = storage;
    expect(await server.update(deployments, created)).toBe(created);
    const { resourceVersion: _, ...metadata } = created.metadata;
    expect(
      await server.update(deployments, {
        ...structuredClone({ ...created, metadata }),
        status: { replicas: 9 },
      }),
    ).toBe(created);
    expect(
      await server.updateStatus(deployments, { ...created, spec: { ...created.spec, replicas: 9 } }),
    ).toBe(created);
    expect(
      await server.patch(deployments, key('a'), { type: 'strategic', body: { spec: { replicas: 1 } } }),
    ).toBe(created);
    await sim.run({ forMs: 0 });
    expect([storage.revision, watch.events]).toEqual([revision, []]);
  });

  test('rejects the uid of another incarnation', async () => {
    const { server } = await world();
    const { metadata, ...rest } = await server.create(configMaps, configMap('a'));
    const other = { ...rest, metadata: { ...key('a'), uid: 'other' } };
    expect(await refusal(server.update(configMaps, other))).toBe(
      `409 Conflict: Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${metadata.uid}`,
    );
  });

  test('parses the resourceVersion as a number; 0 means none', async () => {
    const { server } = await world();
    const created = await server.create(configMaps, configMap('a'));
    const from = (resourceVersion: string) =>
      server.update(configMaps, { ...created, metadata: { ...created.metadata, resourceVersion } });
    expect(await refusal(from('abc'))).toBe(
      '500 InternalError: strconv.ParseUint: parsing "abc": invalid syntax',
    );
    expect(await refusal(from('18446744073709551616'))).toBe(
      '500 InternalError: strconv.ParseUint: parsing "18446744073709551616": value out of range',
    );
    expect(await refusal(from('1'))).toMatch(/^409 Conflict/);
    expect(await from('0')).toBe(created);
    expect(await from(`0${created.metadata.resourceVersion}`)).toBe(created);
  });

  test('requires a resourceVersion for some kinds', async () => {
    const { server } = await world();
    const { metadata: _, ...lease } = await server.create(leases, { metadata: key('a'), spec: {} });
    expect(await refusal(server.update(leases, { ...lease, metadata: key('a') }))).toBe(
      '422 Invalid: leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  test('creates a missing object for kinds that allow it, but not with a uid', async () => {
    const { server } = await world();
    const apiVersion = 'coordination.k8s.io/v1';
    const lease = (metadata: object): Updated<Lease> => ({
      apiVersion,
      kind: 'Lease',
      metadata: { ...key('a'), ...metadata },
      spec: {},
    });
    expect(await refusal(server.update(leases, lease({ uid: 'u' })))).toMatch(
      /^409 Conflict: .*UID in precondition: u, UID in object meta: $/,
    );
    const created = await server.update(leases, lease({ resourceVersion: '9' }));
    expect(await server.get(leases, key('a'))).toEqual(created);
  });

  test('validates the common rules for metadata', async () => {
    const { server } = await world();
    const { metadata, ...rest } = await server.create(configMaps, configMap('a'));
    const finalizers = ['orphan', 'foregroundDeletion'];
    expect(
      await refusal(server.update(configMaps, { ...rest, metadata: { ...metadata, finalizers } })),
    ).toMatch(/^422 .*finalizer orphan and foregroundDeletion cannot be both set$/);
  });

  test('neither starts nor reverts a deletion', async () => {
    const { server } = await world();
    const created = await server.create(configMaps, {
      metadata: { ...key('a'), finalizers: ['example.com/a'] },
    });
    const deleted = {
      ...created,
      metadata: { ...created.metadata, deletionTimestamp: '2024-04-17T00:00:00Z' },
    };
    expect((await server.update(configMaps, deleted)).metadata.deletionTimestamp).toBeUndefined();
    await server.delete(configMaps, key('a'));
    const { metadata } = await server.update(configMaps, {
      ...created,
      metadata: { ...key('a'), finalizers: ['example.com/a'] },
    });
    expect(metadata.deletionTimestamp).toBe('2024-04-17T00:00:00Z');
  });
});

describe('Patch', () => {
  test('reports an invalid result as 422 with a message of its own', async () => {
    const { server } = await world();
    await server.create(deployments, deployment());
    const patch = (sent: Patch) => refusal(server.patch(deployments, key('a'), sent));
    const told = await patch({ type: 'merge', body: { spec: { replicaz: 3 } } });
    expect(told).toMatch(
      /^422 Invalid: {2}"" is invalid: patch: Invalid value: "\{.*strict decoding error: unknown field "spec\.replicaz"$/,
    );
    expect(await patch({ type: 'strategic', body: { spec: { replicas: '3' } } })).toBe(
      '422 Invalid:  "" is invalid: patch: Invalid value: "map[spec:map[replicas:3]]": unrecognized type: int32',
    );
    expect(
      await patch({ type: 'json', body: [{ op: 'replace', path: '/spec/replicas', value: 'x' }] }),
    ).toMatch(
      /^422 .*cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
    );
  });

  test('cannot change the name or the namespace', async () => {
    const { server } = await world();
    await server.create(configMaps, configMap('a'));
    const move = (body: object) => refusal(server.patch(configMaps, key('a'), { type: 'merge', body }));
    expect(await move({ metadata: { name: 'b' } })).toMatch(
      /^400 BadRequest: the name of the object \(b\) does not match/,
    );
    expect(await move({ metadata: { namespace: 'b' } })).toMatch(
      /^400 BadRequest: the namespace of the provided object/,
    );
  });

  test.each<[string, Patch, PatchOptions['subresource']]>([
    ['a merge patch', { type: 'merge', body: { metadata: { uid: 'other' } } }, undefined],
    ['a strategic merge patch', { type: 'strategic', body: { metadata: { uid: 'other' } } }, undefined],
    [
      'a JSON patch',
      { type: 'json', body: [{ op: 'replace', path: '/metadata/uid', value: 'other' }] },
      undefined,
    ],
    ['a patch of the status', { type: 'merge', body: { metadata: { uid: 'other' } } }, 'status'],
    [
      'an apply',
      { type: 'apply', body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { uid: 'other' } } },
      undefined,
    ],
  ])('has no precondition for the uid, which %s cannot change', async (_, sent, subresource) => {
    const { server } = await world();
    await server.create(deployments, deployment());
    const options = { fieldManager: 'me', ...(subresource ? { subresource } : {}) };
    expect(await refusal(server.patch(deployments, key('a'), sent, options))).toBe(
      '422 Invalid: Deployment.apps "a" is invalid: metadata.uid: Invalid value: "other": field is immutable',
    );
  });

  test('removes a key that every object inherits', async () => {
    const { server } = await world();
    await server.create(configMaps, configMap('a', { constructor: 'x', b: 'c' }));
    const body = { data: { constructor: null } };
    const patched = await server.patch(configMaps, key('a'), { type: 'merge', body });
    expect((patched as ConfigMap).data).toEqual({ b: 'c' });
  });

  test('needs no resourceVersion: it changes the newest state, even at a stale replica', async () => {
    const { server, other } = await world();
    await server.create(configMaps, configMap('a', { n: '0' }));
    other.cache.hold();
    await server.patch(configMaps, key('a'), { type: 'merge', body: { data: { n: '1' } } });
    const patched = await other.patch(configMaps, key('a'), { type: 'merge', body: { data: { m: '2' } } });
    expect((patched as ConfigMap).data).toEqual({ n: '1', m: '2' });
  });

  test('of the scale changes only the replicas', async () => {
    const { server } = await world();
    await server.create(deployments, deployment());
    const body = { spec: { replicas: 4 }, status: { replicas: 7 } };
    const scale: KubeObject = await server.patch(
      deployments,
      key('a'),
      { type: 'merge', body },
      { subresource: 'scale' },
    );
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 4 }, status: { replicas: 0 } });
  });
});

function deployment(): Pick<Deployment, 'metadata' | 'spec'> {
  const labels = { app: 'a' };
  const spec = {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  };
  return { metadata: key('a'), spec } as unknown as Deployment;
}
