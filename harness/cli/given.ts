import {
  type Declaration,
  declarationsIn,
  exportedAgain,
  type ImportedName,
  identifiersIn,
  importedNames,
  type Member,
  membersOf,
} from '../workbook/declarations.ts';
import { resolveRelative } from '../workbook/sources.ts';
import { todosIn } from './stub.ts';

/** What is to be written into a stub. */
interface Given {
  /** The learner's file, as it is. */
  readonly stub: string;
  /** The stub as it was in the beginning; absent when it is not known. */
  readonly pristine?: string;
  /** The files of the reference by path, with forward slashes. */
  readonly reference: ReadonlyMap<string, string>;
  /** The first level that stays the learner's. */
  readonly fromLevel: number;
}

/** A stub with what was given. */
interface Filled {
  readonly text: string;
  /** The functions that were written into it: `Queue.add`. */
  readonly given: readonly string[];
  /** Declarations in which the learner's own code would be lost: classes of which a part is written. Nothing is given then. */
  readonly inTheWay: readonly string[];
}

/**
 * Writes the reference's bodies for all functions of the levels before one, wherever the stub still says `todo`, and leaves
 * what the learner has written. Of a class that has later levels, too, the later functions stay `todo`. What the bodies need
 * of the reference comes along: private fields, helpers, imports.
 *
 * @throws Error when the reference has no declaration of that name: the stub and the reference do not belong together
 */
export function givenUpTo({ stub, pristine, reference, fromLevel }: Given): Filled {
  const source = new Reference(reference);
  const own = declarationsIn(stub);
  const names = new Set(own.map(({ name }) => name));
  const tasks = tasksOf(own, source, fromLevel);
  const inTheWay = tasks.flatMap(({ declaration }) =>
    isUntouched(declaration, pristine ?? stub, source, fromLevel) ? [] : [declaration.name],
  );
  if (inTheWay.length > 0) return { text: stub, given: [], inTheWay };

  const needs = new Needs(source, names, importedNames(stub));
  const pieces: string[] = [];
  let at = 0;
  for (const { declaration, late } of tasks) {
    const found = source.find(declaration.name);
    const code = completed(declaration, found.declaration, late);
    const helpers = needs.of(found.file, code);
    // An earlier start in the middle has marked it already.
    const above = stub.slice(at, declaration.from).replace(new RegExp(`${GIVEN}\\n$`), '');
    pieces.push(above, ...helpers, `${GIVEN}\n`, declaration.doc, code);
    at = declaration.to;
  }
  pieces.push(stub.slice(at));
  const text = withImports(asValues(pieces.join(''), needs.values), needs.imports);
  return {
    text: withLists(text, source, fromLevel),
    given: tasks.flatMap(({ early }) => early),
    inTheWay,
  };
}

/**
 * Fills the lists that the stub leaves empty and that belong to a level before: with those elements of the reference that are
 * written. Their TSDoc says of which level they are: `The list is of Level 5`.
 */
function withLists(text: string, source: Reference, fromLevel: number): string {
  const declarations = declarationsIn(text);
  const unwritten = declarations.filter(({ code }) => todosIn(code).length > 0).map(({ name }) => name);
  let filled = text;
  for (const { name, doc, code } of declarations) {
    const level = Number(/\bThe list is of Level (\d+)\b/.exec(doc)?.[1] ?? Number.POSITIVE_INFINITY);
    if (level >= fromLevel || !code.includes('= [];')) continue;
    const elements = source.find(name).declaration.code.match(/^ {2}\S.*,$/gm) ?? [];
    const written = elements.filter((element) => !unwritten.some((each) => identifiersIn(element).has(each)));
    filled = filled.replace(code, () => code.replace('= [];', () => `= [\n${written.join('\n')}\n];`));
  }
  return filled;
}

/** A declaration of the stub, with the functions to give and those to leave. */
interface Task {
  readonly declaration: Declaration;
  readonly early: readonly string[];
  readonly late: readonly string[];
}

/** What is to be given: the levels before, and every class that the constructor of a given class makes. */
function tasksOf(own: readonly Declaration[], source: Reference, fromLevel: number): readonly Task[] {
  const made = new Set<string>();
  const tasks = (): readonly Task[] =>
    own.flatMap((declaration) => {
      const whole = made.has(declaration.name);
      const todos = todosIn(declaration.code).map(({ symbol, heading }) => ({
        symbol,
        early: whole || levelOf(heading) < fromLevel,
      }));
      const early = todos.filter((one) => one.early).map(({ symbol }) => symbol);
      const late = todos.filter((one) => !one.early).map(({ symbol }) => symbol);
      return early.length > 0 ? [{ declaration, early, late }] : [];
    });
  for (;;) {
    const found = tasks();
    const more = found.flatMap(({ declaration: { name } }) => madeBy(source.find(name).declaration));
    if (more.every((name) => made.has(name))) return found;
    for (const name of more) made.add(name);
  }
}

/** Whether a declaration is as it was in the beginning, or as an earlier start in the middle left it. */
function isUntouched(
  { name, code }: Declaration,
  pristine: string,
  source: Reference,
  fromLevel: number,
): boolean {
  const declarations = declarationsIn(pristine);
  const original = declarations.find((one) => one.name === name);
  if (!original || original.code === code) return original !== undefined;
  for (let level = 2; level < fromLevel; level++) {
    const task = tasksOf(declarations, source, level).find(({ declaration }) => declaration === original);
    if (task && completed(original, source.find(name).declaration, task.late) === code) return true;
  }
  return false;
}

/** The classes of which a class makes one when it is made itself. */
function madeBy(reference: Declaration): readonly string[] {
  return membersOf(reference)
    .filter(({ name, code }) => name === 'constructor' || !/^ {2}[^=]*\(/.test(code))
    .flatMap(({ code }) => [...code.matchAll(/\bnew (\w+)/g)].map(([, name = '']) => name));
}

const GIVEN = '// Given: as the reference has it.';

const levelOf = (heading: string): number =>
  Number(/^Level (\d+)/.exec(heading)?.[1] ?? Number.POSITIVE_INFINITY);

/** The reference's declaration, with the stub's comments, and with the stub's members where those stay to be written. */
function completed(stub: Declaration, reference: Declaration, late: readonly string[]): string {
  const own = membersOf(stub);
  if (own.length === 0) return reference.code;
  const isLate = (member: Member): boolean =>
    todosIn(member.code).some(({ symbol }) => late.includes(symbol));
  const theirs = membersOf(reference);
  let { code } = reference;
  for (const member of theirs) {
    const mine = own.find(({ name }) => name === member.name);
    if (!mine) continue;
    const text = isLate(mine) ? mine.doc + mine.code : mine.doc + member.code;
    code = code.replace(member.doc + member.code, () => text);
  }
  const missing = own.filter((one) => isLate(one) && !theirs.some(({ name }) => name === one.name));
  if (missing.length === 0) return code;
  return code.replace(/\n\}$/, () => `\n\n${missing.map((one) => one.doc + one.code).join('\n\n')}\n}`);
}

/** A declaration of the reference, and the file that it stands in. */
interface Place {
  readonly file: string;
  readonly declaration: Declaration;
}

/** The files of a reference, by what they declare. */
class Reference {
  readonly #files: ReadonlyMap<
    string,
    {
      readonly declarations: readonly Declaration[];
      readonly imports: readonly ImportedName[];
      readonly again: readonly ImportedName[];
    }
  >;

  constructor(files: ReadonlyMap<string, string>) {
    this.#files = new Map(
      [...files].map(([file, text]) => [
        file,
        { declarations: declarationsIn(text), imports: importedNames(text), again: exportedAgain(text) },
      ]),
    );
  }

  /** The declaration that the reference exports by this name. */
  find(name: string): Place {
    for (const [file, { declarations }] of this.#files) {
      const declaration = declarations.find((one) => one.name === name && one.code.startsWith('export '));
      if (declaration) return { file, declaration };
    }
    throw new Error(`Failed to fill in ${name}: the reference exports nothing of that name.`);
  }

  /** What an identifier means in a file: declarations there or in another file, or a name that is imported. */
  resolve(file: string, name: string): readonly Place[] | ImportedName | undefined {
    const known = this.#files.get(file);
    const own = known?.declarations.filter((one) => one.name === name) ?? [];
    if (own.length > 0) return own.map((declaration) => ({ file, declaration }));
    const imported = [...(known?.imports ?? []), ...(known?.again ?? [])].find((one) => one.name === name);
    if (!imported?.specifier.startsWith('.')) return imported;
    return this.resolve(resolveRelative(file, imported.specifier), imported.original);
  }
}

/** Collects what given code needs and the stub has not. */
class Needs {
  readonly #source: Reference;
  /** What the stub declares, and what was brought: by name, where it is from. */
  readonly #known: Map<string, string>;
  readonly #imported: Map<string, ImportedName>;
  readonly imports: ImportedName[] = [];
  /** What the stub imports as a type alone, and is needed as a value. */
  readonly values = new Set<string>();

  constructor(source: Reference, names: ReadonlySet<string>, imported: readonly ImportedName[]) {
    this.#source = source;
    this.#known = new Map([...names].map((name) => [name, 'the stub']));
    this.#imported = new Map(imported.map((one) => [one.name, one]));
  }

  /** The helpers that this code of a file needs and that was not brought yet, each after those that it needs itself. */
  of(file: string, code: string): readonly string[] {
    return [...identifiersIn(code)].flatMap((name) => this.#bring(file, name));
  }

  #bring(file: string, name: string): readonly string[] {
    const found = this.#source.resolve(file, name);
    if (found === undefined) return [];
    if (!isPlaces(found)) {
      const before = this.#imported.get(name);
      if (!this.#known.has(name) && !before) this.imports.push(found);
      if (before?.typeOnly && !found.typeOnly) this.values.add(name);
      this.#imported.set(name, found);
      return [];
    }
    const [{ file: home }] = found as [Place];
    const known = this.#known.get(name);
    if (known !== undefined) return [];
    this.#known.set(name, home);
    return found.flatMap(({ declaration: { doc, code } }) => [
      ...this.of(home, code),
      `${GIVEN}\n${doc}${code.replace(/^export /, '')}\n\n`,
    ]);
  }
}

function isPlaces(found: readonly Place[] | ImportedName): found is readonly Place[] {
  return Array.isArray(found);
}

/** The text with these names imported as values, too. */
function asValues(text: string, names: ReadonlySet<string>): string {
  return text.replace(/^import (type )?\{[^}]*\} from '[^']+';$/gm, (statement) =>
    [...names].reduce((all, name) => {
      const own = new RegExp(`(?<![\\w$])type ${name}(?![\\w$])`);
      const listed = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
      return listed.test(all) ? all.replace(own, name).replace(/^import type /, 'import ') : all;
    }, statement),
  );
}

/** The text with more imports below those that it has. */
function withImports(text: string, names: readonly ImportedName[]): string {
  const specifiers = [...new Set(names.map(({ specifier }) => specifier))];
  const lines = specifiers.map((specifier) => {
    const list = names
      .filter((one) => one.specifier === specifier)
      .map(({ name, original, typeOnly }) =>
        [typeOnly ? 'type ' : '', original, name === original ? '' : ` as ${name}`].join(''),
      );
    return `import { ${list.join(', ')} } from '${specifier}';\n`;
  });
  const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
  const at = last ? last.index + last[0].length : 0;
  return text.slice(0, at) + lines.join('') + text.slice(at);
}
