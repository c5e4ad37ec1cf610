import { describe, expect, test } from 'vitest';
import { customResourceDefinitions, horizontalPodAutoscalersV1 } from '../api/plain-resources.ts';
import { configMaps, namespaces, pods, resources, services } from '../api/resource.ts';
import { definition } from '../apiserver/custom/cron-tabs.fixture.ts';
import { sampleNames, samples } from '../apiserver/kinds/samples.fixture.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { readSavedState, savedState } from './saved-state.ts';

const key = { namespace: 'default', name: 'a' };

/** Returns the content of a saved file. */
async function saved(): Promise<Buffer> {
  await using cluster = await createCluster();
  await cluster.admin.create(configMaps, { metadata: key, data: { x: '1' } });
  await cluster.admin.create(services, {
    metadata: key,
    spec: { ports: [{ port: 80 }], type: 'NodePort' },
  } as never);
  return bytesOf(cluster);
}

function bytesOf({ storage }: Cluster): Buffer {
  return Buffer.from([...savedState(storage)].join(''));
}

interface State {
  readonly items: readonly { readonly metadata: Readonly<Record<string, unknown>> }[];
}

/** Returns the objects of a saved file without their revisions. */
function objectsIn(bytes: Buffer): unknown {
  return (JSON.parse(bytes.toString()) as State).items.map(({ metadata, ...rest }) => {
    const { resourceVersion: _, ...others } = metadata;
    return { ...rest, metadata: others };
  });
}

/** Returns the objects that were read from a file, in the same form as {@link objectsIn}. */
function objectsOf(read: ReturnType<typeof readSavedState>): unknown {
  const items = read.map(({ object }) => object);
  return objectsIn(Buffer.from(JSON.stringify({ items })));
}

const storedSamples = resources.filter(
  (each) =>
    samples[each.kind] &&
    (each.verbs?.includes('get') ?? true) &&
    each !== customResourceDefinitions &&
    each !== horizontalPodAutoscalersV1,
);

describe('A saved state', () => {
  test('restores a cluster with the same objects', async () => {
    const state = await saved();
    await using cluster = await createCluster({ saved: readSavedState(state) });
    expect(objectsIn(bytesOf(cluster))).toEqual(objectsIn(state));
    expect(await cluster.admin.get(configMaps, key)).toMatchObject({ data: { x: '1' } });
  });

  test('has each object on its own line, so that no string holds all of it', async () => {
    await using cluster = await createCluster();
    const pieces = [...savedState(cluster.storage)];
    const objects = cluster.storage.everything();
    expect(pieces).toHaveLength(objects.length + 1);
    expect(pieces.join('').split('\n')).toHaveLength(objects.length + 3);
  });

  test('is read in any other form of a List, too', async () => {
    const state = await saved();
    const indented = JSON.stringify(JSON.parse(state.toString()), undefined, 2);
    expect(readSavedState(Buffer.from(`\uFEFF${indented}`))).toEqual(readSavedState(state));
  });

  test('can contain a pod with a debugging container, and custom resources', async () => {
    await using cluster = await createCluster();
    const { admin } = cluster;
    const containers = [{ name: 'main', image: 'nginx' }];
    const pod = await admin.create(pods, { metadata: key, spec: { containers } } as never);
    const debug = { name: 'debug', image: 'busybox', terminationMessagePolicy: 'File' };
    const spec = { ...pod.spec, ephemeralContainers: [debug] };
    await admin.updateEphemeralContainers({ ...pod, spec } as never);
    await admin.create(customResourceDefinitions, definition() as never);
    await cluster.runFor(10_000);
    const [cronTabs] = cluster.replicas[0]?.server.customResources ?? [];
    if (!cronTabs) throw new Error('Failed to find CronTabs: they are not served.');
    await admin.create(cronTabs, { metadata: key, spec: { cronSpec: '@daily' } } as never);
    expect(objectsOf(readSavedState(bytesOf(cluster)))).toEqual(objectsIn(bytesOf(cluster)));
  });

  test.each(storedSamples)('can contain a $kind', async (resource) => {
    await using cluster = await createCluster();
    const { namespace, ...unplaced } = key;
    const metadata = resource.namespaced ? key : unplaced;
    const name = sampleNames[resource.kind] ?? key.name;
    const sample = { metadata: { ...metadata, name }, ...samples[resource.kind] };
    await cluster.admin.create(resource, sample as never);
    expect(objectsOf(readSavedState(bytesOf(cluster)))).toEqual(objectsIn(bytesOf(cluster)));
  });

  test('keeps allocated addresses and ports', async () => {
    await using cluster = await createCluster({ saved: readSavedState(await saved()) });
    const { spec } = await cluster.admin.get(services, key);
    const other = (rest: object) =>
      cluster.admin.create(services, {
        metadata: { namespace: 'default', name: 'b' },
        spec: { ports: [{ port: 80 }], ...rest },
      } as never);
    await expect(other({ clusterIP: spec.clusterIP })).rejects.toThrow('provided IP is already allocated');
    expect((await other({})).spec.clusterIP).not.toBe(spec.clusterIP);
  });

  test('can be continued: its objects can be changed and deleted', async () => {
    await using cluster = await createCluster({ saved: readSavedState(await saved()) });
    const before = await cluster.admin.get(configMaps, key);
    await cluster.admin.update(configMaps, { ...before, data: { x: '2' } });
    await cluster.admin.delete(configMaps, key);
    await cluster.admin.create(namespaces, { metadata: { name: 'new' }, spec: {} });
  });

  test.each([
    [null, 'it is not a List with items'],
    [{ kind: 'Pod' }, 'it is not a List with items'],
    [listOf({ apiVersion: 'v1', kind: 'Nope' }), 'item 0 has an unknown kind: v1 Nope'],
    [listOf(null), 'item 0 has an unknown kind: undefined undefined'],
    [listOf(map({ uid: undefined })), 'item 0: it has no metadata.uid, so it never was in a cluster'],
    [listOf({ ...map(), nope: 1 }), 'item 0: .*unknown field "nope"'],
    [listOf(map(), map({ name: 'b' }), map()), 'item 2 is a second ConfigMap default/a'],
    [
      listOf(map({ name: '../../x' })),
      'item 0: ConfigMap "../../x" is invalid: metadata.name: Invalid value',
    ],
    [
      listOf({ ...map(), kind: 'Pod', spec: { containers: [{}] } }),
      'item 0: Pod "a" is invalid: .*spec.containers[0].name: Required value',
    ],
    [
      listOf({ ...map(), apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { replicas: -5 } }),
      'item 0: ReplicaSet.apps "a" is invalid: .*spec.replicas: Invalid value: -5',
    ],
    [
      listOf({
        ...map({ namespace: undefined }),
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
      }),
      'item 0: CustomResourceDefinition.apiextensions.k8s.io "a" is invalid: ',
    ],
  ])('is rejected: %j', (value, why) => {
    expect(() => readSavedState(Buffer.from(JSON.stringify(value)))).toThrow(
      new RegExp(why.replace(/[[\]]/g, '\\$&')),
    );
  });
});

function listOf(...items: readonly unknown[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

/** A ConfigMap that was in a cluster. */
function map(metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...key, uid: 'x', resourceVersion: '7', ...metadata },
  };
}
