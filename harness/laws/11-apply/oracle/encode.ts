import { LAST_APPLIED } from '../history.ts';
import type { Json, JsonMap } from '../scenario/fields.ts';

/**
 * Returns the text of the annotation for a manifest, to the byte: Go's encoder sorts keys by their bytes, escapes the
 * characters of HTML and two line separators, and ends with a line break.
 */
export function encode(manifest: JsonMap): string {
  return `${textOf(withoutOwn(manifest))}\n`;
}

/** Returns the manifest with its annotation. */
export function annotate(manifest: JsonMap): JsonMap {
  const bare = withoutOwn(manifest);
  const metadata = bare.metadata as JsonMap;
  const annotations = { ...(metadata.annotations as JsonMap), [LAST_APPLIED]: encode(manifest) };
  return { ...bare, metadata: { ...metadata, annotations } };
}

function withoutOwn(manifest: JsonMap): JsonMap {
  const metadata = (manifest.metadata ?? {}) as JsonMap;
  const { [LAST_APPLIED]: _, ...annotations } = (metadata.annotations ?? {}) as JsonMap;
  return { ...manifest, metadata: { ...metadata, annotations } };
}

const encoder = new TextEncoder();

/** Returns a value as Go's encoder writes it, without the line break at the end. */
export function textOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => [encoder.encode(key), key, inner] as const);
    entries.sort(([a], [b]) => compareBytes(a, b));
    return `{${entries.map(([, key, inner]) => `${stringOf(key)}:${textOf(inner)}`).join(',')}}`;
  }
  return typeof value === 'string' ? stringOf(value) : JSON.stringify(value);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  if (at < 0) return a.length - b.length;
  return at >= b.length ? 1 : (a[at] as number) - (b[at] as number);
}

const stringOf = (text: string): string =>
  JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
