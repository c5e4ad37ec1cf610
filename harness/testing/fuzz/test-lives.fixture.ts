import { describe, expect, test } from 'vitest';
import { liveWithOwners, replayWithOwners } from './ownership.ts';
import { live, liveCustom, smallest } from './run.ts';
import { toldAs } from './tell.ts';

/** Number of apiservers in each test. Their seeds count from 1. */
interface Lives {
  /** The number of requests to each apiserver. */
  readonly requests: number;
  readonly builtin: number;
  /** Apiservers with field owners; each is compared to one without. */
  readonly owners: number;
  /** Apiservers with custom resources. */
  readonly custom: number;
}

/** Declares the tests that send malformed and hostile requests to the handler. */
export function testLives({ requests, builtin, owners, custom }: Lives): void {
  describe(`the handler, with ${requests} hostile requests per seed`, () => {
    test(`answers every request without an unknown 500, and keeps its store intact, for ${builtin} seeds`, async () => {
      for (let seed = 1; seed <= builtin; seed++) {
        const red = await live(seed, requests);
        if (red) expect.fail(toldAs(await smallest(red)));
      }
    });

    test(`gives the same answers with and without field owners, for ${owners} seeds`, async () => {
      for (let seed = 1; seed <= owners; seed++) {
        const red = await liveWithOwners(seed, requests);
        if (red) expect.fail(toldAs(await smallest(red, replayWithOwners)));
      }
    });

    test(`also serves custom resources whose schemas change, for ${custom} seeds`, async () => {
      for (let seed = 1; seed <= custom; seed++) {
        const red = await liveCustom(seed, requests);
        if (red) expect.fail(toldAs(await smallest(red)));
      }
    });
  });
}
