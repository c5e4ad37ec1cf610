import { isConfigMapKey, isDNS1123Subdomain } from '../../api/names.ts';
import type { ConfigMap } from '../../api/objects.ts';
import { configMaps } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import type { Kind } from '../kind.ts';
import { forbidden, invalid, invalidEach, tooLong } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { IMMUTABLE, sameEntries } from './immutable-data.ts';

/**
 * The kind ConfigMap.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/configmap/strategy.go,
 * pkg/apis/core/validation/validation.go ValidateConfigMap
 */
export const configMap: Kind<ConfigMap> = {
  resource: configMaps,
  validateName: isDNS1123Subdomain,
  selectableFields: () => ({}),
  selectableFieldNames: [],

  setDefaults: (object) => object,
  prepareForCreate: (object) => object,
  prepareForUpdate: (object) => object,

  validate(object) {
    return [
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
      ...validateData(object),
    ];
  },

  validateUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateImmutable(object, old),
      ...validateData(object),
    ];
  },
};

/** A ConfigMap is held in memory by every kubelet that mounts it. Upstream: MaxSecretSize */
const BYTES_MAX = 1024 * 1024;

function validateData({ data = {}, binaryData = {} }: ConfigMap): Cause[] {
  const causes: Cause[] = [];
  for (const key of Object.keys(data)) {
    causes.push(...invalidEach(`data[${key}]`, key, isConfigMapKey(key)));
    if (Object.hasOwn(binaryData, key)) {
      causes.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
  }
  for (const key of Object.keys(binaryData)) {
    causes.push(...invalidEach(`binaryData[${key}]`, key, isConfigMapKey(key)));
  }
  // Upstream's spelling of the path to the whole object.
  if (totalBytes(data, binaryData) > BYTES_MAX) causes.push(tooLong('[]', BYTES_MAX));
  return causes;
}

function totalBytes(
  data: Readonly<Record<string, string>>,
  binaryData: Readonly<Record<string, string | null>>,
): number {
  let bytes = 0;
  for (const value of Object.values(data)) bytes += Buffer.byteLength(value);
  for (const value of Object.values(binaryData)) bytes += Buffer.byteLength(value ?? '', 'base64');
  return bytes;
}

/**
 * `immutable: true` cannot be taken back: kubelets stop watching such a ConfigMap, and would never hear of it.
 *
 * Upstream: ValidateConfigMapUpdate
 */
function validateImmutable(object: ConfigMap, old: ConfigMap): Cause[] {
  if (!old.immutable) return [];
  const causes: Cause[] = [];
  if (!object.immutable) causes.push(forbidden('immutable', IMMUTABLE));
  for (const field of ['data', 'binaryData'] as const) {
    if (!sameEntries(object[field], old[field])) causes.push(forbidden(field, IMMUTABLE));
  }
  return causes;
}
