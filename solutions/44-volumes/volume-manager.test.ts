import { describe, expect, test } from 'vitest';
import { configMaps, events, nodes, secrets, serviceAccounts } from '#harness';
import { VolumeNode } from '#laws/44-volumes';
import { podWith, refusal } from './pods.fixture.ts';
import { newVolumeManager } from './volume-manager.ts';

const key = (name: string) => ({ namespace: 'default', name });
const open = async () => {
  const node = await VolumeNode.create(newVolumeManager);
  node.run();
  return node;
};

/** Returns the events about the pods. */
async function eventTexts({ cluster }: VolumeNode): Promise<readonly string[]> {
  await cluster.runFor(100);
  const { items } = await cluster.admin.list(events, { namespace: 'default' });
  return items.map(({ reason, message }) => `${reason}: ${message}`);
}

/** Syncs the pod again. */
async function sync(node: VolumeNode, pod: Parameters<VolumeNode['start']>[0]): Promise<void> {
  await node.cluster.settle(node.manager.waitForAttachAndMount(pod));
  await node.cluster.runFor(1_000);
}

describe('An emptyDir', () => {
  test('exists as long as its pod, also across a restart of the kubelet', async () => {
    await using node = await open();
    const pod = await podWith(node, 'web', [{ name: 'data', emptyDir: {} }]);
    await node.start(pod);
    await node.files(pod).writeFile('/v/data/f', 'kept');
    node.restartKubelet();
    await node.cluster.runFor(1_000);
    await node.cluster.settle(node.startContainer(pod, 'main'));
    expect(await node.files(pod).readFile('/v/data/f')).toBe('kept');
  });

  test('in memory enforces its limit, and leaves no mount behind', async () => {
    await using node = await open();
    const pod = await podWith(node, 'web', [{ name: 'm', emptyDir: { medium: 'Memory', sizeLimit: '1Ki' } }]);
    await node.start(pod);
    expect(await refusal(node.files(pod).writeFile('/v/m/f', 'x'.repeat(1025)))).toMatch(/no space left/);
    node.stopContainers(pod.metadata.uid);
    node.pods.clear();
    await node.cluster.settle(node.manager.waitForUnmount(pod));
    await node.cluster.runFor(2_000);
    expect(await node.machine.files.mounts()).toEqual([]);
    expect(await node.machine.files.readdir(`/var/lib/kubelet/pods/${pod.metadata.uid}`)).toEqual([]);
  });
});

describe('A config map', () => {
  test('appears as files, and is updated', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    const made = await admin.create(configMaps, {
      metadata: key('settings'),
      data: { a: '1' },
      binaryData: { bytes: 'AP8=' },
    });
    const pod = await podWith(node, 'web', [{ name: 'c', configMap: { name: 'settings' } }]);
    await node.start(pod);
    const files = node.files(pod);
    expect(await files.readFile('/v/c/a')).toBe('1');
    expect(await files.readBytes('/v/c/bytes')).toEqual(Uint8Array.of(0, 255));
    expect(await refusal(files.writeFile('/v/c/a', 'mine'))).toMatch(/read-only file system/);
    const version = await files.readlink('/v/c/..data');
    await sync(node, pod);
    expect(await files.readlink('/v/c/..data')).toBe(version);
    await admin.update(configMaps, { ...made, data: { b: '2' }, binaryData: {} });
    await sync(node, pod);
    expect(await files.readFile('/v/c/b')).toBe('2');
    expect((await files.readdir('/v/c')).filter((name) => !name.startsWith('..2'))).toEqual(['..data', 'b']);
    expect((await files.readdir('/v/c')).filter((name) => name.startsWith('..2'))).toHaveLength(1);
  });

  test('shows the selected keys under their paths', async () => {
    await using node = await open();
    await node.cluster.admin.create(configMaps, { metadata: key('settings'), data: { a: '1', b: '2' } });
    const items = [{ key: 'a', path: 'deep/er/file', mode: 0o400 }];
    const pod = await podWith(node, 'web', [{ name: 'c', configMap: { name: 'settings', items } }]);
    await node.start(pod);
    expect(await node.files(pod).readFile('/v/c/deep/er/file')).toBe('1');
    expect((await node.files(pod).stat('/v/c/deep/er/file'))?.mode).toBe(0o400);
    expect(await node.files(pod).stat('/v/c/b')).toBeUndefined();
  });

  test('that does not exist causes an event, and the pod waits for it', async () => {
    await using node = await open();
    const pod = await podWith(node, 'web', [{ name: 'v', configMap: { name: 'x' } }]);
    node.pods.set(pod.metadata.uid, pod);
    await node.cluster.runFor(10);
    const started = node.startNow(pod, node.manager);
    await node.cluster.runFor(10);
    await node.cluster.admin.create(configMaps, { metadata: key('x'), data: { a: '1' } });
    await node.cluster.runFor(5_000);
    await started;
    expect(await node.files(pod).readFile('/v/v/a')).toBe('1');
    expect(await eventTexts(node)).toEqual([
      'FailedMount: MountVolume.SetUp failed for volume "v" : configmap "x" not found',
    ]);
  });

  test('can be missing if it is optional, and so can an optional key', async () => {
    await using node = await open();
    await node.cluster.admin.create(configMaps, { metadata: key('y'), data: { a: '1' } });
    const items = [{ key: 'b', path: 'b' }];
    const pod = await podWith(node, 'web', [
      { name: 'none', configMap: { name: 'x', optional: true } },
      { name: 'key', configMap: { name: 'y', items, optional: true } },
    ]);
    await node.start(pod);
    for (const name of ['none', 'key']) expect(await node.files(pod).stat(`/v/${name}/b`)).toBeUndefined();
  });

  test.each([
    [
      { configMap: { name: 'y', items: [{ key: 'k', path: 'k' }] } },
      'configmap references non-existent config key: k',
    ],
    [
      { secret: { secretName: 's', items: [{ key: 'k', path: 'k' }] } },
      'references non-existent secret key: k',
    ],
    [{ secret: { secretName: 'x' } }, 'secret "x" not found'],
    [
      { projected: { sources: [{ secret: { name: 'x' } }, { configMap: { name: 'x' } }] } },
      '[secret "x" not found, configmap "x" not found]',
    ],
    [
      { hostPath: { path: '/none', type: 'Directory' } },
      'hostPath type check failed: /none is not a directory',
    ],
  ])('and other sources: %j causes an event at each attempt, for 2 min 3 s', async (source, why) => {
    await using node = await open();
    await node.cluster.admin.create(configMaps, { metadata: key('y'), data: {} });
    await node.cluster.admin.create(secrets, { metadata: key('s') });
    const pod = await podWith(node, 'web', [{ name: 'v', ...source }]);
    const startedMs = node.cluster.sim.elapsedMs;
    expect(await refusal(node.start(pod))).toBe(
      'unmounted volumes=[v], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
    );
    expect(node.cluster.sim.elapsedMs - startedMs).toBe(123_000);
    expect(await eventTexts(node)).toEqual([`FailedMount: MountVolume.SetUp failed for volume "v" : ${why}`]);
    const { items } = await node.cluster.admin.list(events, { namespace: 'default' });
    // After 0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5 and 63.5 s.
    expect(items[0]?.count).toBe(8);
  });

  test('that is immutable is read again after it is deleted and recreated', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    await admin.create(configMaps, { metadata: key('settings'), data: { a: 'old' }, immutable: true });
    const volumes = [{ name: 'c', configMap: { name: 'settings' } }];
    const before = await podWith(node, 'before', volumes);
    await node.start(before);
    await admin.delete(configMaps, key('settings'));
    await admin.create(configMaps, { metadata: key('settings'), data: { a: 'new' }, immutable: true });
    const after = await podWith(node, 'after', volumes);
    await node.start(after);
    expect(await node.files(after).readFile('/v/c/a')).toBe('new');
    await sync(node, before);
    expect(await node.files(before).readFile('/v/c/a')).toBe('new');
  });
});

describe('A secret', () => {
  test('is kept in memory', async () => {
    await using node = await open();
    await node.cluster.admin.create(secrets, { metadata: key('s'), stringData: { password: 'ü' } });
    const pod = await podWith(node, 'web', [{ name: 's', secret: { secretName: 's' } }]);
    await node.start(pod);
    expect(await node.files(pod).readFile('/v/s/password')).toBe('ü');
    expect((await node.machine.files.mounts()).map(({ type }) => type)).toEqual(['tmpfs']);
  });
});

describe('The downward API', () => {
  test('shows fields of the pod, and updates of them', async () => {
    await using node = await open();
    await node.cluster.admin.create(nodes, {
      metadata: { name: 'node-1' },
      spec: {},
      status: { allocatable: { memory: '2Gi' } },
    });
    const items = [
      { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
      { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
      { path: 'one', fieldRef: { fieldPath: "metadata.labels['b']" } },
      { path: 'none', fieldRef: { fieldPath: "metadata.labels['constructor']" } },
      { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' } },
      {
        path: 'memory',
        resourceFieldRef: { containerName: 'main', resource: 'limits.memory', divisor: '1Mi' },
      },
    ];
    const labels = { b: 'two', a: 'one' };
    const made = await podWith(node, 'web', [{ name: 'd', downwardAPI: { items } }], { labels });
    const limited = made.spec.containers.map((each) => ({ ...each, resources: { limits: { cpu: '250m' } } }));
    const pod = { ...made, spec: { ...made.spec, containers: limited } };
    await node.start(pod);
    const read = (name: string) => node.files(pod).readFile(`/v/d/${name}`);
    expect(await Promise.all(['name', 'labels', 'one', 'none', 'cpu', 'memory'].map(read))).toEqual([
      'web',
      'a="one"\nb="two"',
      'two',
      '',
      '250',
      '2048',
    ]);
    node.pods.set(pod.metadata.uid, { ...pod, metadata: { ...pod.metadata, labels: { c: 'x' } } });
    await sync(node, pod);
    expect(await read('labels')).toBe('c="x"');
  });
});

describe('A projected volume', () => {
  test('shows several sources in one directory', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    await admin.create(configMaps, { metadata: key('c'), data: { a: '1' } });
    await admin.create(secrets, { metadata: key('s'), stringData: { b: '2' } });
    const sources = [{ configMap: { name: 'c' } }, { secret: { name: 's' } }];
    const pod = await podWith(node, 'web', [{ name: 'p', projected: { sources } }]);
    await node.start(pod);
    const names = await node.files(pod).readdir('/v/p');
    expect(names.filter((name) => !name.startsWith('..'))).toEqual(['a', 'b']);
  });

  test('has a token that is renewed after 80 % of its lifetime, also across a restart of the kubelet', async () => {
    await using node = await open();
    await node.cluster.admin.create(serviceAccounts, { metadata: key('default') });
    const sources = [{ serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 1_000 } }];
    const pod = await podWith(node, 'web', [{ name: 't', projected: { sources } }]);
    await node.start(pod);
    const read = () => node.files(pod).readFile('/v/t/token');
    const first = await read();
    expect(JSON.parse(atob(first.split('.')[1] ?? ''))).toMatchObject({
      aud: ['vault'],
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io': { pod: { name: 'web', uid: pod.metadata.uid } },
    });
    await node.cluster.runFor(790_000);
    await sync(node, pod);
    expect(await read()).toBe(first);
    await node.cluster.runFor(10_000);
    await sync(node, pod);
    const second = await read();
    expect(second).not.toBe(first);
    node.restartKubelet();
    await node.cluster.runFor(100);
    await sync(node, pod);
    expect(await read()).not.toBe(second);
  });

  test('keeps a valid token when the request for a new one fails', async () => {
    await using node = await open();
    const account = await node.cluster.admin.create(serviceAccounts, { metadata: key('default') });
    const sources = [{ serviceAccountToken: { path: 'token', expirationSeconds: 1_000 } }];
    const pod = await podWith(node, 'web', [{ name: 't', projected: { sources } }]);
    await node.start(pod);
    await node.cluster.admin.delete(serviceAccounts, key(account.metadata.name));
    await node.cluster.runFor(900_000);
    await sync(node, pod);
    expect(await eventTexts(node)).toEqual([]);
    await node.cluster.runFor(200_000);
    await sync(node, pod);
    expect((await eventTexts(node))[0]).toMatch(
      /MountVolume.SetUp failed for volume "t" : token .* expired and refresh failed/,
    );
  });
});

describe('A hostPath', () => {
  test('shows a directory of the node, which stays when the pod is deleted', async () => {
    await using node = await open();
    const { files } = node.machine;
    await files.mkdirAll('/data');
    const pod = await podWith(node, 'web', [
      { name: 'd', hostPath: { path: '/data', type: 'Directory' } },
      { name: 'new', hostPath: { path: '/made', type: 'DirectoryOrCreate' } },
      { name: 'file', hostPath: { path: '/made/f', type: 'FileOrCreate' } },
    ]);
    await node.start(pod);
    await node.files(pod).writeFile('/v/d/f', 'x');
    node.stopContainers(pod.metadata.uid);
    node.pods.clear();
    await node.cluster.settle(node.manager.waitForUnmount(pod));
    await node.cluster.runFor(2_000);
    expect(await files.readFile('/data/f')).toBe('x');
    expect((await files.stat('/made/f'))?.type).toBe('file');
  });
});

describe('A subPath', () => {
  test('is a directory of a volume, created if it does not exist', async () => {
    await using node = await open();
    const mount = { subPathExpr: '$(HOME)/logs', mountPath: '/logs' };
    const pod = await podWith(node, 'web', [{ name: 'data', emptyDir: {}, mount }]);
    expect(await refusal(node.start(pod))).toBe('missing value for "HOME"');
    const [container] = pod.spec.containers;
    if (!container) throw new Error('The pod has no container.');
    const [made] = await node.cluster.settle(node.manager.mountsOf(pod, container, { HOME: 'me' }));
    expect(made?.containerPath).toBe('/logs');
    const volume = `/var/lib/kubelet/pods/${pod.metadata.uid}/volumes/kubernetes.io~empty-dir/data`;
    await node.machine.files.writeFile(`${made?.hostPath}/f`, 'x');
    expect(await node.machine.files.readFile(`${volume}/me/logs/f`)).toBe('x');
  });

  test('of a config map does not receive updates; the next container does', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    const made = await admin.create(configMaps, { metadata: key('c'), data: { a: 'old' } });
    const mount = { subPath: 'a', mountPath: '/etc/a' };
    const pod = await podWith(node, 'web', [{ name: 'c', configMap: { name: 'c' }, mount }]);
    await node.start(pod);
    await admin.update(configMaps, { ...made, data: { a: 'new' } });
    await sync(node, pod);
    expect(await node.files(pod).readFile('/etc/a')).toBe('old');
    await node.cluster.settle(node.startContainer(pod, 'main'));
    expect(await node.files(pod).readFile('/etc/a')).toBe('new');
    node.stopContainers(pod.metadata.uid);
    node.pods.clear();
    await node.cluster.settle(node.manager.waitForUnmount(pod));
    await node.cluster.runFor(2_000);
    expect(await node.machine.files.mounts()).toEqual([]);
  });

  test('never leaves its volume', async () => {
    await using node = await open();
    const { files } = node.machine;
    await files.mkdirAll('/data');
    await files.mkdirAll('/secret');
    await files.symlink('/secret', '/data/out');
    for (const [subPath, why] of [
      ['out', 'failed to prepare subPath for volumeMount "d" of container "main"'],
      ['out/new', 'failed to create subPath directory for volumeMount "d" of container "main"'],
    ] as const) {
      const pod = await podWith(node, subPath.replace('/', '-'), [
        { name: 'd', hostPath: { path: '/data' }, mount: { subPath } },
      ]);
      expect(await refusal(node.start(pod))).toBe(why);
    }
    expect(await files.readdir('/secret')).toEqual([]);
  });
});
