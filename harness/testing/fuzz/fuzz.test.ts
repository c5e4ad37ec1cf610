import { describe, expect, test } from 'vitest';
import { liveWithOwners, replayWithOwners } from './ownership.ts';
import { live, liveCustom, REQUESTS_PER_LIFE, smallest } from './run.ts';
import { toldAs } from './tell.ts';

const LIVES = 20;
/** Each breaks a server that forgets a precondition. */
const LIVES_WITH_OWNERS = 6;

describe('the handler, asked ten thousand times for what one should not ask', () => {
  test('answers each, without a 500 that upstream does not have, and keeps its store whole', async () => {
    for (let seed = 1; seed <= LIVES; seed++) {
      const red = await live(seed, REQUESTS_PER_LIFE);
      if (red) expect.fail(toldAs(await smallest(red)));
    }
  }, 120_000);

  test('answers alike whether or not it tracks the owners of fields', async () => {
    for (let seed = 1; seed <= LIVES_WITH_OWNERS; seed++) {
      const red = await liveWithOwners(seed, REQUESTS_PER_LIFE);
      if (red) expect.fail(toldAs(await smallest(red, replayWithOwners)));
    }
  }, 120_000);

  test('also where it serves custom resources, whose schemas come and go', async () => {
    for (let seed = 1; seed <= LIVES / 4; seed++) {
      const red = await liveCustom(seed, REQUESTS_PER_LIFE);
      if (red) expect.fail(toldAs(await smallest(red)));
    }
  }, 120_000);
});
