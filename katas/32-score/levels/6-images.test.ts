import { describe, expect, test } from 'vitest';
import type { Pod } from '#harness';
import {
  calculatePriority,
  imageLocality,
  MAX_CONTAINER_THRESHOLD_BYTES,
  MIN_THRESHOLD_BYTES,
  normalizedImageName,
  scaledImageScore,
  scorePlugins,
} from '#kata/32-score/score';
import { askScorePlugin } from '#laws/32-score';
import { aSchedulingNode, aSchedulingPod, aSnapshot, type SchedulingNodeParts } from '#laws/scheduling';
import { nodesOf, only } from './nodes.fixture.ts';
import type { Container, Spec } from './pods.fixture.ts';
import { MIB } from './resources.fixture.ts';
import { expectScores, type Scores } from './scores.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 6 ★ · Images that are there already', () => {
  test.each(table<{ image: string }, { image: string }>('normalizedImageName', 3))(
    'names images as Kubernetes does: %s',
    (_, row) => {
      expect(normalizedImageName(row.input.image)).toBe(row.expect.image);
    },
  );

  test.each([
    ['nginx', 'nginx:latest'],
    ['nginx:1', 'nginx:1'],
    ['registry:5000/nginx', 'registry:5000/nginx:latest'],
    ['registry:5000/nginx:1', 'registry:5000/nginx:1'],
    ['registry:5000/shop/nginx@sha256:48', 'registry:5000/shop/nginx@sha256:48'],
    ['gcr.io/shop/nginx', 'gcr.io/shop/nginx:latest'],
  ])('calls %s on a node %s', (image, name) => {
    expect(normalizedImageName(image)).toBe(name);
  });

  test('values an image less the fewer nodes have it', () => {
    expect(scaledImageScore(1_000, 4, 4), '1_000 bytes × (4 of 4 nodes), rounded down').toBe(1_000);
    expect(scaledImageScore(1_000, 1, 4), '1_000 bytes × (1 of 4 nodes), rounded down').toBe(250);
    expect(scaledImageScore(1_000, 1, 3), '1_000 bytes × (1 of 3 nodes), rounded down').toBe(333);
    expect(scaledImageScore(1_000, 2, 3), '1_000 bytes × (2 of 3 nodes), rounded down').toBe(666);
  });

  test('takes the share of the nodes first, in floating point, as Go does', () => {
    expect(scaledImageScore(90, 7, 10), '90 × (7 / 10) is a little less than 63: divide first').toBe(62);
    expect(scaledImageScore(55, 3, 11), '55 × (3 / 11) is a little less than 15: divide first').toBe(14);
  });

  test('scores 0 up to 23 MiB, and 100 from 1000 MiB for each container', () => {
    expect([MIN_THRESHOLD_BYTES, MAX_CONTAINER_THRESHOLD_BYTES]).toEqual([23 * MIB, 1000 * MIB]);
    expect(
      [0, 22, 23].map((size) => calculatePriority(size * MIB, 1)),
      '0, 22 and 23 MiB, 1 container',
    ).toEqual([0, 0, 0]);
    expect(
      [1000, 1001, 9000].map((size) => calculatePriority(size * MIB, 1)),
      '1000 MiB and more, 1 container',
    ).toEqual([100, 100, 100]);
    expect(
      [500, 1000, 2000].map((size) => calculatePriority(size * MIB, 2)),
      '500, 1000 and 2000 MiB, 2 containers: 2000 MiB give 100',
    ).toEqual([24, 49, 100]);
  });

  test('counts in proportion between the two, and rounds down', () => {
    expect(
      [33, 511, 512, 999].map((size) => calculatePriority(size * MIB, 1)),
      '100 × (size - 23 MiB) / (1000 MiB - 23 MiB), rounded down',
    ).toEqual([1, 49, 50, 99]);
  });

  interface ImageRow {
    readonly pod: { readonly spec: Pick<Spec, 'containers' | 'initContainers'> };
    readonly nodes: readonly {
      readonly metadata: { readonly name: string };
      readonly status: Pick<SchedulingNodeParts, 'images'>;
    }[];
  }
  test.each(table<ImageRow, Scores>('imageLocality', 5))('saves pulls as Kubernetes does: %s', (_, row) => {
    const snapshot = aSnapshot(
      row.input.nodes.map(({ metadata, status }) => aSchedulingNode(metadata.name, status)),
    );
    const pod = aSchedulingPod({ spec: row.input.pod.spec });
    expectScores(askScorePlugin(imageLocality, pod, snapshot)).toEqual(row.expect.scores);
  });

  /** A pod with a container for each of these images. */
  const using = (images: readonly string[], initImages: readonly string[] = []): Pod => {
    const from = (all: readonly string[]): Container[] => all.map((image, i) => ({ name: `c${i}`, image }));
    return aSchedulingPod({ spec: { containers: from(images), initContainers: from(initImages) } });
  };
  const holding = (...images: readonly [name: string, mebibytes: number][]): SchedulingNodeParts => ({
    images: images.map(([name, size]) => ({ names: [name], sizeBytes: size * MIB })),
  });

  test('is a plugin named ImageLocality that scores 0 without images', () => {
    expect(imageLocality.name).toBe('ImageLocality');
    const snapshot = aSnapshot(nodesOf({ a: holding(['nginx:1', 900]), b: {} }));
    for (const image of ['nginx', 'nginx:2', 'nginx@sha256:48', 'gcr.io/nginx:1']) {
      expectScores(askScorePlugin(imageLocality, using([image]), snapshot)).toEqual({ a: 0, b: 0 });
    }
  });

  test('counts all nodes of the cluster, not only the feasible ones', () => {
    const all = nodesOf({ a: holding(['big:1', 1000]), b: holding(['big:1', 1000]), c: {}, d: {} });
    const snapshot = aSnapshot(all);
    const why = '1000 MiB on 2 of the 4 nodes of the cluster is worth 500 MiB';
    expectScores(askScorePlugin(imageLocality, using(['big:1']), snapshot), why).toEqual({
      a: 48,
      b: 48,
      c: 0,
      d: 0,
    });
    const feasible = only(snapshot, 'a', 'c');
    expectScores(askScorePlugin(imageLocality, using(['big:1']), snapshot, { feasible }), why).toEqual({
      a: 48,
      c: 0,
    });
  });

  test('counts an image once a container, and containers that start the pod as well', () => {
    const snapshot = aSnapshot(nodesOf({ a: holding(['app:1', 500], ['init:1', 600]) }));
    const score = (pod: Pod) => askScorePlugin(imageLocality, pod, snapshot);
    expect(score(using(['app:1'])), '500 MiB, 1 container').toEqual({ a: 48 });
    expect(score(using(['app:1', 'app:1'])), '500 MiB twice, 2 containers').toEqual({ a: 49 });
    expect(
      score(using(['app:1', 'other:1'])),
      '500 MiB and an image that is not there, 2 containers',
    ).toEqual({ a: 24 });
    expect(
      score(using(['app:1'], ['init:1'])),
      '500 MiB, and 600 MiB of an init container, 2 containers',
    ).toEqual({ a: 54 });
  });

  test('rounds what each image is worth to whole bytes, and then adds them up', () => {
    const why =
      'half of 86308291 bytes is rounded down to 43154145; twice that is one byte less than the score 3 needs';
    const images = ['app:1', 'app:2'].map((name) => ({ names: [name], sizeBytes: 86_308_291 }));
    const snapshot = aSnapshot(nodesOf({ a: { images }, b: {} }));
    expectScores(askScorePlugin(imageLocality, using(['app:1', 'app:2']), snapshot), why).toEqual({
      a: 2,
      b: 0,
    });
  });

  test('takes the size that the image has on the node itself', () => {
    const snapshot = aSnapshot(nodesOf({ a: holding(['app:1', 1000]), b: holding(['app:1', 511]) }));
    const why = 'app:1 has 1000 MiB on a and 511 MiB on b';
    expectScores(askScorePlugin(imageLocality, using(['app:1']), snapshot), why).toEqual({ a: 100, b: 49 });
  });

  test('is in scorePlugins, with the weight 1', () => {
    // A missing implementation must fail as NotImplemented.
    askScorePlugin(imageLocality, aSchedulingPod(), aSnapshot(nodesOf({ a: {} })));
    expect(scorePlugins).toContainEqual({ plugin: imageLocality, weight: 1 });
  });
});
