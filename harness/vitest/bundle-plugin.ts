import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import type { Bundle } from './bundle.ts';

/** Serves the bundle where the harness is imported by its doors. */
export function bundled({ harness, testing, laws }: Bundle): Plugin {
  const entryPoints: Readonly<Record<string, string>> = {
    '#harness': harness,
    '#harness/testing': testing,
    ...Object.fromEntries(Object.entries(laws).map(([id, file]) => [`#laws/${id}`, file])),
  };
  return {
    name: 'bundled',
    enforce: 'pre',
    // As it is, by Node itself: Vite has nothing to do there.
    resolveId(source) {
      const file = entryPoints[source];
      return file === undefined ? null : { id: pathToFileURL(file).href, external: true };
    },
    // What Vitest keeps of a test says where the harness is: with another bundle it is another text.
    configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) => defineKey(() => harness),
  };
}
