import {
  type Declaration,
  declarationsIn,
  exportedAgain,
  type ImportedName,
  identifiersIn,
  importedNames,
  type Member,
  membersOf,
} from './declarations.ts';
import { resolveRelative } from './sources.ts';
import { type Todo, todosIn } from './stub.ts';
import { wired } from './wiring.ts';

/** The functions that the learner writes, in a start that gives them the rest. */
export interface Own {
  includes(todo: Todo): boolean;
  /** Whether the learner writes them even in a class that a given class instantiates. */
  readonly always: boolean;
}

/** The functions of this level and of the later ones. */
export function fromLevel(level: number): Own {
  return { includes: ({ heading }) => levelOf(heading) >= level, always: false };
}

/** These functions: `classifyPod`, `Queue.add`, or the name of a class for all its functions. */
export function only(symbols: readonly string[]): Own {
  const includes = ({ symbol }: Todo): boolean =>
    symbols.some((name) => symbol === name || symbol.startsWith(`${name}.`));
  return { includes, always: true };
}

/** Inputs of {@link giveRest}. */
interface Given {
  /** The learner's file, as it is. */
  readonly stub: string;
  /** The original stub; absent if it is not known. */
  readonly pristine?: string;
  /** The files of the reference by path, with forward slashes. */
  readonly reference: ReadonlyMap<string, string>;
  /** The functions that the learner writes. */
  readonly own: Own;
  /** Earlier starts that may have left their code in the stub: that code counts as untouched. @defaultValue none */
  readonly earlier?: readonly Own[];
}

/** A stub after the reference's bodies were filled in. */
interface Filled {
  readonly text: string;
  /** The functions that were filled in: `Queue.add`. */
  readonly given: readonly string[];
  /** Partly written classes: filling them in would lose the learner's code. If there are any, nothing is filled in. */
  readonly inTheWay: readonly string[];
}

/**
 * Fills the reference's bodies into all functions that still call `todo`, except the learner's own, and keeps
 * the learner's code. In a class that has both, the learner's functions stay `todo`. The private fields, helpers
 * and imports that the bodies need are added too.
 *
 * @throws Error when the reference has no declaration of a stub's name: then stub and reference do not match
 */
export function giveRest({ stub, pristine, reference, own, earlier = [] }: Given): Filled {
  const source = new Reference(reference);
  const declarations = declarationsIn(stub);
  const names = new Set(declarations.map(({ name }) => name));
  const tasks = tasksOf(declarations, source, own);
  const inTheWay = tasks.flatMap(({ declaration }) =>
    isUntouched(declaration, pristine ?? stub, source, earlier) ? [] : [declaration.name],
  );
  if (inTheWay.length > 0) return { text: stub, given: [], inTheWay };

  const needs = new Needs(source, names, importedNames(stub));
  const pieces: string[] = [];
  let at = 0;
  for (const { declaration, late } of tasks) {
    const found = source.find(declaration.name);
    const code = completed(declaration, found.declaration, late);
    const helpers = needs.of(found.file, code);
    // An earlier start may have left the mark.
    const above = stub.slice(at, declaration.from).replace(new RegExp(`${GIVEN}\\n$`), '');
    pieces.push(above, ...helpers, `${GIVEN}\n`, declaration.doc, code);
    at = declaration.to;
  }
  pieces.push(stub.slice(at));
  if (own.always) {
    for (const { file, code } of ownCode(declarations, source, own)) needs.importFor(file, code);
  }
  const text = withImports(asValues(pieces.join(''), needs.values), needs.imports);
  const filled = tasks.map(({ declaration }) => declaration.name);
  return {
    text: wired({
      text,
      pristine: pristine ?? stub,
      reference: source.exported,
      isOwn: (todo) => own.includes(todo),
      withOwn: own.always,
      filled,
    }),
    given: tasks.flatMap(({ early }) => early),
    inTheWay,
  };
}

/** Returns the reference's code of the functions that the learner writes: of a class, only the members. */
function ownCode(
  declarations: readonly Declaration[],
  source: Reference,
  own: Own,
): readonly { readonly file: string; readonly code: string }[] {
  return declarations.flatMap((stub) => {
    const symbols = todosIn(stub.code)
      .filter((todo) => own.includes(todo))
      .map(({ symbol }) => symbol);
    if (symbols.length === 0) return [];
    const { file, declaration } = source.find(stub.name);
    const members = membersOf(declaration).filter(({ name }) => symbols.includes(`${stub.name}.${name}`));
    return (members.length > 0 ? members : [declaration]).map(({ code }) => ({ file, code }));
  });
}

/** A declaration of the stub, with the functions to fill in and those to leave. */
interface Task {
  readonly declaration: Declaration;
  readonly early: readonly string[];
  readonly late: readonly string[];
}

/**
 * Returns the declarations with given functions, and every class that the constructor of such a class instantiates.
 */
function tasksOf(declarations: readonly Declaration[], source: Reference, own: Own): readonly Task[] {
  const made = new Set<string>();
  const tasks = (): readonly Task[] =>
    declarations.flatMap((declaration) => {
      const whole = !own.always && made.has(declaration.name);
      const todos = todosIn(declaration.code).map((todo) => ({
        symbol: todo.symbol,
        early: whole || !own.includes(todo),
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

/** Returns whether a declaration is as in the original stub, or as an earlier start left it. */
function isUntouched(
  { name, code }: Declaration,
  pristine: string,
  source: Reference,
  earlier: readonly Own[],
): boolean {
  const declarations = declarationsIn(pristine);
  const original = declarations.find((one) => one.name === name);
  if (!original || original.code === code) return original !== undefined;
  return earlier.some((own) => {
    const task = tasksOf(declarations, source, own).find(({ declaration }) => declaration === original);
    return task !== undefined && completed(original, source.find(name).declaration, task.late) === code;
  });
}

/** Returns the classes that a class instantiates in its constructor or field initializers. */
function madeBy(reference: Declaration): readonly string[] {
  return membersOf(reference)
    .filter(({ name, code }) => name === 'constructor' || !/^ {2}[^=]*\(/.test(code))
    .flatMap(({ code }) => [...code.matchAll(/\bnew (\w+)/g)].map(([, name = '']) => name));
}

const GIVEN = '// Given: the code of the reference.';

const levelOf = (heading: string): number =>
  Number(/^Level (\d+)/.exec(heading)?.[1] ?? Number.POSITIVE_INFINITY);

/**
 * Returns the reference's declaration with the stub's comments. Members of later levels stay as they are in the stub, and
 * the private methods that only they use are left out.
 */
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
  for (const { doc, code: helper } of helpersOf(late, theirs)) {
    code = code.replace(`\n\n${doc}${helper}`, () => '');
  }
  const missing = own.filter((one) => isLate(one) && !theirs.some(({ name }) => name === one.name));
  if (missing.length === 0) return code;
  return code.replace(/\n\}$/, () => `\n\n${missing.map((one) => one.doc + one.code).join('\n\n')}\n}`);
}

/** Returns the private methods of a class that only these functions use: `Queue.add`. The learner chooses other helpers. */
function helpersOf(symbols: readonly string[], members: readonly Member[]): readonly Member[] {
  const isHelper = ({ code }: Member): boolean => /^ *(?:(?:static|async) |\*)*#\w+[(<]/.test(code);
  const isTheirs = ({ name }: Member): boolean => symbols.some((symbol) => symbol.endsWith(`.${name}`));
  const used = new Set(members.filter((member) => !isHelper(member) && !isTheirs(member)));
  // The set grows while it is read: the methods of a used method are used, too.
  for (const { code } of used) {
    for (const member of members) {
      if (isHelper(member) && new RegExp(`\\.${member.name}\\b`).test(code)) used.add(member);
    }
  }
  return members.filter((member) => isHelper(member) && !used.has(member));
}

function isExported({ code }: Declaration): boolean {
  return code.startsWith('export ');
}

/** A declaration of the reference, and its file. */
interface Place {
  readonly file: string;
  readonly declaration: Declaration;
}

/** The files of a reference, indexed by their declarations. */
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

  /** The exported declarations. */
  get exported(): readonly Declaration[] {
    const all = [...this.#files.values()].flatMap(({ declarations }) => declarations);
    return all.filter(isExported);
  }

  /** Returns the declaration that the reference exports by this name. */
  find(name: string): Place {
    for (const [file, { declarations }] of this.#files) {
      const declaration = declarations.find((one) => one.name === name && isExported(one));
      if (declaration) return { file, declaration };
    }
    throw new Error(`Failed to fill in ${name}: the reference exports nothing of that name.`);
  }

  /** Resolves an identifier in a file to its declarations, there or in another file, or to an imported name. */
  resolve(file: string, name: string): readonly Place[] | ImportedName | undefined {
    const known = this.#files.get(file);
    const own = known?.declarations.filter((one) => one.name === name) ?? [];
    if (own.length > 0) return own.map((declaration) => ({ file, declaration }));
    const imported = [...(known?.imports ?? []), ...(known?.again ?? [])].find((one) => one.name === name);
    if (!imported?.specifier.startsWith('.')) return imported;
    return this.resolve(resolveRelative(file, imported.specifier), imported.original);
  }
}

/** Collects the helpers and imports that filled-in code needs and the stub lacks. */
class Needs {
  readonly #source: Reference;
  /** The names that the stub declares, and the added names, each with its origin. */
  readonly #known: Map<string, string>;
  readonly #imported: Map<string, ImportedName>;
  readonly imports: ImportedName[] = [];
  /** Names that the stub imports only as types although they are needed as values. */
  readonly values = new Set<string>();

  constructor(source: Reference, names: ReadonlySet<string>, imported: readonly ImportedName[]) {
    this.#source = source;
    this.#known = new Map([...names].map((name) => [name, 'the stub']));
    this.#imported = new Map(imported.map((one) => [one.name, one]));
  }

  /** Returns the missing helpers of this code, each after its own helpers. */
  of(file: string, code: string): readonly string[] {
    return [...identifiersIn(code)].flatMap((name) => this.#bring(file, name));
  }

  /** Adds the imports of this code and of the helpers that it uses, but not the helpers: the learner writes such code. */
  importFor(file: string, code: string, visited: ReadonlySet<string> = new Set()): void {
    for (const name of identifiersIn(code)) {
      const found = this.#source.resolve(file, name);
      if (found === undefined || visited.has(name)) continue;
      if (!isPlaces(found)) this.#bring(file, name);
      else if (!this.#known.has(name)) {
        for (const { file: home, declaration } of found)
          this.importFor(home, declaration.code, new Set([...visited, name]));
      }
    }
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

/** Returns the text with type-only imports of these names turned into value imports. */
function asValues(text: string, names: ReadonlySet<string>): string {
  return text.replace(/^import (type )?\{[^}]*\} from '[^']+';$/gm, (statement) =>
    [...names].reduce((all, name) => {
      const own = new RegExp(`(?<![\\w$])type ${name}(?![\\w$])`);
      const listed = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
      return listed.test(all) ? all.replace(own, name).replace(/^import type /, 'import ') : all;
    }, statement),
  );
}

/** The `lineWidth` of biome.json. */
const LINE_WIDTH = 110;

/** Returns the text with more imports: in the statement for the same module, or below the last one, as the formatter writes them. */
function withImports(text: string, names: readonly ImportedName[]): string {
  const specifiers = [...new Set(names.map(({ specifier }) => specifier))];
  return specifiers.reduce((all, specifier) => {
    const own = names.filter((one) => one.specifier === specifier);
    const existing = [...all.matchAll(/^import \{([^}/]*)\} from '([^']+)';\n/gm)].find(
      ([, , module]) => module === specifier,
    );
    const listed = (existing?.[1] ?? '').split(',').map((name) => name.trim());
    const statement = importOf(specifier, [...listed.filter(Boolean), ...own.map(inImport)]);
    const last = existing ?? [...all.matchAll(/^import [^;]*;\n/gm)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    return all.slice(0, existing?.index ?? end) + statement + all.slice(end);
  }, text);
}

const inImport = ({ name, original, typeOnly }: ImportedName): string =>
  [typeOnly ? 'type ' : '', original, name === original ? '' : ` as ${name}`].join('');

function importOf(specifier: string, names: readonly string[]): string {
  const sorted = names.toSorted((a, b) => compareNames(a.replace(/^type /, ''), b.replace(/^type /, '')));
  const line = `import { ${sorted.join(', ')} } from '${specifier}';\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  return `import {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${specifier}';\n`;
}

/** Orders names letter by letter: A, a, B, b. */
function compareNames(a: string, b: string): number {
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  if (at < 0) return a.length - b.length;
  const [left, right] = [a[at] ?? '', b[at] ?? ''];
  const [lowerLeft, lowerRight] = [left.toLowerCase(), right.toLowerCase()];
  if (lowerLeft !== lowerRight) return lowerLeft < lowerRight ? -1 : 1;
  return left < right ? -1 : 1;
}
