/** JSON of objects. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

/** A step of a path: a key of a map; the item of a list with these values; or an item of a list of scalars. */
export type PathStep = string | { readonly item: Readonly<Record<string, string | number>> | string };

export type Values = readonly unknown[];

/**
 * A field that scenarios write.
 *
 * - `manifests`: manifests and other clients write it
 * - `others`: only other clients write it
 * - `optional`: as `manifests`, in scenarios of the optional levels
 * - `switches`: as `manifests`, in scenarios that change it only by applies: drift of it needs an optional level
 * - `twins`: two items of a list with one merge key
 * - `creates`: only new objects have it: whether a patch keeps its nulls depends on the server
 * - `guards`: parts of the metadata that bind a manifest to one state of the object
 */
export interface Field {
  readonly path: readonly PathStep[];
  readonly values: Values;
  readonly by: Writers;
}

export type Writers = 'manifests' | 'others' | 'optional' | 'switches' | 'twins' | 'guards' | 'creates';

/** Returns a field at a path of keys. */
export const at = (path: readonly PathStep[], values: Values, by: Writers = 'manifests'): Field => ({
  path,
  values,
  by,
});

/** Returns an item of a list; each value is the item without its key. */
export const inItem = (
  list: readonly PathStep[],
  item: Readonly<Record<string, string | number>>,
  values: Values,
  by: Writers = 'manifests',
): Field => ({
  path: [...list, { item }],
  values: values.map((value) => ({ ...item, ...(value as object) })),
  by,
});

const finalizer = (name: string, by?: Writers): Field =>
  at(['metadata', 'finalizers', { item: name }], [name], by);

const annotation = (name: string, values: Values, by?: Writers): Field =>
  at(['metadata', 'annotations', name], values, by);

/** Fields of the metadata of every kind. */
export const METADATA: Readonly<Record<string, Field>> = {
  'label track': at(['metadata', 'labels', 'track'], ['stable', 'canary']),
  'label set': at(['metadata', 'labels', 'set'], ['one', 'two']),
  note: annotation('example.com/note', ['plain', '<b>&"\u2028', 'Zürich \u{1f600}', '']),
  'old configuration': annotation('kubectl.kubernetes.io/last-applied-configuration', ['{"kind":"Old"}\n']),
  'foreign label': at(['metadata', 'labels', 'added'], ['yes', 'still'], 'others'),
  'foreign note': annotation('example.com/added', ['yes', 'still'], 'others'),
  'foreign finalizer': finalizer('example.com/foreign', 'others'),
  'finalizer a': finalizer('example.com/a'),
  'finalizer b': finalizer('example.com/b'),
  'stale version': at(['metadata', 'resourceVersion'], ['1'], 'guards'),
  'other uid': at(['metadata', 'uid'], ['2b5d1c57-0000-4000-8000-000000000000'], 'guards'),
};

/** Returns whether a step names the item. */
export function isItem(step: PathStep, item: Json): boolean {
  if (typeof step === 'string') return false;
  const wanted = step.item;
  if (typeof wanted === 'string') return item === wanted;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  // TCP is the default protocol.
  const found: JsonMap = { protocol: 'TCP', ...item };
  return Object.entries(wanted).every(([key, value]) => found[key] === value);
}

/** Sets a field in an object; undefined removes it. Changes the object. */
export function setField(object: JsonMap, path: readonly PathStep[], value: unknown): void {
  let here: Json = object;
  for (const [i, step] of path.entries()) {
    const isLast = i === path.length - 1;
    const next: Json = typeof path[i + 1] === 'object' ? [] : {};
    if (typeof step === 'string') {
      const map = here as JsonMap;
      if (!isLast) {
        if (value === undefined && map[step] === undefined) return;
        map[step] ??= next;
        here = map[step] as Json;
      } else if (value === undefined) delete map[step];
      else map[step] = structuredClone(value) as Json;
      continue;
    }
    const list = here as Json[];
    const index = list.findIndex((item) => isItem(step, item));
    if (!isLast) {
      if (index < 0 && value === undefined) return;
      if (index < 0) list.push({ ...(step.item as object) } as Json);
      here = list[index < 0 ? list.length - 1 : index] as Json;
    } else if (value === undefined) {
      if (index >= 0) list.splice(index, 1);
    } else if (index < 0) list.push(structuredClone(value) as Json);
    else list[index] = structuredClone(value) as Json;
  }
}
