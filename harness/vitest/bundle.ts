import { readdirSync } from 'node:fs';
import path from 'node:path';
import { cachedBundle } from './bundle-cache.mjs';

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
 * Bundles the harness into a few files, because a learner runs a kata again and again. See {@link cachedBundle}.
 *
 * @param root the workbook's folder
 */
export async function bundleHarness(root: string): Promise<Bundle> {
  const namesIn = (room: string): readonly string[] =>
    readdirSync(path.join(root, 'harness', room)).map((id) => `${room}/${id}`);
  const [given, laws] = [namesIn('given'), namesIn('laws')];
  const entries: Readonly<Record<string, string>> = {
    ...ENTRY_POINTS,
    ...Object.fromEntries([...given, ...laws].map((name) => [name, `${name}/index.ts`])),
  };
  const inFolder = await cachedBundle({
    root,
    name: 'harness',
    sources: ['harness'],
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, path.join('harness', file)]),
    ),
  });
  const byID = (names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [path.posix.basename(name), inFolder(name)]));
  return {
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
