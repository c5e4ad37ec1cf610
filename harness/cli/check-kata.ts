import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { rowsFileOf } from '../workbook/derived.ts';
import { listSolutions } from '../workbook/katas.ts';
import { Failure, type Terminal } from './failure.ts';

/** The tests of the workbook that a kata can break. */
const RULES = ['katas', 'component-table', 'layers', 'citations', 'hygiene', 'limits', 'forgotten'];

/**
 * Checks one kata alone, as `npm run check` and `npm test` check all katas. The checks are: layout and lint of its
 * files, types, the workbook's rules, its levels and laws against the reference, and one recorded kill of each mistake.
 *
 * @param meant `99`, or `99-lease-keeper`
 * @returns the lines to print
 * @throws Failure when the kata does not exist, or, after all checks have run, when a check has failed
 */
export function checkKata(root: string, meant: string, terminal: Terminal): readonly string[] {
  const id = listSolutions(root)
    .map((solution) => solution.id)
    .find((known) => known === meant || known.slice(0, 2) === meant);
  if (id === undefined)
    throw new Failure(`check ${meant}`, 'no kata has that number or name', 'Type its number: check 24.');
  const places = [`katas/${id}`, `solutions/${id}`, `harness/laws/${id}`];
  const rules = RULES.map((name) => `harness/workbook/${name}.test.ts`);
  const projects = ['harness', 'solutions', 'mistakes'].flatMap((name) => ['--project', name]);
  const steps: readonly (readonly [bin: string, ...words: string[]])[] = [
    [
      '@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      '--no-errors-on-unmatched',
      ...places,
      rowsFileOf(id),
    ],
    ['typescript/bin/tsc', '--noEmit'],
    ['typescript/bin/tsc', '--noEmit', '-p', 'katas'],
    ['vitest/vitest.mjs', 'run', ...projects, ...rules, ...places.map((place) => `${place}/`)],
  ];
  const failed = steps.filter(([bin, ...words]) => {
    terminal.print(`$ ${path.basename(bin, '.mjs')} ${words.join(' ')}`);
    const { status } = spawnSync(process.execPath, [path.join(root, 'node_modules', bin), ...words], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, KATA_ONLY: id },
    });
    return status !== 0;
  });
  if (failed.length === 0) return [`Kata ${id} passes its checks. Next: npm run judge -- ${id.slice(0, 2)}`];
  const names = failed.map(([bin]) => path.basename(bin, '.mjs')).join(', ');
  throw new Failure(`check ${id}`, `${names} reported errors`, 'See the output above.');
}
