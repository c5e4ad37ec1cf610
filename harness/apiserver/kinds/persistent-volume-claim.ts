import type { PersistentVolumeClaim } from '../../api/objects.ts';
import { persistentVolumeClaims } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { forbidden, required } from '../validation/field-error.ts';
import { validateImmutableField, validateLabelSelector } from '../validation/object-meta.ts';
import { differences } from './pod/differences.ts';
import { canonicalResourceList, quantityOf } from './pod/quantities.ts';
import { validateCapacity, validatePositive, validateVolumeModes } from './volume-modes.ts';
import { withOld } from './with-field.ts';

const PENDING = Object.freeze({ phase: 'Pending' });

/**
 * The kind PersistentVolumeClaim. Its volume is set once, and a bound claim can request more storage; nothing else
 * changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/persistentvolumeclaim/strategy.go,
 * pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimSpec
 *
 * Differs: data sources and the resize fields of the status are not validated. The beta annotation for the storage
 * class has no special meaning.
 */
export const persistentVolumeClaim = declareKind<PersistentVolumeClaim>({
  resource: persistentVolumeClaims,
  returnsDeletedObject: true,
  // Upstream offers `name` by mistake, and clients use it.
  selectable: { name: ({ metadata }) => metadata.name },
  revalidates: 'after metadata',

  setDefaults(object) {
    const specified = withChanged(object, 'spec', (spec) =>
      withChanged(withDefaults(spec, { volumeMode: 'Filesystem' }), 'resources', (resources) =>
        withChanged(
          withChanged(resources, 'requests', canonicalResourceList),
          'limits',
          canonicalResourceList,
        ),
      ),
    );
    return withChanged(specified, 'status', (status) =>
      withChanged(withDefaults(status, PENDING), 'capacity', canonicalResourceList),
    );
  },
  newStatus: ({ status }) => (semanticEqual(status, PENDING) ? status : PENDING),

  rules: [validateSpec],
  updateRules: (object, old) => [
    ...validateSpecUpdate(object, old),
    ...validateShrinking(object, old),
    ...validateAttributesClass(object, old),
    // Upstream omits `spec` from the path.
    ...validateImmutableField(object.spec.volumeMode, old.spec.volumeMode, 'volumeMode'),
  ],
  statusRules: [({ status }) => validateCapacity(status.capacity ?? {}, 'status.capacity')],
});

function validateSpec({ spec }: PersistentVolumeClaim): Cause[] {
  const storage = spec.resources?.requests?.storage;
  return [
    ...(spec.selector ? validateLabelSelector(spec.selector, 'spec.selector') : []),
    ...validateVolumeModes(spec, 'at least 1 access mode is required'),
    ...(storage === undefined ? [required(STORAGE)] : validatePositive(storage, STORAGE)),
  ];
}

/** Upstream's spelling. */
const STORAGE = 'spec.resources[storage]';

/** Upstream: ValidatePersistentVolumeClaimUpdate */
function validateSpecUpdate(claim: PersistentVolumeClaim, { spec: old }: PersistentVolumeClaim): Cause[] {
  let now = claim.spec;
  // Each of these fields can be set once.
  if (!old.volumeName) now = withOld(now, old, 'volumeName');
  if (old.storageClassName === undefined) now = withOld(now, old, 'storageClassName');
  if (claim.status.phase === 'Bound') {
    const storage = old.resources?.requests?.storage ?? '0';
    now = withChanged(withOld(now, old, 'volumeAttributesClassName'), 'resources', (resources) =>
      withChanged(resources, 'requests', (requests) => ({ ...requests, storage })),
    );
  }
  if (semanticEqual(now, old)) return [];
  const detail =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [forbidden('spec', `${detail}\n${differences(old, now)}`)];
}

/** An attributes class can be replaced, but not removed. */
function validateAttributesClass({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): Cause[] {
  const { volumeAttributesClassName: name } = spec;
  if (name || name === old.spec.volumeAttributesClassName) return [];
  if (old.status.currentVolumeAttributesClassName === undefined) return [];
  const to = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbidden('spec.volumeAttributesClassName', detail)];
}

/** A request that the volume has not fulfilled can be lowered, but never below the current capacity. */
function validateShrinking({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): Cause[] {
  const [now, before, given] = [
    spec.resources?.requests?.storage,
    old.spec.resources?.requests?.storage,
    old.status.capacity?.storage ?? '0',
  ].map((text) => quantityOf(text)?.nanos ?? 0n);
  const isShrunk =
    now !== undefined && before !== undefined && given !== undefined && now < before && now <= given;
  return isShrunk
    ? [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')]
    : [];
}
