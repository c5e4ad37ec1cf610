import { quote } from '../../api/names.ts';
import { isList, isObject, type Json } from '../patch/json-value.ts';

/**
 * One step of a path in the syntax of `FieldsV1`: `f:spec` is a field, `k:{"name":"web"}` a list item with this key,
 * `v:"a"` a member of a set, and `i:0` an item of another list. Equal steps have equal texts, because
 * {@link keyElement} and {@link canonicalElement} use one form.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/element.go PathElement, serialize-pe.go
 */
export type PathElement = string;

/** The steps from the object to a field. */
export type Path = readonly PathElement[];

/** Returns the step to a field. */
export const fieldElement = (name: string): PathElement => `f:${name}`;

/** Returns the step to the list item with these keys. */
export function keyElement(key: Readonly<Record<string, Json>>): PathElement {
  const fields = Object.keys(key).sort(compareTexts);
  return `k:{${fields.map((name) => `${goJson(name)}:${goJson(key[name] as Json)}`).join(',')}}`;
}

/** Returns the step to the member of a set. */
export const valueElement = (value: Json): PathElement => `v:${goJson(value)}`;

/** Returns the field name of a step; undefined for a step to an item. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/**
 * Returns the canonical form of a step; undefined for a step of an unknown kind.
 *
 * @throws Error when the step is invalid
 */
export function canonicalElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'k': {
      const key = JSON.parse(rest) as Json;
      if (!isObject(key)) throw new Error(`expected an object: ${rest}`);
      return keyElement(key);
    }
    case 'v':
      return valueElement(JSON.parse(rest) as Json);
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new Error(`strconv.Atoi: parsing ${quote(rest)}: invalid syntax`);
      return `i:${Number(rest)}`;
    default:
      return undefined;
  }
}

/** Orders steps: fields, keys, values, indexes; within each by their content. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const byType = TYPES.indexOf(left.charAt(0)) - TYPES.indexOf(right.charAt(0));
  if (byType !== 0) return byType;
  if (left.startsWith('f:')) return compareTexts(left, right);
  return compareValues(keyOrValue(left), keyOrValue(right));
}

const TYPES = 'fkvi';

/** Prints a path as in error messages: `.spec.containers[name="web"].image`. */
export function pathText(path: Path): string {
  return path.map(elementText).join('');
}

/** Prints a step as in error messages. */
export function elementText(element: PathElement): string {
  const name = fieldNameOf(element);
  if (name !== undefined) return `.${name}`;
  const value = keyOrValue(element);
  if (element.startsWith('k:')) {
    const fields = Object.entries(value as Record<string, Json>);
    return `[${fields.map(([field, part]) => `${field}=${valueText(part)}`).join(',')}]`;
  }
  return element.startsWith('v:') ? `[=${valueText(value)}]` : `[${value}]`;
}

function keyOrValue(element: PathElement): Json {
  return JSON.parse(element.slice(2)) as Json;
}

/** Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 value/value.go ToString */
function valueText(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (isList(value)) return `[${value.map(valueText).join(',')}]`;
  if (isObject(value)) {
    return Object.entries(value)
      .map(([key, part]) => `${key}=${valueText(part)}`)
      .join('');
  }
  return String(value);
}

/**
 * Orders values: numbers, strings, booleans, lists, maps, null; within each by their content.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 value/value.go CompareUsing
 */
function compareValues(left: Json, right: Json): number {
  const byRank = rankOf(left) - rankOf(right);
  if (byRank !== 0) return byRank;
  if (typeof left === 'string') return compareTexts(left, right as string);
  if (isList(left)) return compareLists(left, right as readonly Json[]);
  if (isObject(left)) {
    const fields = (map: Readonly<Record<string, Json>>) => Object.entries(map).flat();
    return compareLists(fields(left), fields(right as Readonly<Record<string, Json>>));
  }
  return Number(left) - Number(right);
}

function compareLists(left: readonly Json[], right: readonly Json[]): number {
  for (const [index, item] of left.entries()) {
    if (index >= right.length) return 1;
    const order = compareValues(item, right[index] as Json);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function rankOf(value: Json): number {
  if (isList(value)) return 3;
  if (isObject(value)) return 4;
  return value === null ? 5 : ['number', 'string', 'boolean'].indexOf(typeof value);
}

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Encodes a value like Go's encoder. */
function goJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
