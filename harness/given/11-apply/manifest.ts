import { isObject, type Json } from '../../apiserver/patch/json-value.ts';
import type { Manifest } from './manifest-type.ts';
import { failures } from './words.ts';

/**
 * Returns the object of a document, if kubectl can read it. An annotation that is null becomes an empty text.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/validation/schema.go getObjectKind; kubernetes/cli-runtime@v0.36.3
 * pkg/resource/metadata_decoder.go metadataValidatingDecoder.Decode
 *
 * @param source the file, as in messages
 * @throws Error if it has no kind or apiVersion, or if its metadata is malformed
 */
export function manifestOf(value: unknown, source: string): Manifest {
  const object = value as Json;
  if (!isObject(object)) throw failures.badMetadata(source, '', object);
  const unset = ['apiVersion', 'kind'].filter((field) => !isText(object[field]));
  if (unset.length > 0)
    throw failures.invalid(
      source,
      unset.map((field) => `${field} not set`),
    );
  const { metadata = null } = object;
  if (!isObject(metadata)) throw failures.badMetadata(source, 'metadata', metadata);
  for (const field of ['name', 'namespace', 'generateName']) {
    const text = metadata[field] ?? '';
    if (typeof text !== 'string') throw failures.badMetadata(source, `metadata.${field}`, text);
  }
  for (const field of ['annotations', 'labels']) {
    const map = metadata[field] ?? {};
    if (!isObject(map)) throw failures.badMetadata(source, `metadata.${field}`, map);
    const wrong = Object.values(map).find((text) => text !== null && typeof text !== 'string');
    if (wrong !== undefined) throw failures.badMetadata(source, `metadata.${field}`, wrong);
  }
  const { annotations } = metadata;
  const texts =
    isObject(annotations) && Object.entries(annotations).map(([name, text]) => [name, text ?? '']);
  return {
    ...object,
    metadata: { ...metadata, ...(texts && { annotations: Object.fromEntries(texts) }) },
  } as unknown as Manifest;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** Compares two texts by their bytes in UTF-8, as Go does. */
export function byBytes(left: string, right: string): number {
  const [a, b] = [Array.from(left, codePoint), Array.from(right, codePoint)];
  const different = a.findIndex((code, index) => code !== b[index]);
  if (different < 0) return a.length - b.length;
  return (a[different] ?? 0) - (b[different] ?? -1);
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
