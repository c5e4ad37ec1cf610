import { describe, expect, test } from 'vitest';
import { configMaps, pods } from '#harness';
import { nodeWithKubelet, shell } from './node.fixture.ts';

describe('★ In a cluster', () => {
  test('a pod with volumes reads a config map, sees it change, and leaves no mount', async () => {
    await using node = await nodeWithKubelet();
    const key = { namespace: 'default', name: 'settings' };
    const made = await node.admin.create(configMaps, { metadata: key, data: { motto: 'first' } });
    const line = 'while true; do cat /etc/settings/motto > /out/seen; sleep 1; done';
    const mounts = [
      { name: 'settings', mountPath: '/etc/settings' },
      { name: 'scratch', mountPath: '/scratch' },
      { name: 'out', mountPath: '/out' },
    ];
    await node.create('reader', {
      containers: [shell('main', line, { volumeMounts: mounts })],
      volumes: [
        { name: 'settings', configMap: { name: 'settings' } },
        { name: 'scratch', emptyDir: { medium: 'Memory' } },
        { name: 'out', hostPath: { path: '/srv/out', type: 'DirectoryOrCreate' } },
      ],
      terminationGracePeriodSeconds: 1,
    });
    const seen = () => node.host.files.peek('/srv/out/seen');
    expect(
      await node.runUntil(() => seen() === 'first', 20_000),
      'the container must read "first" from the volume of the ConfigMap',
    ).toBe(true);
    expect(
      node.host.files.mountPoints.map(({ type }) => type),
      'the mounts while the pod runs',
    ).toEqual(['tmpfs']);

    await node.admin.update(configMaps, { ...made, data: { motto: 'second' } });
    // The kubelet syncs each pod once a minute, or a little later.
    expect(
      await node.runUntil(() => seen() === 'second', 95_000),
      'the ConfigMap changed: the container must read "second"',
    ).toBe(true);

    await node.admin.delete(pods, { namespace: 'default', name: 'reader' });
    const { storage } = node;
    const isGone = () => storage.get(pods, { namespace: 'default', name: 'reader' }) === undefined;
    expect(
      await node.runUntil(isGone, 30_000),
      'the pod was deleted: it must be gone from the API within 30 s',
    ).toBe(true);
    expect(node.host.files.mountPoints, 'mounts that are left when the pod is gone').toEqual([]);
    await node.runFor(10_000);
    expect(
      node.host.files.peekNames('/var/lib/kubelet/pods'),
      'directories of pods that are left when the pod is gone',
    ).toEqual([]);
    expect(seen(), 'the last text that the container read').toBe('second');
  });
});
