import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import type { Bundle } from './bundle.ts';

/** Loads the bundle instead of the harness wherever its entry points are imported. */
export function bundled({ harness, testing, given, laws }: Bundle): Plugin {
  const entryPoints: Readonly<Record<string, string>> = {
    '#harness': harness,
    '#harness/testing': testing,
    ...Object.fromEntries(Object.entries(given).map(([id, file]) => [`#given/${id}`, file])),
    ...Object.fromEntries(Object.entries(laws).map(([id, file]) => [`#laws/${id}`, file])),
  };
  return {
    name: 'bundled',
    enforce: 'pre',
    // External: Node loads the bundle itself, and Vite has nothing to transform.
    resolveId(source) {
      const file = entryPoints[source];
      return file === undefined ? null : { id: pathToFileURL(file).href, external: true };
    },
    // Vitest's cache key of a test includes the location of the harness: another bundle invalidates the cache.
    configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) => defineKey(() => harness),
  };
}
