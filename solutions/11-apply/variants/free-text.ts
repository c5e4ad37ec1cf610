/** The text of the annotation, for the apply of an own design. */
import { byBytes, type Json, type JsonList, type JsonObject, LAST_APPLIED } from '#given/11-apply';
import type { KubeObject } from '#harness';

export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a manifest with its annotation. */
export function annotated(manifest: JsonObject): JsonObject {
  const metadata = manifest.metadata as JsonObject;
  const { [LAST_APPLIED]: _, ...annotations } = (metadata.annotations ?? {}) as JsonObject;
  const text = `${written({ ...manifest, metadata: { ...metadata, annotations } })}\n`;
  return { ...manifest, metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: text } } };
}

function written(value: Json): string {
  if (Array.isArray(value)) return `[${(value as JsonList).map(written).join()}]`;
  if (isMap(value)) {
    const keys = Object.keys(value).sort(byBytes);
    return `{${keys.map((key) => `${written(key)}:${written(value[key] ?? null)}`).join()}}`;
  }
  const inHex = (character: string): string =>
    `\\u${(0x1_0000 + character.charCodeAt(0)).toString(16).slice(1)}`;
  return JSON.stringify(value).replaceAll(/[\u2028\u2029&<>]/g, inHex);
}

/** Returns the configuration in the annotation. */
export function lastOf({ metadata }: KubeObject): JsonObject {
  const value = JSON.parse(metadata.annotations?.[LAST_APPLIED] || '{}') as Json;
  if (!isMap(value)) throw new Error(`${LAST_APPLIED} is not an object`);
  return value;
}

/** Removes the nulls of a manifest. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as JsonList).map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}
