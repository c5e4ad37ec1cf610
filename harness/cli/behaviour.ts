import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Act, Behaviour, Parting } from '../workbook/behaviour.ts';
import { type FailedLaw, isNamed, readFailedLaws } from '../workbook/failed-laws.ts';
import { hashOfKata } from '../workbook/verdict.ts';
import { writeWhole } from '../workbook/whole-file.ts';
import type { Paint } from './colours.ts';

/** Code that never ends must not block a hint for longer. */
const WAIT_MS_MAX = 120_000;

/**
 * Returns how the learner's code behaves beside known mistakes and the reference, if this law failed in the last run
 * and the code has not changed since. Runs the code in a process of its own, for some seconds; the second time it reads
 * the answer of the first.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 * @param name the name of a law or an end-to-end test: `No ghosts`
 * @param note prints a line before the code runs
 * @returns undefined if the law did not fail, or if the code could not be run
 */
export function behaviourAt(
  root: string,
  kata: string,
  name: string,
  note: (line: string) => void,
): Behaviour | undefined {
  const law = failedLaw(root, kata, name);
  if (!law) return undefined;
  const at = hashOfKata(root, kata);
  const kept = readKept(root, kata);
  const known = kept.at === at ? kept.behaviours : {};
  const behaviour = known[law.test] ?? compared(root, kata, law, note);
  if (behaviour) keep(root, kata, { at, behaviours: { ...known, [law.test]: behaviour } });
  return behaviour;
}

/** Returns the law of this name, if it failed in the last run of the same code. */
function failedLaw(root: string, kata: string, name: string): FailedLaw | undefined {
  const failed = readFailedLaws(root, kata);
  if (failed?.at !== hashOfKata(root, kata)) return undefined;
  return failed.laws.find(({ test }) => isNamed(test, name));
}

function compared(
  root: string,
  kata: string,
  { test }: FailedLaw,
  note: (line: string) => void,
): Behaviour | undefined {
  note('Runs your code beside the reference …');
  const command = path.join(import.meta.dirname, '../vitest/behaviour-command.ts');
  const { output } = spawnSync(
    process.execPath,
    [...process.execArgv, '-C', 'solution', '--no-force-async-hooks-checks', command, kata, test],
    { cwd: root, stdio: ['ignore', 'ignore', 'ignore', 'pipe'], timeout: WAIT_MS_MAX, killSignal: 'SIGKILL' },
  );
  try {
    return JSON.parse(String(output?.[3])) as Behaviour;
  } catch {
    return undefined;
  }
}

/** Renders the behaviour for the learner; empty if there is nothing to say. */
export function behaviourLines({ mistakes, parting }: Behaviour, paint: Paint): readonly string[] {
  return [
    ...(mistakes ? mistakeLines(mistakes, paint) : []),
    ...(parting ? partingLines(parting, paint) : []),
  ];
}

function mistakeLines(
  { isCertain, misconceptions }: NonNullable<Behaviour['mistakes']>,
  paint: Paint,
): readonly string[] {
  const which = misconceptions.length === 1 ? 'this known mistake' : 'one of these known mistakes';
  const head = isCertain ? `Your code does here what ${which} does:` : `Your code resembles ${which}:`;
  return [paint('bold', head), '', ...misconceptions.map((each) => `  ${each}`), ''];
}

function partingLines({ actor, mine, reference }: Parting, paint: Paint): readonly string[] {
  const column = (who: string): string => `  ${who.padEnd('the reference'.length)}  `;
  return [
    paint('bold', `In the smallest failing scenario, ${actor} does the same with both codes until here:`),
    '',
    `${column('your code')}${said(mine)}`,
    `${column('the reference')}${said(reference)}`,
    '',
  ];
}

function said(act: Act | undefined): string {
  return act ? `${act.at}  ${act.what}` : 'does nothing more';
}

interface Kept {
  /** The hash of the kata's code. */
  readonly at: string;
  /** By the full name of the law. */
  readonly behaviours: Readonly<Record<string, Behaviour>>;
}

function readKept(root: string, kata: string): Kept {
  try {
    return JSON.parse(readFileSync(fileOf(root, kata), 'utf8')) as Kept;
  } catch {
    return { at: '', behaviours: {} };
  }
}

function keep(root: string, kata: string, kept: Kept): void {
  try {
    writeWhole(fileOf(root, kata), JSON.stringify(kept));
  } catch {
    // The next hint runs the code again.
  }
}

function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/behaviours', `${kata}.json`);
}
