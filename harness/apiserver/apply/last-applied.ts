import { deepEqual } from '../../api/freeze.ts';
import { getOwn } from '../../api/own.ts';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet } from './field-set.ts';
import type { MergeSchema } from './merge-schema.ts';
import { fieldsOf } from './to-field-set.ts';
import { mustBeTyped } from './validate.ts';

/** The annotation in which client-side apply stores its last configuration. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go TotalAnnotationSizeLimitB */
const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/**
 * Returns the unchanged fields of a client-side apply, which kubectl can take over without a conflict. Undefined if the
 * object has no usable annotation.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/lastappliedmanager.go
 * lastAppliedManager.allowedConflictsFromLastApplied
 */
export function fieldsLastApplied(
  schema: MergeSchema,
  apiVersion: string,
  live: JsonObject,
): FieldSet | undefined {
  const text = getOwn(annotationsOf(live), LAST_APPLIED);
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const config = JSON.parse(text) as Json;
    if (!isObject(config) || config.apiVersion !== apiVersion) return undefined;
    mustBeTyped(schema, live);
    mustBeTyped(schema, config);
    const { modified, added, removed } = compare(schema, config, live);
    return [modified, added, removed].reduce(difference, fieldsOf(schema, config));
  } catch {
    // An annotation without an object of this kind has no effect.
    return undefined;
  }
}

/**
 * Returns the object with an updated annotation, if it has one.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/lastappliedupdater.go lastAppliedUpdater.Apply
 */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  if (!getOwn(annotations, LAST_APPLIED)) return object;
  const { [LAST_APPLIED]: former, ...others } = annotations;
  const told = { ...others, [LAST_APPLIED]: lastAppliedOf(config) };
  const next = bytesOf(told) > ANNOTATIONS_BYTES_MAX ? others : told;
  if (deepEqual(next, annotations)) return object;
  return { ...object, metadata: { ...(object.metadata as JsonObject), annotations: next } };
}

function lastAppliedOf(config: JsonObject): string {
  const { metadata } = config;
  if (!isObject(metadata) || !isObject(metadata.annotations)) return goJsonLine(config);
  const { [LAST_APPLIED]: former, ...annotations } = metadata.annotations;
  return goJsonLine({ ...config, metadata: { ...metadata, annotations } });
}

function annotationsOf({ metadata }: JsonObject): JsonObject {
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  return isObject(annotations) ? annotations : {};
}

function bytesOf(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
}

/** Encodes a value like Go's encoder: with sorted keys and a trailing newline. */
const goJsonLine = (value: Json): string =>
  `${JSON.stringify(withSortedKeys(value)).replace(HTML, asEscape)}\n`;

const HTML = /[<>&\u2028\u2029]/g;
const asEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

function withSortedKeys(value: Json): Json {
  if (isList(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, withSortedKeys(part)]));
}
