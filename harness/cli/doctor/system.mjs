/** @import { Check } from './machine.ts' */

/** The peak of a run in MB, all processes together: 798 for kata 41, the largest, and 745 for kata 23. */
const RUN_MB = 800;

/**
 * Compares the memory and the cores with the needs of a run.
 *
 * @type {Check}
 */
export function checkMemory({ memory, cores, platform }) {
  const name = 'memory';
  const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);
  // macOS counts memory that it can free at once as used.
  const isTotal = platform === 'darwin';
  const offered = megabytes(isTotal ? memory.totalBytes / 2 : memory.freeBytes);
  const total = megabytes(memory.totalBytes);
  const seen = `${cores} ${cores === 1 ? 'core' : 'cores'}, ${isTotal ? `${total} MB` : `${offered} of ${total} MB free`}`;
  const needs = `a run uses up to ${RUN_MB} MB and 2 cores`;
  if (offered < RUN_MB)
    return {
      name,
      state: 'warning',
      text: `${seen}; ${needs}`,
      remedy:
        'Close other programs, or raise the memory limit of the container, of WSL or of the virtual machine.',
    };
  if (cores < 2)
    return {
      name,
      state: 'warning',
      text: `${seen}; ${needs}`,
      remedy: 'Expect each run to take twice as long.',
    };
  return { name, state: 'ok', text: `${seen}; ${needs}` };
}

/** The port that clusters usually have, and that README.md names for `npm run cluster`. */
const USUAL_PORT = 6443;

/**
 * Checks that `npm run cluster` can listen.
 *
 * @type {Check}
 */
export async function checkPort({ listen }) {
  const name = 'port';
  const any = await listen(0);
  if (any !== undefined)
    return {
      name,
      state: 'warning',
      text: `no program can listen on 127.0.0.1 (${any}): npm run cluster cannot start`,
      remedy: 'Allow local connections in the firewall or the sandbox. The katas do not need them.',
    };
  const usual = await listen(USUAL_PORT);
  if (usual !== undefined)
    return {
      name,
      state: 'warning',
      text: `port ${USUAL_PORT} is not free (${usual}), perhaps because of another local cluster`,
      remedy: 'Start the cluster without --port: npm run cluster takes any free port.',
    };
  return { name, state: 'ok', text: `npm run cluster can listen, also on port ${USUAL_PORT}` };
}

/**
 * Finds kubectl, which is optional.
 *
 * @type {Check}
 */
export async function checkKubectl({ run }) {
  const name = 'kubectl';
  const found = await run('kubectl', ['version', '--client', '--output=json'], { limitMs: 10_000 });
  if (found.missing)
    return {
      name,
      state: 'warning',
      text: 'not installed: only npm run cluster with a real kubectl needs it',
      remedy: 'Nothing to do: npm run kubectl -- get pods works without it.',
    };
  const version = /"gitVersion":\s*"v?([^"]+)"/.exec(found.out)?.[1];
  if (version === undefined)
    return {
      name,
      state: 'warning',
      text: 'installed, but does not report its version',
      remedy: 'kubectl version --client',
    };
  return { name, state: 'ok', text: version };
}

/** The width that the screens of the workbook need, in columns. */
const COLUMNS_MIN = 80;

/**
 * Examines the terminal: width, colours, and letters beyond ASCII.
 *
 * @type {Check}
 */
export function checkTerminal({ terminal: { isTTY, columns }, env, platform }) {
  const name = 'terminal';
  if (!isTTY) return { name, state: 'ok', text: 'output goes to a file or a pipe: plain lines' };
  if (columns !== undefined && columns < COLUMNS_MIN)
    return {
      name,
      state: 'warning',
      text: `${columns} columns, but failures are drawn for ${COLUMNS_MIN}`,
      remedy: `Make the window at least ${COLUMNS_MIN} columns wide.`,
    };
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  const isUnicode =
    platform === 'win32'
      ? env.WT_SESSION !== undefined || env.TERM_PROGRAM === 'vscode'
      : platform === 'darwin' || /utf-?8/i.test(locale);
  if (!isUnicode)
    return {
      name,
      state: 'warning',
      text: `may not show ✓ and ·: the character set is ${locale === '' ? 'unknown' : locale}`,
      remedy: platform === 'win32' ? 'Use Windows Terminal, or type: chcp 65001' : 'export LANG=C.UTF-8',
    };
  const colours = env.NO_COLOR || env.TERM === 'dumb' ? 'no colours' : 'colours';
  return { name, state: 'ok', text: `${columns ?? 'unknown'} columns, UTF-8, ${colours}` };
}
