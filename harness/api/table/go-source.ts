/**
 * A field of a Go struct: what its line and the markers above it say.
 */
export interface GoField {
  /** The name in Go; for an embedded struct, that of its type. */
  readonly name: string;
  readonly embedded: boolean;
  /** As the source has it, in the terms of its package: `*metav1.LabelSelector`. */
  readonly type: string;
  /** The struct tag by key: `json` → `name,omitempty`. */
  readonly tags: ReadonlyMap<string, string>;
  readonly markers: Markers;
}

/** The `+name=value` lines of a comment; of a name that is repeated the values are joined by commas. */
export type Markers = ReadonlyMap<string, string>;

/** Go's own types, as far as the API has them, with the names by which the table calls them. */
export const BASIC_TYPES: ReadonlyMap<string, string> = new Map([
  ...['string', 'bool', 'int32', 'int64', 'float64', 'uint8'].map((name) => [name, name] as const),
  ['byte', 'uint8'],
  ['interface{}', 'any'],
]);

/** A type that a Go file declares. */
type GoType =
  | {
      readonly is: 'struct';
      /** Read when they are asked for: structs that are not of the API may have lines that no reader knows. */
      fields(): readonly GoField[];
      readonly markers: Markers;
    }
  | { readonly is: 'named'; readonly type: string; readonly markers: Markers };

/** What the files of one Go package declare. */
export interface GoPackage {
  readonly types: ReadonlyMap<string, GoType>;
  /** The text constants of each named type, by their Go names; some are named after one of another package. */
  readonly constants: ReadonlyMap<string, ReadonlyMap<string, string | { readonly constant: string }>>;
  /** The types with a method UnmarshalJSON: they decode themselves. */
  readonly decodesItself: ReadonlySet<string>;
  /** The path of the package behind each qualifier. */
  readonly imports: ReadonlyMap<string, string>;
  /** The types whose zero values stand in a list of their own, one a line: how a package registers its kinds. */
  readonly registered: readonly string[];
  /** The value of the constant GroupName; undefined where there is none. */
  readonly groupName: string | undefined;
}

/**
 * Reads the declarations of a Go package out of its files, as far as types of an API need it. The files are
 * formatted by gofmt, so that each declaration begins at the start of a line and each field has its own.
 *
 * @param files - the texts of the files by their names
 * @throws Error when a type is declared twice, and, when the fields of a struct are asked for, at a line that is no field
 */
export function readGoPackage(files: ReadonlyMap<string, string>): GoPackage {
  const types = new Map<string, GoType>();
  const constants = new Map<string, Map<string, string | { constant: string }>>();
  const decodesItself = new Set<string>();
  const imports = new Map<string, string>();
  const registered: string[] = [];
  let groupName: string | undefined;

  for (const [file, source] of files) {
    // The file belongs to a build that names this tag, and the usual build does not.
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
/** `Left Way = "Left"`, or converted: `Left = Way("Left")`, `Left = Way(other.Left)`. */
const CONSTANT = /^(?:\t|const )(\w+)[ \t]+(?:(\w+)[ \t]*= |= (\w+)\()(?:"([^"]*)"|(\w+\.\w+)\))/gm;
const UNMARSHAL = /^func \(\w+ \*?(\w+)\) UnmarshalJSON\(/gm;
const IMPORT = /^\t(?:(\w+) )?"(k8s\.io\/[^"]+)"$/gm;
/** In a list; what is registered under another name, after a call, is internal. */
const REGISTERED = /(?<!\),\n)^\t+&(\w+)\{\},$/gm;
const GROUP_NAME = /^const GroupName = "([^"]*)"/m;

/** The types of one file, each with the markers of the comment above it. */
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
    // Markers may stand apart from the declaration, in a comment of their own: kinds have theirs so.
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

/** Takes in the marker of a line of a comment, if there is one; whether the line is a comment. */
function readMarker(markers: Map<string, string>, line: string): boolean {
  const [, name, value = ''] = /^\/\/ ?\+([\w:./-]+)(?:=(.*))?$/.exec(line.trim()) ?? [];
  if (name !== undefined) markers.set(name, [markers.get(name), value.trim()].filter((one) => one).join(','));
  return line.startsWith('//');
}
