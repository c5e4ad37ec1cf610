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

  // If a change of the kubelet moves an event or a time, it is seen here: read it, and pin it anew with -u.
  test.each(lived)('are told as they were read and approved: $name', async ({ name, chapter }) => {
    const golden = path.resolve(import.meta.dirname, `golden/pod-${name}.txt`);
    await expect(`${tellPodLife(await chapter).join('\n')}\n`).toMatchFileSnapshot(golden);
  });

  test('are the same every time', async () => {
    const [first] = Object.values(podLives);
    if (!first || !lived[0]) throw new Error('There is no life.');
    expect(await podLife(first, components)).toEqual(await lived[0].chapter);
  });
});
