import { isConfigMapKey } from '../../api/names.ts';
import type { ConfigMap } from '../../api/objects.ts';
import { configMaps } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { invalid, invalidEach, tooLong } from '../validation/field-error.ts';
import { DATA_BYTES_MAX, validateImmutableData } from './immutable-data.ts';

/**
 * The kind ConfigMap.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/configmap/strategy.go,
 * pkg/apis/core/validation/validation.go ValidateConfigMap
 */
export const configMap = declareKind<ConfigMap>({
  resource: configMaps,
  createRules: [validateData],
  // Upstream: ValidateConfigMapUpdate
  updateRules: (object, old) => [
    ...validateImmutableData(object, old, ['data', 'binaryData']),
    ...validateData(object),
  ],
});

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
  // Upstream's spelling for the path of the whole object.
  if (totalBytes(data, binaryData) > DATA_BYTES_MAX) causes.push(tooLong('[]', DATA_BYTES_MAX));
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
