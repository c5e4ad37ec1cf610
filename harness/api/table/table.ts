import data from './api.json' with { type: 'json' };

/**
 * What the Go types of the Kubernetes API say, as data: for each kind of each group its fields with their JSON
 * names, Go types, protobuf numbers, what is printed when it is empty, how it is patched and merged. Decoding,
 * strict validation, printing, patches and the TypeScript types are all fed from it.
 *
 * Packages go by the end of their path, `core/v1`, and types by package and name: `core/v1.PodSpec`. Inside of
 * a package its own types go by their name alone.
 *
 * Derived by derive.ts from the struct tags and markers of k8s.io/api, k8s.io/apimachinery,
 * k8s.io/apiextensions-apiserver, k8s.io/kube-aggregator and k8s.io/metrics.
 */
export interface ApiTable {
  /** The tag of the repositories that it was derived from. */
  readonly release: string;
  readonly packages: Readonly<Record<string, ApiPackage>>;
}

/** One version of one group, or a package of types that several share. */
export interface ApiPackage {
  /** The group and the version as in `apiVersion`: `apps/v1`, `v1`. Absent for packages that have no kinds. */
  readonly apiVersion?: string;
  /** The registered kinds: resources with their scope, and what is sent or answered without being one (''). */
  readonly kinds?: Readonly<Record<string, Scope>>;
  /** Structs by name, with their fields in the order of the Go source. See {@link Field} for a field's text. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How server-side apply merges a struct, wherever it stands, as its declaration says. Most declarations say nothing. */
  readonly structTypes?: Readonly<Record<string, 'atomic' | 'granular'>>;
  /**
   * Named types that are something else underneath, `PodPhase` → `string enum=Failed,Pending,…`, and those that
   * decode themselves, `Quantity` → `custom`. A list that is `nullable` is a message of its own in protobuf.
   */
  readonly named?: Readonly<Record<string, string>>;
}

/** Where the objects of a kind live; '' for a kind that is no resource of its own. */
export type Scope = 'Namespaced' | 'Cluster' | '';

/**
 * A field of a struct. In the table it is a text of words in this order, most of them seldom there:
 *
 * `[]Container #2 omitempty omitzero optional required gate=X patch=merge:name list=map:name map=atomic
 * struct=atomic default="TCP"`
 */
export interface Field {
  /** The name in JSON. Of an embedded struct, whose fields JSON has in its place: the name in Go. */
  readonly name: string;
  /** Is it an embedded struct? Protobuf, where it has a number, has it as a message of its own. */
  readonly embedded: boolean;
  /** Qualified, with its modifiers: `*int32`, `[]core/v1.Container`, `map[string]string`. */
  readonly type: string;
  /** The number in protobuf; undefined where protobuf does not have it. */
  readonly protobuf: number | undefined;
  /**
   * When does Go leave it out? `empty`: when it is false, 0, "", nil, or an empty list or map; but a struct that
   * is no pointer is never empty. `zero`: when it is the zero value of its type. `never`: it is always printed.
   */
  readonly omit: 'never' | 'empty' | 'zero';
  /** May a client leave it out? */
  readonly optional: boolean;
  /** The feature gate that its documentation names. It may have become permanent since. */
  readonly gate: string | undefined;
  /** The struct tags of strategic merge patches. */
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** How server-side apply merges a list, and by which keys. */
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[];
  /** How it merges a map, or a struct. @defaultValue `granular` */
  readonly mapType: 'atomic' | 'granular' | undefined;
  /** The default that the type itself declares. Most defaults are code. */
  readonly default: unknown;
}

/** A struct. */
export interface Struct {
  /** Qualified: `core/v1.PodSpec`. */
  readonly name: string;
  /** As declared. */
  readonly fields: readonly Field[];
  /** As JSON has them: with the fields of embedded structs in their place, by name. */
  readonly properties: ReadonlyMap<string, Field>;
  /** How server-side apply merges it, as its declaration says. @defaultValue `granular` */
  readonly mapType: 'atomic' | 'granular' | undefined;
}

/** A named type. */
interface Named {
  /** Its type underneath; `custom` for a type that decodes itself. */
  readonly underlying: string;
  /** The values that it may have, where they are an enumeration. */
  readonly enum: readonly string[] | undefined;
  /** Is it a list that protobuf has as a message of its own, so that it may be nil? */
  readonly nullable: boolean;
}

/** The names by which a kind is known. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The types of a table, read when they are first asked for, and kept. */
export class ApiTypes {
  readonly table: ApiTable;
  readonly #structs = new Map<string, Struct | undefined>();
  /** The packages by apiVersion. */
  readonly #homes: ReadonlyMap<string, string>;

  constructor(table: ApiTable) {
    this.table = table;
    this.#homes = new Map(
      Object.entries(table.packages).flatMap(([home, { apiVersion }]) =>
        apiVersion === undefined ? [] : [[apiVersion, home]],
      ),
    );
  }

  /** A struct by its qualified name; undefined for anything else. */
  struct(type: string): Struct | undefined {
    let struct = this.#structs.get(type);
    if (struct === undefined && !this.#structs.has(type)) {
      struct = this.#readStruct(type);
      this.#structs.set(type, struct);
    }
    return struct;
  }

  /** What a named type is underneath, qualified, and its enum; undefined for anything else. */
  named(type: string): Named | undefined {
    const [home, name] = split(type);
    const text = own(own(this.table.packages, home)?.named, name);
    if (text === undefined) return undefined;
    // The values may have spaces in them, so that they stand last.
    const [, underlying = '', nullable, values] = /^(\S+)( nullable)?(?: enum=(.*))?$/.exec(text) ?? [];
    return {
      underlying: qualified(underlying, home),
      enum: values?.split(','),
      nullable: nullable !== undefined,
    };
  }

  /** The struct of a registered kind; undefined when the API has no such kind. */
  kind({ group, version, kind }: GroupVersionKind): Struct | undefined {
    const home = this.#homes.get(group === '' ? version : `${group}/${version}`);
    const known = home !== undefined && own(own(this.table.packages, home)?.kinds, kind) !== undefined;
    return known ? this.struct(`${home}.${kind}`) : undefined;
  }

  #readStruct(type: string): Struct | undefined {
    const [home, name] = split(type);
    const source = own(own(this.table.packages, home)?.structs, name);
    if (source === undefined) return undefined;
    const fields = Object.entries(source).map(([key, text]) => readField(key, text, home));
    const properties = new Map(
      fields.flatMap((field) =>
        field.embedded ? [...(this.struct(field.type)?.properties ?? [])] : [[field.name, field]],
      ),
    );
    return { name: type, fields, properties, mapType: own(this.table.packages[home]?.structTypes, name) };
  }
}

/** The types of the release that this project teaches. */
export const apiTypes: ApiTypes = new ApiTypes(data as ApiTable);

/** @param text - the words of a field, as {@link Field} has them */
function readField(key: string, text: string, home: string): Field {
  const [, words = '', value] = /^(.*?)(?: default=(.*))?$/.exec(text) ?? [];
  const [type = '', ...rest] = words.split(' ');
  const given = new Map(rest.map((word) => [word.split('=', 1)[0] ?? '', word.slice(word.indexOf('=') + 1)]));
  const number = rest.find((word) => word.startsWith('#'))?.slice(1);
  const [patchStrategy, patchMergeKey] = given.get('patch')?.split(':') ?? [];
  const [listType, listMapKeys] = given.get('list')?.split(':') ?? [];
  const [, name = key] = /^embedded (.*)$/.exec(key) ?? [];
  return {
    name,
    embedded: name !== key,
    type: qualified(type, home),
    protobuf: number === undefined ? undefined : Number(number),
    omit: given.has('omitzero') ? 'zero' : given.has('omitempty') ? 'empty' : 'never',
    optional: given.has('optional') || (given.has('omitempty') && !given.has('required')),
    gate: given.get('gate'),
    patchStrategy,
    patchMergeKey,
    listType: listType as Field['listType'],
    listMapKeys: listMapKeys?.split(',') ?? [],
    mapType: (given.get('map') ?? given.get('struct')) as Field['mapType'],
    default: value === undefined ? undefined : JSON.parse(value),
  };
}

/** A type of the package `home` in the terms of all: `[]Container` → `[]core/v1.Container`. */
function qualified(type: string, home: string): string {
  const [, modifiers = '', name = ''] = /^((?:\*|\[\]|map\[[^\]]*\])*)(.*)$/.exec(type) ?? [];
  return BASIC.has(name) || name.includes('.') ? type : `${modifiers}${home}.${name}`;
}

/** Go's own types, as far as the API has them, and the word for types that decode themselves. */
const BASIC: ReadonlySet<string> = new Set([
  ...['string', 'bool', 'int32', 'int64', 'uint8', 'float64', 'any', 'custom'],
]);

function split(type: string): [home: string, name: string] {
  const at = type.lastIndexOf('.');
  return [type.slice(0, Math.max(0, at)), type.slice(at + 1)];
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
