import type { CSIDriver, CSINode, StorageClass, VolumeAttachment } from '#api/storage/v1';
import { age, boolean, type Column, integer, NONE, name, nameOf, naming, text, UNSET } from './column.ts';

/** The columns of a StorageClass. */
export const storageClassColumns: readonly Column<StorageClass>[] = [
  {
    ...name,
    cell: (storageClass) => `${nameOf(storageClass)}${isDefault(storageClass) ? ' (default)' : ''}`,
  },
  text('Provisioner', 'What makes its volumes.', ({ provisioner }) => provisioner ?? ''),
  text(
    'ReclaimPolicy',
    'What becomes of a volume when its claim is gone.',
    ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
  ),
  text(
    'VolumeBindingMode',
    'When a claim is bound.',
    ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
  ),
  text(
    'AllowVolumeExpansion',
    'Whether a claim may grow.',
    ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
  ),
  age,
];

/** The columns of a VolumeAttachment. */
export const volumeAttachmentColumns: readonly Column<VolumeAttachment>[] = [
  name,
  naming(text('Attacher', 'The driver that attaches it.', ({ spec }) => spec?.attacher ?? '')),
  text('PV', 'The volume.', ({ spec }) => spec?.source?.persistentVolumeName ?? ''),
  text('Node', 'The node that it is attached to.', ({ spec }) => spec?.nodeName ?? ''),
  boolean('Attached', 'Whether it is attached.', ({ status }) => status?.attached ?? false),
  age,
];

/** The columns of a CSIDriver. */
export const csiDriverColumns: readonly Column<CSIDriver>[] = [
  name,
  boolean(
    'AttachRequired',
    'Whether volumes are attached first.',
    ({ spec }) => spec?.attachRequired ?? true,
  ),
  boolean('PodInfoOnMount', 'Whether it is told of the pod.', ({ spec }) => spec?.podInfoOnMount ?? false),
  boolean(
    'StorageCapacity',
    'Whether it tells how much is left.',
    ({ spec }) => spec?.storageCapacity ?? false,
  ),
  text('TokenRequests', 'Whom the tokens of pods that it gets are for.', ({ spec }) =>
    spec?.tokenRequests ? spec.tokenRequests.map(({ audience }) => audience).join(',') : UNSET,
  ),
  boolean(
    'RequiresRepublish',
    'Whether it is asked again and again.',
    ({ spec }) => spec?.requiresRepublish ?? false,
  ),
  text('Modes', 'How long its volumes live.', ({ spec }) => spec?.volumeLifecycleModes?.join(',') || NONE),
  age,
];

/** The columns of a CSINode. */
export const csiNodeColumns: readonly Column<CSINode>[] = [
  name,
  integer('Drivers', 'How many CSI drivers the node has.', ({ spec }) => spec?.drivers?.length ?? 0),
  age,
];

const DEFAULT_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/storage/util/helpers.go IsDefaultAnnotation */
function isDefault({ metadata }: StorageClass): boolean {
  return DEFAULT_ANNOTATIONS.some((annotation) => metadata?.annotations?.[annotation] === 'true');
}
