import { withoutComments } from './sources.ts';

/**
 * A declaration at the top of a file, as it stands there. Overloads are one declaration; an object that is taken apart is
 * one for each name.
 */
export interface Declaration {
  readonly name: string;
  /** The comment right above it, with its line end; empty when there is none. */
  readonly doc: string;
  /** From `export` to the closing brace. */
  readonly code: string;
  /** Where `doc` begins in the file's text, and where `code` ends. */
  readonly from: number;
  readonly to: number;
}

/** A member of a class, as it stands there. */
export interface Member {
  /** `add`, `#size`, `constructor` */
  readonly name: string;
  readonly doc: string;
  readonly code: string;
}

/** One name that a file imports. */
export interface ImportedName {
  /** What the file calls it. */
  readonly name: string;
  /** What it is called where it comes from. */
  readonly original: string;
  readonly typeOnly: boolean;
  readonly specifier: string;
}

/**
 * The declarations at the top of a file, in order. It knows no grammar: it reads what the formatter writes, where whatever
 * begins at the first column begins a declaration, except for what closes one.
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

/** The members of a class, in order, read off its declaration; none of what is no class. */
export function membersOf({ code }: Pick<Declaration, 'code'>): readonly Member[] {
  return isClass(code) ? blocks(code, '  ', MEMBER) : [];
}

const isClass = (code: string): boolean => /^(?:export )?(?:abstract )?class /.test(code);

/** What a file imports by name, in order. */
export function importedNames(text: string): readonly ImportedName[] {
  return named(text, 'import');
}

/** What a file hands on by name from another. */
export function exportedAgain(text: string): readonly ImportedName[] {
  return named(text, 'export');
}

/** The identifiers in a piece of code, except those that follow a dot. Some of them may be keys or words in a text. */
export function identifiersIn(code: string): ReadonlySet<string> {
  const texts = /'(?:[^'\\\n]|\\.)*'/g;
  // What stands at the indent of its members is what a class declares, not what it uses.
  const heads = /^ {2}(?:(?:static|override|protected|private|async|get|set) |\*)*[A-Za-z_$][\w$]*(?=[(<])/gm;
  const bare = withoutComments(code)
    .replace(texts, "''")
    .replace(isClass(code) ? heads : /$^/g, '');
  return new Set([...bare.matchAll(/(?<![\w$#]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g)].map(([name]) => name));
}

/** `const { a, b } = c;` as a declaration of each. */
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

/** Blocks whose first line has this indent and a name, each with the comment right above it. */
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
    // A comment: it belongs to what follows at once.
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

/** Whether the line closes what the blocks are in. */
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
