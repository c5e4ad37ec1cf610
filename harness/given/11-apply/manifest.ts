import { isObject, type Json } from '../../apiserver/patch/json-value.ts';
import type { Manifest } from './manifest-type.ts';
import { failures } from './words.ts';

/**
 * Returns the object of a document, if kubectl can apply it.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/mapper.go infoForData, metadata_decoder.go
 * metadataValidatingDecoder.Decode
 *
 * @param source the file, as in messages
 * @throws Error if it has no kind, apiVersion or name, or if its metadata is malformed
 */
export function manifestOf(value: unknown, source: string): Manifest {
  const object = value as Json;
  if (!isObject(object) || !isText(object.kind)) throw failures.kindMissing(source, object);
  if (!isText(object.apiVersion)) throw failures.apiVersionMissing(source);
  const { metadata } = object;
  if (!isObject(metadata)) throw failures.badMetadata(source, 'metadata', metadata);
  for (const field of ['name', 'namespace', 'generateName']) {
    const text = metadata[field];
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw failures.badMetadata(source, `metadata.${field}`, text);
  }
  for (const field of ['annotations', 'labels']) {
    const map = metadata[field] ?? {};
    if (!isObject(map)) throw failures.badMetadata(source, `metadata.${field}`, map);
    const wrong = Object.values(map).find((text) => text !== null && typeof text !== 'string');
    if (wrong !== undefined) throw failures.badMetadata(source, `metadata.${field}`, wrong);
  }
  if (!isText(metadata.name)) {
    throw isText(metadata.generateName)
      ? failures.generateName(metadata.generateName)
      : failures.nameMissing(source);
  }
  return object as Manifest;
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
