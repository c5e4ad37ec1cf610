import fc from 'fast-check';
import type { ImageConfiguration } from '../../../contracts/node/image-manager.ts';
import type { Workload } from '../../../testing/holds.ts';
import { HUB, OWN } from '../scenario/catalogue.ts';
import type { ImagesScenario } from '../scenario/index.ts';
import {
  aPod,
  bothNames,
  failureBesidePull,
  firstName,
  MB,
  publicImages,
  tenants,
  tenantsAtOnce,
} from './arbitraries.ts';
import { dies, fails, scenariosWith, someOf } from './index.ts';

const VERIFYING: ImageConfiguration = { registryPullQPS: 0 };
const AT_ONCE: ImageConfiguration = { ...VERIFYING, serializeImagePulls: false };

/** ★ Workloads with pods of several tenants on one node. */
export const tenantWorkloads: readonly Workload<ImagesScenario>[] = [
  {
    name: 'tenants',
    runs: 26,
    scenarios: scenariosWith({
      configuration: fc.constant(VERIFYING),
      preloaded: fc.subarray([`${OWN}/team/db:1`, 'docker.io/library/web:1']),
      ...tenants(),
    }),
  },
  {
    name: 'tenants, and a kubelet that crashes',
    runs: 30,
    scenarios: scenariosWith({
      configuration: fc.constant(VERIFYING),
      ...tenants(),
      faults: fc.array(dies(4_500), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    name: 'tenants, and the first is deleted during its pull',
    runs: 30,
    scenarios: scenariosWith({
      configuration: fc.constant(VERIFYING),
      ...tenants(fc.integer({ min: 400, max: 4_000 })),
    }),
  },
  {
    name: 'tenants that pull at once',
    scenarios: scenariosWith({ configuration: fc.constant(AT_ONCE), pods: tenantsAtOnce }),
  },
  {
    name: 'a failed pull beside another, and a kubelet that crashes',
    scenarios: scenariosWith({
      configuration: fc.constant(AT_ONCE),
      pods: failureBesidePull,
      faults: fc.tuple(
        fc.record({
          fault: fc.constant('dies' as const),
          atMs: fc.integer({ min: 600, max: 2_400 }),
          skip: fc.nat({ max: 2 }),
          performed: fc.boolean(),
          restartAfterMs: fc.constantFrom(10, 3_000),
        }),
      ),
    }),
  },
  {
    name: 'one image under two names',
    scenarios: scenariosWith({ configuration: fc.constant(VERIFYING), pods: bothNames }),
  },
  {
    name: 'a preloaded image, and a pull under its other name',
    scenarios: scenariosWith({
      configuration: fc.constant(VERIFYING),
      preloaded: fc.constant([`${OWN}/mirror/app:1`]),
      pods: firstName,
    }),
  },
  {
    name: 'tenants, and files that cannot be written',
    scenarios: scenariosWith({
      configuration: fc.constant(VERIFYING),
      ...tenants(),
      faults: fc.array(fails(['writeFile', 'rename', 'readFile'], ['input/output error']), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  {
    name: 'tenants under other policies',
    runs: 10,
    scenarios: scenariosWith({
      configuration: fc.constantFrom(
        { registryPullQPS: 0, imagePullCredentialsVerificationPolicy: 'AlwaysVerify' as const },
        {
          registryPullQPS: 0,
          imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages' as const,
          preloadedImagesVerificationAllowlist: [`${OWN}/team/*`],
        },
        {
          registryPullQPS: 0,
          imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages' as const,
          preloadedImagesVerificationAllowlist: [`${OWN}/team/db`],
        },
      ),
      preloaded: fc.subarray([`${OWN}/team/db:1`, `${OWN}/team/app:1`]),
      ...tenants(),
    }),
  },
  {
    name: 'tenants, and a disk that fills',
    scenarios: scenariosWith({
      configuration: fc.constant({
        ...VERIFYING,
        imageGCHighThresholdPercent: 50,
        imageGCLowThresholdPercent: 30,
        imageMinimumGCAgeMs: 1_000,
      }),
      diskBytes: fc.constant(120 * MB),
      otherFiles: fc.constant([{ atMs: 0, bytes: 50 * MB }]),
      ...tenants(),
      collect: fc.constant(
        [5_000, 15_000, 25_000, 40_000].map((atMs) => ({ atMs, call: 'garbageCollect' as const })),
      ),
    }),
  },
  {
    name: 'a preloaded image, and several pods that request it',
    scenarios: scenariosWith({
      configuration: fc.constant(VERIFYING),
      pods: someOf(
        aPod({
          image: fc.constantFrom('web:1', 'docker.io/library/web:1', `${OWN}/open/tool:1`),
          policy: fc.constant('IfNotPresent'),
          fromMs: fc.nat({ max: 15_000 }),
        }),
        4,
        6,
      ),
    }),
  },
];

/** ★ Workloads with several pulls at once. */
export const parallelWorkloads: readonly Workload<ImagesScenario>[] = [
  {
    name: 'several pulls at once',
    runs: 12,
    scenarios: scenariosWith({
      configuration: fc.record({
        imagePullCredentialsVerificationPolicy: fc.constant('NeverVerify' as const),
        registryPullQPS: fc.constant(0),
        serializeImagePulls: fc.constant(false),
        maxParallelImagePulls: fc.constantFrom(1, 2, 3),
      }),
      registry: fc.constant([{ atMs: 0, host: HUB, happens: 'thinks' as const, latencyMs: 2_000 }]),
      pods: someOf(
        aPod({
          image: fc.oneof(publicImages, fc.constant('web:none')),
          policy: fc.constantFrom('Always', 'IfNotPresent'),
          fromMs: fc.nat({ max: 500 }),
          untilMs: fc.option(fc.integer({ min: 500, max: 9_000 }), { nil: undefined, freq: 3 }),
        }),
        4,
        7,
      ),
    }),
  },
];
