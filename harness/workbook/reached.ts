import { codeOf, importsOf, listSources, resolveRelative, type Source } from './sources.ts';

/** A module of a bundle: a file of the project, or the specifier of a package. */
export interface Reached {
  readonly name: string;
  /** The file that imports it first. */
  readonly by: string;
}

/** The platforms that `#platform/…` chooses among. */
type Platform = 'browser' | 'node';

/** The entry points of package.json that lead to one file, under the condition `solution`. */
const ENTRY_POINTS: Readonly<Record<string, string>> = {
  '#harness': 'harness/index.ts',
  '#harness/node': 'harness/cli/cni-program.ts',
  '#harness/testing': 'harness/testing/index.ts',
  '#components': 'solutions/components.ts',
};

/**
 * Returns every module that a file imports at run time, directly or indirectly, also by `import()` and as a worker. The
 * imports of packages are not followed.
 *
 * @param entry relative to the root
 */
export function reachedFrom(entry: string, platform: Platform): readonly Reached[] {
  const files = new Map(
    ['harness', 'solutions'].flatMap((room) =>
      listSources(room, '.ts', '.tsx').map((source): [string, Source] => [source.file, source]),
    ),
  );
  const reached = new Map<string, Reached>([[entry, { name: entry, by: entry }]]);
  // The map grows while the loop visits it.
  for (const file of reached.keys()) {
    const source = files.get(file);
    for (const specifier of source ? specifiersOf(source) : []) {
      const name = resolved(file, specifier, platform);
      if (!reached.has(name)) reached.set(name, { name, by: file });
    }
  }
  return [...reached.values()];
}

function specifiersOf(source: Source): readonly string[] {
  const imported = importsOf(source).filter(({ typeOnly }) => !typeOnly);
  const workers = codeOf(source).matchAll(/\bnew URL\(\s*'([^']+)',\s*import\.meta\.url/g);
  return [...imported.map(({ specifier }) => specifier), ...[...workers].map(([, file = '']) => file)];
}

/** Returns a file relative to the root, or the specifier of a package. */
function resolved(file: string, specifier: string, platform: Platform): string {
  if (specifier.startsWith('.')) return resolveRelative(file, specifier);
  const [room = '', name = ''] = specifier.split(/\/(.*)/);
  if (room === '#platform') return `harness/platform/${platform}/${name}.ts`;
  if (room === '#given' || room === '#laws') return `harness/${room.slice(1)}/${name}/index.ts`;
  if (room === '#kata') return `solutions/${name}.ts`;
  return ENTRY_POINTS[specifier] ?? specifier;
}
