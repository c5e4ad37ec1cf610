import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { applyEdits, type Mistake } from '../../testing/mistakes.ts';
import { readKillRecord } from '../../vitest/kill-record.ts';
import { writeFailedLaws } from '../../workbook/failed-laws.ts';
import { judgedKata, readReference } from '../../workbook/katas.ts';
import { root } from '../../workbook/sources.ts';
import { hashOfKata } from '../../workbook/verdict.ts';
import { startDevServer } from '../dev-server.fixture.ts';
import { FAILURE_URL, type FailureAnswer } from '../protocol/failure.ts';

const KATA = '23-replicaset';
const LAW = 'Never too many';

/** A workbook whose learner has made a mistake in kata 23: its last run has failed a law. */
async function mistakenWorkbook(id: string): Promise<{ readonly root: string } & Disposable> {
  const folder = mkdtempSync(path.join(tmpdir(), 'failing-'));
  for (const name of ['harness', 'solutions']) symlinkSync(path.join(root, name), path.join(folder, name));
  for (const name of ['package.json', 'katas']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  // The cache of this workbook is its own.
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name === '.cache') continue;
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  const kata = judgedKata(root, KATA) ?? expect.fail(`There is no ${KATA}.`);
  const bank = pathToFileURL(path.join(kata.solution, 'mistakes.ts')).href;
  const { mistakes }: { readonly mistakes: readonly Mistake[] } = await import(bank);
  const mistake = mistakes.find((one) => one.id === id) ?? expect.fail(`There is no mistake ${id}.`);
  const sources = readReference(kata);
  for (const [file, text] of [...sources, ...applyEdits(sources, mistake)]) {
    writeFileSync(path.join(folder, 'katas', KATA, path.basename(file)), text);
  }
  const kills = readKillRecord(kata).kills[id] ?? [];
  const kill = kills.find((one) => one.input && one.test.includes(`> ${LAW}:`)) ?? expect.fail('No kill.');
  const law = { test: kill.test, input: { seed: kill.seed, path: '0', ...kill.input } };
  writeFailedLaws(folder, KATA, { laws: [law], at: hashOfKata(folder, KATA) }, new Set([law.test]));
  return { root: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

describe('The development server', async () => {
  test('answers with the replay of a failed law, or with the next step', async () => {
    using workbook = await mistakenWorkbook('expired-is-fulfilled');
    await using server = await startDevServer(workbook.root);
    const ask = async (what: string): Promise<FailureAnswer> =>
      (await (await fetch(new URL(`${FAILURE_URL}/${what}`, server.url))).json()) as FailureAnswer;

    const failed = await ask('23');
    expect(failed).toMatchObject({ laws: [LAW], isStale: false });
    if (!('replay' in failed)) return expect.fail(failed.problem);
    const { replay } = failed;
    expect(replay).toMatchObject({ kata: KATA, law: { name: LAW }, axis: 'time' });
    expect(replay.mine.some(({ kind }) => kind === 'violation')).toBe(true);
    expect(replay.parting).toMatchObject({ actor: 'replicaset-controller' });

    expect(await ask(`23?${new URLSearchParams({ law: 'Prompt' })}`)).toMatchObject({
      problem: `"Prompt" did not fail in the last run of ${KATA}. These laws failed: "${LAW}".`,
    });
    expect(await ask('24')).toMatchObject({
      problem: 'No law of 24-deployment failed in its last run. To run it: npm run kata -- run 24',
    });

    writeFileSync(path.join(workbook.root, 'katas', KATA, 'replicaset.ts'), 'while (true) {}\n');
    const endless = await ask('23');
    expect(endless).toMatchObject({ isStale: true, problem: expect.stringMatching(/never end/) });
  });
});
