import type { Plugin } from 'vite';
import { isUnderTest } from './workbook-file.ts';

/** Imports of modules that expose the machine's time without a global that could be guarded. */
const timers = /^\s*import\b[^;'"]*['"]((?:node:)?(?:timers|timers\/promises|perf_hooks))['"]/m;

/** Refuses to load a kata or solution that imports the machine's timers; tests may import them. */
export function realTimeImports(): Plugin {
  return {
    name: 'real-time-imports',
    enforce: 'pre',
    // Vite never asks its plugins to resolve Node's own modules, so the plugin must search the text.
    transform(code, id) {
      refuseRealTime(code, id);
      return null;
    },
  };
}

/**
 * @param code the text of the file
 * @param file its path; a query may follow
 * @throws Error when it is a file of a kata or a solution, not a test, and imports the machine's timers
 */
export function refuseRealTime(code: string, file: string): void {
  const [statement, source] = (isUnderTest(file) && timers.exec(code)) || [];
  if (statement === undefined) return;
  const why = `${source} is real: a run that uses it cannot be replayed.`;
  throw new Error(`${why} Use the \`clock\` argument instead, and remove this:\n${statement.trim()}`);
}
