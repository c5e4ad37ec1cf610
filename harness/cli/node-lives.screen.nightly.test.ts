import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { nodeDeath, tellNodeDeath } from './node-lives.ts';

const { components } = (await import('#components')) as { components: Components };

const golden = path.resolve(import.meta.dirname, 'golden/node-death.txt');

describe('The life of a node', () => {
  // If you change when or how the controllers act, this file changes: read the difference, then update it with -u.
  test('matches its approved transcript', async () => {
    const steps = await nodeDeath(components);
    await expect(`${tellNodeDeath(steps).join('\n')}\n`).toMatchFileSnapshot(golden);
  });
});
