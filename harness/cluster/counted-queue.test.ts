import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { createCluster } from './cluster.ts';
import { SECOND } from './victim.fixture.ts';

const { components } = (await import('#components')) as { components: Components };

describe('A queue with an endless item', () => {
  test.each(['add', 'addAfter'] as const)(
    'ends the run, and names the function that adds the item: %s',
    async (method) => {
      await using cluster = await createCluster({ components });
      cluster.run('deployment-controller', async ({ newWorkQueue, runWorkers }) => {
        const queue = newWorkQueue<string>();
        queue.add('default/web');
        await runWorkers({ queue, workers: 1, sync: async (key) => queue[method](key, 0) });
      });
      await expect(cluster.runFor(SECOND)).rejects.toThrow(
        new RegExp(
          'deployment-controller got "default/web" 1,000 times while no virtual time passed: a hot loop\\..*' +
            `\\n {2}\\d+ × ${method}\\("default/web"${method === 'add' ? '' : ', 0'}\\) from`,
          's',
        ),
      );
    },
  );

  test('is accepted if time passes, or if the items differ', async () => {
    await using cluster = await createCluster({ components });
    let synced = 0;
    const process = cluster.run('deployment-controller', async ({ newWorkQueue, runWorkers }) => {
      const queue = newWorkQueue<string>();
      for (let i = 0; i < 2_000; i++) queue.add(`default/web-${i}`);
      const sync = async (key: string): Promise<void> => {
        synced++;
        if (key === 'default/web-0') queue.addAfter(key, 1);
      };
      await runWorkers({ queue, workers: 2, sync });
    });
    await cluster.runFor(2 * SECOND);
    expect(process.failure).toBeUndefined();
    expect(synced).toBeGreaterThan(3_900);
  });
});
