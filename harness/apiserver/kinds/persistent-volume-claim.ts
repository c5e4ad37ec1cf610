import { isDNS1123Subdomain } from '../../api/names.ts';
import type { PersistentVolumeClaim } from '../../api/objects.ts';
import { persistentVolumeClaims } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { forbidden, required } from '../validation/field-error.ts';
import {
  validateImmutableField,
  validateLabelSelector,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { differences } from './pod/differences.ts';
import { canonicalResourceList, quantityOf } from './pod/quantities.ts';
import { withOld } from './pod/update.ts';
import { validateCapacity, validatePositive, validateVolumeModes } from './volume-modes.ts';
import { withField } from './with-field.ts';

/**
 * The kind PersistentVolumeClaim. Once made it stays as it is, but that it is given its volume, once, and that a bound claim may
 * ask for more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/persistentvolumeclaim/strategy.go,
 * pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimSpec
 *
 * Differs: data sources are kept and not looked into, nor is what a status says of resizing. The beta annotation for the storage
 * class is an annotation like others.
 */
export const persistentVolumeClaim: Kind<PersistentVolumeClaim> = {
  resource: persistentVolumeClaims,
  returnsDeletedObject: true,
  validateName: isDNS1123Subdomain,
  // That `name` can be selected is a slip of upstream's that clients have come to use.
  selectableFields: ({ metadata }) => ({ name: metadata.name }),
  selectableFieldNames: ['name'],

  setDefaults(object) {
    const complete = withDefaults(object, { spec: {}, status: { phase: 'Pending' } });
    const specified = withChanged(complete, 'spec', (spec) =>
      withChanged(withDefaults(spec, { volumeMode: 'Filesystem' }), 'resources', (resources) =>
        withChanged(
          withChanged(resources, 'requests', canonicalResourceList),
          'limits',
          canonicalResourceList,
        ),
      ),
    );
    return withChanged(specified, 'status', (status) =>
      withChanged(withDefaults(status, { phase: 'Pending' }), 'capacity', canonicalResourceList),
    );
  },

  prepareForCreate: (object) =>
    semanticEqual(object.status, PENDING) ? object : { ...object, status: PENDING },

  validate: validateAll,
  prepareForUpdate: (object, old) => withField(object, 'status', old.status),

  validateUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateAll(object),
      ...validateSpecUpdate(object, old),
      ...validateShrinking(object, old),
      ...validateAttributesClass(object, old),
      // Without `spec` in its path: upstream's slip.
      ...validateImmutableField(object.spec.volumeMode, old.spec.volumeMode, 'volumeMode'),
    ];
  },

  prepareForStatusUpdate: (object, old) => withField(object, 'spec', old.spec),

  validateStatusUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateCapacity(object.status.capacity ?? {}, 'status.capacity'),
    ];
  },
};

const PENDING = Object.freeze({ phase: 'Pending' });

function validateAll({ metadata, spec }: PersistentVolumeClaim): Cause[] {
  const storage = spec.resources?.requests?.storage;
  return [
    ...validateObjectMeta(metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
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
  // Each of these may be filled in once.
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

/** Once a claim has a class of attributes, it may have another, and not none. */
function validateAttributesClass({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): Cause[] {
  const { volumeAttributesClassName: name } = spec;
  if (name || name === old.spec.volumeAttributesClassName) return [];
  if (old.status.currentVolumeAttributesClassName === undefined) return [];
  const to = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbidden('spec.volumeAttributesClassName', detail)];
}

/** What was asked for and cannot be given may be asked for again, smaller; what the volume has already it keeps. */
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
