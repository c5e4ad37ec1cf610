import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { podLife, podLives, tellPodLife } from './pod-lives.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('The lives of a pod', () => {
  const lived = Object.entries(podLives).map(([name, life]) => ({
    name,
    chapter: podLife(life, components),
  }));

  // If you change the kubelet, events and times in these files may change: read the difference, then update them with
  // -u.
  test.each(lived)('match their approved transcripts: $name', async ({ name, chapter }) => {
    const golden = path.resolve(import.meta.dirname, `golden/pod-${name}.txt`);
    await expect(`${tellPodLife(await chapter).join('\n')}\n`).toMatchFileSnapshot(golden);
  });

  test('are reproducible', async () => {
    const [first] = Object.values(podLives);
    if (!first || !lived[0]) throw new Error('There is no life.');
    expect(await podLife(first, components)).toEqual(await lived[0].chapter);
  });
});
