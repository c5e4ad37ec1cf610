import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn, isOptional, levelFilesOf, levelsIn } from './katas.ts';
import { withoutComments } from './sources.ts';

/**
 * Whether a learner may take the free way: all that the laws of a kata load is written, and uses no function that is still
 * `todo`. Such functions, and levels that are about them, are then *not taken*, and the laws decide.
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
  return loadedByLaws(folder).filter((name) => reachesTodo(code, [name]));
}

/**
 * The titles of the levels that are left out on the free way: those that use a function that is still `todo`.
 *
 * @param folder the kata's folder, absolute
 * @returns none when the free way is not taken: the laws need a function that is `todo`, or only levels marked ★ do
 */
export function levelsNotTaken(folder: string): readonly string[] {
  if (!takesFreeWay(folder)) return [];
  const kata = codeOf(folder);
  const files = filesIn(folder)
    .filter((name) => /^[^.]+\.test\.ts$/.test(name))
    .map((name) => path.join(folder, name));
  const titles = files
    .flatMap((file) => [file, ...levelFilesOf(file)])
    .flatMap((file) => {
      const code = [kata, ...withImported(file)].join('\n');
      return levelsIn(file).filter((title) => reachesTodo(code, [title]));
    });
  return titles.every(isOptional) ? [] : [...new Set(titles)];
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

/** The code of a test file, after that of the fixtures beside it that it imports, however indirectly. */
function withImported(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const fixtures = [...text.matchAll(/from '(\.{1,2}\/[^']+\.fixture\.ts)'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), name),
  );
  return [...fixtures.flatMap((fixture) => withImported(fixture, seen)), bare(text)];
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
 */
export function reachesTodo(code: string, entries: readonly string[]): boolean {
  const declarations = declarationsIn(code);
  const visited = new Set<string>();
  const visit = (name: string): boolean => {
    const body = declarations.get(name);
    if (body === undefined || visited.has(name)) return false;
    visited.add(name);
    if (/\btodo\s*\(/.test(body)) return true;
    return [...new Set(body.match(/[\w$]+/g))].some(visit);
  };
  return entries.some(visit);
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
