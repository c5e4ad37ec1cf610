import type * as core from '#api/core/v1';
import type { New, Pod } from '../../../api/objects.ts';
import {
  configMaps,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  secrets,
} from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { CsiStorage } from '../../../node/csi/index.ts';
import { NODE, PLAIN_DRIVER, STAGING_DRIVER } from '../simulation/node.ts';
import type { ClaimState, VolumeKind } from './index.ts';

/** The config map that pods read. Each of its versions has the same value under both keys. */
export const CONFIG = { namespace: 'default', name: 'settings' };

/** The directory of all pods with the volume `host`. */
export const HOST_PATH = '/srv/data';

/** The volume of each kind, and its mount. */
export const catalogue: Readonly<
  Record<VolumeKind, Omit<core.Volume, 'name'> & { readonly mount?: Partial<core.VolumeMount> }>
> = {
  config: { configMap: { name: CONFIG.name } },
  secret: { secret: { secretName: 'password' } },
  projected: {
    projected: {
      sources: [
        { configMap: { name: CONFIG.name } },
        { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      ],
    },
  },
  disk: { emptyDir: {} },
  memory: { emptyDir: { medium: 'Memory' } },
  claim: { persistentVolumeClaim: { claimName: 'claim' } },
  share: { persistentVolumeClaim: { claimName: 'share' } },
  inline: { csi: { driver: PLAIN_DRIVER } },
  host: { hostPath: { path: HOST_PATH, type: 'Directory' } },
  part: { configMap: { name: CONFIG.name }, mount: { subPath: 'a', mountPath: '/v/part/a' } },
  folder: {
    hostPath: { path: HOST_PATH, type: 'Directory' },
    mount: { subPath: 'folder', mountPath: '/v/folder' },
  },
  piece: { emptyDir: {}, mount: { subPath: 'deep/er', mountPath: '/v/piece' } },
};

/** Returns a pod with this name and these volumes, mounted below `/v`. */
export function podOf(name: string, kinds: readonly VolumeKind[]): New<Pod> {
  const mounts = kinds.map((kind) => ({ name: kind, mountPath: `/v/${kind}`, ...catalogue[kind].mount }));
  return {
    metadata: { namespace: 'default', name },
    spec: {
      nodeName: NODE,
      volumes: kinds.map((kind) => {
        const { mount: _, ...source } = catalogue[kind];
        return { name: kind, ...source };
      }),
      containers: [{ name: 'main', image: 'busybox', volumeMounts: mounts }],
    },
  };
}

/** The names of the claims for storage drivers' volumes, by kind. */
export const claims = {
  claim: { driver: STAGING_DRIVER, volumeHandle: 'disk-1' },
  share: { driver: PLAIN_DRIVER, volumeHandle: 'share-1' },
} as const;

/** Creates the objects that pods mount. */
export async function furnish({ admin }: Cluster, storage: CsiStorage): Promise<void> {
  await admin.create(nodes, { metadata: { name: NODE }, spec: {}, status: {} });
  await admin.create(configMaps, { metadata: CONFIG, data: { a: '1', b: '1' } });
  await admin.create(secrets, {
    metadata: { namespace: 'default', name: 'password' },
    stringData: { a: 'secret' },
  });
  for (const [name, { driver, volumeHandle }] of Object.entries(claims)) {
    storage.create(volumeHandle);
    const common = { accessModes: ['ReadWriteMany'], storageClassName: '', volumeMode: 'Filesystem' };
    const claim = await admin.create(persistentVolumeClaims, {
      metadata: { namespace: 'default', name },
      spec: { ...common, resources: { requests: { storage: '1Gi' } }, volumeName: `pv-${name}` },
      status: {},
    });
    await admin.create(persistentVolumes, {
      metadata: { name: `pv-${name}` },
      spec: {
        ...common,
        capacity: { storage: '1Gi' },
        csi: { driver, volumeHandle },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name, uid: claim.metadata.uid },
      },
      status: {},
    });
    await admin.updateStatus(persistentVolumeClaims, { ...claim, status: { phase: 'Bound' } });
  }
}

/** Sets the state of the claim `claim`, and of its volume. */
export async function bind({ admin }: Cluster, state: ClaimState): Promise<void> {
  const claim = await admin.get(persistentVolumeClaims, { namespace: 'default', name: 'claim' });
  await admin.updateStatus(persistentVolumeClaims, {
    ...claim,
    status: { phase: state === 'unbound' ? 'Pending' : 'Bound' },
  });
  const volume = await admin.get(persistentVolumes, { name: 'pv-claim' });
  const uid = state === 'of another claim' ? 'another' : claim.metadata.uid;
  const claimRef = { ...volume.spec.claimRef, uid };
  await admin.update(persistentVolumes, { ...volume, spec: { ...volume.spec, claimRef } });
}
