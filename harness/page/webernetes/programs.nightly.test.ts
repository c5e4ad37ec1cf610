import { expect, test } from 'vitest';
import { bundlePrograms } from './child.ts';

const { ours, webernetes } = await bundlePrograms();

test.each([
  ['the whole cluster', ours, true],
  ['the whole cluster without access control', ours, false],
  ['webernetes', webernetes, false],
])('%s makes all replicas ready, also in a second cluster', async (_, run, secured) => {
  for (const clusters of [1, 2])
    expect(await run({ replicas: 3, clusters, secured })).toMatchObject({ ready: 3 });
});
