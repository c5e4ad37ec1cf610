import type { PersistentVolume, PersistentVolumeClaim } from '#api/core/v1';
import type { ObjectMeta } from '#api/meta/v1';
import { age, type Column, name, text, UNSET, wide } from './column.ts';

/** The columns of a PersistentVolume. */
export const persistentVolumeColumns: readonly Column<PersistentVolume>[] = [
  name,
  text('Capacity', 'How much it holds.', ({ spec }) => spec?.capacity?.storage ?? '0'),
  text('Access Modes', 'How it may be mounted.', ({ spec }) => accessModes(spec?.accessModes)),
  text(
    'Reclaim Policy',
    'What becomes of it when its claim is gone.',
    ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  ),
  text('Status', 'Whether it is claimed.', phase),
  text('Claim', 'The claim that it is bound to.', claim),
  text('StorageClass', 'The class that it belongs to.', ({ metadata, spec }) =>
    storageClass(metadata, spec?.storageClassName),
  ),
  text(
    'VolumeAttributesClass',
    'The class of its attributes.',
    ({ spec }) => spec?.volumeAttributesClassName ?? UNSET,
  ),
  text('Reason', 'Why it is as it is.', ({ status }) => status?.reason ?? ''),
  age,
  wide(text('VolumeMode', 'A file system, or a block device.', ({ spec }) => spec?.volumeMode ?? UNSET)),
];

/** The columns of a PersistentVolumeClaim. The properties of its volume appear only if the claim names a volume. */
export const persistentVolumeClaimColumns: readonly Column<PersistentVolumeClaim>[] = [
  name,
  text('Status', 'Whether it is bound.', phase),
  text('Volume', 'The volume that it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
  text('Capacity', 'How much that holds.', ({ spec, status }) =>
    spec?.volumeName ? (status?.capacity?.storage ?? '0') : '',
  ),
  text('Access Modes', 'How that may be mounted.', ({ spec, status }) =>
    spec?.volumeName ? accessModes(status?.accessModes) : '',
  ),
  text('StorageClass', 'The class that it asks for.', ({ metadata, spec }) =>
    storageClass(metadata, spec?.storageClassName),
  ),
  text(
    'VolumeAttributesClass',
    'The class of the attributes that it asks for.',
    ({ spec }) => spec?.volumeAttributesClassName ?? UNSET,
  ),
  age,
  wide(text('VolumeMode', 'A file system, or a block device.', ({ spec }) => spec?.volumeMode ?? UNSET)),
];

function claim({ spec }: PersistentVolume): string {
  const { claimRef } = spec ?? {};
  return claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '';
}

interface Phased {
  readonly metadata?: ObjectMeta;
  readonly status?: { readonly phase?: string };
}

function phase({ metadata, status }: Phased): string {
  return metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');
}

/** The annotation is the predecessor of the field. */
const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go GetPersistentVolumeClass */
function storageClass(metadata: ObjectMeta | undefined, named: string | null | undefined): string {
  return metadata?.annotations?.[STORAGE_CLASS_ANNOTATION] ?? named ?? '';
}

/** The access modes in the order of the output. */
const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go GetAccessModesAsString */
function accessModes(modes: readonly string[] | null | undefined): string {
  const has = ACCESS_MODES.filter(([mode]) => modes?.includes(mode));
  return has.map(([, short]) => short).join(',');
}
