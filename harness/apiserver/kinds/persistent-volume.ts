import { isDNS1123Subdomain } from '../../api/names.ts';
import type { PersistentVolume } from '../../api/objects.ts';
import { persistentVolumes } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../validation/field-error.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { differences } from './pod/differences.ts';
import { validatePathNoBacksteps } from './pod/paths.ts';
import { canonicalResourceList } from './pod/quantities.ts';
import { validateCapacity, validatePositive, validateVolumeModes } from './volume-modes.ts';
import { withField } from './with-field.ts';

/**
 * The kind PersistentVolume.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/persistentvolume/strategy.go,
 * pkg/apis/core/validation/validation.go ValidatePersistentVolumeSpec
 *
 * Differs: of the sources only csi, hostPath and local are looked into; the node affinity is not. The time of the last phase is
 * that of the creation, until a client writes another.
 */
export const persistentVolume: Kind<PersistentVolume> = {
  resource: persistentVolumes,
  returnsDeletedObject: true,
  validateName: isDNS1123Subdomain,
  // That `name` can be selected is a slip of upstream's that clients have come to use.
  selectableFields: ({ metadata }) => ({ name: metadata.name }),
  selectableFieldNames: ['name'],

  setDefaults(object) {
    const complete = withDefaults(object, { spec: {}, status: { phase: 'Pending' } });
    const specified = withChanged(complete, 'spec', (spec) =>
      withChanged(
        withDefaults(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
        'capacity',
        canonicalResourceList,
      ),
    );
    return withChanged(specified, 'status', (status) => withDefaults(status, { phase: 'Pending' }));
  },

  prepareForCreate(object) {
    const { creationTimestamp } = object.metadata;
    const status = { phase: 'Pending', lastPhaseTransitionTime: creationTimestamp };
    return semanticEqual(object.status, status) ? object : { ...object, status };
  },

  validate: validateAll,
  prepareForUpdate: (object, old) => withField(object, 'status', old.status),

  validateUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateAll(object),
      ...validateSourceUpdate(object, old),
      // Without `spec` in its path: upstream's slip.
      ...validateImmutableField(object.spec.volumeMode, old.spec.volumeMode, 'volumeMode'),
      ...validatePlaceUpdate(object, old),
    ];
  },

  prepareForStatusUpdate: (object, old) => withField(object, 'spec', old.spec),
  validateStatusUpdate: (object, old) => validateObjectMetaUpdate(object.metadata, old.metadata),
};

function validateAll({ metadata, spec }: PersistentVolume): Cause[] {
  const { capacity = {}, persistentVolumeReclaimPolicy: policy } = spec;
  const causes = [
    ...validateObjectMeta(metadata, { namespaced: false, validateName: isDNS1123Subdomain }),
    ...validateVolumeModes(spec),
  ];
  const names = Object.keys(capacity);
  if (names.length === 0) causes.push(required('spec.capacity'));
  if (names.length !== 1 || names[0] !== 'storage') {
    causes.push(notSupported('spec.capacity', capacity, ['storage']));
  }
  causes.push(...validateCapacity(capacity, 'spec.capacity'));
  for (const name of names) causes.push(...validatePositive(capacity[name], `spec.capacity[${name}]`));
  if (policy && !RECLAIM_POLICIES.includes(policy)) {
    causes.push(notSupported('spec.persistentVolumeReclaimPolicy', policy, RECLAIM_POLICIES));
  }
  return [...causes, ...validateSource(spec)];
}

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

type Spec = PersistentVolume['spec'];

function validateSource(spec: Spec): Cause[] {
  const [first, ...others] = sourcesOf(spec);
  if (first === undefined) return [required('spec', 'must specify a volume type')];
  const causes = others.map((key) => forbidden(`spec.${key}`, 'may not specify more than 1 volume type'));
  const { csi, hostPath, local } = spec;
  if (first === 'csi' && csi) {
    const { driver, volumeHandle } = csi;
    if (!driver) causes.push(required('spec.csi.driver'));
    else causes.push(...invalidEach('spec.csi.driver', driver, isDNS1123Subdomain(driver.toLowerCase())));
    if (!volumeHandle) causes.push(required('spec.csi.volumeHandle'));
  }
  for (const [key, source] of Object.entries({ hostPath, local })) {
    if (first !== key || !source) continue;
    if (!source.path) causes.push(required(`spec.${key}.path`));
    else causes.push(...validatePathNoBacksteps(source.path, `spec.${key}.path`));
  }
  if (first === 'local' && !spec.nodeAffinity) {
    causes.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  return causes;
}

/** Everything in a spec that is not one of these is where its data is. */
const NO_SOURCES: ReadonlySet<string> = new Set([
  ...['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName'],
  ...['mountOptions', 'volumeMode', 'nodeAffinity', 'volumeAttributesClassName'],
]);

function sourcesOf(spec: Spec): readonly string[] {
  return Object.keys(spec).filter((key) => !NO_SOURCES.has(key) && spec[key as keyof Spec]);
}

/** From where it can be reached may be said once; and a class of attributes, once it has one, it keeps having. */
function validatePlaceUpdate({ spec }: PersistentVolume, { spec: old }: PersistentVolume): Cause[] {
  const causes: Cause[] = [];
  if (old.nodeAffinity && !semanticEqual(spec.nodeAffinity, old.nodeAffinity)) {
    const detail = 'field is immutable, except for updating from beta label to GA';
    causes.push(invalid('nodeAffinity', spec.nodeAffinity ?? null, detail));
  }
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    causes.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'));
  }
  return causes;
}

/** Where the data is stays as it is. Upstream: ValidatePersistentVolumeUpdate */
function validateSourceUpdate({ spec }: PersistentVolume, { spec: old }: PersistentVolume): Cause[] {
  const [now, before] = [spec, old].map((each) =>
    Object.fromEntries(sourcesOf(each).map((key) => [key, each[key as keyof Spec]])),
  );
  if (semanticEqual(now, before)) return [];
  const detail = `spec.persistentvolumesource is immutable after creation\n${differences(before, now)}`;
  return [forbidden('spec.persistentvolumesource', detail)];
}
