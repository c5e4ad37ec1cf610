import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { networkLife, networkLives, tellNetworkLife } from './network-lives.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('The ways of a request to a Service', () => {
  // If a change of the network moves a hop, it is seen here: read it, and pin it anew with -u.
  test.each(Object.entries(networkLives))(
    'are told as they were read and approved: %s',
    async (name, life) => {
      const told = tellNetworkLife(await networkLife(life, components));
      const golden = path.resolve(import.meta.dirname, `golden/network-${name}.txt`);
      await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden);
      expect(told.length).toBeLessThanOrEqual(50);
    },
  );
});
