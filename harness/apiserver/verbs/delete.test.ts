import { describe, expect, test } from 'vitest';
import type { ConfigMap, New, ObjectMeta, Pod } from '../../api/objects.ts';
import {
  configMaps,
  events,
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  serviceAccounts,
} from '../../api/resource.ts';
import type { DeleteOptions } from '../../contracts/client.ts';
import { configMap, key, record, refusal, type World, world } from './replicas.fixture.ts';

const pod: New<Pod> = {
  metadata: key('a'),
  spec: { terminationGracePeriodSeconds: 30, containers: [{ name: 'main', image: 'nginx' }] },
};

/** Creates a pod on a node. A pod without a node has no kubelet to stop it, so a delete removes it at once. */
async function withBoundPod(
  finalizers?: string[],
): Promise<World & { del(options?: DeleteOptions): Promise<ObjectMeta> }> {
  const made = await world();
  await made.server.create(pods, {
    ...pod,
    metadata: { ...pod.metadata, ...(finalizers ? { finalizers } : {}) },
  });
  await made.server.bind(key('a'), 'node-1');
  const del = async (options: DeleteOptions = {}) =>
    (await made.server.delete(pods, key('a'), options)).metadata as ObjectMeta;
  return { ...made, del };
}

const endsAt = ({ deletionTimestamp, deletionGracePeriodSeconds }: ObjectMeta): string =>
  `${deletionTimestamp?.slice(11, 19)} after ${deletionGracePeriodSeconds} s`;

describe('Delete: the grace period', () => {
  test('defaults to the pod’s own', async () => {
    const { del } = await withBoundPod();
    expect(endsAt(await del())).toBe('00:00:30 after 30 s');
  });

  test('can be shortened, counted from the first delete, but not extended', async () => {
    const { sim, storage, del } = await withBoundPod();
    expect(endsAt(await del({ gracePeriodSeconds: 20 }))).toBe('00:00:20 after 20 s');
    await sim.run({ forMs: 5_000 });
    expect(endsAt(await del({ gracePeriodSeconds: 60 }))).toBe('00:00:20 after 20 s');
    expect(endsAt(await del())).toBe('00:00:20 after 20 s');
    const { revision } = storage;
    expect(endsAt(await del({ gracePeriodSeconds: 20 }))).toBe('00:00:20 after 20 s');
    expect(storage.revision).toBe(revision);
    expect(endsAt(await del({ gracePeriodSeconds: 6 }))).toBe('00:00:06 after 6 s');
  });

  test('ends now if it is already over, or after one second for a positive request', async () => {
    const { sim, del } = await withBoundPod();
    await del({ gracePeriodSeconds: 20 });
    await sim.run({ forMs: 10_000 });
    expect(endsAt(await del({ gracePeriodSeconds: 5 }))).toBe('00:00:10 after 1 s');
    await sim.run({ forMs: 10_000 });
    expect(endsAt(await del({ gracePeriodSeconds: -1 }))).toBe('00:00:10 after 1 s');
    expect(endsAt(await del({ gracePeriodSeconds: 0 }))).toBe('00:00:20 after 0 s');
  });

  test('is one second if the request is negative', async () => {
    const { del } = await withBoundPod();
    await del();
    expect(endsAt(await del({ gracePeriodSeconds: -1 }))).toBe('00:00:01 after 1 s');
  });

  test('expires without removing the pod: the kubelet must do that', async () => {
    const { sim, server, del } = await withBoundPod();
    await del();
    await sim.run({ forMs: 3_600_000 });
    expect((await server.get(pods, key('a'))).metadata.deletionTimestamp).toBe('2024-04-17T00:00:30Z');
    await del({ gracePeriodSeconds: 0 });
    expect(await refusal(server.get(pods, key('a')))).toMatch(/^404/);
  });

  test.each([
    ['at the end', undefined],
    ['by force', { gracePeriodSeconds: 0 }],
  ])('of 0, %s, is visible before the pod disappears', async (_, first) => {
    const { sim, server, storage, del } = await withBoundPod();
    if (!first) await del();
    const watch = record(await server.watch(pods, { resourceVersion: String(storage.revision) }));
    await del({ gracePeriodSeconds: 0 });
    await sim.run({ forMs: 0 });
    expect(watch.events).toMatchObject([
      { type: 'MODIFIED', object: { metadata: { deletionGracePeriodSeconds: 0 } } },
      { type: 'DELETED', object: { metadata: { deletionGracePeriodSeconds: 0 } } },
    ]);
  });

  test('is 0 for a pod without a node, and for a finished pod', async () => {
    const made = await world();
    await made.server.create(pods, pod);
    await made.server.delete(pods, key('a'));
    expect(await refusal(made.server.get(pods, key('a')))).toMatch(/^404/);
    const { server, del } = await withBoundPod();
    const bound = await server.get(pods, key('a'));
    await server.updateStatus(pods, { ...bound, status: { ...bound.status, phase: 'Succeeded' } });
    await del();
    expect(await refusal(server.get(pods, key('a')))).toMatch(/^404/);
  });

  test('does not apply to other kinds', async () => {
    const { server } = await world();
    await server.create(configMaps, configMap('a'));
    await server.delete(configMaps, key('a'), { gracePeriodSeconds: 60 });
    expect(await refusal(server.get(configMaps, key('a')))).toMatch(/^404/);
  });
});

describe('Delete: finalizers', () => {
  test('keep a finished pod until the last one is removed', async () => {
    const { server, del } = await withBoundPod(['example.com/a', 'example.com/b']);
    await del({ gracePeriodSeconds: 0 });
    const kept = await server.get(pods, key('a'));
    expect(endsAt(kept.metadata)).toBe('00:00:00 after 0 s');
    const rest = await server.update(pods, {
      ...kept,
      metadata: { ...kept.metadata, finalizers: ['example.com/b'] },
    });
    expect(rest.metadata.finalizers).toEqual(['example.com/b']);
    await server.update(pods, { ...rest, metadata: { ...rest.metadata, finalizers: [] } });
    expect(await refusal(server.get(pods, key('a')))).toMatch(/^404/);
  });

  test('that are removed do not end the grace period of a pod', async () => {
    const { server, del } = await withBoundPod(['example.com/a']);
    await del();
    const body = { metadata: { finalizers: null } };
    await server.patch(pods, key('a'), { type: 'merge', body });
    const left = await server.get(pods, key('a'));
    expect([endsAt(left.metadata), left.metadata.finalizers]).toEqual(['00:00:30 after 30 s', undefined]);
    await del({ gracePeriodSeconds: 0 });
    expect(await refusal(server.get(pods, key('a')))).toMatch(/^404/);
  });

  test('when removed: watchers get the last stored state, and the client its update', async () => {
    const { sim, server } = await world();
    const finalizers = ['example.com/a'];
    const created = await server.create(configMaps, { metadata: { ...key('a'), finalizers } });
    const watch = record(
      await server.watch(configMaps, { resourceVersion: created.metadata.resourceVersion }),
    );
    const marked = (await server.delete(configMaps, key('a'))) as ConfigMap;
    const updated = await server.update(configMaps, {
      ...marked,
      metadata: { ...marked.metadata, finalizers: [] },
    });
    expect(updated.metadata.finalizers).toBeUndefined();
    await sim.run({ forMs: 0 });
    expect(watch.events).toMatchObject([
      { type: 'MODIFIED', object: { metadata: { finalizers, deletionTimestamp: '2024-04-17T00:00:00Z' } } },
      { type: 'DELETED', object: { metadata: { finalizers, resourceVersion: '4' } } },
    ]);
  });

  test('stay after a dry run of their removal', async () => {
    const { server } = await world();
    await server.create(configMaps, { metadata: { ...key('a'), finalizers: ['example.com/a'] } });
    const marked = (await server.delete(configMaps, key('a'))) as ConfigMap;
    await server.update(
      configMaps,
      { ...marked, metadata: { ...marked.metadata, finalizers: [] } },
      { dryRun: true },
    );
    expect((await server.get(configMaps, key('a'))).metadata.finalizers).toEqual(['example.com/a']);
  });

  test('keep an object through a second delete, which changes nothing', async () => {
    const { sim, storage, server } = await world();
    await server.create(configMaps, { metadata: { ...key('a'), finalizers: ['example.com/a'] } });
    const marked = await server.delete(configMaps, key('a'));
    const { revision } = storage;
    await sim.run({ forMs: 5_000 });
    expect(await server.delete(configMaps, key('a'))).toEqual(marked);
    expect(storage.revision).toBe(revision);
  });
});

describe('Delete: the propagation policy', () => {
  const afterwards = async (policy: DeleteOptions['propagationPolicy'], finalizers: string[] = []) => {
    const { server, storage } = await world();
    await server.create(configMaps, { metadata: { ...key('a'), finalizers } });
    await server.delete(configMaps, key('a'), policy ? { propagationPolicy: policy } : {});
    return storage.get(configMaps, key('a'))?.metadata.finalizers ?? 'gone';
  };

  test.each([
    [undefined, [], 'gone'],
    ['Background', [], 'gone'],
    ['Foreground', [], ['foregroundDeletion']],
    ['Orphan', [], ['orphan']],
    ['Background', ['foregroundDeletion'], 'gone'],
    ['Background', ['example.com/a', 'orphan'], ['example.com/a']],
    ['Orphan', ['foregroundDeletion'], ['orphan']],
    [undefined, ['orphan'], ['orphan']],
    [undefined, ['foregroundDeletion'], ['foregroundDeletion']],
    ['Foreground', ['example.com/a'], ['example.com/a', 'foregroundDeletion']],
    ['Orphan', ['orphan', 'example.com/a'], ['orphan', 'example.com/a']],
  ] as const)('%s over %j leaves %j', async (policy, before, after) => {
    expect(await afterwards(policy, [...before])).toEqual(after);
  });

  test('can change while a deleted object waits for finalizers, but not once a pod terminates', async () => {
    const { server } = await world();
    await server.create(configMaps, { metadata: { ...key('a'), finalizers: ['example.com/a'] } });
    const finalizersAfter = async (propagationPolicy: 'Orphan' | 'Foreground') => {
      await server.delete(configMaps, key('a'), { propagationPolicy });
      return (await server.get(configMaps, key('a'))).metadata.finalizers;
    };
    expect(await finalizersAfter('Orphan')).toEqual(['example.com/a', 'orphan']);
    expect(await finalizersAfter('Foreground')).toEqual(['example.com/a', 'foregroundDeletion']);

    const { del } = await withBoundPod();
    expect((await del({ propagationPolicy: 'Foreground' })).finalizers).toEqual(['foregroundDeletion']);
    expect((await del({ propagationPolicy: 'Orphan' })).finalizers).toEqual(['foregroundDeletion']);
  });

  test('is ignored for an Event, whose finalizers the garbage collector never removes', async () => {
    const { server, storage } = await world();
    const event = { metadata: key('a'), involvedObject: { namespace: 'default' } };
    for (const propagationPolicy of ['Orphan', 'Foreground'] as const) {
      await server.create(events, event);
      await server.delete(events, key('a'), { propagationPolicy });
      expect(storage.get(events, key('a'))).toBeUndefined();
    }
    await server.create(events, { ...event, metadata: { ...key('a'), finalizers: ['orphan'] } });
    await server.delete(events, key('a'));
    expect(storage.get(events, key('a'))).toBeUndefined();
  });
});

describe('Delete: preconditions', () => {
  test('also hold at a stale replica, because storage checks them', async () => {
    const { server, other } = await world();
    const { metadata } = await server.create(configMaps, configMap('a'));
    server.cache.hold();
    await other.patch(configMaps, key('a'), { type: 'merge', body: { data: { x: '1' } } });
    const { uid, resourceVersion } = metadata;
    expect(
      await refusal(server.delete(configMaps, key('a'), { preconditions: { resourceVersion } })),
    ).toMatch(/^409 Conflict/);
    await server.delete(configMaps, key('a'), { preconditions: { uid } });
    await other.create(configMaps, configMap('a'));
    expect(await refusal(server.delete(configMaps, key('a'), { preconditions: { uid } }))).toMatch(
      /^409 Conflict/,
    );
  });
});

/** Reference: kubernetes/kubernetes@v1.36.3 pkg/registry/core/serviceaccount/storage/storage.go NewREST, and its siblings */
describe('Delete: the answer', () => {
  test('is the object for some kinds, and a Status for others', async () => {
    const { server } = await world();
    const metadata = key('a');
    await server.create(serviceAccounts, { metadata });
    await server.create(persistentVolumes, {
      metadata: { name: 'a' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
    });
    await server.create(persistentVolumeClaims, {
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await server.create(configMaps, configMap('a'));
    const answers = [
      await server.delete(serviceAccounts, metadata),
      await server.delete(persistentVolumes, { name: 'a' }),
      await server.delete(persistentVolumeClaims, metadata),
      await server.delete(configMaps, metadata),
    ];
    expect(answers.map(({ kind }) => kind)).toEqual([
      ...['ServiceAccount', 'PersistentVolume', 'PersistentVolumeClaim', 'Status'],
    ]);
  });
});

describe('Delete: a namespace', () => {
  const withNamespace = async () => {
    const made = await world();
    await made.server.create(namespaces, { metadata: { name: 'prod' }, spec: {} });
    await made.server.create(configMaps, { metadata: { namespace: 'prod', name: 'a' } });
    await made.sim.run({ forMs: 1_000 });
    await made.server.delete(namespaces, { name: 'prod' });
    const get = () => made.server.get(namespaces, { name: 'prod' });
    return { ...made, get };
  };

  test('starts to terminate and rejects new objects', async () => {
    const { server, get } = await withNamespace();
    expect(await get()).toMatchObject({
      metadata: { deletionTimestamp: '2024-04-17T00:00:01Z' },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    });
    expect(await refusal(server.create(configMaps, { metadata: { namespace: 'prod', name: 'b' } }))).toBe(
      '403 Forbidden: configmaps "b" is forbidden: unable to create new content in namespace prod because it is being terminated',
    );
    expect((await server.get(configMaps, { namespace: 'prod', name: 'a' })).metadata.name).toBe('a');
  });

  test('waits through repeated deletes and updates', async () => {
    const { sim, server, storage, get } = await withNamespace();
    const terminating = await get();
    const { revision } = storage;
    await sim.run({ forMs: 1_000 });
    expect(await server.delete(namespaces, { name: 'prod' })).toEqual(terminating);
    await server.update(namespaces, { ...terminating, spec: {} });
    expect([await get(), storage.revision]).toEqual([terminating, revision]);
  });

  test('disappears when its spec is finalized', async () => {
    const { server, get } = await withNamespace();
    await server.finalize({ ...(await get()), spec: { finalizers: [] } });
    expect(await refusal(get())).toMatch(/^404 NotFound/);
  });

  test('also waits for the finalizers of its metadata, in either order', async () => {
    const { server } = await world();
    for (const specFirst of [true, false]) {
      await server.create(namespaces, {
        metadata: { name: 'prod', finalizers: ['example.com/a'] },
        spec: {},
      });
      const get = () => server.get(namespaces, { name: 'prod' });
      const finalizeSpec = async () => server.finalize({ ...(await get()), spec: {} });
      const finalizeMetadata = async () => {
        const current = await get();
        return server.update(namespaces, { ...current, metadata: { ...current.metadata, finalizers: [] } });
      };
      await server.delete(namespaces, { name: 'prod' });
      await (specFirst ? finalizeSpec() : finalizeMetadata());
      expect((await get()).status.phase).toBe('Terminating');
      await (specFirst ? finalizeMetadata() : finalizeSpec());
      expect(await refusal(get())).toMatch(/^404 NotFound/);
    }
  });

  test('finalized before its deletion disappears with the second delete', async () => {
    const { server } = await world();
    const created = await server.create(namespaces, { metadata: { name: 'prod' }, spec: {} });
    const finalized = await server.finalize({ ...created, spec: {} });
    expect(finalized).toMatchObject({ spec: {}, status: { phase: 'Active' } });
    await server.delete(namespaces, { name: 'prod' });
    expect((await server.get(namespaces, { name: 'prod' })).status.phase).toBe('Terminating');
    await server.delete(namespaces, { name: 'prod' });
    expect(await refusal(server.get(namespaces, { name: 'prod' }))).toMatch(/^404 NotFound/);
  });

  test('rejects a stale finalize request and an invalid finalizer', async () => {
    const { server, get } = await withNamespace();
    const { metadata, ...terminating } = await get();
    const stale = { ...terminating, metadata: { ...metadata, resourceVersion: '1' }, spec: {} };
    expect(await refusal(server.finalize(stale))).toMatch(/^409 Conflict/);
    const strange = { ...terminating, metadata, spec: { finalizers: ['mine'] } };
    expect(await refusal(server.finalize(strange))).toMatch(/^422 Invalid/);
    const status = { phase: 'Active' };
    const kept = await server.finalize({
      ...terminating,
      metadata,
      spec: { finalizers: ['kubernetes', 'example.com/b'] },
      status,
    });
    expect(kept.status.phase).toBe('Terminating');
  });

  test('cannot start for the namespaces of the cluster itself', async () => {
    const { server } = await withNamespace();
    await server.create(namespaces, { metadata: { name: 'kube-node-lease' }, spec: {} });
    for (const options of [{}, { dryRun: true }]) {
      expect(await refusal(server.delete(namespaces, { name: 'default' }, options))).toBe(
        '403 Forbidden: namespaces "default" is forbidden: this namespace may not be deleted',
      );
    }
    expect(await server.delete(namespaces, { name: 'kube-node-lease' })).toMatchObject({
      status: { phase: 'Terminating' },
    });
  });

  test('reports failed preconditions with a message of its own', async () => {
    const { server, get } = await withNamespace();
    const { uid } = (await get()).metadata;
    expect(
      await refusal(server.delete(namespaces, { name: 'prod' }, { preconditions: { uid: 'other' } })),
    ).toBe(
      `409 Conflict: Operation cannot be fulfilled on namespaces "prod": Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
    );
  });
});
