import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import type { Mistake } from '../testing/mistakes.ts';
import { judgedKata, type Kata } from '../workbook/katas.ts';
import type { Replay } from '../workbook/replay.ts';
import { KataModules } from './judge-modules.ts';
import { isLawFile } from './judge-run.ts';
import { type Kill, readKillRecord } from './kill-record.ts';
import { replayOf } from './replay.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A law that fails with a mistake in place of the learner's code, as the judge recorded it. */
export interface RecordedFailure {
  readonly kata: Kata;
  readonly mistake: Mistake;
  readonly kill: Kill;
}

/** Restores the settings of all properties after the tests of a file: replays change them in this process. */
export function keepingSettings(): void {
  const settings = fc.readConfigureGlobal();
  afterAll(() => fc.configureGlobal(settings));
}

/** Returns a recorded failure of each law of a kata that failed on one input. */
export async function failuresOf(id: string): Promise<readonly RecordedFailure[]> {
  const kata = judgedKata(root, id) ?? expect.fail(`There is no kata ${id}.`);
  const bank = pathToFileURL(path.join(root, 'solutions', id, 'mistakes.ts')).href;
  const { mistakes }: { readonly mistakes: readonly Mistake[] } = await import(bank);
  const { kills } = readKillRecord(kata);
  const byLaw = new Map<string, RecordedFailure>();
  for (const mistake of mistakes)
    for (const kill of kills[mistake.id] ?? [])
      if (kill.input && !byLaw.has(kill.test)) byLaw.set(kill.test, { kata, mistake, kill });
  return [...byLaw.values()];
}

/** Replays a recorded failure. */
export async function replayOfFailure({ kata, mistake, kill }: RecordedFailure): Promise<Replay> {
  const { test, seed, input } = kill;
  const answer = await replayOf({
    modules: new KataModules(root, (what) => import(/* @vite-ignore */ what)),
    kata: { ...kata, tests: kata.tests.filter(isLawFile) },
    law: { test, ...(input && { input: { ...input, seed } }) },
    subject: { kind: 'mistake', change: mistake },
  });
  return 'replay' in answer ? answer.replay : expect.fail(answer.problem);
}

/** Replays the failure of the law of this name. */
export async function replayOfLaw(id: string, law: string): Promise<Replay> {
  const failure = (await failuresOf(id)).find(({ kill }) => kill.test.includes(`> ${law}:`));
  return await replayOfFailure(failure ?? expect.fail(`No kill by "${law}" is recorded for ${id}.`));
}
