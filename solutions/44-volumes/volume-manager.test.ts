import { describe, expect, test } from 'vitest';
import { configMaps, events, secrets } from '#harness';
import { VolumeNode } from '#laws/44-volumes';
import { podWith, refusal } from './pods.fixture.ts';
import { newVolumeManager } from './volume-manager.ts';

const key = (name: string) => ({ namespace: 'default', name });
const open = () => VolumeNode.create(newVolumeManager);

describe('An emptyDir', () => {
  test('is there as long as its pod, also when the kubelet dies', async () => {
    await using node = await open();
    const pod = await podWith(node, 'web', [{ name: 'data', emptyDir: {} }]);
    await node.start(pod);
    await node.files(pod).writeFile('/v/data/f', 'kept');
    node.restartKubelet();
    await node.cluster.runFor(1_000);
    await node.cluster.settle(node.startContainer(pod, 'main'));
    expect(await node.files(pod).readFile('/v/data/f')).toBe('kept');
  });

  test('in memory has its limit, and leaves no mount', async () => {
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
  test('is seen as files, and its updates arrive', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    const made = await admin.create(configMaps, { metadata: key('settings'), data: { a: '1' } });
    const pod = await podWith(node, 'web', [{ name: 'c', configMap: { name: 'settings' } }]);
    await node.start(pod);
    expect(await node.files(pod).readFile('/v/c/a')).toBe('1');
    await admin.update(configMaps, { ...made, data: { b: '2' } });
    await node.cluster.settle(node.manager.waitForAttachAndMount(pod));
    await node.cluster.runFor(1_000);
    expect(await node.files(pod).readFile('/v/c/b')).toBe('2');
    expect((await node.files(pod).readdir('/v/c')).filter((name) => !name.startsWith('..2'))).toEqual([
      '..data',
      'b',
    ]);
  });

  test('that is not there is told of, and waited for', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    const pod = await podWith(node, 'web', [{ name: 'v', configMap: { name: 'x' } }]);
    node.pods.set(pod.metadata.uid, pod);
    await node.cluster.runFor(10);
    const started = node.startNow(pod, node.manager);
    await node.cluster.runFor(10);
    await admin.create(configMaps, { metadata: key('x'), data: { a: '1' } });
    await node.cluster.runFor(5_000);
    await started;
    expect(await node.files(pod).readFile('/v/v/a')).toBe('1');
    const { items } = await admin.list(events, { namespace: 'default' });
    expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      'FailedMount: MountVolume.SetUp failed for volume "v" : configmap "x" not found',
    ]);
  });
});

describe('A secret', () => {
  test('is in memory', async () => {
    await using node = await open();
    await node.cluster.admin.create(secrets, { metadata: key('s'), stringData: { password: 'ü' } });
    const pod = await podWith(node, 'web', [{ name: 's', secret: { secretName: 's' } }]);
    await node.start(pod);
    expect(await node.files(pod).readFile('/v/s/password')).toBe('ü');
    expect((await node.machine.files.mounts()).map(({ type }) => type)).toEqual(['tmpfs']);
  });
});
