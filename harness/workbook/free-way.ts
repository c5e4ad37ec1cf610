import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { filesIn, isOptional, levelFilesOf, levelsIn } from './katas.ts';
import { withoutComments } from './sources.ts';

/**
 * Returns whether a learner has a freestyle solution. The laws must load only written code that uses no `todo`
 * function, apart from optional levels (★). Levels of such functions are then *skipped*, and only the laws count.
 *
 * @param folder the kata's folder, absolute
 * @returns false when the folder has no laws
 */
export function takesFreeWay(folder: string): boolean {
  const loaded = loadedByLaws(folder);
  return loaded.length > 0 && !loaded.some(needsTodo(folder));
}

/**
 * Returns the names to write first for a freestyle solution: those that the laws load and that still need a `todo`, in
 * import order.
 *
 * @param folder the kata's folder, absolute
 */
export function freeWayStart(folder: string): readonly string[] {
  return loadedByLaws(folder).filter(needsTodo(folder));
}

/** Returns whether an export of the folder needs a `todo` function. */
function needsTodo(folder: string): (name: string) => boolean {
  const code = codeOf(folder);
  const spared = optionalHeadings(folder);
  // Matching words is fast but imprecise: a local variable may have the name of a function. So check candidates in
  // linked code.
  return (name) => reachesTodo(code, [name], spared) && stillReachesTodo(linked(folder, name), name, spared);
}

/**
 * Checks linked code. It contains only used declarations, and classes that extend imported ones, because loading those
 * might have side effects.
 */
function stillReachesTodo(code: string | undefined, name: string, spared: readonly string[]): boolean {
  if (code === undefined) return true;
  return declarationsIn(code).has(name) ? reachesTodo(code, [name], spared) : callsTodo(code, spared);
}

/**
 * Returns the titles of the levels that a freestyle solution skips: those with a function that is still `todo`, or no
 * longer exported.
 *
 * @param folder the kata's folder, absolute
 * @returns none if the laws need a `todo` function, or if only optional levels (★) do
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

/** Returns the titles of the levels whose tests use a name that the kata no longer exports. */
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

/** The optional levels (★) of a kata, by number: `Level 11`. */
export interface OptionalLevels {
  readonly all: readonly string[];
  /** The levels with a function that is still `todo`. */
  readonly todo: readonly string[];
  /** The levels with a function that the kata does not export: the learner's own design may omit it. */
  readonly removed: readonly string[];
}

/**
 * Returns the state of the optional levels (★).
 *
 * @param folder the kata's folder, absolute
 */
export function optionalLevels(folder: string): OptionalLevels {
  const calls = toldToTodo(codeOf(folder));
  // A level may span several files.
  const all = [...new Set(optionalHeadings(folder))];
  const removed = levelsRemoved(folder);
  return {
    all,
    todo: all.filter((heading) => calls.some((told) => isAbout(told, heading))),
    removed: all.filter((heading) => removed.some((title) => title.startsWith(`${heading} `))),
  };
}

/** Returns the files with a kata's levels. */
function testsOf(folder: string): readonly string[] {
  return filesIn(folder)
    .filter((name) => /^[^.]+\.test\.ts$/.test(name))
    .map((name) => path.join(folder, name))
    .flatMap((file) => [file, ...levelFilesOf(file)]);
}

/** Returns the optional levels (★) as in `todo` calls: `Level 11`. */
function optionalHeadings(folder: string): readonly string[] {
  return testsOf(folder)
    .flatMap((file) => levelsIn(file))
    .filter(isOptional)
    .flatMap((title) => /^Level \d+/.exec(title) ?? []);
}

/**
 * Bundles the code of a name that the laws load, with only the declarations that it uses.
 *
 * @returns undefined while the code has a syntax error
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

/** Returns the names that the files of a kata export. */
function exportsOf(folder: string): readonly string[] {
  return filesIn(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => exportedBy(path.join(folder, name)));
}

/** Returns the names that a module exports, by declaration or in a list. */
function exportedBy(file: string): readonly string[] {
  const code = withoutComments(readFileSync(file, 'utf8'));
  const declared = /^export\s+(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var)\s+([\w$]+)/gm;
  const listed = [...code.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  return [
    ...[...code.matchAll(declared)].map(([, name = '']) => name),
    ...listed.map((entry) => entry.trim().split(/\s+/).at(-1) ?? ''),
  ];
}

/** Returns the names that the laws in a folder import from a kata, without types. */
function loadedByLaws(folder: string): readonly string[] {
  const laws = filesIn(folder).filter((name) => name.endsWith('.properties.test.ts'));
  return laws.flatMap((name) => namesLoaded(withoutComments(readFileSync(path.join(folder, name), 'utf8'))));
}

/** Returns the names that a test file imports from a kata, without types. */
function namesLoaded(code: string): readonly string[] {
  return [...code.matchAll(/^import \{([^}]*)\} from '#kata\//gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((entry) => entry.trim().split(' ')[0] ?? '')
      .filter((name) => name !== '' && name !== 'type'),
  );
}

/** Returns the code of a kata: all files except its tests. */
function codeOf(folder: string): string {
  return filesIn(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => bare(readFileSync(path.join(folder, name), 'utf8')))
    .join('\n');
}

/** Returns the text of a test file, after the text of the fixtures that it imports, also indirectly. */
function withImported(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const fixtures = [...text.matchAll(/from '(\.{1,2}\/[^']+\.fixture\.ts)'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), name),
  );
  return [...fixtures.flatMap((fixture) => withImported(fixture, seen)), text];
}

/** Removes comments and imports, which may contain unused names. */
function bare(text: string): string {
  return withoutComments(text).replace(/^import\s+(?:[^'"]*from\s+)?['"][^'"]*['"];?/gm, '');
}

/**
 * Returns whether a declaration that `entries` use, also indirectly, still calls `todo`. A class counts as a whole, and
 * so does a level, whose name is its title.
 *
 * @param code without comments and imports, which may contain unused names
 * @param spared headings whose functions may stay unwritten: `Level 11`
 */
export function reachesTodo(
  code: string,
  entries: readonly string[],
  spared: readonly string[] = [],
): boolean {
  return reaches(declarationsIn(code), entries, (body) => callsTodo(body, spared));
}

/** Returns whether a level uses one of these names, also indirectly. */
function uses(code: string, title: string, names: readonly string[]): boolean {
  return (
    names.length > 0 &&
    reaches(declarationsIn(code), [title], (body) => names.some((name) => wordsOf(body).has(name)))
  );
}

/** Returns whether a declaration that `entries` use, also indirectly, is `wanted`. */
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

/** Returns the names and keywords in code. */
function wordsOf(code: string): ReadonlySet<string> {
  return new Set(code.match(/[\w$]+/g));
}

/** Returns whether code calls `todo`, apart from calls for `spared` headings. */
function callsTodo(code: string, spared: readonly string[]): boolean {
  return toldToTodo(code).some((told) => !spared.some((heading) => isAbout(told, heading)));
}

/** Returns the arguments of each call of `todo`. */
function toldToTodo(code: string): readonly string[] {
  return [...code.matchAll(/\btodo\d*\s*\(([^)]*)\)/g)].map(([, told = '']) => told);
}

function isAbout(told: string, heading: string): boolean {
  return new RegExp(`['"]${heading}\\b`).test(told);
}

/** Returns the code of each top-level declaration, including levels, by name. Each ends where the next one begins. */
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
