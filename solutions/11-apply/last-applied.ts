import {
  byBytes,
  isList,
  isObject,
  type Json,
  type JsonObject,
  LAST_APPLIED,
  type Manifest,
} from '#given/11-apply';
import type { KubeObject } from '#harness';

export function encodeJson(value: Json): string {
  if (isList(value)) return `[${value.map(encodeJson).join(',')}]`;
  if (!isObject(value)) return escaped(JSON.stringify(value));
  // The fields of a JavaScript object cannot have any order: fields that look like numbers always come first.
  const fields = Object.keys(value)
    .toSorted(byBytes)
    .map((name) => `${escaped(JSON.stringify(name))}:${encodeJson(value[name] as Json)}`);
  return `{${fields.join(',')}}`;
}

function escaped(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function withLastApplied(manifest: Manifest): Manifest {
  const { [LAST_APPLIED]: _, ...others } = (manifest.metadata.annotations ?? {}) as JsonObject;
  const withAnnotations = (annotations: JsonObject): Manifest => ({
    ...manifest,
    metadata: { ...manifest.metadata, annotations },
  });
  return withAnnotations({ ...others, [LAST_APPLIED]: `${encodeJson(withAnnotations(others))}\n` });
}

export function lastAppliedOf({ metadata }: KubeObject): JsonObject | undefined {
  const text = metadata.annotations?.[LAST_APPLIED];
  if (text === undefined) return undefined;
  const configuration: Json = text === '' ? {} : JSON.parse(text);
  if (!isObject(configuration)) throw new Error(`the annotation ${LAST_APPLIED} is not a JSON object`);
  return configuration;
}
