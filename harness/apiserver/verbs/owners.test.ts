import { describe, expect, test } from 'vitest';
import type { Deployment, Lease } from '../../api/objects.ts';
import { configMaps, deployments, leases, pods } from '../../api/resource.ts';
import type { Updated } from '../../contracts/client.ts';
import { APPLIED, applying, ownersOf, refusal, web } from './apply.fixture.ts';
import { configMap, key } from './replicas.fixture.ts';

describe('Updates and patches', () => {
  test('record no owners before the first apply', async () => {
    const { server } = await applying();
    const created = await server.create(configMaps, configMap('a', { x: '1' }), { fieldManager: 'me' });
    const updated = await server.update(configMaps, { ...created, data: { x: '2' } }, { fieldManager: 'me' });
    expect([created.metadata.managedFields, updated.metadata.managedFields]).toEqual([undefined, undefined]);
  });

  test('own the changed fields and no others', async () => {
    const { server, apply, later } = await applying();
    const created = await apply('a', web({ replicas: 2 }));
    await later(5);
    const next = { ...created, spec: { ...created.spec, replicas: 3, paused: true } };
    const updated = await server.update(deployments, next, { fieldManager: 'b' });
    expect(ownersOf(updated)).toEqual({ 'a Apply': APPLIED, 'b Update': ['.spec.paused', '.spec.replicas'] });
    expect(updated.metadata.managedFields?.[1]?.time).toBe('2024-04-17T00:00:05Z');
    expect(await server.update(deployments, updated, { fieldManager: 'c' })).toBe(updated);
    const removed = { type: 'json', body: [{ op: 'remove', path: '/spec/paused' }] } as const;
    expect(ownersOf(await server.patch(deployments, key('web'), removed))).toEqual({
      'a Apply': APPLIED,
      'b Update': ['.spec.replicas'],
    });
  });

  test('record the user if they name no manager', async () => {
    const { server, apply } = await applying();
    await apply('a', web());
    const patch = { type: 'merge', body: { spec: { paused: true } } } as const;
    const patched = await server.as('system:admin').patch(deployments, key('web'), patch);
    expect(Object.keys(ownersOf(patched))).toEqual(['a Apply', 'system:admin Update']);
  });

  test('of the status own only status fields', async () => {
    const { server, apply } = await applying();
    const created = await apply('a', web());
    const sent = { ...created, spec: { ...created.spec, replicas: 9 }, status: { replicas: 1 } };
    const updated = await server.updateStatus(deployments, sent, { fieldManager: 'controller' });
    expect(ownersOf(updated)).toEqual({
      'a Apply': APPLIED,
      'controller Update /status': ['.status.replicas'],
    });
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', status: { readyReplicas: 1 } };
    const applied = await apply('s', { ...body, metadata: key('web') }, { subresource: 'status' });
    expect(applied.status).toEqual({ replicas: 1, readyReplicas: 1 });
    expect(ownersOf(applied)['s Apply /status']).toEqual(['.status.readyReplicas']);
  });

  test('of the scale own the replicas', async () => {
    const { server, apply } = await applying();
    await apply('a', web({ replicas: 2 }));
    await server.updateScale(deployments, key('web'), { replicas: 4 }, { fieldManager: 'hpa' });
    const scaled = await server.get(deployments, key('web'));
    expect(ownersOf(scaled)).toEqual({ 'a Apply': APPLIED, 'hpa Update /scale': ['.spec.replicas'] });
    expect((await refusal(apply('a', web({ replicas: 2 }))))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas',
    );
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web' },
      spec: { replicas: 6 },
    };
    const asScale = { subresource: 'scale' } as const;
    expect((await refusal(apply('b', scale, asScale)))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using autoscaling/v1: .spec.replicas',
    );
    await apply('b', scale, { ...asScale, force: true });
    const applied = await server.get(deployments, key('web'));
    expect([applied.spec.replicas, ownersOf(applied)['b Apply /scale']]).toEqual([6, ['.spec.replicas']]);
  });

  test('of ephemeral containers own only those', async () => {
    const { server } = await applying();
    const containers = [{ name: 'main', image: 'nginx' }];
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: key('web'), spec: { containers } };
    const options = { fieldManager: 'a' };
    const pod = await server.patch(pods, key('web'), { type: 'apply', body }, options);
    const debug = { name: 'debug', image: 'busybox', terminationMessagePolicy: 'File' };
    const sent = { ...pod, spec: { ...pod.spec, ephemeralContainers: [debug] } };
    const debugged = await server.updateEphemeralContainers(sent, { fieldManager: 'kubectl-debug' });
    expect(ownersOf(debugged)['kubectl-debug Update /ephemeralcontainers']).toEqual(
      expect.arrayContaining(['.spec.ephemeralContainers', '.spec.ephemeralContainers[name="debug"].image']),
    );
  });

  test('can reassign fields, and remove all owners', async () => {
    const { server, apply } = await applying();
    const { metadata } = await apply('a', web({ replicas: 2 }));
    const [entry] = metadata.managedFields ?? [];
    const patch = (value: unknown) =>
      server.patch(
        deployments,
        key('web'),
        { type: 'json', body: [{ op: 'replace', path: '/metadata/managedFields', value }] },
        { fieldManager: 'csa' },
      );
    const given = await patch([{ ...entry, manager: 'b' }]);
    expect(ownersOf(given)).toEqual({ 'b Apply': ['.spec.replicas', ...APPLIED] });
    // An invalid entry has no effect.
    expect(ownersOf(await patch([{ ...entry, operation: 'Guess' }]))).toEqual(ownersOf(given));
    const bare = await patch([{}]);
    expect(bare.metadata.managedFields).toBeUndefined();
  });

  test('keep separate entries for the ten latest managers', async () => {
    const { server, apply, later } = await applying();
    await apply('a', web());
    for (let index = 0; index < 12; index++) {
      await later(1);
      const body = { metadata: { annotations: { [`n${index}`]: 'x' } } };
      await server.patch(deployments, key('web'), { type: 'merge', body }, { fieldManager: `m${index}` });
    }
    const owners = ownersOf(await server.get(deployments, key('web')));
    expect(Object.keys(owners)).toEqual([
      'a Apply',
      'ancient-changes Update',
      ...[3, 4, 5, 6, 7, 8, 9, 10, 11].map((index) => `m${index} Update`),
    ]);
    expect(owners['ancient-changes Update']).toEqual([
      '.metadata.annotations',
      ...['n0', 'n1', 'n2'].map((name) => `.metadata.annotations.${name}`),
    ]);
  });

  test('check the resourceVersion as without owners', async () => {
    const { server, apply } = await applying();
    const stale = await apply('a', web());
    await apply('a', web({ replicas: 2 }));
    const { resourceVersion, uid } = stale.metadata;
    const conflict = expect.stringContaining('the object has been modified');
    const patch = { type: 'merge', body: { metadata: { resourceVersion, labels: { a: 'b' } } } } as const;
    const paused = { ...stale, spec: { ...stale.spec, paused: true } };
    for (const write of [
      server.update(deployments, paused),
      server.updateStatus(deployments, { ...stale, status: { replicas: 7 } }),
      server.patch(deployments, key('web'), patch),
    ]) {
      expect(await refusal(write)).toEqual([409, 'Conflict', conflict]);
    }
    const { resourceVersion: newest } = (await server.get(deployments, key('web'))).metadata;
    const other = { ...paused, metadata: { ...paused.metadata, resourceVersion: newest, uid: `${uid}0` } };
    const mismatch = expect.stringContaining('UID in precondition');
    expect(await refusal(server.update(deployments, other))).toEqual([409, 'Conflict', mismatch]);
  });
});

describe('An apiserver that tracks owners from the creation', () => {
  test('records the manager that creates and those that update', async () => {
    const { server, later } = await applying({ trackOnCreate: true });
    const created = await server.create(configMaps, configMap('a', { x: '1' }), { fieldManager: 'me' });
    expect(ownersOf(created)).toEqual({ 'me Update': ['.data', '.data.x'] });
    await later(5);
    const next = { ...created, data: { x: '1', y: '2' } };
    const updated = await server.update(configMaps, next, { fieldManager: 'you' });
    expect(ownersOf(updated)).toEqual({ 'me Update': ['.data', '.data.x'], 'you Update': ['.data.y'] });
    expect(updated.metadata.managedFields?.map(({ time }) => time)).toEqual([
      '2024-04-17T00:00:00Z',
      '2024-04-17T00:00:05Z',
    ]);
  });

  test('records the manager for a generated name, and for an update that creates', async () => {
    const { server } = await applying({ trackOnCreate: true });
    const metadata = { namespace: 'default', generateName: 'a-' };
    const named = await server.create(configMaps, { metadata }, { fieldManager: 'me' });
    expect(ownersOf(named)).toEqual({ 'me Update': ['.metadata.generateName'] });
    const lease = { metadata: key('a'), spec: { holderIdentity: 'me' } };
    const made = await server.update(leases, lease as Updated<Lease>, { fieldManager: 'me' });
    expect(ownersOf(made)).toEqual({ 'me Update': ['.spec.holderIdentity'] });
  });

  test('tracks nothing for an object whose owners were removed', async () => {
    const { server } = await applying({ trackOnCreate: true });
    await server.create(configMaps, configMap('a', { x: '1' }), { fieldManager: 'me' });
    const reset = { type: 'merge', body: { metadata: { managedFields: [{}] } } } as const;
    await server.patch(configMaps, key('a'), reset);
    const patch = { type: 'merge', body: { data: { y: '2' } } } as const;
    const patched = await server.patch(configMaps, key('a'), patch, { fieldManager: 'you' });
    expect(patched.metadata.managedFields).toBeUndefined();
  });

  test('reports a conflict with the manager that created the object', async () => {
    const { server, apply } = await applying({ trackOnCreate: true });
    const { apiVersion, kind, ...deployment } = web({ replicas: 2 }) as Deployment & { kind: string };
    await server.create(deployments, deployment, { fieldManager: 'kubectl-create' });
    expect(await refusal(apply('a', web({ replicas: 3 })))).toEqual([
      409,
      'Conflict',
      'Apply failed with 1 conflict: conflict with "kubectl-create" using apps/v1: .spec.replicas',
    ]);
  });
});
