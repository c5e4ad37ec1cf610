import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { filesIn, isOptional, levelFilesOf, levelsIn } from './katas.ts';
import { withoutComments } from './sources.ts';

/**
 * Whether a learner may take the free way: all that the laws of a kata load is written, and uses no function that is still
 * `todo`, but those of levels marked ★. Such functions, and levels that are about them, are then *not taken*, and the laws decide.
 *
 * @param folder the kata's folder, absolute
 * @returns false when the folder has no laws
 */
export function takesFreeWay(folder: string): boolean {
  return loadedByLaws(folder).length > 0 && freeWayStart(folder).length === 0;
}

/**
 * Where the free way begins: the names that the laws of a kata load and that still need a function that is `todo`, in the
 * order of their import.
 *
 * @param folder the kata's folder, absolute
 */
export function freeWayStart(folder: string): readonly string[] {
  const code = codeOf(folder);
  const spared = optionalHeadings(folder);
  // Words are quick, and find too much: a local variable may have the name of a function. Then the code itself is asked.
  return loadedByLaws(folder).filter(
    (name) => reachesTodo(code, [name], spared) && stillReachesTodo(linked(folder, name), name, spared),
  );
}

/**
 * The same of linked code. In it stands what is used; and classes that extend what comes from elsewhere, because to load them could
 * do something.
 */
function stillReachesTodo(code: string | undefined, name: string, spared: readonly string[]): boolean {
  if (code === undefined) return true;
  return declarationsIn(code).has(name) ? reachesTodo(code, [name], spared) : callsTodo(code, spared);
}

/**
 * The titles of the levels that are left out on the free way: those that use a function that is still `todo`, or that the
 * kata exports no more.
 *
 * @param folder the kata's folder, absolute
 * @returns none when the free way is not taken: the laws need a function that is `todo`, or only levels marked ★ do
 */
export function levelsNotTaken(folder: string): readonly string[] {
  if (!takesFreeWay(folder)) return [];
  const kata = codeOf(folder);
  const spared = optionalHeadings(folder);
  const removed = levelsRemoved(folder);
  const unwritten: string[] = [];
  for (const file of testsOf(folder)) {
    const code = [kata, ...withImported(file).map(bare)].join('\n');
    for (const title of levelsIn(file)) {
      if (!removed.includes(title) && reachesTodo(code, [title], isOptional(title) ? [] : spared))
        unwritten.push(title);
    }
  }
  return [...new Set(unwritten.every(isOptional) ? removed : [...removed, ...unwritten])];
}

/** The titles of the levels whose tests use a name that the kata no longer exports. */
function levelsRemoved(folder: string): readonly string[] {
  const kata = codeOf(folder);
  const exported = exportsOf(folder);
  return testsOf(folder).flatMap((file) => {
    const tests = withImported(file);
    const code = [kata, ...tests.map(bare)].join('\n');
    const missing = tests.flatMap(namesLoaded).filter((name) => !exported.includes(name));
    return levelsIn(file).filter((title) => uses(code, title, missing));
  });
}

/** The levels marked ★ of a kata, by their number: `Level 11`. */
export interface OptionalLevels {
  readonly all: readonly string[];
  /** A function of the level is still `todo`. */
  readonly todo: readonly string[];
  /** The kata does not export a function of the level: the learner's own design may do without it. */
  readonly removed: readonly string[];
}

/**
 * Finds out how far the levels marked ★ are written.
 *
 * @param folder the kata's folder, absolute
 */
export function optionalLevels(folder: string): OptionalLevels {
  const calls = toldToTodo(codeOf(folder));
  // A level may be in several files.
  const all = [...new Set(optionalHeadings(folder))];
  const removed = levelsRemoved(folder);
  return {
    all,
    todo: all.filter((heading) => calls.some((told) => isAbout(told, heading))),
    removed: all.filter((heading) => removed.some((title) => title.startsWith(`${heading} `))),
  };
}

/** The files with a kata's levels. */
function testsOf(folder: string): readonly string[] {
  return filesIn(folder)
    .filter((name) => /^[^.]+\.test\.ts$/.test(name))
    .map((name) => path.join(folder, name))
    .flatMap((file) => [file, ...levelFilesOf(file)]);
}

/** The levels marked ★, as `todo` calls them: `Level 11`. */
function optionalHeadings(folder: string): readonly string[] {
  return testsOf(folder)
    .flatMap((file) => levelsIn(file))
    .filter(isOptional)
    .flatMap((title) => /^Level \d+/.exec(title) ?? []);
}

/**
 * What a name stands for that the laws load, with all that it uses, and without what it does not use.
 *
 * @returns undefined while the code cannot be read
 */
function linked(folder: string, name: string): string | undefined {
  const imported = filesIn(folder).find(
    (file) => /^[^.]+\.ts$/.test(file) && exportedBy(path.join(folder, file)).includes(name),
  );
  if (imported === undefined) return undefined;
  try {
    const { outputFiles } = buildSync({
      stdin: { contents: `export { ${name} } from './${imported}';`, resolveDir: folder, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'esnext',
      external: ['#*'],
      packages: 'external',
      tsconfigRaw: {},
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]?.text;
  } catch {
    return undefined;
  }
}

/** The names that the files of a kata export. */
function exportsOf(folder: string): readonly string[] {
  return filesIn(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => exportedBy(path.join(folder, name)));
}

/** The names that a module exports, declared there or in a list. */
function exportedBy(file: string): readonly string[] {
  const code = withoutComments(readFileSync(file, 'utf8'));
  const declared = /^export\s+(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var)\s+([\w$]+)/gm;
  const listed = [...code.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  return [
    ...[...code.matchAll(declared)].map(([, name = '']) => name),
    ...listed.map((entry) => entry.trim().split(/\s+/).at(-1) ?? ''),
  ];
}

/** What the laws in a folder import from a kata, types aside. */
function loadedByLaws(folder: string): readonly string[] {
  const laws = filesIn(folder).filter((name) => name.endsWith('.properties.test.ts'));
  return laws.flatMap((name) => namesLoaded(withoutComments(readFileSync(path.join(folder, name), 'utf8'))));
}

/** What a test file imports from a kata, types aside. */
function namesLoaded(code: string): readonly string[] {
  return [...code.matchAll(/^import \{([^}]*)\} from '#kata\//gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((entry) => entry.trim().split(' ')[0] ?? '')
      .filter((name) => name !== '' && name !== 'type'),
  );
}

/** The code of a kata: the files beside its tests. */
function codeOf(folder: string): string {
  return filesIn(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => bare(readFileSync(path.join(folder, name), 'utf8')))
    .join('\n');
}

/** The text of a test file, after that of the fixtures beside it that it imports, however indirectly. */
function withImported(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const fixtures = [...text.matchAll(/from '(\.{1,2}\/[^']+\.fixture\.ts)'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), name),
  );
  return [...fixtures.flatMap((fixture) => withImported(fixture, seen)), text];
}

/** Without comments and imports, which may name what they do not use. */
function bare(text: string): string {
  return withoutComments(text).replace(/^import\s+(?:[^'"]*from\s+)?['"][^'"]*['"];?/gm, '');
}

/**
 * Whether a declaration that is used from `entries`, however indirectly, still calls `todo`. A class counts as a whole, and
 * so does a level, which goes by its title.
 *
 * @param code without comments and imports, which may name what they do not use
 * @param spared headings whose functions may stay as they are: `Level 11`
 */
export function reachesTodo(
  code: string,
  entries: readonly string[],
  spared: readonly string[] = [],
): boolean {
  return reaches(declarationsIn(code), entries, (body) => callsTodo(body, spared));
}

/** Whether a level uses one of these names, however indirectly. */
function uses(code: string, title: string, names: readonly string[]): boolean {
  return (
    names.length > 0 &&
    reaches(declarationsIn(code), [title], (body) => names.some((name) => wordsOf(body).has(name)))
  );
}

/** Whether one of the declarations that are used from `entries`, however indirectly, is `wanted`. */
function reaches(
  declarations: ReadonlyMap<string, string>,
  entries: readonly string[],
  wanted: (body: string) => boolean,
): boolean {
  const visited = new Set<string>();
  const visit = (name: string): boolean => {
    const body = declarations.get(name);
    if (body === undefined || visited.has(name)) return false;
    visited.add(name);
    return wanted(body) || [...wordsOf(body)].some(visit);
  };
  return entries.some(visit);
}

/** The names and keywords in code. */
function wordsOf(code: string): ReadonlySet<string> {
  return new Set(code.match(/[\w$]+/g));
}

/** Whether code calls `todo`, not counting what belongs to `spared`. */
function callsTodo(code: string, spared: readonly string[]): boolean {
  return toldToTodo(code).some((told) => !spared.some((heading) => isAbout(told, heading)));
}

/** What `todo` is told, at each of its calls. */
function toldToTodo(code: string): readonly string[] {
  return [...code.matchAll(/\btodo\d*\s*\(([^)]*)\)/g)].map(([, told = '']) => told);
}

function isAbout(told: string, heading: string): boolean {
  return new RegExp(`['"]${heading}\\b`).test(told);
}

/** The text of what a module declares at its top, levels included, by name, each up to the next one. */
function declarationsIn(code: string): ReadonlyMap<string, string> {
  const heads = [
    ...code.matchAll(
      /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var)\s+([\w$]+)/gm,
    ),
    ...[...code.matchAll(/^describe\(\s*(['"`])(.*?)\1/gm)].map(({ index, 2: title = '' }) => ({
      index,
      1: title,
    })),
  ].sort((a, b) => a.index - b.index);
  return new Map(
    heads.map(({ index, 1: name = '' }, n) => [name, code.slice(index, heads[n + 1]?.index ?? code.length)]),
  );
}
