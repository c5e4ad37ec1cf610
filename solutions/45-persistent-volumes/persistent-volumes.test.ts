import { describe, expect, test } from 'vitest';
import {
  events,
  type New,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storage,
} from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';
import { findBestMatchForClaim, whyNotSatisfied } from './persistent-volumes.ts';

const key = (name: string) => ({ namespace: 'default', name });
type VolumeSpec = Partial<PersistentVolume['spec']>;
type ClaimSpec = Partial<PersistentVolumeClaim['spec']>;

const volumeOf = (name: string, gib: number, spec: VolumeSpec = {}): New<PersistentVolume> => ({
  metadata: { name },
  spec: {
    capacity: { storage: `${gib}Gi` },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: `/data/${name}` },
    storageClassName: 'manual',
    ...spec,
  },
  status: {},
});

const claimOf = (name: string, gib: number, spec: ClaimSpec = {}): New<PersistentVolumeClaim> => ({
  metadata: key(name),
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: `${gib}Gi` } },
    storageClassName: 'manual',
    ...spec,
  },
  status: {},
});

const podOf = (name: string, ...claims: readonly string[]): New<Pod> =>
  ({
    metadata: key(name),
    spec: {
      volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      containers: [{ name: 'main', image: 'busybox:1.37' }],
    },
  }) as unknown as New<Pod>;

const classOf = (name: string, provisioner: string, volumeBindingMode = 'Immediate') =>
  ({ metadata: { name }, provisioner, volumeBindingMode }) as New<storage.StorageClass>;

/** A cluster of two nodes with the components that this folder builds. */
async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  for (const name of ['node-1', 'node-2']) {
    await cluster.admin.create(nodes, {
      metadata: { name, labels: { 'kubernetes.io/hostname': name } },
      spec: {},
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
    });
  }
  cluster.runComponents(
    'persistentVolumeBinder',
    'localPathProvisioner',
    'persistentVolumeClaimProtectionController',
    'persistentVolumeProtectionController',
    'scheduler',
  );
  await cluster.runFor(1_000);
  return cluster;
}

const claimIn = ({ admin }: Cluster, name = 'data') => admin.get(persistentVolumeClaims, key(name));
const volumeIn = ({ admin }: Cluster, name = 'disk') => admin.get(persistentVolumes, { name });

/** Returns the events about objects of a kind, each once. */
async function eventsOf({ admin }: Cluster, kind: string): Promise<readonly string[]> {
  const { items } = await admin.list(events);
  return items
    .filter(({ involvedObject }) => involvedObject.kind === kind)
    .map(({ reason, message }) => `${reason}: ${message}`);
}

/** Creates a bound pair. */
async function bound(cluster: Cluster, spec: VolumeSpec = {}): Promise<void> {
  await cluster.admin.create(persistentVolumes, volumeOf('disk', 1, spec));
  await cluster.runFor(1_000);
  await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1));
  await cluster.runFor(1_000);
}

describe('The choice of a volume', () => {
  const available = (volume: New<PersistentVolume>) =>
    ({ ...volume, status: { phase: 'Available' } }) as PersistentVolume;
  const claim = claimOf('data', 2) as PersistentVolumeClaim;
  const chosen = (...volumes: readonly New<PersistentVolume>[]) =>
    findBestMatchForClaim(volumes.map(available), claim)?.metadata.name;

  test('is the smallest volume that is large enough', () => {
    expect(chosen(volumeOf('ten', 10), volumeOf('one', 1), volumeOf('five', 5))).toBe('five');
    expect(chosen(volumeOf('one', 1))).toBeUndefined();
  });

  test('prefers a volume without further access modes', () => {
    const many: VolumeSpec = { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] };
    expect(chosen(volumeOf('two', 2, many), volumeOf('ten', 10))).toBe('ten');
  });

  test('is the reserved volume, if there is one', () => {
    const reserved = volumeOf('ten', 10, { claimRef: key('data') });
    expect(chosen(volumeOf('two', 2), reserved)).toBe('ten');
    expect(chosen(volumeOf('two', 2, { claimRef: key('other') }))).toBeUndefined();
  });

  test.each([
    [{ storageClassName: 'other' }, 'storageClassName does not match'],
    [{ volumeMode: 'Block' as const }, 'incompatible volumeMode'],
    [{ accessModes: ['ReadOnlyMany' as const] }, 'incompatible accessMode'],
    [{ capacity: { storage: '1Gi' } }, 'requested PV is too small'],
  ])('rejects a volume with %o', (spec, why) => {
    expect(chosen(volumeOf('disk', 2, spec))).toBeUndefined();
    expect(whyNotSatisfied(volumeOf('disk', 2, spec) as PersistentVolume, claim)).toBe(why);
  });
});

describe('A claim', () => {
  test('is bound to a volume, and has its capacity', async () => {
    await using cluster = await running();
    await bound(cluster);
    const claim = await claimIn(cluster);
    expect(claim.spec.volumeName).toBe('disk');
    expect(claim.metadata.annotations).toEqual({
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    });
    expect(claim.status).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' } });
    const volume = await volumeIn(cluster);
    expect(volume.spec.claimRef).toMatchObject({ ...key('data'), uid: claim.metadata.uid });
    expect(volume.status.phase).toBe('Bound');
  });

  test('that finds no volume waits for one, and asks every 15 seconds', async () => {
    await using cluster = await running();
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1, { storageClassName: '' }));
    await cluster.runFor(1_000);
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toEqual([
      'FailedBinding: no persistent volumes available for this claim and no storage class is set',
    ]);
    await cluster.admin.create(persistentVolumes, volumeOf('disk', 1, { storageClassName: '' }));
    await cluster.runFor(15_000);
    expect((await claimIn(cluster)).status.phase).toBe('Bound');
  });

  test('gets the default class when no volume without a class fits', async () => {
    await using cluster = await running();
    const marked = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const standard = classOf('standard', 'rancher.io/local-path', 'WaitForFirstConsumer');
    await cluster.admin.create(storage.storageClasses, {
      ...standard,
      metadata: { name: 'standard', annotations: marked },
    });
    const { storageClassName: _, ...spec } = claimOf('data', 1).spec;
    await cluster.admin.create(persistentVolumeClaims, { metadata: key('data'), spec, status: {} });
    await cluster.runFor(1_000);
    expect((await claimIn(cluster)).spec.storageClassName).toBe('standard');
  });

  test('that asks for a volume that is too small is not bound to it', async () => {
    await using cluster = await running();
    await cluster.admin.create(persistentVolumes, volumeOf('disk', 1));
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 2, { volumeName: 'disk' }));
    await cluster.runFor(1_000);
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toEqual([
      'VolumeMismatch: Cannot bind to requested volume "disk": requested PV is too small',
    ]);
    expect((await claimIn(cluster)).status.phase).toBe('Pending');
  });

  test('whose volume was removed is lost', async () => {
    await using cluster = await running();
    await bound(cluster);
    const { admin } = cluster;
    const body = { metadata: { finalizers: null } };
    await admin.patch(persistentVolumes, { name: 'disk' }, { type: 'merge', body });
    await admin.delete(persistentVolumes, { name: 'disk' });
    await cluster.runFor(1_000);
    expect((await claimIn(cluster)).status.phase).toBe('Lost');
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toEqual([
      'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    ]);
  });

  test('of a class without a provisioner reports why it waits', async () => {
    await using cluster = await running();
    await cluster.admin.create(storage.storageClasses, classOf('manual', 'kubernetes.io/no-provisioner'));
    await cluster.runFor(100);
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1));
    await cluster.admin.create(persistentVolumeClaims, claimOf('other', 1, { storageClassName: 'missing' }));
    await cluster.runFor(1_000);
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toEqual([
      'ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner',
      'ProvisioningFailed: storageclass.storage.k8s.io "missing" not found',
    ]);
  });
});

describe('A volume whose claim is deleted', () => {
  const afterwards = async (spec: VolumeSpec) => {
    const cluster = await running();
    await bound(cluster, spec);
    await cluster.admin.delete(persistentVolumeClaims, key('data'));
    await cluster.runFor(1_000);
    return cluster;
  };

  test('keeps its data with the policy Retain, and is free again without its reference', async () => {
    await using cluster = await afterwards({ persistentVolumeReclaimPolicy: 'Retain' });
    expect((await volumeIn(cluster)).status.phase).toBe('Released');
    const body = { spec: { claimRef: null } };
    await cluster.admin.patch(persistentVolumes, { name: 'disk' }, { type: 'merge', body });
    await cluster.runFor(1_000);
    expect((await volumeIn(cluster)).status.phase).toBe('Available');
  });

  test('is deleted with the policy Delete, if its directory is temporary', async () => {
    const hostPath = { path: '/tmp/disk' };
    await using cluster = await afterwards({ persistentVolumeReclaimPolicy: 'Delete', hostPath });
    expect((await cluster.admin.list(persistentVolumes)).items).toEqual([]);
  });

  test('fails with the policy Delete, if nobody can delete its data', async () => {
    await using cluster = await afterwards({ persistentVolumeReclaimPolicy: 'Delete' });
    expect((await volumeIn(cluster)).status).toMatchObject({
      phase: 'Failed',
      message: 'host_path deleter only supports /tmp/.+ but received provided /data/disk',
    });
    expect(await eventsOf(cluster, 'PersistentVolume')).toEqual([
      'VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data/disk',
    ]);
  });
});

describe('The scheduler', () => {
  const reasonOf = async ({ admin }: Cluster) =>
    (await admin.get(pods, key('db'))).status.conditions?.find(({ type }) => type === 'PodScheduled')
      ?.message;

  test.each([
    [[], 'persistentvolumeclaim "data" not found'],
    [[claimOf('data', 1)], 'pod has unbound immediate PersistentVolumeClaims'],
  ])('reports why a pod waits: claims %j', async (claims, why) => {
    await using cluster = await running();
    await cluster.admin.create(persistentVolumeClaims, claimOf('other', 1));
    for (const claim of claims) await cluster.admin.create(persistentVolumeClaims, claim);
    await cluster.runFor(1_000);
    await cluster.admin.create(pods, podOf('db', 'data'));
    await cluster.runFor(1_000);
    expect(await reasonOf(cluster)).toBe(`0/2 nodes are available: ${why}.`);
  });

  test('binds a pod where its volume is, as soon as its claim is bound', async () => {
    await using cluster = await running();
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1));
    await cluster.admin.create(pods, podOf('db', 'data'));
    await cluster.runFor(3_000);
    const onNode2 = { key: 'kubernetes.io/hostname', operator: 'In' as const, values: ['node-2'] };
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [onNode2] }] } };
    await cluster.admin.create(persistentVolumes, volumeOf('disk', 1, { nodeAffinity }));
    await cluster.runFor(30_000);
    expect((await cluster.admin.get(pods, key('db'))).spec.nodeName).toBe('node-2');
  });

  test('chooses the node and a volume of it together', async () => {
    await using cluster = await running();
    const manual = classOf('manual', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer');
    await cluster.admin.create(storage.storageClasses, manual);
    for (const [name, gib] of [['large', 5] as const, ['small', 1] as const]) {
      await cluster.admin.create(persistentVolumes, volumeOf(name, gib));
    }
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1));
    await cluster.runFor(1_000);
    expect((await claimIn(cluster)).status.phase).toBe('Pending');
    await cluster.admin.create(pods, podOf('db', 'data'));
    await cluster.runFor(1_000);
    expect((await claimIn(cluster)).spec.volumeName).toBe('small');
    expect((await cluster.admin.get(pods, key('db'))).spec.nodeName).toMatch(/^node-/);
  });
});

describe('The provisioner', () => {
  const withClass = async () => {
    const cluster = await running();
    const standard = classOf('standard', 'rancher.io/local-path', 'WaitForFirstConsumer');
    await cluster.admin.create(storage.storageClasses, standard);
    return cluster;
  };

  test('creates a volume on the node of the pod, and deletes it with its claim', async () => {
    await using cluster = await withClass();
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1, { storageClassName: 'standard' }));
    await cluster.admin.create(pods, podOf('db', 'data'));
    await cluster.runFor(5_000);
    const { nodeName } = (await cluster.admin.get(pods, key('db'))).spec;
    const { metadata } = await claimIn(cluster);
    const volume = await volumeIn(cluster, `pvc-${metadata.uid}`);
    expect(volume.spec).toMatchObject({
      hostPath: { path: `/var/local-path-provisioner/pvc-${metadata.uid}_default_data` },
      persistentVolumeReclaimPolicy: 'Delete',
    });
    expect(JSON.stringify(volume.spec.nodeAffinity)).toContain(`"values":["${nodeName}"]`);
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toEqual(
      expect.arrayContaining([
        'Provisioning: External provisioner is provisioning volume for claim "default/data"',
        `ProvisioningSucceeded: Successfully provisioned volume pvc-${metadata.uid}`,
      ]),
    );
    await cluster.admin.delete(pods, key('db'), { gracePeriodSeconds: 0 });
    await cluster.admin.delete(persistentVolumeClaims, key('data'));
    await cluster.runFor(1_000);
    expect((await cluster.admin.list(persistentVolumes)).items).toEqual([]);
  });

  test('reports a claim that a directory cannot serve', async () => {
    await using cluster = await withClass();
    const spec: ClaimSpec = { storageClassName: 'standard', accessModes: ['ReadWriteMany'] };
    await cluster.admin.create(persistentVolumeClaims, claimOf('data', 1, spec));
    await cluster.admin.create(pods, podOf('db', 'data'));
    await cluster.runFor(5_000);
    expect(await eventsOf(cluster, 'PersistentVolumeClaim')).toContain(
      'ProvisioningFailed: failed to provision volume with StorageClass "standard": NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes',
    );
  });
});

describe('A claim that is deleted', () => {
  test('stays while a pod on a node uses it', async () => {
    await using cluster = await running();
    await bound(cluster);
    await cluster.admin.create(pods, podOf('db', 'data'));
    await cluster.runFor(1_000);
    await cluster.admin.delete(persistentVolumeClaims, key('data'));
    await cluster.admin.delete(persistentVolumes, { name: 'disk' });
    await cluster.runFor(60_000);
    expect((await claimIn(cluster)).metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    expect((await volumeIn(cluster)).metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
    await cluster.admin.delete(pods, key('db'), { gracePeriodSeconds: 0 });
    await cluster.runFor(1_000);
    expect((await cluster.admin.list(persistentVolumeClaims)).items).toEqual([]);
    expect((await cluster.admin.list(persistentVolumes)).items).toEqual([]);
  });
});
