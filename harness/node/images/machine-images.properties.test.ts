import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../registry/index.ts';
import { buildImage } from '../registry/repository.ts';
import { machine } from './machine.fixture.ts';

const names = ['nginx', 'nginx:1.27', 'redis', 'alpine', 'busybox', 'httpd'];

type Step =
  | { readonly do: 'pull' | 'remove'; readonly image: string }
  | { readonly do: 'stop' | 'start' | 'wait' | 'break' | 'mend' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pull'), image: fc.constantFrom(...names) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), image: fc.constantFrom(...names) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('stop', 'start', 'start', 'break', 'mend', 'mend') }),
  },
) as fc.Arbitrary<Step>;

/** The size of each part of an image in bytes, by the image's id. */
const pieces = new Map(
  catalogue.map((source) => {
    const { config, blobs } = buildImage(source);
    const sizes = blobs.map(({ digest, size, mediaType, text }): readonly [string, number] => [
      digest,
      mediaType.includes('layer') ? JSON.parse(text).sizeBytes : size,
    ]);
    return [config.digest, new Map(sizes)];
  }),
);

/** Returns the total size of images in bytes. A shared part counts once. */
function bytesOf(ids: readonly string[]): number {
  const all = new Map(ids.flatMap((id) => [...(pieces.get(id) ?? [])]));
  return [...all.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Performs the steps, and calls `look` after each. */
async function live(steps: readonly Step[], look: (world: ReturnType<typeof machine>) => Promise<void>) {
  const world = machine();
  const { sim, images, registry } = world;
  const calls: Promise<unknown>[] = [];
  const noted = (call: Promise<unknown>) => calls.push(call.catch(() => {}));
  for (const each of steps) {
    if (each.do === 'pull') noted(images.pullImage(each));
    if (each.do === 'remove') noted(images.removeImage(each));
    if (each.do === 'stop') images.stop();
    if (each.do === 'start') images.start();
    if (each.do === 'break') registry.at('registry-1.docker.io').unavailable = true;
    if (each.do === 'mend') registry.at('registry-1.docker.io').unavailable = false;
    await sim.run({ forMs: each.do === 'wait' ? 210 : 0 });
    await look(world);
  }
  await sim.settle(Promise.all(calls));
  images.start();
  await look(world);
  return world;
}

describe('Images of a machine, under any sequence of pulls, removals and restarts,', () => {
  test('are complete: all parts of each listed image are on the disk', async () => {
    let complete = 0;
    const { numRuns = 100 } = fc.readConfigureGlobal();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) =>
        live(steps, async ({ images, disk }) => {
          const listed = await images.listImages().catch(() => []);
          complete += listed.length;
          expect(disk.usedBytes).toBe(images.usedBytes);
          expect(images.usedBytes).toBeGreaterThanOrEqual(bytesOf(listed.map(({ id }) => id)));
          for (const { id, sizeBytes } of listed) expect(sizeBytes).toBe(bytesOf([id]));
        }).then(() => {}),
      ),
    );
    expect(complete).toBeGreaterThan(5 * numRuns);
  });

  test('leave nothing on the disk after their removal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const { images } = await live(steps, async () => {});
        images.load('last:1', { config: {}, layers: [] });
        for (const { id } of await images.listImages()) await images.removeImage({ image: id });
        expect(images.usedBytes).toBe(0);
      }),
    );
  });
});
