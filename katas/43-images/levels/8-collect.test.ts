import { describe, expect, test } from 'vitest';
import type { ImageRecord } from '#given/43-images';
import { bytesToFree, evictionOrder, imagesInUse } from '#kata/43-images/images';
import { collectorOver, containerOf } from './collect.fixture.ts';
import { imageOf } from './images.fixture.ts';

const record = (name: string, parts: Partial<ImageRecord> = {}): ImageRecord => ({
  image: imageOf(name),
  firstDetectedMs: 0,
  lastUsedMs: 0,
  ...parts,
});
const names = (records: readonly ImageRecord[]) => records.map(({ image }) => image.repoTags[0]);
const usage = (availableBytes: number, capacityBytes = 1_000) => ({
  mountpoint: '/',
  capacityBytes,
  availableBytes,
  usedBytes: 0,
});

describe('Level 8 · Garbage collection', () => {
  test('counts the images of containers in every state', () => {
    const containers = (
      ['CONTAINER_CREATED', 'CONTAINER_RUNNING', 'CONTAINER_EXITED', 'CONTAINER_UNKNOWN'] as const
    ).map((state, i) => containerOf(`image-${i}`, state));
    expect(
      [...imagesInUse(containers)].sort(),
      'the images of containers in all states, including exited and unknown',
    ).toEqual(['image-0', 'image-1', 'image-2', 'image-3']);
  });

  test('sorts by last use, and then by first detection', () => {
    const records = [
      record('yesterday', { lastUsedMs: 200 }),
      record('never, new', { firstDetectedMs: 90 }),
      record('long ago', { lastUsedMs: 100, firstDetectedMs: 95 }),
      record('never, old', { firstDetectedMs: 10 }),
    ];
    const order = evictionOrder(records, { inUse: new Set(), olderThanMs: 1_000 });
    expect(names(order), 'sorted by lastUsedMs, then by firstDetectedMs').toEqual([
      'never, old',
      'never, new',
      'long ago',
      'yesterday',
    ]);
  });

  test('leaves out images that are in use, pinned or too young', () => {
    const records = [
      record('used'),
      { ...record('pinned'), image: imageOf('pinned', { pinned: true }) },
      record('young', { firstDetectedMs: 501 }),
      record('old enough', { firstDetectedMs: 500 }),
    ];
    const order = evictionOrder(records, { inUse: new Set(['id of used']), olderThanMs: 500 });
    expect(names(order), 'not in use, not pinned, and firstDetectedMs at most olderThanMs 500').toEqual([
      'old enough',
    ]);
  });

  test.each([
    [160, 0],
    [150, 50],
    [159, 41],
    [100, 100],
    [0, 200],
  ])('with %d of 1000 bytes available, %d must be freed', (available, bytes) => {
    expect(
      bytesToFree(usage(available), {}),
      'the bytes to free: 0 if the usage is below 85 %, otherwise down to 80 %',
    ).toBe(bytes);
  });

  test('uses the thresholds of the configuration', () => {
    const configuration = { imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 10 };
    expect(bytesToFree(usage(510), configuration), 'a usage of 49 % is below 50 %').toBe(0);
    expect(
      bytesToFree(usage(499), configuration),
      'a usage of 51 %: down to 10 %, so that 900 bytes are available',
    ).toBe(401);
  });

  test('removes nothing while the disk is not full', async () => {
    const { collect, removed } = collectorOver({ images: [imageOf('a')], availableBytes: 500 });
    await collect();
    await collect(300_000);
    expect(removed, 'removed images: half of the disk is free').toEqual([]);
  });

  test('removes unused images until enough is free, but none before it has known them for two minutes', async () => {
    const images = ['a', 'b', 'c'].map((name) => imageOf(name, { sizeBytes: 60 }));
    const { collect, removed, pruned } = collectorOver({ images, availableBytes: 100 });
    await collect().catch(() => {});
    expect(removed, 'removed images: the first collection has only just detected the images').toEqual([]);
    await collect(119_999).catch(() => {});
    expect(removed, 'removed images, 1 ms before two minutes have passed').toEqual([]);
    await collect(1);
    expect(removed, 'removed images: 100 bytes must be freed, and each image has 60').toEqual([
      'id of a',
      'id of b',
    ]);
    expect(pruned.at(-1), 'the argument of records.prune: the IDs of the remaining images').toEqual([
      'id of c',
    ]);
  });

  test('remembers the last use of an image', async () => {
    const images = ['a', 'b', 'c'].map((name) => imageOf(name, { sizeBytes: 60 }));
    const containers = [containerOf('id of a'), containerOf('id of b')];
    const simulation = collectorOver({ images, containers, availableBytes: 500 });
    await simulation.collect();
    simulation.containers.splice(1, 1);
    await simulation.collect(300_000);
    simulation.containers.splice(0, 1);
    simulation.usage.availableBytes = 20;
    await simulation.collect(300_000);
    expect(
      simulation.removed,
      'removed images, in order: c was never used, b was last used at the first collection, a at the second',
    ).toEqual(['id of c', 'id of b', 'id of a']);
  });

  test('reports that it could not free enough, with an error and an event about the node', async () => {
    const { collect, told } = collectorOver({
      images: [imageOf('a', { sizeBytes: 60 })],
      availableBytes: 100,
    });
    await collect().catch(() => {});
    const message =
      "Insufficient free disk space on the node's image filesystem (90% of 1000 B used). " +
      'Failed to free sufficient space by deleting unused images (freed 60 bytes). ' +
      'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.';
    await expect(
      collect(300_000),
      '90 % of the disk is used, and the only unused image has 60 of the 100 bytes to free',
    ).rejects.toThrow(message);
    expect(told.at(-1), 'the event about the node').toBe(`node-1: Warning FreeDiskSpaceFailed ${message}`);
  });

  test('goes on to the next image when one cannot be removed', async () => {
    const images = ['a', 'b', 'c'].map((name) => imageOf(name, { sizeBytes: 60 }));
    const { collect, removed, told } = collectorOver({ images, availableBytes: 100, stuck: ['id of a'] });
    await collect().catch(() => {});
    told.splice(0);
    await expect(
      collect(300_000),
      'a cannot be removed; b and c are removed, with 60 bytes each',
    ).rejects.toThrow(
      'wanted to free 100 bytes, but freed 120 bytes space with errors in image deletion: id of a is busy',
    );
    expect(removed, 'removed images: a cannot be removed').toEqual(['id of b', 'id of c']);
    expect(told, 'events: enough was freed').toEqual([]);
  });

  test('reports only the failed removals if too little is free as well', async () => {
    const images = ['a', 'b'].map((name) => imageOf(name, { sizeBytes: 60 }));
    const { collect, told } = collectorOver({ images, availableBytes: 100, stuck: ['id of a'] });
    await collect().catch(() => {});
    told.splice(0);
    await expect(
      collect(300_000),
      'a cannot be removed, and b has only 60 of the 100 bytes to free',
    ).rejects.toThrow(
      'wanted to free 100 bytes, but freed 60 bytes space with errors in image deletion: id of a is busy',
    );
    expect(told, 'events: the error about the failed removals is enough').toEqual([]);
  });

  test('rejects a disk without capacity', async () => {
    const { collect, told } = collectorOver({ images: [], availableBytes: 0, capacityBytes: 0 });
    await expect(collect(), 'imageFsInfo returned a capacity of 0').rejects.toThrow(
      'invalid capacity 0 on image filesystem',
    );
    expect(told, 'the event about the node').toEqual([
      'node-1: Warning InvalidDiskCapacity invalid capacity 0 on image filesystem',
    ]);
  });

  test('deleteUnusedImages removes all unused images, however full the disk is', async () => {
    const images = [imageOf('a'), imageOf('b'), imageOf('c', { pinned: true })];
    const containers = [containerOf('id of b')];
    const { collect, deleteUnused, removed } = collectorOver({ images, containers, availableBytes: 900 });
    await collect();
    await deleteUnused(60_000);
    expect(removed, 'removed images: the images have been known for only one minute').toEqual([]);
    await deleteUnused(60_000);
    expect(removed, 'removed images: b is in use, and c is pinned').toEqual(['id of a']);
  });
});
