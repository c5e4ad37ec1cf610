import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASIC_TYPES, type GoField, type GoPackage, type Markers, readGoPackage } from './go-source.ts';
import { type Home, homeOf, homes } from './homes.ts';
import { type ApiPackage, type ApiTable, ApiTypes, type Scope } from './table.ts';
import { declarationsOf } from './type-declarations.ts';

/** The API versions that an apiserver serves by default, and those of a metrics-server, by package name. */
const served: readonly string[] = [
  ...['core/v1', 'apps/v1', 'batch/v1', 'autoscaling/v1', 'autoscaling/v2', 'policy/v1', 'scheduling/v1'],
  ...['storage/v1', 'networking/v1', 'discovery/v1', 'coordination/v1', 'events/v1', 'rbac/v1'],
  ...['authentication/v1', 'authorization/v1', 'admissionregistration/v1', 'certificates/v1'],
  ...['resource/v1', 'flowcontrol/v1', 'node/v1', 'apiextensions/v1', 'apiregistration/v1', 'meta/v1'],
  'metrics/v1beta1',
];

/** Types that are sent without being registered like kinds: the events of a watch, and the body of a patch. */
const unregistered: readonly string[] = ['WatchEvent', 'Patch'];

/** Returns the text of every Go file of a package, by file name. */
type ReadPackage = (home: Home) => ReadonlyMap<string, string>;

/**
 * Derives the table from the Go source of the API.
 *
 * @param release - the tag of the checkouts, which the table records
 * @throws Error for source that it cannot parse, and for an unknown package
 */
export function derive(release: string, read: ReadPackage): ApiTable {
  return new Derivation(read).run(release);
}

/** A package of the table under construction. */
interface Draft extends Omit<ApiPackage, 'structTypes'> {
  readonly source: GoPackage;
  readonly structs: Record<string, Record<string, string>>;
  readonly structTypes: Record<string, string>;
  readonly named: Record<string, string>;
}

class Derivation {
  readonly #read: ReadPackage;
  readonly #packages = new Map<string, Draft>();

  constructor(read: ReadPackage) {
    this.#read = read;
  }

  run(release: string): ApiTable {
    for (const home of served)
      for (const kind of this.#package(home).source.registered) this.#reach(home, kind);
    for (const name of unregistered) this.#reach('meta/v1', name);
    const packages = [...this.#packages].map(([home, draft]) => [home, finished(home, draft)] as const);
    return { release, packages: sorted(Object.fromEntries(packages)) };
  }

  #package(home: string): Draft {
    let found = this.#packages.get(home);
    if (found === undefined) {
      const source = readGoPackage(this.#read(homeOf(home)));
      found = { source, structs: {}, structTypes: {}, named: {} };
      this.#packages.set(home, found);
    }
    return found;
  }

  /** Adds a type and all the types that it contains. */
  #reach(home: string, name: string): void {
    const { source, structs, structTypes, named } = this.#package(home);
    if (Object.hasOwn(structs, name) || Object.hasOwn(named, name)) return;
    const type = source.types.get(name);
    if (type === undefined) throw new Error(`Failed to find ${home}.${name}: no file declares it.`);
    if (source.decodesItself.has(name)) {
      named[name] = 'custom';
    } else if (type.is === 'struct') {
      const fields: Record<string, string> = {};
      structs[name] = fields;
      const structType = type.markers.get('structType');
      if (structType !== undefined) structTypes[name] = structType;
      for (const field of type.fields()) {
        const [json = '', ...options] = field.tags.get('json')?.split(',') ?? [];
        // Fields without a JSON name exist only for Go programs.
        if (json === '-' || (json === '' && !field.embedded)) continue;
        fields[json || `embedded ${field.name}`] = this.#wordsOf(home, field, options);
      }
    } else {
      const constants = [...(source.constants.get(name)?.values() ?? [])];
      const values = [...new Set(constants.map((value) => this.#text(home, value)))].sort();
      named[name] = words([
        this.#resolve(home, type.type),
        type.markers.has('protobuf.nullable') && 'nullable',
        type.markers.has('enum') && `enum=${values.join(',')}`,
      ]);
    }
  }

  #wordsOf(home: string, { type, tags, markers }: GoField, options: readonly string[]): string {
    const number = tags.get('protobuf')?.split(',')[1];
    const omitempty = options.includes('omitempty');
    const value = markers.get('default') ?? markers.get('kubebuilder:default');
    const structType = markers.get('structType') ?? this.#structTypeOf(home, type);
    return words([
      this.#resolve(home, type),
      number && `#${number}`,
      omitempty && 'omitempty',
      options.includes('omitzero') && 'omitzero',
      !omitempty && markers.has('optional') && 'optional',
      omitempty && markers.has('required') && 'required',
      given('gate', markers.get('featureGate')),
      given('patch', tags.get('patchStrategy'), tags.get('patchMergeKey')),
      given('list', markers.get('listType'), markers.get('listMapKey')),
      given('map', markers.get('mapType')),
      given('struct', structType),
      value && `default=${this.#value(home, value)}`,
    ]);
  }

  /** Returns how server-side apply merges a struct, which is a property of its type. */
  #structTypeOf(home: string, source: string): string | undefined {
    const { modifiers, owner, name } = this.#locate(home, source);
    if (owner === undefined || modifiers.includes(']')) return undefined;
    return this.#package(owner).source.types.get(name)?.markers.get('structType');
  }

  /** Returns the name of a type in the table, and adds all the types that it refers to. */
  #resolve(home: string, source: string): string {
    const { modifiers, owner, name } = this.#locate(home, source);
    if (owner !== undefined) this.#reach(owner, name);
    return owner === undefined || owner === home ? modifiers + name : `${modifiers}${owner}.${name}`;
  }

  /** Returns the package of a named type, without modifiers. A built-in Go type has no owner. */
  #locate(home: string, source: string): { modifiers: string; owner: string | undefined; name: string } {
    const [, written = '', named = ''] = /^((?:\*|\[\]|map\[[^\]]*\])*)(.*)$/.exec(source) ?? [];
    // Map keys are strings, whatever their type name.
    const modifiers = written.replace(/map\[[^\]]*\]/g, 'map[string]');
    const basic = BASIC_TYPES.get(named);
    if (basic !== undefined) return { modifiers, owner: undefined, name: basic };
    const [name = '', qualifier] = named.split('.').reverse();
    return { modifiers, owner: qualifier === undefined ? home : this.#homeOf(home, qualifier), name };
  }

  #homeOf(home: string, qualifier: string): string {
    const path = this.#package(home).source.imports.get(qualifier);
    if (path === undefined) throw new Error(`Failed to resolve ${qualifier} in ${home}: it is not imported.`);
    if (path.startsWith('k8s.io/api/')) return path.slice('k8s.io/api/'.length);
    for (const [known, { repository, directory }] of Object.entries(homes)) {
      if (path === `k8s.io/${repository}/${directory}`) return known;
    }
    throw new Error(`Failed to resolve ${qualifier} in ${home}: ${path} is new here.`);
  }

  /** Returns a default as JSON. `ref(Name)` refers to a constant of the package. */
  #value(home: string, text: string): string {
    const [, name] = /^ref\((?:.*\.)?(\w+)\)$/.exec(text) ?? [];
    if (name === undefined) return JSON.stringify(JSON.parse(text));
    return JSON.stringify(this.#constant(home, name));
  }

  /** Returns the text of a constant, which may refer to a constant of another package. */
  #text(home: string, value: string | { readonly constant: string }): string {
    if (typeof value === 'string') return value;
    const [qualifier = '', name = ''] = value.constant.split('.');
    return this.#constant(this.#homeOf(home, qualifier), name);
  }

  #constant(home: string, name: string): string {
    const constants = [...this.#package(home).source.constants.values()];
    const value = constants.find((values) => values.has(name))?.get(name);
    if (value === undefined) {
      throw new Error(`Failed to read the constant ${name} in ${home}: there is no such constant.`);
    }
    return this.#text(home, value);
  }
}

/** Returns the final form of a package. It has kinds if it is an API version. */
function finished(home: string, { source, structs, structTypes, named }: Draft): ApiPackage {
  const [version, group] = [home.slice(home.lastIndexOf('/') + 1), source.groupName];
  const scopes = source.registered.map((kind) => [kind, scopeOf(source.types.get(kind)?.markers)] as const);
  return {
    ...(served.includes(home) && {
      apiVersion: group ? `${group}/${version}` : version,
      kinds: sorted(Object.fromEntries(scopes)),
    }),
    structs: sorted(structs),
    ...(Object.keys(structTypes).length > 0 && {
      structTypes: sorted(structTypes) as NonNullable<ApiPackage['structTypes']>,
    }),
    ...(Object.keys(named).length > 0 && { named: sorted(named) }),
  };
}

function scopeOf(markers: Markers = new Map()): Scope {
  if (!markers.has('genclient')) return '';
  return markers.has('genclient:nonNamespaced') ? 'Cluster' : 'Namespaced';
}

/** Returns `name=one:two` with the values that are present; an empty text without values. */
function given(name: string, ...values: readonly (string | undefined)[]): string {
  const present = values.filter((value) => value);
  return present.length > 0 ? `${name}=${present.join(':')}` : '';
}

function words(all: readonly (string | false | undefined)[]): string {
  return all.filter((word) => word).join(' ');
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Writes the table and the types from checkouts in one folder, which are named after their repositories. Tests and
 * generated files are skipped, because they declare no types of the API. Maintainers run it for a new release: `npx tsx
 * harness/api/table/derive.ts v0.36.3 FOLDER`.
 */
function main([release, folder]: readonly string[]): void {
  if (release === undefined || folder === undefined) {
    throw new Error(
      'Failed to derive the table: pass the tag, and the folder with the checkouts of api, apimachinery, apiextensions-apiserver, kube-aggregator and metrics at that tag.',
    );
  }
  const table = derive(release, ({ repository, directory }) => {
    const place = join(folder, repository, directory);
    const names = readdirSync(place).filter((name) => /^(?!zz_|generated\.).*(?<!_test)\.go$/.test(name));
    return new Map(names.map((name) => [name, readFileSync(join(place, name), 'utf8')]));
  });
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  writeFileSync(here('api.json'), `${JSON.stringify(table, undefined, 1)}\n`);
  for (const [path, text] of declarationsOf(new ApiTypes(table))) {
    const file = here(`../types/${path}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
