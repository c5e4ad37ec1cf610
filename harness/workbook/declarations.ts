import { withoutComments } from './sources.ts';

/**
 * A top-level declaration of a file, verbatim. Overloads form one declaration; a destructured object forms one for each
 * name.
 */
export interface Declaration {
  readonly name: string;
  /** The comment right above it, with its line end; empty if there is none. */
  readonly doc: string;
  /** From `export` to the closing brace. */
  readonly code: string;
  /** The offsets where `doc` begins in the file's text, and where `code` ends. */
  readonly from: number;
  readonly to: number;
}

/** A member of a class, verbatim. */
export interface Member {
  /** `add`, `#size`, `constructor` */
  readonly name: string;
  readonly doc: string;
  readonly code: string;
}

/** One name that a file imports. */
export interface ImportedName {
  /** The local name. */
  readonly name: string;
  /** The name in the imported module. */
  readonly original: string;
  readonly typeOnly: boolean;
  readonly specifier: string;
}

/**
 * Returns the top-level declarations of a file, in order. It does not parse the language: in formatted code, every line
 * that starts in the first column begins a declaration, unless it closes one.
 */
export function declarationsIn(text: string): readonly Declaration[] {
  const found: Declaration[] = [];
  for (const block of blocks(text, '', NAMED)) {
    const before = found.at(-1);
    if (before?.name === block.name && /^(?:export )?(?:async )?function/.test(block.code)) {
      const code = text.slice(before.from + before.doc.length, block.to);
      found[found.length - 1] = { ...before, code, to: block.to };
    } else found.push(...(block.name === '{' ? takenApart(block) : [block]));
  }
  return found;
}

/** Returns the members of a class, in order; empty for other declarations. */
export function membersOf({ code }: Pick<Declaration, 'code'>): readonly Member[] {
  return isClass(code) ? blocks(code, '  ', MEMBER) : [];
}

/**
 * Returns the name of the declaration at an offset of a file, or of the class member: `classifyPod`, `Queue.add`. Empty
 * outside of declarations, and for a negative offset.
 */
export function placeOf(text: string, at: number): string {
  // An anchor may begin with the line break above.
  const found = declarationsIn(text).find(({ from, to }) => from <= at + 1 && at < to);
  if (!found || at < 0) return '';
  const offset = at - found.from - found.doc.length;
  const member = membersOf(found).find(({ code }) => {
    const start = found.code.indexOf(code);
    return start <= offset + 1 && offset < start + code.length;
  });
  return member ? `${found.name}.${member.name}` : found.name;
}

const isClass = (code: string): boolean => /^(?:export )?(?:abstract )?class /.test(code);

/** Returns the named imports of a file, in order. */
export function importedNames(text: string): readonly ImportedName[] {
  return named(text, 'import');
}

/** Returns the names that a file re-exports from other files. */
export function exportedAgain(text: string): readonly ImportedName[] {
  return named(text, 'export');
}

/**
 * Returns the identifiers in a piece of code, except those after a dot. Some may be object keys, or words in a template
 * literal.
 */
export function identifiersIn(code: string): ReadonlySet<string> {
  const texts = /'(?:[^'\\\n]|\\.)*'/g;
  // A name at the indent of the members is a declaration of the class, not a use.
  const heads = /^ {2}(?:(?:static|override|protected|private|async|get|set) |\*)*[A-Za-z_$][\w$]*(?=[(<])/gm;
  const bare = withoutComments(code)
    .replace(texts, "''")
    .replace(isClass(code) ? heads : /$^/g, '');
  return new Set([...bare.matchAll(/(?<![\w$#]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g)].map(([name]) => name));
}

/** Splits `const { a, b } = c;` into a declaration for each name. */
function takenApart(block: Declaration): readonly Declaration[] {
  const [, list = '', from = ''] = /^const \{([^}]*)\} = ([^;]+);$/.exec(block.code) ?? [];
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => ({
      ...block,
      name: entry.replace(/^.*:\s*/, ''),
      code: `const { ${entry} } = ${from};`,
    }));
}

const NAMED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) ([A-Za-z_$][\w$]*|\{)/;
const MEMBER =
  /^(?:(?:public|protected|private|static|override|readonly|abstract|async|declare|get|set) |\*)*(#?[A-Za-z_$][\w$]*|\[[^\]]+\])/;

/** Returns the blocks whose first line has this indent and a name, each with the comment right above it. */
function blocks(text: string, indent: string, pattern: RegExp): readonly Declaration[] {
  const lines = text.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const begins = (line: string): boolean =>
    line.startsWith(indent) && /^[^\s{}()\]<>|&?:;.,=*`]/.test(line.slice(indent.length));
  const found: Declaration[] = [];
  let index = indent === '' ? 0 : lines.findIndex((line) => /\{\s*$/.test(line)) + 1;
  while (index < lines.length) {
    const first = index;
    // A comment belongs to the declaration right below it.
    if ((lines[index] ?? '').startsWith(`${indent}/**`)) {
      while (index < lines.length && !/\*\/\s*$/.test(lines[index] ?? '')) index++;
      index++;
    }
    const head = lines[index] ?? '';
    const [, name] = (begins(head) && pattern.exec(head.slice(indent.length))) || [];
    if (name === undefined) {
      index = Math.max(index, first + 1);
      continue;
    }
    let end = index + 1;
    while (end < lines.length && !begins(lines[end] ?? '') && !closes(lines[end] ?? '', indent)) end++;
    while ((lines[end - 1] ?? '').trim() === '') end--;
    const from = starts[first] ?? 0;
    const code = starts[index] ?? 0;
    const to = (starts[end - 1] ?? 0) + (lines[end - 1] ?? '').length;
    found.push({ name, doc: text.slice(from, code), code: text.slice(code, to), from, to });
    index = end;
  }
  return found;
}

/** Returns whether the line closes the block around the members. */
function closes(line: string, indent: string): boolean {
  return indent !== '' && line !== '' && !line.startsWith(' ');
}

function named(text: string, keyword: 'import' | 'export'): readonly ImportedName[] {
  const statements = withoutComments(text).matchAll(
    new RegExp(`^${keyword} (type )?\\{([^}]*)\\} from '([^']+)';`, 'gm'),
  );
  return [...statements].flatMap(([, whole, list = '', specifier = '']) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => {
        const [, type, original = '', name] = /^(type )?(\S+)(?: as (\S+))?$/.exec(entry) ?? [];
        return {
          name: name ?? original,
          original,
          typeOnly: (whole ?? type) !== undefined,
          specifier,
        };
      }),
  );
}
