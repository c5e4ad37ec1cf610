import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { networkLife, networkLives, tellNetworkLife } from './network-lives.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('The lives of a request to a Service', () => {
  // If you change the network, hops in these files may change: read the difference, then update them with -u.
  test.each(Object.entries(networkLives))('match their approved transcripts: %s', async (name, life) => {
    const told = tellNetworkLife(await networkLife(life, components));
    const golden = path.resolve(import.meta.dirname, `golden/network-${name}.txt`);
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden);
    expect(told.length).toBeLessThanOrEqual(50);
  });
});
