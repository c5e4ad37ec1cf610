import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { OWN } from '../scenario/catalogue.ts';
import type { ImagesScenario } from '../scenario/index.ts';
import { aPod, collections, MB } from './arbitraries.ts';
import { fails, named, type Parts, PLAIN, pullWorkloads, scenariosWith, someOf } from './index.ts';

/** The workloads of garbage collection. */
const collectWorkloads: readonly Workload<ImagesScenario>[] = [
  { name: 'a disk that fills', runs: 10, scenarios: fullDisk({ faults: fc.constant([]) }) },
  { name: 'images that were used one after the other', runs: 10, scenarios: usedInTurn({}) },
  {
    name: 'some images cannot be removed',
    scenarios: usedInTurn({
      otherFiles: fc.constant([{ atMs: 1_100_000, bytes: 130 * MB }]),
      faults: fc.array(
        fails(['removeImage'], ['device or resource busy']).map((fault) => ({ ...fault, atMs: 1_100_000 })),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  },
  {
    name: 'a kubelet that restarts on a full disk',
    scenarios: usedInTurn({
      faults: fc.tuple(
        fc.record({
          fault: fc.constant('dies' as const),
          atMs: fc.constant(1_150_000),
          skip: fc.nat({ max: 2 }),
          performed: fc.boolean(),
          restartAfterMs: fc.constantFrom(10, 20_000),
        }),
      ),
    }),
  },
  {
    name: 'a disk that fills, and a kubelet that restarts',
    scenarios: fullDisk({
      faults: fc.tuple(
        fc.record({
          fault: fc.constant('dies' as const),
          atMs: fc.integer({ min: 300_000, max: 1_000_000 }),
          skip: fc.nat({ max: 6 }),
          performed: fc.boolean(),
          restartAfterMs: fc.constantFrom(10, 20_000),
        }),
      ),
    }),
  },
  {
    name: 'a collection with errors of the runtime',
    scenarios: fullDisk({
      faults: fc.array(
        fc.record({
          fault: fc.constant('fails' as const),
          atMs: fc.integer({ min: 200_000, max: 1_200_000 }),
          verb: fc.constantFrom('removeImage' as const, 'removeImage' as const, 'listImages' as const),
          performed: fc.boolean(),
          says: fc.constant('device or resource busy'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
];

/** The workloads of the core laws. */
export const workloads: readonly Workload<ImagesScenario>[] = [...pullWorkloads, ...collectWorkloads];

/** Pods with images that fill the disk, or nearly, and frequent collections. */
function fullDisk(parts: Parts): fc.Arbitrary<ImagesScenario> {
  return scenariosWith({
    diskBytes: fc.constant(200 * MB),
    preloaded: fc.subarray([
      'docker.io/library/spare-1:1',
      'docker.io/library/spare-2:1',
      'docker.io/library/cache:1',
    ]),
    otherFiles: fc.array(
      fc.record({
        atMs: fc.integer({ min: 0, max: 900_000 }),
        bytes: fc.constantFrom(60 * MB, 90 * MB, 120 * MB),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    configuration: fc.record({
      imagePullCredentialsVerificationPolicy: fc.constant('NeverVerify' as const),
      registryPullQPS: fc.constant(0),
      imageGCHighThresholdPercent: fc.constantFrom(60, 75, 85),
      imageGCLowThresholdPercent: fc.constantFrom(40, 50, 60),
      imageMinimumGCAgeMs: fc.constantFrom(120_000, 60_000),
    }),
    pods: someOf(
      aPod({
        image: fc.constantFrom('web:1', 'web:2', 'cache:1', `${OWN}/open/tool:1`),
        fromMs: fc.integer({ min: 0, max: 600_000 }),
        runsMs: fc.constantFrom(1_000, 100_000, 2_000_000),
        untilMs: fc.option(fc.integer({ min: 100_000, max: 1_000_000 }), { nil: undefined, freq: 4 }),
      }),
      2,
      5,
    ),
    collect: collections,
    endMs: fc.constant(1_600_000),
    ...parts,
  });
}

/** Pods that use images one after the other and are deleted, and then a disk that fills. */
function usedInTurn(parts: Parts): fc.Arbitrary<ImagesScenario> {
  return fullDisk({
    preloaded: fc.constant([]),
    otherFiles: fc
      .constantFrom(105, 110, 115)
      .map((megabytes) => [{ atMs: 1_100_000, bytes: megabytes * MB }]),
    configuration: fc.constant({
      ...PLAIN,
      imageGCHighThresholdPercent: 75,
      imageGCLowThresholdPercent: 70,
    }),
    pods: fc
      .tuple(
        fc.shuffledSubarray(['web:2', 'cache:1', `${OWN}/open/tool:1`, 'web:1'], { minLength: 3 }),
        fc.array(fc.constantFrom(200_000, 500_000, 800_000, 1_000_000), { minLength: 4, maxLength: 4 }),
      )
      .map(([images, ends]) =>
        named(
          images.map((image, i) => ({
            namespace: 'default',
            image,
            policy: 'IfNotPresent' as const,
            secrets: [],
            fromMs: 1_000 * i,
            retryMs: 3_000,
            runsMs: 10_000,
            untilMs: ends[i] ?? 200_000,
          })),
        ),
      ),
    ...parts,
  });
}
