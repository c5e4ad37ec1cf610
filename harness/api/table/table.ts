import { getOwn } from '../own.ts';
import data from './api.json' with { type: 'json' };

/**
 * The Go types of the Kubernetes API as data. For each kind of each group it has the fields: JSON names, Go types,
 * protobuf numbers, omission of empty values, patch and merge strategies. Decoding, strict validation, printing,
 * patches and the TypeScript types all use it.
 *
 * A package is named by the end of its path, `core/v1`, and a type by package and name: `core/v1.PodSpec`. Inside a
 * package, its own types have only their name.
 *
 *
 * derive.ts derives it from the struct tags and markers of k8s.io/api, k8s.io/apimachinery,
 * k8s.io/apiextensions-apiserver, k8s.io/kube-aggregator and k8s.io/metrics.
 */
export interface ApiTable {
  /** The tag of the source repositories. */
  readonly release: string;
  readonly packages: Readonly<Record<string, ApiPackage>>;
}

/** A version of a group, or a package of shared types. */
export interface ApiPackage {
  /** The group and the version as in `apiVersion`: `apps/v1`, `v1`. Absent for packages without kinds. */
  readonly apiVersion?: string;
  /**
   * The registered kinds: resources with their scope, and kinds that are sent or returned without being a resource
   * ('').
   */
  readonly kinds?: Readonly<Record<string, Scope>>;
  /** Structs by name, with their fields in the order of the Go source. See {@link Field} for the format of a field. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * How server-side apply merges a struct in every place, if its declaration has a marker. Most declarations do not.
   */
  readonly structTypes?: Readonly<Record<string, 'atomic' | 'granular'>>;
  /**
   * Named types with another underlying type, `PodPhase` → `string enum=Failed,Pending,…`, and types that decode
   * themselves, `Quantity` → `custom`. A `nullable` list is a separate message in protobuf.
   */
  readonly named?: Readonly<Record<string, string>>;
}

/** The scope of a kind; '' for a kind that is not a resource. */
export type Scope = 'Namespaced' | 'Cluster' | '';

/**
 * A field of a struct. In the table it is a text of words in this order, most of which are rare:
 *
 * `[]Container #2 omitempty omitzero optional required gate=X patch=merge:name list=map:name map=atomic
 * struct=atomic default="TCP"`
 */
export interface Field {
  /** The JSON name. For an embedded struct, whose fields JSON inlines, the Go name. */
  readonly name: string;
  /** Whether it is an embedded struct. If it has a protobuf number, it is a separate message in protobuf. */
  readonly embedded: boolean;
  /** The qualified type with its modifiers: `*int32`, `[]core/v1.Container`, `map[string]string`. */
  readonly type: string;
  /** The protobuf number; undefined for a field without one. */
  readonly protobuf: number | undefined;
  /**
   * When Go omits the field. `empty`: if it is false, 0, "", nil, or an empty list or map; a struct without a pointer
   * is never empty. `zero`: if it is the zero value of its type. `never`: it is always printed.
   */
  readonly omit: 'never' | 'empty' | 'zero';
  /** Whether a client may omit it. */
  readonly optional: boolean;
  /** The feature gate in its documentation. The feature may have become permanent since. */
  readonly gate: string | undefined;
  /** The struct tags of strategic merge patches. */
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** How server-side apply merges a list, and the keys of its items. */
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[];
  /** How server-side apply merges a map or a struct. @defaultValue `granular` */
  readonly mapType: 'atomic' | 'granular' | undefined;
  /** The default in the type declaration. Most defaults are code. */
  readonly default: unknown;
}

/** A struct. */
export interface Struct {
  /** Qualified: `core/v1.PodSpec`. */
  readonly name: string;
  /** The fields in declaration order. */
  readonly fields: readonly Field[];
  /** The fields by their JSON name, with the fields of embedded structs inlined. */
  readonly properties: ReadonlyMap<string, Field>;
  /** How server-side apply merges it, from its declaration. @defaultValue `granular` */
  readonly mapType: 'atomic' | 'granular' | undefined;
}

/** A named type. */
interface Named {
  /** The underlying type; `custom` for a type that decodes itself. */
  readonly underlying: string;
  /** The allowed values, if the type is an enumeration. */
  readonly enum: readonly string[] | undefined;
  /** Whether it is a list that is a separate message in protobuf, so that it may be nil. */
  readonly nullable: boolean;
}

/** The name of a kind with its group and version. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The types of a table, parsed on first use and cached. */
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

  /** Returns a struct by its qualified name; undefined for any other type. */
  struct(type: string): Struct | undefined {
    let struct = this.#structs.get(type);
    if (struct === undefined && !this.#structs.has(type)) {
      struct = this.#readStruct(type);
      this.#structs.set(type, struct);
    }
    return struct;
  }

  /** Returns the underlying type, qualified, and the enum of a named type; undefined for any other type. */
  named(type: string): Named | undefined {
    const [home, name] = split(type);
    const text = getOwn(getOwn(this.table.packages, home)?.named, name);
    if (text === undefined) return undefined;
    // The values may contain spaces, so they come last.
    const [, underlying = '', nullable, values] = /^(\S+)( nullable)?(?: enum=(.*))?$/.exec(text) ?? [];
    return {
      underlying: qualified(underlying, home),
      enum: values?.split(','),
      nullable: nullable !== undefined,
    };
  }

  /** Returns the struct of a registered kind; undefined for an unknown kind. */
  kind({ group, version, kind }: GroupVersionKind): Struct | undefined {
    const home = this.#homes.get(group === '' ? version : `${group}/${version}`);
    const known = home !== undefined && getOwn(getOwn(this.table.packages, home)?.kinds, kind) !== undefined;
    return known ? this.struct(`${home}.${kind}`) : undefined;
  }

  #readStruct(type: string): Struct | undefined {
    const [home, name] = split(type);
    const source = getOwn(getOwn(this.table.packages, home)?.structs, name);
    if (source === undefined) return undefined;
    const fields = Object.entries(source).map(([key, text]) => readField(key, text, home));
    const properties = new Map(
      fields.flatMap((field) =>
        field.embedded ? [...(this.struct(field.type)?.properties ?? [])] : [[field.name, field]],
      ),
    );
    return { name: type, fields, properties, mapType: getOwn(this.table.packages[home]?.structTypes, name) };
  }
}

/** The types of the Kubernetes release that this project teaches. */
export const apiTypes: ApiTypes = new ApiTypes(data as ApiTable);

/** @param text - the words of a field, in the format of {@link Field} */
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

/** Returns a type of the package `home` with its qualified name: `[]Container` → `[]core/v1.Container`. */
function qualified(type: string, home: string): string {
  const [, modifiers = '', name = ''] = /^((?:\*|\[\]|map\[[^\]]*\])*)(.*)$/.exec(type) ?? [];
  return BASIC.has(name) || name.includes('.') ? type : `${modifiers}${home}.${name}`;
}

/** The built-in Go types that the API uses, and the word for types that decode themselves. */
const BASIC: ReadonlySet<string> = new Set([
  ...['string', 'bool', 'int32', 'int64', 'uint8', 'float64', 'any', 'custom'],
]);

function split(type: string): [home: string, name: string] {
  const at = type.lastIndexOf('.');
  return [type.slice(0, Math.max(0, at)), type.slice(at + 1)];
}
