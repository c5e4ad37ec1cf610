import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../validation/field-error.ts';
import { quantityOf, type ResourceList } from './pod/quantities.ts';

/** Fields that a volume and a claim share. */
interface VolumeModes {
  readonly accessModes?: readonly string[];
  readonly volumeMode?: string;
  readonly storageClassName?: string;
}

/**
 * Validates the access modes and the volume mode of a PersistentVolume or a claim.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePersistentVolumeSpec,
 * ValidatePersistentVolumeClaimSpec
 *
 * @param detail the message for missing access modes
 */
export function validateVolumeModes(spec: VolumeModes, detail = ''): Cause[] {
  const { accessModes = [], volumeMode, storageClassName } = spec;
  const path = 'spec.accessModes';
  const causes = accessModes.length === 0 ? [required(path, detail)] : [];
  for (const mode of accessModes) {
    if (!ACCESS_MODES.includes(mode)) causes.push(notSupported(path, mode, ACCESS_MODES));
  }
  const isAlone = accessModes.every((mode) => mode === ONCE_POD || !ACCESS_MODES.includes(mode));
  if (accessModes.includes(ONCE_POD) && !isAlone) {
    causes.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  if (storageClassName) {
    causes.push(
      ...invalidEach('spec.storageClassName', storageClassName, isDNS1123Subdomain(storageClassName)),
    );
  }
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode)) {
    causes.push(notSupported('spec.volumeMode', volumeMode, VOLUME_MODES));
  }
  return causes;
}

const ONCE_POD = 'ReadWriteOncePod';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', ONCE_POD];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** Requires a positive amount of storage. Upstream: ValidatePositiveQuantityValue */
export function validatePositive(text: unknown, path: string): Cause[] {
  const quantity = quantityOf(text);
  if (!quantity || quantity.sign() > 0) return [];
  return [invalid(path, quantity.toString(), 'must be greater than zero')];
}

/** Rejects negative amounts. Upstream: validateBasicResource */
export function validateCapacity(capacity: ResourceList, path: string): Cause[] {
  return Object.entries(capacity).flatMap(([name, text]) => {
    const quantity = quantityOf(text);
    if (!quantity || quantity.sign() >= 0) return [];
    return [invalid(`${path}[${name}]`, Number(quantity.toString()), 'must be a valid resource quantity')];
  });
}
