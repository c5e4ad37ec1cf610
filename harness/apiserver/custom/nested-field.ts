import { failure, StatusError } from '../../api/status.ts';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { goFormat } from '../schema/go-format.ts';
import { isInt64 } from './schema-result.ts';

/** The error for a value of the wrong type on the path. */
export class AccessorError extends Error {
  override readonly name = 'AccessorError';
}

/** Returns the Go type of a value. */
function goType(value: Json): string {
  if (isList(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/**
 * Returns the value at a path such as `.spec.replicas`; undefined if there is none.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/unstructured/helpers.go NestedInt64, NestedString
 *
 * @throws AccessorError if the value, or a value on the path, has another type
 */
export function nestedField(object: JsonObject, path: string, type: 'int64'): number | undefined;
export function nestedField(object: JsonObject, path: string, type: 'string'): string | undefined;
export function nestedField(object: JsonObject, path: string, type: 'int64' | 'string'): Json | undefined {
  const names = namesOf(path);
  const refused = (count: number, value: Json, expected: string): AccessorError =>
    new AccessorError(
      `.${names.slice(0, count).join('.')} accessor error: ${goFormat(value)} is of the type ${goType(value)}, expected ${expected}`,
    );
  let value: Json = object;
  for (const [i, name] of names.entries()) {
    if (value === null) return undefined;
    if (!isObject(value)) throw refused(i, value, 'map[string]interface{}');
    if (!Object.hasOwn(value, name) || value[name] === undefined) return undefined;
    value = value[name] as Json;
  }
  if (goType(value) !== type && value !== null) throw refused(names.length, value, type);
  return value === null ? undefined : value;
}

/**
 * Returns the object with the value set at a path.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/unstructured/helpers.go SetNestedField
 *
 * @throws StatusError InternalError if a value on the path is not an object
 */
export function withNestedField(object: JsonObject, path: string, value: Json): JsonObject {
  const names = namesOf(path);
  const set = (part: JsonObject, i: number): JsonObject => {
    const name = names[i] as string;
    if (i === names.length - 1) return { ...part, [name]: value };
    const below = Object.hasOwn(part, name) ? part[name] : {};
    if (!isObject(below)) {
      const message = `value cannot be set because .${names.slice(0, i + 1).join('.')} is not a map[string]interface{}`;
      throw new StatusError(failure('InternalError', message));
    }
    return { ...part, [name]: set(below, i + 1) };
  };
  return set(object, 0);
}

const namesOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');
