import type { ApiTypes, Field } from './table.ts';

/**
 * Generates TypeScript types: for each package with structs a file of interfaces, as a client sends the objects and a
 * server prints them. A field that a client may omit is optional. A time that Go prints even when it is not set may be
 * null. Named string types are strings: the server checks their values.
 *
 * @returns the texts by their paths below `types/`: `core/v1.d.ts`
 */
export function declarationsOf(types: ApiTypes): ReadonlyMap<string, string> {
  const { release, packages } = types.table;
  const files = Object.entries(packages).filter(([, { structs }]) => Object.keys(structs).length > 0);
  return new Map(
    files.map(([home, { structs }]) => {
      const interfaces = Object.keys(structs).map((name) => interfaceOf(types, home, name));
      const imports = [...new Set(interfaces.flatMap(({ imports }) => imports))].sort();
      return [
        `${home}.d.ts`,
        [
          `// Derived from the Go types of ${home} at ${release} by harness/api/table/derive.ts: change that instead.`,
          ...imports.map(
            (other) => `import type * as ${other.split('/')[0]} from '${relative(home)}${other}.d.ts';`,
          ),
          ...interfaces.map(({ text }) => text),
          '',
        ].join('\n'),
      ];
    }),
  );
}

interface Interface {
  readonly text: string;
  /** The other packages whose types it uses. */
  readonly imports: readonly string[];
}

function interfaceOf(types: ApiTypes, home: string, name: string): Interface {
  const imports = new Set<string>();
  const fields = [...(types.struct(`${home}.${name}`)?.properties.values() ?? [])].map((field) => {
    const type = typeScriptOf(types, field.type, (type) => {
      const at = type.lastIndexOf('.');
      const owner = type.slice(0, at);
      if (owner === home) return type.slice(at + 1);
      imports.add(owner);
      return `${owner.split('/')[0]}.${type.slice(at + 1)}`;
    });
    const key = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : JSON.stringify(field.name);
    return `  ${key}${field.optional ? '?' : ''}: ${type}${isNullWhenZero(field) ? ' | null' : ''};`;
  });
  return { text: [`export interface ${name} {`, ...fields, '}'].join('\n'), imports: [...imports] };
}

const isNullWhenZero = ({ type, omit, optional }: Field): boolean =>
  optional && omit !== 'zero' && /^meta\/v1\.(Micro)?Time$/.test(type);

/** @param nameOf - returns the name of a struct */
function typeScriptOf(types: ApiTypes, type: string, nameOf: (type: string) => string): string {
  if (type.startsWith('*')) return typeScriptOf(types, type.slice(1), nameOf);
  // Bytes are sent as base64.
  if (type === '[]uint8') return 'string';
  if (type.startsWith('[]')) return `Array<${typeScriptOf(types, type.slice('[]'.length), nameOf)}>`;
  if (type.startsWith('map[string]')) {
    return `{ [name: string]: ${typeScriptOf(types, type.slice('map[string]'.length), nameOf)} }`;
  }
  const itself = Object.hasOwn(decodesItself, type) ? decodesItself[type] : undefined;
  if (itself !== undefined) return itself;
  if (types.struct(type) !== undefined) return nameOf(type);
  const named = types.named(type);
  if (named === undefined || named.underlying === 'custom') {
    throw new Error(`Failed to declare ${type}: add its JSON type to decodesItself.`);
  }
  return typeScriptOf(types, named.underlying, nameOf);
}

/** The JSON types of types that decode themselves, and of built-in Go types. */
const decodesItself: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  float64: 'number',
  any: 'unknown',
  'resource.Quantity': 'string',
  'intstr.IntOrString': 'number | string',
  'meta/v1.Time': 'string',
  'meta/v1.MicroTime': 'string',
  'meta/v1.Duration': 'string',
  'meta/v1.FieldsV1': 'object',
  'runtime.RawExtension': 'unknown',
  'apiextensions/v1.JSON': 'unknown',
  'apiextensions/v1.JSONSchemaPropsOrArray': 'JSONSchemaProps | JSONSchemaProps[]',
  'apiextensions/v1.JSONSchemaPropsOrBool': 'JSONSchemaProps | boolean',
  'apiextensions/v1.JSONSchemaPropsOrStringArray': 'JSONSchemaProps | string[]',
};

const relative = (home: string): string => '../'.repeat(home.split('/').length - 1);
