import { isList, isObject, type Json } from '../patch/json-value.ts';
import type { Unmarshalled, UnmarshalOptions } from '../schema/unmarshal.ts';
import type { CustomVersion } from './custom-version.ts';
import { coerced, decodeMetadata } from './embedded-resources.ts';
import { prune, withoutNulls } from './structural-schema.ts';

/**
 * Decodes a custom resource. Only its metadata has types; drops unknown fields and leaves the rest to validation.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go schemaCoercingDecoder.Decode
 *
 * @throws UnmarshalError when its metadata, or the metadata of an embedded object, does not fit its types
 */
export function decodeCustom(
  { schema }: CustomVersion,
  value: object,
  options: UnmarshalOptions,
): Unmarshalled {
  const { value: known, unknownFields } = prune(schema, copyOf(value as Json), true);
  const { metadata: sent } = value as { readonly metadata?: object | null };
  const metadata = decodeMetadata(sent ?? {}, options);
  const embedded = coerced(schema, withoutNulls(schema, known), { ...options, isTrusted: undefined });
  return {
    object: { ...(embedded.value as object), metadata: metadata.object },
    unknownFields: [
      ...metadata.unknownFields.map((field) => `metadata.${field}`),
      ...unknownFields,
      ...embedded.unknownFields,
    ],
  };
}

/**
 * Copies a value, so that it shares nothing with the client's value. Replaces -0 by 0, because Go's integers have no
 * -0.
 */
function copyOf(value: Json): Json {
  if (isList(value)) return value.map(copyOf);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
  return value === 0 ? 0 : value;
}
