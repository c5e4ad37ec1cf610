import { isDNS1123Subdomain } from '../../api/names.ts';
import type { PersistentVolume } from '../../api/objects.ts';
import { persistentVolumes } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../validation/field-error.ts';
import { validateImmutableField } from '../validation/object-meta.ts';
import { differences } from './pod/differences.ts';
import { validatePathNoBacksteps } from './pod/paths.ts';
import { canonicalResourceList } from './pod/quantities.ts';
import { validateCapacity, validatePositive, validateVolumeModes } from './volume-modes.ts';

/**
 * The kind PersistentVolume.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/persistentvolume/strategy.go,
 * pkg/apis/core/validation/validation.go ValidatePersistentVolumeSpec
 *
 * Differs: only the sources csi, hostPath and local are validated, and the node affinity is not.
 */
export const persistentVolume = declareKind<PersistentVolume>({
  resource: persistentVolumes,
  returnsDeletedObject: true,
  // Upstream offers `name` by mistake, and clients use it.
  selectable: { name: ({ metadata }) => metadata.name },
  revalidates: 'after metadata',

  setDefaults(object) {
    const specified = withChanged(object, 'spec', (spec) =>
      withChanged(
        withDefaults(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
        'capacity',
        canonicalResourceList,
      ),
    );
    return withChanged(specified, 'status', (status) => withDefaults(status, { phase: 'Pending' }));
  },
  newStatus({ metadata, status }) {
    const pending = { phase: 'Pending', lastPhaseTransitionTime: metadata.creationTimestamp };
    return semanticEqual(status, pending) ? status : pending;
  },

  setTimes: (object, old, now) =>
    withChanged(object, 'status', (status) => withPhaseTime(status, old.status, now)),

  rules: [validateSpec],
  updateRules: (object, old) => [
    ...validateSourceUpdate(object, old),
    // Upstream omits `spec` from the path.
    ...validateImmutableField(object.spec.volumeMode, old.spec.volumeMode, 'volumeMode'),
    ...validatePlaceUpdate(object, old),
  ],
});

/** Notes when the phase changed, unless the client has sent another time. */
function withPhaseTime(
  status: PersistentVolume['status'],
  { phase, lastPhaseTransitionTime: before }: PersistentVolume['status'],
  now: string,
): PersistentVolume['status'] {
  const { lastPhaseTransitionTime: sent } = status;
  const isOwn = sent !== undefined && sent !== before;
  if (isOwn || (status.phase === phase && sent === before)) return status;
  const time = status.phase === phase ? before : now;
  return time === undefined ? status : { ...status, lastPhaseTransitionTime: time };
}

function validateSpec({ spec }: PersistentVolume): Cause[] {
  const { capacity = {}, persistentVolumeReclaimPolicy: policy } = spec;
  const causes = validateVolumeModes(spec);
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

/** Fields of a spec that are not a volume source; every other field is one. */
const NO_SOURCES: ReadonlySet<string> = new Set([
  ...['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName'],
  ...['mountOptions', 'volumeMode', 'nodeAffinity', 'volumeAttributesClassName'],
]);

function sourcesOf(spec: Spec): readonly string[] {
  return Object.keys(spec).filter((key) => !NO_SOURCES.has(key) && spec[key as keyof Spec]);
}

/** The node affinity can be set once; an attributes class can be replaced but not removed. */
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

/** Rejects a changed volume source. Upstream: ValidatePersistentVolumeUpdate */
function validateSourceUpdate({ spec }: PersistentVolume, { spec: old }: PersistentVolume): Cause[] {
  const [now, before] = [spec, old].map((each) =>
    Object.fromEntries(sourcesOf(each).map((key) => [key, each[key as keyof Spec]])),
  );
  if (semanticEqual(now, before)) return [];
  const detail = `spec.persistentvolumesource is immutable after creation\n${differences(before, now)}`;
  return [forbidden('spec.persistentvolumesource', detail)];
}
