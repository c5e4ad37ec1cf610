import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listKatas } from '../workbook/katas.ts';
import { failuresOf, keepingSettings, replayOfFailure } from './replay.fixture.ts';

keepingSettings();

const katas = listKatas(path.resolve(import.meta.dirname, '../..')).map(({ id }) => id);

/** These laws fail before they can judge a history: a call of the code throws. */
const THROWN = ['Configures'];

describe.each(katas)('Each law of %s that fails', async (id) => {
  const failures = await failuresOf(id);

  test.each(failures.map((failure) => [failure.kill.test, failure] as const))('%s', async (law, failure) => {
    const { mine, reference, lanes, violation, parting } = await replayOfFailure(failure);
    expect(violation).not.toBe('');
    expect(mine.filter(({ kind }) => kind === 'violation')).toHaveLength(1);
    expect(reference, 'the run of the reference').not.toEqual([]);
    expect(reference.filter(({ kind }) => kind === 'violation')).toEqual([]);
    if (THROWN.some((name) => law.includes(`> ${name}:`))) return;
    expect(
      lanes.some(({ role }) => role === 'learner'),
      'a lane of the learner',
    ).toBe(true);
    expect(parting, 'where the runs part').toBeDefined();
    const ends = [mine[parting?.mine ?? -1], reference[parting?.reference ?? -1]].filter(Boolean);
    expect(ends.map((entry) => entry?.actor)).toEqual(ends.map(() => parting?.actor));
  });
});
