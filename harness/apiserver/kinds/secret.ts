import { isConfigMapKey } from '../../api/names.ts';
import type { Secret } from '../../api/objects.ts';
import { secrets } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { LEGACY } from '../../contracts/service-accounts.ts';
import { withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { jsonErrorMessage } from '../handler/json-error.ts';
import { invalid, invalidEach, required, tooLong } from '../validation/field-error.ts';
import { validateImmutableField } from '../validation/object-meta.ts';
import { DATA_BYTES_MAX, validateImmutableData } from './immutable-data.ts';

/**
 * The kind Secret. Its `data` is bytes in base64. `stringData` is write-only: the server converts it to data.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/secret/strategy.go,
 * pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret, pkg/apis/core/validation/validation.go ValidateSecret
 *
 * Differs: there is no warning if a TLS key does not match its certificate.
 */
export const secret = declareKind<Secret>({
  resource: secrets,
  selectable: { type: ({ type = '' }) => type },
  setDefaults: (object) => withDefaults(withoutStringData(object), { type: 'Opaque' }),
  createRules: [validateData, validateType],
  // Upstream: ValidateSecretUpdate
  updateRules: (object, old) => [
    ...validateImmutableField(object.type, old.type, 'type'),
    ...validateImmutableData(object, old, ['data']),
    ...validateData(object),
    ...validateType(object),
  ],
});

/** Moves `stringData` to `data`, where it replaces keys of the same name. */
function withoutStringData(object: Secret): Secret {
  if (object.stringData === undefined) return object;
  const { stringData, ...rest } = object;
  const entries = Object.entries(stringData);
  if (entries.length === 0) return rest;
  const written = entries.map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { ...rest, data: { ...rest.data, ...Object.fromEntries(written) } };
}

function validateData({ data = {} }: Secret): Cause[] {
  const causes: Cause[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    causes.push(...invalidEach(`data[${key}]`, key, isConfigMapKey(key)));
    bytes += Buffer.byteLength(value ?? '', 'base64');
  }
  if (bytes > DATA_BYTES_MAX) causes.push(tooLong('data', DATA_BYTES_MAX));
  return causes;
}

/** Validates the keys that each type requires; an unknown type requires none. */
function validateType({ type, data = {}, metadata }: Secret): Cause[] {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  const missing = (...keys: readonly string[]): Cause[] =>
    keys.filter((key) => !has(key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case LEGACY.type:
      return metadata.annotations?.[LEGACY.account]
        ? []
        : [required(`metadata.annotations[${LEGACY.account}]`)];
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      // One of the two is enough, and may be empty.
      return has('username') || has('password') ? [] : missing('username', 'password');
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

/** Validates a field that holds a JSON object. The error explains the problem but does not show the contents. */
function validateJson(data: Readonly<Record<string, string>>, key: string): Cause[] {
  const path = `data[${key}]`;
  if (!Object.hasOwn(data, key)) return [required(path)];
  const why = objectError(Buffer.from(data[key] ?? '', 'base64').toString());
  return why === undefined ? [] : [invalid(path, '<secret contents redacted>', why)];
}

/** Returns why a text is not a JSON object, in Go's words. */
function objectError(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return jsonErrorMessage(text, error);
  }
  if (typeof value === 'object' && !Array.isArray(value)) return undefined;
  const found = typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : typeof value;
  return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
}
