import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin as EsbuildPlugin } from 'esbuild';

/** The harness in a few JavaScript files that Node loads directly. All paths are absolute. */
export interface Bundle {
  /** `#harness` */
  readonly harness: string;
  /** `#harness/testing` */
  readonly testing: string;
  /** The bundled `setup.ts`, which shares its modules. */
  readonly setup: string;
  /** The bundled `config.ts`: Vitest's configuration. */
  readonly config: string;
  /** The bundled `preload.ts`. */
  readonly preload: string;
  /** The bundled `judge-kata.ts`. */
  readonly judge: string;
  /** The bundled `behaviour.ts`. */
  readonly behaviour: string;
  /** The bundled `replay.ts`. */
  readonly replay: string;
  /** The bundled `fixture-harness.ts`. */
  readonly fixture: string;
  /** `#given/NN-name`, by `NN-name`. */
  readonly given: Readonly<Record<string, string>>;
  /** `#laws/NN-name`, by `NN-name`. */
  readonly laws: Readonly<Record<string, string>>;
}

/** The number of older bundles that are kept for running processes. */
const OTHERS_KEPT = 4;

const ENTRY_POINTS = {
  harness: 'index.ts',
  testing: 'testing/index.ts',
  setup: 'vitest/setup.ts',
  config: 'vitest/config.ts',
  preload: 'vitest/preload.ts',
  judge: 'vitest/judge-kata.ts',
  behaviour: 'vitest/behaviour.ts',
  replay: 'vitest/replay.ts',
  fixture: 'vitest/fixture-harness.ts',
} as const;

/**
 * Bundles the harness into a few files. A learner runs a kata again and again, and loading hundreds of modules takes
 * longer than its tests. The bundle is cached, and rebuilt when a file of the harness changes.
 *
 * @param root the workbook's folder
 */
export async function bundleHarness(root: string): Promise<Bundle> {
  const source = realpathSync(path.join(root, 'harness'));
  const kept = path.join(root, 'node_modules/.cache/kubernetes-katas/harness');
  const folder = path.join(kept, fingerprintOf(source));
  const inFolder = (name: string): string => path.join(folder, `${name}.mjs`);
  const namesIn = (room: string): readonly string[] =>
    readdirSync(path.join(source, room)).map((id) => `${room}/${id}`);
  const [given, laws] = [namesIn('given'), namesIn('laws')];
  const entries: Readonly<Record<string, string>> = {
    ...ENTRY_POINTS,
    ...Object.fromEntries([...given, ...laws].map((name) => [name, `${name}/index.ts`])),
  };
  const byID = (names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [path.posix.basename(name), inFolder(name)]));
  const bundled: Bundle = {
    harness: inFolder('harness'),
    testing: inFolder('testing'),
    setup: inFolder('setup'),
    config: inFolder('config'),
    preload: inFolder('preload'),
    judge: inFolder('judge'),
    behaviour: inFolder('behaviour'),
    replay: inFolder('replay'),
    fixture: inFolder('fixture'),
    given: byID(given),
    laws: byID(laws),
  };
  if (Object.keys(entries).every((name) => existsSync(inFolder(name)))) return bundled;
  const made = `${folder}.${process.pid}`;
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, path.join(source, file)]),
    ),
    outdir: made,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Modules that two entries share must exist only once, or the evidence of a test would be lost between two
    // copies.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [keepOrigins],
  });
  keepLast(kept, path.basename(made));
  // Another run may have built it in the meantime.
  if (existsSync(folder)) rmSync(made, { recursive: true });
  else renameSync(made, folder);
  return bundled;
}

/** Returns the bundle's replacement of each entry point of the harness, by absolute path. */
export function entryPointsOf(
  root: string,
  { harness, testing, fixture, given, laws }: Bundle,
): Readonly<Record<string, string>> {
  const entryPoint = (name: string): string => path.join(root, 'harness', name);
  const entryPoints = (
    room: string,
    files: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(files).map(([id, file]) => [entryPoint(`${room}/${id}/index.ts`), file]),
    );
  return {
    [entryPoint('index.ts')]: harness,
    [entryPoint('testing/index.ts')]: testing,
    // The root of a fixture is another folder.
    [path.join(import.meta.dirname, 'fixture-harness.ts')]: fixture,
    ...entryPoints('given', given),
    ...entryPoints('laws', laws),
  };
}

/** Removes old bundles, but keeps some: running processes still load from them. */
function keepLast(kept: string, newest: string): void {
  const others = readdirSync(kept).filter((name) => name !== newest);
  const age = (name: string): number => -statSync(path.join(kept, name)).mtimeMs;
  for (const name of others.toSorted((a, b) => age(a) - age(b)).slice(OTHERS_KEPT))
    rmSync(path.join(kept, name), { recursive: true, force: true });
}

/**
 * In a bundle, `import.meta` refers to the bundle. This plugin keeps the original path for code that looks for a file
 * next to its own.
 */
const keepOrigins: EsbuildPlugin = {
  name: 'keep-origins',
  setup({ onLoad }) {
    onLoad({ filter: /\/harness\/.*\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const url = JSON.stringify(pathToFileURL(file).href);
      const contents = text
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)));
      return { contents, loader: 'ts' };
    });
  },
};

/** Returns a fingerprint of the files that may be in the bundle, based on their sizes and modification times. */
function fingerprintOf(folder: string): string {
  const sum = createHash('sha256').update(process.version);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(ts|json)$/.test(file) || /\.(test|bench)\.ts$|\/fixtures\//.test(file))
      continue;
    const { size, mtimeMs } = statSync(file);
    sum.update(`${file}\n${size} ${mtimeMs}\n`);
  }
  return sum.digest('hex').slice(0, 16);
}
