import type { Chance } from './chance.ts';

/** A JSON object that can be changed. */
export interface JsonObject {
  [field: string]: unknown;
}

/** Changes a value in some places: removes, replaces, adds, doubles or swaps parts. Changes the value itself. */
export function mutate(chance: Chance, value: JsonObject): JsonObject {
  const changes = chance.oneIn(2) ? 1 : 1 + chance.int(4);
  for (let i = 0; i < changes; i++) change(chance, value);
  return value;
}

/** The place of a part in a value: its container, and its key there. */
interface Place {
  readonly container: JsonObject | unknown[];
  readonly key: string | number;
}

/** Returns every place in a value, outermost first. */
export function placesIn(value: unknown): readonly Place[] {
  const places: Place[] = [];
  const containers = [value].filter(isContainer);
  for (const container of containers) {
    for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
      places.push({ container, key });
      const part = (container as JsonObject)[key];
      if (isContainer(part)) containers.push(part);
    }
  }
  return places;
}

function isContainer(value: unknown): value is JsonObject | unknown[] {
  return typeof value === 'object' && value !== null;
}

function change(chance: Chance, value: JsonObject): void {
  const places = placesIn(value);
  if (places.length === 0) {
    value[chance.one(KEYS)] = hostile(chance);
    return;
  }
  const { container, key } = chance.one(places);
  const at = container as JsonObject;
  switch (chance.int(8)) {
    case 0:
      if (Array.isArray(container)) container.splice(key as number, 1);
      else delete container[key];
      return;
    case 1:
      if (!Array.isArray(container)) put(at, chance.one(KEYS), hostile(chance));
      return;
    case 2: {
      // A part from elsewhere: a valid value in the wrong place.
      const other = chance.one(places);
      put(at, key, structuredClone((other.container as JsonObject)[other.key]));
      return;
    }
    case 3:
      if (Array.isArray(at[key]) && at[key].length > 0) at[key].push(structuredClone(at[key][0]));
      else put(at, key, [at[key]]);
      return;
    case 4:
      if (typeof at[key] === 'number') put(at, key, chance.one(NUMBERS));
      else if (typeof at[key] === 'string') put(at, key, chance.one(TEXTS));
      else put(at, key, null);
      return;
    default:
      put(at, key, hostile(chance));
  }
}

/** An assignment to `__proto__` would set the prototype. */
function put(container: JsonObject, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Generates a hostile value of any type. */
export function hostile(chance: Chance): unknown {
  switch (chance.int(10)) {
    case 0:
    case 1:
      return null;
    case 2:
      return chance.one(NUMBERS);
    case 3:
    case 4:
      return chance.one(TEXTS);
    case 5:
      return chance.one([true, false]);
    case 6:
      return chance.one([[], [null], [[]], [{}], ['a', 'a'], [1, 'a', null]]).slice();
    case 7:
      return nested(chance, 1 + chance.int(chance.oneIn(20) ? 1_200 : 6));
    default: {
      const object: JsonObject = {};
      for (let i = chance.int(3); i >= 0; i--) put(object, chance.one(KEYS), chance.one([null, 'x', 1, {}]));
      return object;
    }
  }
}

function nested(chance: Chance, depth: number): unknown {
  const key = chance.one(KEYS);
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = chance.oneIn(2) ? [value] : { [key]: value };
  return value;
}

/** Numbers at the limits of types. */
export const NUMBERS = [
  0,
  -0,
  1,
  -1,
  1.5,
  127,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32 + 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e300,
  5e-324,
];

/** Strings at the limits of formats. */
export const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'a',
  'A_b',
  'a b',
  '../..',
  '.',
  '%2e%2e',
  '__proto__',
  'constructor',
  'größe',
  '名前',
  '🙂',
  '\ud800',
  '\0',
  'a\nb',
  '"\\',
  'x'.repeat(64),
  'x'.repeat(254),
  'a.'.repeat(130),
  '1Gi',
  '1e400',
  '-5m',
  '0.0000000000000001',
  '99999999999999999999999999',
  '50%',
  '2026-01-02T03:04:05Z',
  '2026-13-45T99:99:99Z',
  '9999-12-31T23:59:59+24:60',
  '255.255.255.255',
  '::1',
  'http',
  'Always',
  'v1',
  'apps/v1',
  'Pod',
  'default',
];

/** Field names: of metadata, patches and prototypes. */
export const KEYS = [
  'metadata',
  'spec',
  'status',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generateName',
  'labels',
  'finalizers',
  'deletionTimestamp',
  'managedFields',
  'kind',
  'apiVersion',
  'items',
  '__proto__',
  'constructor',
  'toString',
  '$patch',
  '',
  'größe',
  '\ud800',
  'a.b/c',
];
