import { statSync } from 'node:fs';
import path from 'node:path';
import { namesIn } from './packages.mjs';

/** @import { Check } from './machine.ts' */

/** How long the trial may take, in ms. It takes a few seconds, and longer on the first run. */
const LIMIT_MS = 180_000;

/**
 * Runs the first level of the smallest kata against its reference: this proves that Vitest starts and runs tests.
 *
 * @type {Check}
 */
export async function checkTrial({ root, run, nowMs }) {
  const name = 'a test';
  const kata = smallestKata(root);
  if (kata === undefined)
    return {
      name,
      state: 'problem',
      text: 'no kata has a reference to run',
      remedy: 'git checkout katas solutions',
    };
  const args = ['run', `katas/${kata}/`, '--project', 'solutions', '-t', 'Level 1 '];
  const startMs = nowMs();
  const { status, late, out } = await run(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    limitMs: LIMIT_MS,
  });
  const seconds = ((nowMs() - startMs) / 1_000).toFixed(1);
  const passed = Number(/^(\d+) passed, 0 failed/m.exec(out)?.[1] ?? 0);
  if (status === 0 && passed > 0)
    return { name, state: 'ok', text: `Level 1 of ${kata} passes with the reference, in ${seconds} s` };
  const said = lastLineOf(out);
  const why = late ? `did not end within ${LIMIT_MS / 1_000} s` : `failed${said === '' ? '' : `: ${said}`}`;
  return {
    name,
    state: 'problem',
    text: `Level 1 of ${kata} with the reference ${why}`,
    remedy: `npm run kata -- run ${kata.slice(0, 2)} --solutions --only "Level 1" shows the whole output.`,
  };
}

/**
 * Returns the kata whose tests and reference have the fewest bytes.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
function smallestKata(root) {
  const sized = namesIn(path.join(root, 'katas'))
    .filter((kata) => /^\d\d-/.test(kata) && namesIn(path.join(root, 'solutions', kata)).length > 0)
    .map((kata) => ({
      kata,
      bytes: bytesIn(path.join(root, 'katas', kata)) + bytesIn(path.join(root, 'solutions', kata)),
    }));
  return sized.sort((a, b) => a.bytes - b.bytes)[0]?.kata;
}

/**
 * @param {string} folder
 * @returns {number} the sizes of its TypeScript files
 */
function bytesIn(folder) {
  return namesIn(folder)
    .filter((name) => name.endsWith('.ts'))
    .reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}

/**
 * @param {string} text
 * @returns {string}
 */
function lastLineOf(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').pop() ?? '';
}
