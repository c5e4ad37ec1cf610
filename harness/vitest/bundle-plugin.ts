import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import type { Bundle } from './bundle.ts';

const NAME = 'bundled';

/** Loads the bundle instead of the harness wherever its entry points are imported. */
export function bundled({ harness, testing, fixture, given, laws }: Bundle): Plugin {
  const entryPoints: Readonly<Record<string, string>> = {
    '#harness': harness,
    '#harness/testing': testing,
    // As the katas of the fixtures import it.
    '../../../../fixture-harness.ts': fixture,
    ...Object.fromEntries(Object.entries(given).map(([id, file]) => [`#given/${id}`, file])),
    ...Object.fromEntries(Object.entries(laws).map(([id, file]) => [`#laws/${id}`, file])),
  };
  return {
    name: NAME,
    enforce: 'pre',
    // External: Node loads the bundle itself, and Vite has nothing to transform.
    resolveId(source) {
      const file = entryPoints[source];
      return file === undefined ? null : { id: pathToFileURL(file).href, external: true };
    },
    // Vitest's cache key of a module includes the location of the bundle: another bundle invalidates the cache. Projects that load
    // the harness from its sources keep theirs.
    configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) =>
      defineKey(({ environment }) =>
        environment.config.plugins.some(({ name }) => name === NAME) ? harness : undefined,
      ),
  };
}
