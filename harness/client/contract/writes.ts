import { expect, test } from 'vitest';
import type { Deployment } from '../../api/objects.ts';
import { configMaps, deployments, pods } from '../../api/resource.ts';
import { configMap, deployment, inDefault, pod, refusal } from './objects.ts';
import type { Open } from './open.ts';

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Create, update and patch. */
export function describeWrites(open: Open): void {
  test('sets the fields that only the server can know', async () => {
    await using opened = await open();
    const sent = configMap('a');
    const { metadata } = await opened.client.create(configMaps, {
      ...sent,
      metadata: { ...sent.metadata, uid: 'mine', creationTimestamp: '1999-01-01T00:00:00Z' },
    });
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    expect(metadata.creationTimestamp).toBe('2024-04-17T00:00:00Z');
    expect(metadata.resourceVersion).toMatch(/^[1-9][0-9]*$/);
    expect(metadata.generation).toBeUndefined();
  });

  test('generates a name from generateName', async () => {
    await using opened = await open();
    const created = await opened.client.create(configMaps, {
      metadata: { generateName: 'web-', namespace: 'default' },
    });
    expect(created.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(created.metadata.generateName).toBe('web-');
  });

  test('writes nothing in a dry run, but returns the result', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(configMaps, configMap('a'), { dryRun: true });
    expect(created.metadata.uid).not.toBe('');
    expect((await client.list(configMaps)).items).toEqual([]);
    const stored = await client.create(configMaps, configMap('a'));
    expect((await client.update(configMaps, { ...stored, data: { x: '1' } }, { dryRun: true })).data).toEqual(
      { x: '1' },
    );
    expect(await client.get(configMaps, inDefault('a'))).toEqual(stored);
  });

  test('updates an object that has not changed since it was read', async () => {
    await using opened = await open();
    const { client } = opened;
    const read = await client.create(configMaps, configMap('a'));
    const updated = await client.update(configMaps, { ...read, data: { x: '1' } });
    expect(updated.data).toEqual({ x: '1' });
    expect(updated.metadata.uid).toBe(read.metadata.uid);
    expect(updated.metadata.resourceVersion).not.toBe(read.metadata.resourceVersion);
    expect(await refusal(client.update(configMaps, { ...read, data: { x: '2' } }))).toEqual([
      409,
      'Conflict',
      `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`,
    ]);
  });

  test('lets the last writer win if no resourceVersion is sent', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a', { x: '1' }));
    const updated = await client.update(configMaps, {
      ...configMap('a', { y: '2' }),
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: inDefault('a'),
    });
    expect(updated.data).toEqual({ y: '2' });
  });

  test('writes nothing if nothing changes', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(deployments, deployment('web', 1));
    expect(await client.update(deployments, created)).toEqual(created);
    const patch = { type: 'merge', body: { spec: { replicas: 1 } } } as const;
    expect(await client.patch(deployments, inDefault('web'), patch)).toEqual(created);
  });

  test('keeps spec and status apart', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(deployments, { ...deployment('web', 1), status: { replicas: 7 } });
    expect(created.status.replicas ?? 0).toBe(0);
    expect(created.metadata.generation).toBe(1);

    const both: Deployment = { ...created, spec: { ...created.spec, replicas: 2 }, status: { replicas: 3 } };
    const spec = await client.update(deployments, both);
    expect([spec.spec.replicas, spec.status.replicas ?? 0, spec.metadata.generation]).toEqual([2, 0, 2]);

    const stale = { ...spec, spec: { ...spec.spec, replicas: 9 }, status: { replicas: 3 } };
    const status = await client.updateStatus(deployments, stale);
    expect([status.spec.replicas, status.status.replicas, status.metadata.generation]).toEqual([2, 3, 2]);
  });

  test('applies a merge patch', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(configMaps, configMap('a', { x: '1', y: '2' }));
    const patch = { type: 'merge', body: { data: { x: null, z: '3' } } } as const;
    expect((await client.patch(configMaps, inDefault('a'), patch)).data).toEqual({ y: '2', z: '3' });
  });

  test('merges lists by key in a strategic merge patch', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(deployments, deployment('web', 1));
    const sidecar = { name: 'sidecar', image: 'envoy:1' };
    const body = { spec: { template: { spec: { containers: [sidecar] } } } };
    const patched = await client.patch(deployments, inDefault('web'), { type: 'strategic', body });
    const images = patched.spec.template.spec?.containers.map(({ image }) => image);
    expect(images?.toSorted()).toEqual(['envoy:1', 'nginx:1.25']);
    expect(patched.metadata.generation).toBe(2);
  });

  test('applies a JSON patch as a whole, or not at all', async () => {
    await using opened = await open();
    const { client } = opened;
    const created = await client.create(configMaps, configMap('a', { x: '1' }));
    const add = { op: 'add', path: '/data/y', value: '2' };
    const test = { op: 'test', path: '/data/x', value: 'other' };
    const [code, reason] = await refusal(
      client.patch(configMaps, inDefault('a'), { type: 'json', body: [add, test] }),
    );
    expect([code, reason]).toEqual([422, 'Invalid']);
    expect(await client.get(configMaps, inDefault('a'))).toEqual(created);
    const patched = await client.patch(configMaps, inDefault('a'), { type: 'json', body: [add] });
    expect(patched.data).toEqual({ x: '1', y: '2' });
  });

  test('applies a configuration: creates an object, removes fields, and rejects conflicts with other managers', async () => {
    await using opened = await open();
    const { client } = opened;
    const apply = (fieldManager: string, data: Record<string, string>, force?: boolean) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: inDefault('a'), data };
      const options = { fieldManager, ...(force === undefined ? {} : { force }) };
      return client.patch(configMaps, inDefault('a'), { type: 'apply', body }, options);
    };
    const created = await apply('one', { x: '1', y: '1' });
    expect(created.metadata.uid).not.toBe('');
    expect((await apply('one', { x: '1' })).data).toEqual({ x: '1' });
    expect(await refusal(apply('two', { x: '2', z: '2' }))).toEqual([
      409,
      'Conflict',
      'Apply failed with 1 conflict: conflict with "one": .data.x',
    ]);
    const forced = await apply('two', { x: '2', z: '2' }, true);
    expect(forced.data).toEqual({ x: '2', z: '2' });
    expect(forced.metadata.managedFields).toMatchObject([
      { manager: 'two', operation: 'Apply', fieldsV1: { 'f:data': { 'f:x': {}, 'f:z': {} } } },
    ]);
    expect(await refusal(apply('', { x: '2' }))).toEqual([
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ]);
  });

  test('patches only the status', async () => {
    await using opened = await open();
    const { client } = opened;
    await client.create(pods, pod('a'));
    const body = { metadata: { labels: { app: 'other' } }, status: { phase: 'Running' } };
    const patched = await client.patch(
      pods,
      inDefault('a'),
      { type: 'merge', body },
      { subresource: 'status' },
    );
    expect(patched.status.phase).toBe('Running');
    expect(patched.spec.containers).toHaveLength(1);
  });

  test('checks the resourceVersion of a patch', async () => {
    await using opened = await open();
    const { client } = opened;
    const { metadata } = await client.create(configMaps, configMap('a'));
    const patch = (x: string) =>
      client.patch(configMaps, inDefault('a'), {
        type: 'merge',
        body: { metadata: { resourceVersion: metadata.resourceVersion }, data: { x } },
      });
    expect((await patch('1')).data).toEqual({ x: '1' });
    expect(await refusal(patch('2'))).toEqual([
      409,
      'Conflict',
      `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`,
    ]);
  });
}
