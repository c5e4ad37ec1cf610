import { describe, expect, test } from 'vitest';
import { liveWithOwners, replayWithOwners } from './ownership.ts';
import { live, liveCustom, smallest } from './run.ts';
import { toldAs } from './tell.ts';

/** How many apiservers each test fuzzes. Their seeds count from 1. */
interface Lives {
  /** The number of requests to each apiserver. */
  readonly requests: number;
  readonly builtin: number;
  /** Apiservers that track the owners of fields, beside others that do not. */
  readonly owners: number;
  /** Apiservers with custom resources. */
  readonly custom: number;
}

/** Declares the tests that send malformed and hostile requests to the handler. */
export function testLives({ requests, builtin, owners, custom }: Lives): void {
  describe(`the handler, with ${requests} hostile requests a seed`, () => {
    test(`answers each without an unknown 500, and keeps its store whole, for ${builtin} seeds`, async () => {
      for (let seed = 1; seed <= builtin; seed++) {
        const red = await live(seed, requests);
        if (red) expect.fail(toldAs(await smallest(red)));
      }
    });

    test(`gives the same answers with and without owners of fields, for ${owners} seeds`, async () => {
      for (let seed = 1; seed <= owners; seed++) {
        const red = await liveWithOwners(seed, requests);
        if (red) expect.fail(toldAs(await smallest(red, replayWithOwners)));
      }
    });

    test(`also serves custom resources whose schemas come and go, for ${custom} seeds`, async () => {
      for (let seed = 1; seed <= custom; seed++) {
        const red = await liveCustom(seed, requests);
        if (red) expect.fail(toldAs(await smallest(red)));
      }
    });
  });
}
