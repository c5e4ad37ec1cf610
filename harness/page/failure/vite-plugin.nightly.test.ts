import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { failuresOf } from '../../vitest/replay.fixture.ts';
import { startDevServer } from '../dev-server.fixture.ts';
import { FAILURE_URL, type FailureAnswer } from '../protocol/failure.ts';
import { MistakenWorkbook } from './mistaken-workbook.fixture.ts';

const KATA = '23-replicaset';
const LAW = 'Never too many';

describe('The development server', () => {
  test('answers with the replay of a failed law, or with the next step', async () => {
    const failure = (await failuresOf(KATA)).find(({ kill }) => kill.test.includes(`> ${LAW}:`));
    using workbook = new MistakenWorkbook([failure ?? expect.fail(`No kill by ${LAW} is recorded.`)]);
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
