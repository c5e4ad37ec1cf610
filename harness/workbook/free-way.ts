import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from './katas.ts';
import { withoutComments } from './sources.ts';

/**
 * Whether a learner takes the free way: all that the laws of a kata load is written, and uses no function that is still
 * `todo`. Such functions, and levels that are about them, are then *not taken*, and the laws decide.
 *
 * @param folder the kata's folder, absolute
 * @returns false when the folder has no laws
 */
export function takesFreeWay(folder: string): boolean {
  const names = filesIn(folder).filter((name) => name.endsWith('.ts'));
  const read = (name: string): string => withoutComments(readFileSync(path.join(folder, name), 'utf8'));
  const laws = names.filter((name) => name.endsWith('.properties.test.ts')).map(read);
  const loaded = laws.flatMap(namesLoaded);
  if (loaded.length === 0) return false;
  const code = names.filter((name) => !name.endsWith('.test.ts')).map(read);
  return !reachesTodo(code.join('\n'), loaded);
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

/**
 * Whether a declaration that is used from `entries`, however indirectly, still calls `todo`. A class counts as a whole.
 *
 * @param code without comments, which may name what they do not use
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

/** The text of what a module declares at its top, by name, each up to the next one. */
function declarationsIn(code: string): ReadonlyMap<string, string> {
  const heads = [
    ...code.matchAll(
      /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var)\s+([\w$]+)/gm,
    ),
  ];
  return new Map(
    heads.map(({ index, 1: name = '' }, n) => [name, code.slice(index, heads[n + 1]?.index ?? code.length)]),
  );
}
