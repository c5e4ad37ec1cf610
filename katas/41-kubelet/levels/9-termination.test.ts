import { describe, expect, test } from 'vitest';
import { nodeUp, shell, stubborn } from './node.fixture.ts';

const always = { restartPolicy: 'Always' } as const;
/** A line of shell that exits with 0 some seconds after SIGTERM. */
const endsAfter = (seconds: number): string =>
  `trap "sleep ${seconds}; exit 0" TERM; while true; do sleep 0.1; done`;

describe('Level 9 ★ · Sidecars', () => {
  describe('The order in which they end', () => {
    test('is the reverse of the start order, after all containers', async () => {
      await using up = await nodeUp();
      await up.create({
        initContainers: [shell('first', endsAfter(0), always), shell('second', endsAfter(1), always)],
        containers: [shell('main', endsAfter(3)), shell('other', endsAfter(1))],
      });
      await up.run(6_000);
      const deletedMs = await up.delete();
      await up.run(15_000);
      const ends = ['other', 'main', 'second', 'first'].map(
        (name) => ((up.when('container-exited', name)[0] ?? Infinity) - deletedMs) / 1_000,
      );
      expect(
        ends,
        'seconds from the delete to the end of other, main, second, first: containers first, then the sidecars in reverse order',
      ).toEqual([...ends].sort((a, b) => a - b));
      expect(
        Math.floor(ends[1] as number),
        'seconds: main needs 3 s after its SIGTERM, which comes at once',
      ).toBe(3);
      expect(
        Math.floor(ends[2] as number),
        'seconds: second needs 1 s after its SIGTERM, which comes when all containers have ended, after 3 s',
      ).toBe(4);
    });

    test('fits into one grace period and two more seconds', async () => {
      await using up = await nodeUp();
      await up.create({
        initContainers: [stubborn('proxy', always)],
        containers: [stubborn('main')],
        terminationGracePeriodSeconds: 5,
      });
      await up.run(6_000);
      const deletedMs = await up.delete();
      await up.run(20_000);
      const ends = ['main', 'proxy'].map((name) =>
        Math.floor(((up.when('container-exited', name)[0] ?? Infinity) - deletedMs) / 1_000),
      );
      expect(
        ends,
        'seconds to the end of main and proxy: SIGKILL of main after the grace period of 5 s; the sidecar gets at least 2 s more',
      ).toEqual([5, 7]);
      expect(await up.pod(), 'all containers have ended: the pod must be gone from the API').toBeUndefined();
    });

    test('does not wait for a container that does not run', async () => {
      await using up = await nodeUp();
      await up.create({
        initContainers: [shell('proxy', endsAfter(0), always)],
        containers: [shell('main', 'sleep 1; exit 1'), shell('other', endsAfter(1))],
        terminationGracePeriodSeconds: 30,
      });
      await up.run(12_000);
      expect(
        (await up.container('main'))?.state?.running,
        'main has exited and waits in its back-off',
      ).toBeUndefined();
      const deletedMs = await up.delete();
      await up.run(15_000);
      expect(
        (up.when('container-exited', 'proxy').at(-1) ?? Infinity) - deletedMs,
        'ms from the delete to the end of proxy: it waits for other (1 s), not for main, which does not run',
      ).toBeLessThan(2_500);
    });

    test('runs the preStop hook of a sidecar at once', async () => {
      await using up = await nodeUp();
      const lifecycle = { preStop: { sleep: { seconds: 2 } } };
      await up.create({
        initContainers: [shell('proxy', endsAfter(0), { ...always, lifecycle })],
        containers: [shell('main', endsAfter(2))],
      });
      await up.run(6_000);
      const deletedMs = await up.delete();
      await up.run(15_000);
      expect(
        (up.when('container-exited', 'proxy')[0] ?? Infinity) - deletedMs,
        'ms from the delete to the end of proxy: its preStop hook (2 s) runs while main ends (2 s)',
      ).toBeLessThan(3_000);
    });
  });
});
