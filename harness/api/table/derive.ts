import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type GoField, type GoPackage, type GoType, type Markers, readGoPackage } from './go-source.ts';
import { type ApiPackage, type ApiTable, ApiTypes, type Scope } from './table.ts';
import { declarationsOf } from './type-declarations.ts';

/** The checkouts that the table is derived from, all at one tag. */
type Repository = 'api' | 'apimachinery' | 'apiextensions-apiserver' | 'kube-aggregator';

/** Where a package of the table stands. */
interface Home {
  readonly repository: Repository;
  readonly directory: string;
}

/** The versions that an apiserver serves when nothing is switched on, by the name of their package. */
const served: readonly string[] = [
  ...['core/v1', 'apps/v1', 'batch/v1', 'autoscaling/v1', 'autoscaling/v2', 'policy/v1', 'scheduling/v1'],
  ...['storage/v1', 'networking/v1', 'discovery/v1', 'coordination/v1', 'events/v1', 'rbac/v1'],
  ...['authentication/v1', 'authorization/v1', 'admissionregistration/v1', 'certificates/v1'],
  ...['resource/v1', 'flowcontrol/v1', 'node/v1', 'apiextensions/v1', 'apiregistration/v1', 'meta/v1'],
];

/** Packages that do not stand where their name says. All others are in k8s.io/api. */
const homes: Readonly<Record<string, Home>> = {
  'apiextensions/v1': { repository: 'apiextensions-apiserver', directory: 'pkg/apis/apiextensions/v1' },
  'apiregistration/v1': { repository: 'kube-aggregator', directory: 'pkg/apis/apiregistration/v1' },
  'meta/v1': { repository: 'apimachinery', directory: 'pkg/apis/meta/v1' },
  resource: { repository: 'apimachinery', directory: 'pkg/api/resource' },
  intstr: { repository: 'apimachinery', directory: 'pkg/util/intstr' },
  runtime: { repository: 'apimachinery', directory: 'pkg/runtime' },
  types: { repository: 'apimachinery', directory: 'pkg/types' },
};

/** The text of every Go file of a package, by file name. */
export type ReadPackage = (home: Home) => ReadonlyMap<string, string>;

/**
 * Derives the table from the Go source of the API.
 *
 * @param release - the tag of the checkouts, for the record
 * @throws Error at what it does not understand, in the source or of the packages
 */
export function derive(release: string, read: ReadPackage): ApiTable {
  return new Derivation(read).run(release);
}

class Derivation {
  readonly #read: ReadPackage;
  readonly #packages = new Map<string, GoPackage>();
  /** The types that were reached, by package, with their texts for the table. */
  readonly #structs = new Map<string, Map<string, Readonly<Record<string, string>>>>();
  readonly #named = new Map<string, Map<string, string>>();

  constructor(read: ReadPackage) {
    this.#read = read;
  }

  run(release: string): ApiTable {
    for (const home of served) for (const kind of this.#package(home).registered) this.#reach(home, kind);
    const names = [...new Set([...this.#structs.keys(), ...this.#named.keys()])].sort();
    return {
      release,
      packages: Object.fromEntries(names.map((home) => [home, this.#describe(home)])),
    };
  }

  #describe(home: string): ApiPackage {
    const { registered, groupName, types } = this.#package(home);
    const structs = sorted(this.#structs.get(home) ?? new Map());
    const named = sorted(this.#named.get(home) ?? new Map());
    const kinds = registered.map((kind): [string, Scope] => [kind, scopeOf(types.get(kind)?.markers ?? [])]);
    const version = home.slice(home.lastIndexOf('/') + 1);
    return {
      ...(served.includes(home)
        ? { apiVersion: groupName ? `${groupName}/${version}` : version, kinds: sorted(new Map(kinds)) }
        : {}),
      structs,
      ...(Object.keys(named).length === 0 ? {} : { named }),
    };
  }

  #package(home: string): GoPackage {
    let found = this.#packages.get(home);
    if (found === undefined) {
      found = readGoPackage(this.#read(homes[home] ?? { repository: 'api', directory: home }));
      this.#packages.set(home, found);
    }
    return found;
  }

  /** Takes in a type and all that it contains. */
  #reach(home: string, name: string): void {
    if (this.#structs.get(home)?.has(name) || this.#named.get(home)?.has(name)) return;
    const { types, decodesItself, constants } = this.#package(home);
    const type = types.get(name);
    if (type === undefined) throw new Error(`Failed to find ${home}.${name}: no file declares it.`);
    if (decodesItself.has(name)) {
      put(this.#named, home, name, 'custom');
    } else if (type.is === 'named') {
      const words = [this.#resolve(home, type.type)];
      if (hasMarker(type.markers, 'protobuf.nullable')) words.push('nullable');
      if (hasMarker(type.markers, 'enum')) words.push(enumOf(constants.get(name) ?? new Map()));
      put(this.#named, home, name, words.join(' '));
    } else {
      put(this.#structs, home, name, {});
      put(this.#structs, home, name, this.#fieldsOf(home, type));
    }
  }

  #fieldsOf(home: string, type: GoType & { is: 'struct' }): Record<string, string> {
    const fields: Record<string, string> = {};
    for (const field of type.fields()) {
      const [json = '', ...options] = field.tags.get('json')?.split(',') ?? [];
      // What JSON does not have is for Go programs alone.
      if (json === '-' || (json === '' && !field.embedded)) continue;
      const inline = field.embedded && json === '';
      const key = inline ? `embedded ${field.name}` : json;
      fields[key] = this.#wordsOf(home, field, options).join(' ');
    }
    return fields;
  }

  #wordsOf(home: string, field: GoField, options: readonly string[]): string[] {
    const { tags } = field;
    const marker = (name: string): string | undefined => field.markers.find(([known]) => known === name)?.[1];
    const patch = [tags.get('patchStrategy'), tags.get('patchMergeKey')].filter((tag) => tag !== undefined);
    const keys = field.markers.filter(([name]) => name === 'listMapKey').map(([, value]) => value);
    const number = tags.get('protobuf')?.split(',')[1];
    const omitempty = options.includes('omitempty');
    const atomic = marker('structType') ?? this.#structTypeOf(home, field.type) ?? '';
    const value = marker('default') ?? marker('kubebuilder:default');
    const words = [
      this.#resolve(home, field.type),
      number && `#${number}`,
      omitempty && 'omitempty',
      options.includes('omitzero') && 'omitzero',
      !omitempty && marker('optional') !== undefined && 'optional',
      omitempty && marker('required') !== undefined && 'required',
      marker('featureGate') && `gate=${marker('featureGate')}`,
      patch.length > 0 && `patch=${patch.join(':')}`,
      marker('listType') &&
        `list=${[marker('listType'), ...(keys.length > 0 ? [keys.join(',')] : [])].join(':')}`,
      marker('mapType') && `map=${marker('mapType')}`,
      atomic && `struct=${atomic}`,
      value && `default=${this.#value(home, value)}`,
    ];
    return words.filter((word): word is string => typeof word === 'string' && word !== '');
  }

  /** How server-side apply merges a struct, which is a property of its type. */
  #structTypeOf(home: string, source: string): string | undefined {
    const type = this.#resolve(home, source);
    if (type.startsWith('[]') || type.startsWith('map[')) return undefined;
    const [, owner = home, name = ''] = /^\*?(?:(.*)\.)?(\w+)$/.exec(type) ?? [];
    if (BASIC.has(name) && owner === home) return undefined;
    return this.#package(owner)
      .types.get(name)
      ?.markers.find(([known]) => known === 'structType')?.[1];
  }

  /** The type in the terms of the table, and all it names reached. */
  #resolve(home: string, source: string): string {
    const [, modifiers = '', name = ''] = /^((?:\*|\[\]|map\[[^\]]*\])*)(.*)$/.exec(source) ?? [];
    // Keys of maps are texts, whatever they are called.
    const kept = modifiers.replace(/map\[[^\]]*\]/g, 'map[string]');
    if (name === 'interface{}') return `${kept}any`;
    if (BASIC.has(name)) return kept + (name === 'byte' ? 'uint8' : name);
    const [qualifier, local] = name.includes('.') ? name.split('.') : [undefined, name];
    const owner = qualifier === undefined ? home : this.#homeOf(home, qualifier);
    this.#reach(owner, local ?? '');
    return owner === home ? `${kept}${local}` : `${kept}${owner}.${local}`;
  }

  #homeOf(home: string, qualifier: string): string {
    const path = this.#package(home).imports.get(qualifier);
    if (path === undefined) throw new Error(`Failed to resolve ${qualifier} in ${home}: it is not imported.`);
    if (path.startsWith('k8s.io/api/')) return path.slice('k8s.io/api/'.length);
    const known = Object.entries(homes).find(
      ([, { repository, directory }]) => path === `k8s.io/${repository}/${directory}`,
    );
    if (known === undefined)
      throw new Error(`Failed to resolve ${qualifier} in ${home}: ${path} is new here.`);
    return known[0];
  }

  /** A default as JSON; `ref(Name)` is a constant of the package. */
  #value(home: string, text: string): string {
    const [, name] = /^ref\((?:.*\.)?(\w+)\)$/.exec(text) ?? [];
    if (name === undefined) return JSON.stringify(JSON.parse(text));
    for (const values of this.#package(home).constants.values()) {
      const value = values.get(name);
      if (value !== undefined) return JSON.stringify(value);
    }
    throw new Error(`Failed to read the default ${text} in ${home}: there is no such constant.`);
  }
}

const BASIC: ReadonlySet<string> = new Set([
  ...['string', 'bool', 'int', 'int32', 'int64', 'uint8', 'uint16', 'float64', 'byte', 'any'],
]);

function scopeOf(markers: Markers): Scope {
  if (!hasMarker(markers, 'genclient')) return '';
  return hasMarker(markers, 'genclient:nonNamespaced') ? 'Cluster' : 'Namespaced';
}

function hasMarker(markers: Markers, name: string): boolean {
  return markers.some(([known]) => known === name);
}

function enumOf(values: ReadonlyMap<string, string>): string {
  return `enum=${[...new Set(values.values())].sort().join(',')}`;
}

function put<T>(map: Map<string, Map<string, T>>, home: string, name: string, value: T): void {
  map.set(home, (map.get(home) ?? new Map<string, T>()).set(name, value));
}

function sorted<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads packages from checkouts. Tests and generated files declare nothing of their own. */
export function fromCheckouts(roots: Readonly<Record<Repository, string>>): ReadPackage {
  return ({ repository, directory }) => {
    const folder = join(roots[repository], directory);
    const names = readdirSync(folder).filter((name) => /^(?!zz_|generated\.).*(?<!_test)\.go$/.test(name));
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  };
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes the table and the types. It is for authors, when a release is taken up. */
function main(): void {
  const { values } = parseArgs({
    options: {
      release: { type: 'string' },
      api: { type: 'string' },
      apimachinery: { type: 'string' },
      'apiextensions-apiserver': { type: 'string' },
      'kube-aggregator': { type: 'string' },
    },
  });
  const { release, ...roots } = values;
  const all = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator'] as const;
  const missing = all.filter((name) => roots[name] === undefined);
  if (release === undefined || missing.length > 0) {
    throw new Error(
      `Failed to derive the table: tell the --release, and of each repository its checkout at that tag: ${all.map((name) => `--${name} DIR`).join(' ')}.`,
    );
  }
  const table = derive(release, fromCheckouts(roots as Record<Repository, string>));
  writeFileSync(here('api.json'), `${JSON.stringify(table, undefined, 1)}\n`);
  for (const [path, text] of declarationsOf(new ApiTypes(table))) {
    const file = here(`../types/${path}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
