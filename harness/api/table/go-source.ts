/** A field of a Go struct, from its line and the markers above it. */
export interface GoField {
  /** The Go name; for an embedded struct, the name of its type. */
  readonly name: string;
  readonly embedded: boolean;
  /** The type as in the source, relative to its package: `*metav1.LabelSelector`. */
  readonly type: string;
  /** The struct tag by key: `json` → `name,omitempty`. */
  readonly tags: ReadonlyMap<string, string>;
  readonly markers: Markers;
}

/** The `+name=value` lines of a comment. The values of a repeated name are joined by commas. */
export type Markers = ReadonlyMap<string, string>;

/** The built-in Go types that the API uses, with their names in the table. */
export const BASIC_TYPES: ReadonlyMap<string, string> = new Map([
  ...['string', 'bool', 'int32', 'int64', 'float64', 'uint8'].map((name) => [name, name] as const),
  ['byte', 'uint8'],
  ['interface{}', 'any'],
]);

/** A type that a Go file declares. */
type GoType =
  | {
      readonly is: 'struct';
      /** Parsed on demand, because structs outside the API may contain lines that this parser does not know. */
      fields(): readonly GoField[];
      readonly markers: Markers;
    }
  | { readonly is: 'named'; readonly type: string; readonly markers: Markers };

/** The declarations of a Go package. */
export interface GoPackage {
  readonly types: ReadonlyMap<string, GoType>;
  /** The string constants of each named type, by their Go names. Some refer to a constant of another package. */
  readonly constants: ReadonlyMap<string, ReadonlyMap<string, string | { readonly constant: string }>>;
  /** The types with a method UnmarshalJSON, which decode themselves. */
  readonly decodesItself: ReadonlySet<string>;
  /** The package path of each qualifier. */
  readonly imports: ReadonlyMap<string, string>;
  /** The types whose zero values are listed one per line: a package registers its kinds in this form. */
  readonly registered: readonly string[];
  /** The value of the constant GroupName; undefined without it. */
  readonly groupName: string | undefined;
}

/**
 * Parses the declarations of a Go package, as far as API types need them. The files are formatted by gofmt, so each
 * declaration starts at the start of a line, and each field has its own line.
 *
 * @param files - the texts of the files by their names
 * @throws Error when a type is declared twice. `fields()` of a struct throws for a line that is not a field
 */
export function readGoPackage(files: ReadonlyMap<string, string>): GoPackage {
  const types = new Map<string, GoType>();
  const constants = new Map<string, Map<string, string | { constant: string }>>();
  const decodesItself = new Set<string>();
  const imports = new Map<string, string>();
  const registered: string[] = [];
  let groupName: string | undefined;

  for (const [file, source] of files) {
    // The file has a build tag that a normal build does not set.
    if (/^\/\/go:build (?!!)/m.test(source)) continue;
    const text = source.replace(BLOCK_COMMENT, '');
    for (const [name, type] of readTypes(file, text)) {
      if (types.has(name)) throw new Error(`Failed to read ${file}: ${name} is declared twice.`);
      types.set(name, type);
    }
    for (const [, name = '', declared, converted = '', value, constant = ''] of text.matchAll(CONSTANT)) {
      const type = declared ?? converted;
      const known = constants.get(type) ?? new Map<string, string | { constant: string }>();
      constants.set(type, known.set(name, value === undefined ? { constant } : value));
    }
    for (const [, type = ''] of text.matchAll(UNMARSHAL)) decodesItself.add(type);
    for (const [, alias, path = ''] of text.matchAll(IMPORT)) {
      imports.set(alias ?? path.slice(path.lastIndexOf('/') + 1), path);
    }
    for (const [, name = ''] of text.matchAll(REGISTERED)) registered.push(name);
    groupName ??= GROUP_NAME.exec(text)?.[1];
  }
  return { types, constants, decodesItself, imports, registered, groupName };
}

const BLOCK_COMMENT = /^\s*\/\*.*?\*\/$/gms;
/** `Left Way = "Left"`, or with a conversion: `Left = Way("Left")`, `Left = Way(other.Left)`. */
const CONSTANT = /^(?:\t|const )(\w+)[ \t]+(?:(\w+)[ \t]*= |= (\w+)\()(?:"([^"]*)"|(\w+\.\w+)\))/gm;
const UNMARSHAL = /^func \(\w+ \*?(\w+)\) UnmarshalJSON\(/gm;
const IMPORT = /^\t(?:(\w+) )?"(k8s\.io\/[^"]+)"$/gm;
/** Only entries of a list. Types that are registered under another name, after a call, are internal. */
const REGISTERED = /(?<!\),\n)^\t+&(\w+)\{\},$/gm;
const GROUP_NAME = /^const GroupName = "([^"]*)"/m;

/** Parses the types of a file, each with the markers of the comment above it. */
function* readTypes(file: string, text: string): Generator<readonly [string, GoType]> {
  const lines = text.split('\n');
  let markers = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (readMarker(markers, line)) continue;
    const [, name, type] = /^type (\w+) =? ?(.+)$/.exec(line) ?? [];
    if (name !== undefined && (type === 'struct {' || type === 'struct{}')) {
      const body = type === 'struct{}' ? [] : lines.slice(at + 1, lines.indexOf('}', at));
      yield [name, { is: 'struct', fields: () => readFields(file, body), markers }];
      at += body.length;
    } else if (name !== undefined && type !== undefined && !/^(interface|func|struct)\b/.test(type)) {
      yield [name, { is: 'named', type, markers }];
    }
    // Markers may be in a separate comment above the declaration, as for kinds.
    if (line !== '') markers = new Map();
  }
}

function readFields(file: string, lines: readonly string[]): GoField[] {
  const fields: GoField[] = [];
  let markers = new Map<string, string>();
  for (const line of lines) {
    const text = line.trim();
    if (readMarker(markers, text) || text === '') continue;
    const [, name, type, tag = ''] = FIELD.exec(text) ?? [];
    if (name === undefined)
      throw new Error(`Failed to read ${file}: ${JSON.stringify(text)} is not a field.`);
    const tags = new Map([...tag.matchAll(TAG)].map(([, key = '', value = '']) => [key, value]));
    fields.push(
      type === undefined
        ? { name: name.slice(name.lastIndexOf('.') + 1), embedded: true, type: name, tags, markers }
        : { name, embedded: false, type, tags, markers },
    );
    markers = new Map();
  }
  return fields;
}

const FIELD = /^([\w.]+)(?:\s+([\w.*[\]{}]+))?(?:\s+`(.*)`)?(?:\s*\/\/.*)?$/;
const TAG = /(\w+):"([^"]*)"/g;

/** Adds the marker of a comment line, if it has one. Returns whether the line is a comment. */
function readMarker(markers: Map<string, string>, line: string): boolean {
  const [, name, value = ''] = /^\/\/ ?\+([\w:./-]+)(?:=(.*))?$/.exec(line.trim()) ?? [];
  if (name !== undefined) markers.set(name, [markers.get(name), value.trim()].filter((one) => one).join(','));
  return line.startsWith('//');
}
