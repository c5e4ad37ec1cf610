import { describe, expect, test } from 'vitest';
import { events, type PersistentVolumeClaim, persistentVolumeClaims, persistentVolumes } from '#harness';
import { PLAIN_DRIVER, STAGING_DRIVER, VolumeNode } from '#laws/44-volumes';
import { podWith, refusal } from './pods.fixture.ts';
import { newVolumeManager } from './volume-manager.ts';

const key = (name: string) => ({ namespace: 'default', name });
const open = async () => {
  const node = await VolumeNode.create(newVolumeManager);
  node.run();
  return node;
};
const IN_USE = `kubernetes.io/csi/${STAGING_DRIVER}^disk-1`;

/** Creates a claim, and the volume that it is bound to. */
async function bound(
  node: VolumeNode,
  { driver = STAGING_DRIVER, isBound = true } = {},
): Promise<PersistentVolumeClaim> {
  const { admin } = node.cluster;
  node.storage.create('disk-1');
  const common = { accessModes: ['ReadWriteMany'], storageClassName: '' };
  const claim = await admin.create(persistentVolumeClaims, {
    metadata: key('data'),
    spec: { ...common, resources: { requests: { storage: '1Gi' } }, volumeName: 'pv-1' },
    status: {},
  });
  await admin.create(persistentVolumes, {
    metadata: { name: 'pv-1' },
    spec: {
      ...common,
      capacity: { storage: '1Gi' },
      csi: { driver, volumeHandle: 'disk-1' },
      claimRef: { kind: 'PersistentVolumeClaim', ...key('data'), uid: claim.metadata.uid },
    },
    status: {},
  });
  return isBound ? bind(node, claim) : claim;
}

const bind = ({ cluster }: VolumeNode, claim: PersistentVolumeClaim) =>
  cluster.admin.updateStatus(persistentVolumeClaims, { ...claim, status: { phase: 'Bound' } });

const ofClaim = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }];

/** Stops a pod and waits until its volumes are unmounted. */
async function end(node: VolumeNode, pod: Parameters<VolumeNode['start']>[0]): Promise<void> {
  node.stopContainers(pod.metadata.uid);
  node.pods.delete(pod.metadata.uid);
  await node.cluster.settle(node.manager.waitForUnmount(pod));
  await node.cluster.runFor(2_000);
}

const mountsOf = async (node: VolumeNode) =>
  (await node.machine.files.mounts()).map(({ type, target }) => `${type} ${target}`);

describe('A claim', () => {
  test('leads to a volume that is staged once for all pods of the node, and outlives them', async () => {
    await using node = await open();
    await bound(node);
    const [one, two] = [await podWith(node, 'one', ofClaim), await podWith(node, 'two', ofClaim)];
    await node.start(one);
    await node.start(two);
    await node.files(one).writeFile('/v/d/f', 'shared');
    expect(await node.files(two).readFile('/v/d/f')).toBe('shared');
    const staged = `ext4 /var/lib/kubelet/plugins/kubernetes.io/csi/${STAGING_DRIVER}/disk-1/globalmount`;
    const publishedTo = (uid: string) =>
      `bind /var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/pv-1/mount`;
    expect(await mountsOf(node)).toEqual([
      staged,
      publishedTo(one.metadata.uid),
      publishedTo(two.metadata.uid),
    ]);
    expect(node.manager.volumesInUse()).toEqual([IN_USE]);
    await end(node, one);
    expect(await mountsOf(node)).toEqual([staged, publishedTo(two.metadata.uid)]);
    expect(node.manager.volumesInUse()).toEqual([IN_USE]);
    await end(node, two);
    expect([await mountsOf(node), node.manager.volumesInUse()]).toEqual([[], []]);
    expect([...(node.storage.disk('disk-1')?.root.entries.keys() ?? [])]).toEqual(['f']);
  });

  test('delays its pod until it is bound', async () => {
    await using node = await open();
    const claim = await bound(node, { isBound: false });
    const pod = await podWith(node, 'web', ofClaim);
    expect(await refusal(node.start(pod))).toBe(
      'unmounted volumes=[d], unattached volumes=[], failed to process volumes=[d]: error processing PVC default/data: PVC is not bound',
    );
    await bind(node, claim);
    await node.start(pod);
    expect(await node.files(pod).readdir('/v/d')).toEqual([]);
  });

  test('must be the one that its volume references', async () => {
    await using node = await open();
    const { admin } = node.cluster;
    const claim = await bound(node);
    const volume = await admin.get(persistentVolumes, { name: 'pv-1' });
    await admin.update(persistentVolumes, {
      ...volume,
      spec: { ...volume.spec, claimRef: { ...volume.spec.claimRef, uid: 'other' } },
    });
    expect(await refusal(node.start(await podWith(node, 'web', ofClaim)))).toMatch(
      new RegExp(`pv.Spec.ClaimRef.UID other does not point to claim.UID ${claim.metadata.uid}$`),
    );
  });

  test('of a driver without staging is published to each pod', async () => {
    await using node = await open();
    await bound(node, { driver: PLAIN_DRIVER });
    const pod = await podWith(node, 'web', ofClaim);
    await node.start(pod);
    expect(await mountsOf(node)).toHaveLength(1);
    await end(node, pod);
    expect(await mountsOf(node)).toEqual([]);
  });

  test('of a driver that is not installed causes an event', async () => {
    await using node = await open();
    await bound(node, { driver: 'none.example.com' });
    const pod = await podWith(node, 'web', ofClaim);
    expect(await refusal(node.start(pod))).toMatch(/context deadline exceeded$/);
    const { items } = await node.cluster.admin.list(events, { namespace: 'default' });
    expect(items.map(({ message }) => message)).toEqual([
      'MountVolume.MountDevice failed for volume "pv-1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name none.example.com not found in the list of registered CSI drivers',
    ]);
  });

  test('is unmounted by a kubelet that has never observed the pod', async () => {
    await using node = await open();
    await bound(node);
    const pod = await podWith(node, 'web', ofClaim);
    await node.start(pod);
    node.kubelet.crash();
    node.stopContainers(pod.metadata.uid);
    node.pods.clear();
    node.kubelet.start();
    expect([
      node.manager.volumesInUse(),
      node.manager.hasPossiblyMountedVolumesForPod(pod.metadata.uid),
    ]).toEqual([undefined, true]);
    await node.cluster.runFor(5_000);
    expect([await mountsOf(node), node.manager.volumesInUse()]).toEqual([[], []]);
    expect(node.manager.hasPossiblyMountedVolumesForPod(pod.metadata.uid)).toBe(false);
  });
});

describe('An inline volume of a driver', () => {
  test('is created for the pod, and deleted with it', async () => {
    await using node = await open();
    const pod = await podWith(node, 'web', [{ name: 'e', csi: { driver: PLAIN_DRIVER } }]);
    await node.start(pod);
    await node.files(pod).writeFile('/v/e/f', 'x');
    await end(node, pod);
    expect([await mountsOf(node), node.manager.volumesInUse()]).toEqual([[], []]);
  });
});
