import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { deploymentLife, tellLife } from './life.ts';

const { components } = (await import('#components')) as { components: Components };

const golden = path.resolve(import.meta.dirname, 'golden/deployment-life.txt');

describe('The life of a Deployment', () => {
  const chapters = deploymentLife(components);

  // If you change when or how the controllers act, this file changes: read the difference, then update it with -u.
  test('matches its approved transcript', async () => {
    await expect(`${tellLife(await chapters).join('\n')}\n`).toMatchFileSnapshot(golden);
  });

  test('fits a wide terminal', async () => {
    for (const line of tellLife(await chapters)) expect(line.length).toBeLessThanOrEqual(110);
  });
});
