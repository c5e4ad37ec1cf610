import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Declaration, type Declarations, type DeclaredType, parseDeclarations } from './declarations.ts';
import type { Definitions } from './definitions.ts';
import { goTypes } from './go-types.ts';

/** What clients send to the apiserver, by module. All else is reached from here. */
const roots: Readonly<Record<string, readonly string[]>> = {
  'core/v1': ['Namespace', 'Node', 'Pod', 'Service', 'ConfigMap', 'Event', 'Binding'],
  'apps/v1': ['ReplicaSet', 'Deployment'],
  'coordination/v1': ['Lease'],
  'policy/v1': ['PodDisruptionBudget', 'Eviction'],
  'scheduling/v1': ['PriorityClass'],
  'autoscaling/v1': ['Scale'],
  'meta/v1': ['DeleteOptions', 'Status'],
};

/** Types that decode themselves, whatever their declaration looks like. */
const special: Readonly<Record<string, string>> = {
  'api/resource Quantity': 'resource.Quantity',
  'meta/v1 Time': 'v1.Time',
  'meta/v1 MicroTime': 'v1.MicroTime',
  'meta/v1 FieldsV1': 'v1.FieldsV1',
  'runtime RawExtension': 'runtime.RawExtension',
};

/**
 * The definitions as text, the same for the same declarations.
 *
 * Makes definitions.json from the declarations of the package kubernetes-types and the Go types in
 * go-types.ts. Run it with `npx tsx harness/apiserver/schema/generate.ts` after either has changed.
 *
 * @param read - the text of a module of the package, as in `read('core/v1')`
 * @throws Error when a declaration is not understood, when two reachable types share a name, or when an entry
 *   of {@link goTypes} contradicts the declarations or is not used
 */
export function generate(read: (module: string) => string): string {
  return new Generator(read).run();
}

/** Reads a module of the installed package. */
export function readInstalled(module: string): string {
  const root = dirname(createRequire(import.meta.url).resolve('kubernetes-types/package.json'));
  return readFileSync(`${root}/${module}.d.ts`, 'utf8');
}

/** The file that {@link generate} fills. */
export const definitionsFile: string = fileURLToPath(new URL('definitions.json', import.meta.url));

class Generator {
  readonly #read: (module: string) => string;
  readonly #modules = new Map<string, Declarations>();
  /** Of each struct, the module that declares it. */
  readonly #homes = new Map<string, string>();
  readonly #structs = new Map<string, Record<string, string>>();
  readonly #named = new Map<string, string>();

  constructor(read: (module: string) => string) {
    this.#read = read;
  }

  run(): string {
    for (const [module, names] of Object.entries(roots)) {
      for (const name of names) this.#reach(module, name);
    }
    for (const name of Object.keys(goTypes)) {
      if (!this.#structs.has(name))
        throw new Error(`Failed to use the Go types of ${name}: it is not reached.`);
    }
    const definitions: Definitions = { structs: sorted(this.#structs), named: sorted(this.#named) };
    return `${JSON.stringify(definitions, undefined, 2)}\n`;
  }

  /** Takes in a type and all it contains; its Go type. */
  #reach(module: string, name: string): string {
    const itself = special[`${module} ${name}`];
    if (itself !== undefined) return itself;
    const home = this.#homes.get(name);
    if (home === undefined) {
      this.#homes.set(name, module);
      this.#define(module, this.#declaration(module, name));
    } else if (home !== module) {
      throw new Error(`Failed to tell ${name} of ${module} from ${name} of ${home}: names must be unique.`);
    }
    return `v1.${name}`;
  }

  #define(module: string, declaration: Declaration): void {
    const { name } = declaration;
    if (declaration.is === 'alias')
      throw new Error(`Failed to define ${name} of ${module}: an unknown alias.`);
    const overrides = goTypes[name] ?? {};
    for (const field of Object.keys(overrides)) {
      if (!declaration.fields.has(field))
        throw new Error(`Failed to define ${name}: it has no field ${field}.`);
    }
    const fields: Record<string, string> = {};
    for (const [field, declared] of declaration.fields) {
      const type = this.#goType(module, declared);
      const override = overrides[field];
      if (override !== undefined) this.#reconcile(`${name}.${field}`, override, type);
      fields[field] = override ?? type;
    }
    this.#structs.set(name, fields);
  }

  #goType(module: string, type: DeclaredType): string {
    switch (type.is) {
      case 'string':
        return 'string';
      case 'number':
        return 'int32';
      case 'boolean':
        return 'bool';
      case 'number | string':
        return 'intstr.IntOrString';
      case 'array':
        return `[]${this.#goType(module, type.of)}`;
      case 'map':
        return `map[string]${this.#goType(module, type.of)}`;
      case 'reference': {
        const imported = this.#module(module).imported.get(type.name);
        return this.#reach(imported ? posix.join(posix.dirname(module), imported) : module, type.name);
      }
    }
  }

  /** Holds that `override` is another name for `type`, and notes what it names. */
  #reconcile(field: string, override: string, type: string): void {
    for (const prefix of ['[]', 'map[string]']) {
      if (override.startsWith(prefix) && type.startsWith(prefix)) {
        this.#reconcile(field, override.slice(prefix.length), type.slice(prefix.length));
        return;
      }
    }
    if (override === 'int64' && type === 'int32') return;
    if (override === '[]uint8' && type === 'string') return;
    const known = this.#named.get(override) ?? type;
    if (!/^\w+\.\w+$/.test(override) || !/^string$|^map\[/.test(type) || known !== type) {
      throw new Error(`Failed to define ${field}: ${override} cannot stand for ${type}.`);
    }
    this.#named.set(override, type);
  }

  #declaration(module: string, name: string): Declaration {
    const declaration = this.#module(module).declared.get(name);
    if (declaration === undefined) throw new Error(`Failed to find ${name} in ${module}.`);
    return declaration;
  }

  #module(module: string): Declarations {
    let declarations = this.#modules.get(module);
    if (declarations === undefined) {
      declarations = parseDeclarations(module, this.#read(module));
      this.#modules.set(module, declarations);
    }
    return declarations;
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(definitionsFile, generate(readInstalled));
