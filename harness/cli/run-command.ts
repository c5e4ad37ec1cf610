import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { OWN_FILES } from '../cluster/own-components.ts';
import { listKatas, listKatasWithoutCode, listSolutions } from '../workbook/katas.ts';
import type { KataRun } from '../workbook/run-command-line.ts';
import { takenFiles } from '../workbook/taken.ts';
import { Failure } from './failure.ts';

/** Arguments and environment of a Vitest run. */
interface VitestRun {
  readonly args: readonly string[];
  /** Environment variables of the run, in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

const USAGE =
  'Type: npm run kata -- run 41, with any of --only "Never twice", --seed 7, --runs 1000, --watch, --mine, --solutions, --mistake ID, --variant ID.';

/**
 * Runs the tests of one kata like `npx vitest run`. The settings are options, so the same command works in every shell.
 *
 * @param words the options, as typed: `41 --only "Never twice" --seed 7`
 * @returns the exit code: 0 when all tests passed
 * @throws Failure when the kata or an option does not exist
 */
export function runTests(root: string, words: readonly string[]): number {
  const { args, env } = vitestRun(root, words);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  return status ?? 1;
}

/**
 * Translates the options of `npm run kata -- run` into a run of Vitest.
 *
 * @throws Failure when the kata or an option does not exist
 */
export function vitestRun(root: string, words: readonly string[]): VitestRun {
  const { watch, mine, ...run } = optionsIn(words);
  const { kata, only, seed, runs, mistake, variant } = run;
  const ids = [...listKatas(root), ...listKatasWithoutCode(root)].map(({ id }) => id);
  const references = listSolutions(root).flatMap(({ id, hasKata }) => (hasKata ? [] : [id]));
  const found = [...ids, ...references].find((id) => id === kata || id.startsWith(`${kata}-`));
  if (found === undefined)
    throw new Failure(`run ${kata}`, 'that kata does not exist', `The katas are: ${ids.join(', ')}.`);
  const hasKata = ids.includes(found);
  const solutions = !hasKata || run.solutions || mistake !== undefined || variant !== undefined;
  return {
    args: [
      watch ? 'watch' : 'run',
      `${hasKata ? 'katas' : 'solutions'}/${found}/`,
      ...(solutions ? ['--project', 'solutions'] : []),
      ...(only === undefined ? [] : ['-t', patternOf(only)]),
    ],
    env: {
      ...(seed === undefined ? {} : { KATA_SEED: String(seed) }),
      ...(runs === undefined ? {} : { KATA_RUNS: runs }),
      ...(mistake === undefined ? {} : { KATA_MISTAKE: mistake }),
      ...(variant === undefined ? {} : { KATA_VARIANT: variant }),
      ...(mine ? { [OWN_FILES]: JSON.stringify(takenFiles(root)) } : {}),
    },
  };
}

/** A run and its mode. */
type Options = KataRun & { readonly watch: boolean; readonly mine: boolean };

function optionsIn(words: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        seed: { type: 'string' },
        runs: { type: 'string' },
        mistake: { type: 'string' },
        variant: { type: 'string' },
        solutions: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
        mine: { type: 'boolean', default: false },
      },
    });
    const [kata, ...more] = positionals;
    if (kata === undefined || more.length > 0) throw new Error('it takes one kata');
    const seed = values.seed === undefined ? undefined : wholeNumber('--seed', values.seed);
    if (values.runs !== undefined) wholeNumber('--runs', values.runs);
    return { ...values, kata, seed };
  } catch (error) {
    throw new Failure('run tests', error instanceof Error ? error.message : String(error), USAGE);
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error(`${option} takes a whole number, not "${text}"`);
  return Number(text);
}

/** Vitest takes a pattern. In the text of `--only`, `?` stands for a character that shells do not pass on. */
function patternOf(only: string): string {
  return only.replace(/[\\^$.*+()[\]{}|]/g, '\\$&').replaceAll('?', '.');
}
