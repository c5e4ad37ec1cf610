import type { KubeObject } from '../../../../api/objects.ts';
import { type ObjectEntry, type ObjectHistory, PREFIX, selects } from '../history.ts';
import type { Selection } from '../scenario/index.ts';

/** The objects at one revision, by their keys, in the order of the keys. */
export type Objects = ReadonlyMap<string, KubeObject>;

/** A change of one object. */
export interface Change {
  readonly revision: number;
  readonly key: string;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

/** The true history of the objects, from the answers of the key-value store. Indices are those of entries. */
export interface Truth {
  /** The objects at each revision. */
  readonly states: readonly Objects[];
  readonly changes: readonly Change[];
  /** Stored values that contain a resourceVersion. */
  readonly versioned: readonly string[];
  /** The revision that the store had certainly reached. */
  least(index: number): number;
  /** The revision that the store had reached at most. */
  most(index: number): number;
  /** The highest revision that may be compacted. */
  compacted(index: number): number;
}

/** Reconstructs the true history. */
export function truthOf({ entries }: ObjectHistory): Truth {
  const asked = new Map<number, number>();
  const answers: { readonly from: number; readonly to: number; readonly revision: number }[] = [];
  const writes = entries.flatMap((entry, i) => {
    if (entry.kind === 'asked') asked.set(entry.call, i);
    if (entry.kind !== 'stored') return [];
    answers.push({ from: asked.get(entry.call) ?? i, to: i, revision: entry.revision });
    return entry.writes;
  });
  const last = Math.max(1, ...answers.map(({ revision }) => revision));
  const states: Objects[] = [new Map(), new Map()];
  const changes: Change[] = [];
  const versioned: string[] = [];
  for (let revision = 2; revision <= last; revision++) {
    const state = new Map(states[revision - 1]);
    for (const { key, value } of writes.filter((one) => one.revision === revision)) {
      if (!key.startsWith(PREFIX)) continue;
      const before = state.get(key);
      const after = value === undefined ? undefined : decoded(value, revision);
      if (value && (JSON.parse(value) as KubeObject).metadata?.resourceVersion) versioned.push(key);
      if (after) state.set(key, after);
      else state.delete(key);
      changes.push({ revision, key, ...(before && { before }), ...(after && { after }) });
    }
    states.push(new Map([...state].sort(([a], [b]) => (a < b ? -1 : 1))));
  }
  const compactions = entries.flatMap((entry, i) =>
    entry.kind === 'disturbed' && entry.what === 'compact' ? [{ i, revision: entry.revision ?? 0 }] : [],
  );
  const max = (numbers: readonly number[]): number => Math.max(1, ...numbers);
  return {
    states,
    changes,
    versioned,
    least: (index) => max(answers.flatMap(({ to, revision }) => (to < index ? [revision] : []))),
    most: (index) => max(answers.flatMap(({ from, revision }) => (from < index ? [revision] : []))),
    compacted: (index) =>
      Math.max(0, ...compactions.flatMap(({ i, revision }) => (i < index ? [revision] : []))),
  };
}

function decoded(value: string, revision: number): KubeObject {
  const object = JSON.parse(value) as KubeObject;
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** Returns the selected objects, in the order of their keys. */
export function selected(
  state: Objects | undefined,
  selection: Selection,
): readonly (readonly [string, KubeObject])[] {
  return [...(state ?? [])].filter(([, object]) => selects(selection, object));
}

/** Returns whether two objects are equal; the order of fields is of no meaning. */
export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || stable(a) === stable(b);
}

const texts = new WeakMap<object, string>();

function stable(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value)
    ? `[${value.map(stable).join()}]`
    : `{${Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .sort(([x], [y]) => (x < y ? -1 : 1))
        .map(([key, each]) => `${key}:${stable(each)}`)
        .join()}}`;
  texts.set(value, text);
  return text;
}

/** Returns a copy without its version, or with another one. */
export function atVersion(object: KubeObject, resourceVersion: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

/** The disturbances of a history, as its entries show them. */
export class Disturbances {
  readonly #entries: readonly ObjectEntry[];
  readonly #isWarm: boolean;

  constructor({ entries, scenario }: ObjectHistory) {
    this.#entries = entries;
    this.#isWarm = scenario.isWarm;
  }

  /** Returns whether a watch of the store may have been late or ended in a time. */
  any(fromMs: number, toMs: number): boolean {
    // The first list of a cold cache may come after the first writes.
    if (!this.#isWarm && fromMs <= 0) return true;
    let isHeld = false;
    for (const entry of this.#entries) {
      if (entry.atMs > toMs) break;
      if (entry.kind !== 'disturbed') continue;
      if (entry.what === 'hold') isHeld = true;
      else if (entry.what === 'released') isHeld = false;
      if (entry.atMs >= fromMs) return true;
    }
    return isHeld;
  }
}
