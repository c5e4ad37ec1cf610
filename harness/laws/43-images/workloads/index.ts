import fc from 'fast-check';
import type { ImageConfiguration } from '../../../contracts/node/image-manager.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { described, inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import { HUB, OTHER, OWN } from '../scenario/catalogue.ts';
import type { FaultPlan, ImagesScenario, Login, PodPlan, RegistryStep } from '../scenario/index.ts';
import {
  aPod,
  appImages,
  badNames,
  hubLogins,
  logins,
  MB,
  policies,
  publicImages,
  registryFails,
  retries,
  secretsOf,
  slowlyFailing,
} from './arbitraries.ts';

/** The configuration of the core laws, without the features of the levels marked ★. */
export const PLAIN: ImageConfiguration = {
  imagePullCredentialsVerificationPolicy: 'NeverVerify',
  registryPullQPS: 0,
};

/** The parts of a scenario that a workload chooses. */
export type Parts = { readonly [K in keyof ImagesScenario]?: fc.Arbitrary<ImagesScenario[K]> };

/** A scenario with these parts, and simple defaults for the others. */
export function scenariosWith(parts: Parts): fc.Arbitrary<ImagesScenario> {
  const plain = {
    seed: seeds,
    schedule: schedules,
    profile: fc.constantFrom('containerd' as const, 'cri-o' as const, 'cri-dockerd' as const),
    configuration: fc.constant(PLAIN),
    node: fc.constant<Login[]>([]),
    preloaded: fc.constant<string[]>([]),
    diskBytes: fc.constant(1_000 * MB),
    otherFiles: fc.constant<ImagesScenario['otherFiles']>([]),
    registry: fc.constant<RegistryStep[]>([]),
    pods: fc.constant<PodPlan[]>([]),
    collect: fc.constant<ImagesScenario['collect']>([]),
    faults: fc.constant<FaultPlan[]>([]),
    endMs: fc.constant(120_000),
  };
  return inWords(fc.record({ ...plain, ...parts }) as fc.Arbitrary<ImagesScenario>, describeScenario);
}

export const named = (pods: readonly Omit<PodPlan, 'name'>[]): PodPlan[] =>
  pods.map((pod, i) => ({ name: `pod-${i + 1}`, ...pod }));

export const someOf = (pod: fc.Arbitrary<Omit<PodPlan, 'name'>>, minLength: number, maxLength: number) =>
  fc.array(pod, { minLength, maxLength }).map(named);

export const fails = (
  verbs: readonly Extract<FaultPlan, { fault: 'fails' }>['verb'][],
  says: readonly string[],
) =>
  fc.record({
    fault: fc.constant('fails' as const),
    atMs: fc.integer({ min: 0, max: 40_000 }),
    verb: fc.constantFrom(...verbs),
    performed: fc.boolean(),
    says: fc.constantFrom(...says),
  });

export const dies = (maxMs: number) =>
  fc.record({
    fault: fc.constant('dies' as const),
    atMs: fc.integer({ min: 0, max: maxMs }),
    skip: fc.nat({ max: 8 }),
    performed: fc.boolean(),
    restartAfterMs: fc.constantFrom(10, 3_000, 12_000),
  });

/** The workloads of pulls. */
export const pullWorkloads: readonly Workload<ImagesScenario>[] = [
  {
    name: 'pods that share images',
    scenarios: scenariosWith({
      preloaded: fc.subarray(['docker.io/library/web:2', 'docker.io/library/cache:1']),
      pods: someOf(aPod({ image: publicImages, policy: policies }), 3, 7),
    }),
  },
  {
    name: 'pods without a policy, and all images are present',
    scenarios: scenariosWith({
      preloaded: fc.constant([
        'docker.io/library/web:1',
        'docker.io/library/web:latest',
        `${OTHER}/team/app:1`,
        `${OTHER}/team/app:latest`,
      ]),
      node: fc.constant<Login[]>([{ registry: OTHER, user: 'team', good: true }]),
      pods: someOf(
        aPod({
          image: fc.constantFrom('web', 'web:1', 'web:latest', `${OTHER}/team/app`, `${OTHER}/team/app:1`),
        }),
        3,
        5,
      ),
    }),
  },
  {
    name: 'names of all kinds',
    scenarios: scenariosWith({
      preloaded: fc.constant(['docker.io/library/web:1', `${OTHER}/team/app:latest`]),
      pods: someOf(aPod({ image: fc.oneof(badNames, publicImages, appImages), policy: policies }), 3, 6),
    }),
  },
  {
    name: 'a registry that fails for a long time',
    scenarios: scenariosWith({
      pods: someOf(
        aPod({
          image: fc.constantFrom('web:1', 'web:none', 'cache:1'),
          retryMs: fc.constantFrom(7_000, 10_000, 15_000),
          fromMs: fc.nat({ max: 30_000 }),
          untilMs: fc.option(fc.integer({ min: 20_000, max: 1_500_000 }), { nil: undefined, freq: 3 }),
        }),
        1,
        3,
      ),
      registry: slowlyFailing(HUB, 1_500_000),
      endMs: fc.constant(2_400_000),
    }),
  },
  {
    name: 'a container that restarts again and again',
    scenarios: scenariosWith({
      pods: someOf(
        aPod({
          image: fc.constantFrom('web:1', 'web'),
          policy: fc.constant<'Always'>('Always'),
          retryMs: fc.constantFrom(7_000, 10_000),
          restartAfterMs: fc.constantFrom(30_000, 200_000, 590_000, 650_000),
        }),
        1,
        2,
      ),
      registry: fc
        .tuple(fc.constantFrom(15_000, 35_000), fc.integer({ min: 60_000, max: 900_000 }))
        .map(([firstMs, laterMs]) =>
          [
            { atMs: 0, happens: 'unavailable' as const },
            { atMs: firstMs, happens: 'available' as const },
            { atMs: laterMs, happens: 'unavailable' as const },
            { atMs: laterMs + 700_000, happens: 'available' as const },
          ].map((step) => ({ host: HUB, ...step })),
        ),
      endMs: fc.constant(1_900_000),
    }),
  },
  {
    name: 'pods that are recreated under the same name',
    scenarios: fc
      .tuple(
        scenariosWith({
          pods: someOf(
            aPod({
              image: fc.constant('web:none'),
              retryMs: retries,
              untilMs: fc.integer({ min: 11_000, max: 40_000 }),
            }),
            1,
            1,
          ),
        }),
        fc.integer({ min: 1, max: 8_000 }),
      )
      .map(([scenario, gapMs]) => {
        const again = scenario.pods.map((pod) => {
          const { untilMs = 0, ...rest } = pod;
          return { ...rest, fromMs: untilMs + gapMs };
        });
        return described({ ...scenario, pods: [...scenario.pods, ...again] }, describeScenario);
      }),
  },
  {
    name: 'credentials of all kinds',
    runs: 10,
    scenarios: scenariosWith({
      node: logins,
      pods: someOf(
        aPod({
          image: appImages,
          secrets: secretsOf(logins),
          policy: fc.constantFrom('Always', 'IfNotPresent'),
        }),
        1,
        4,
      ),
      registry: fc.oneof(
        fc.constant([]),
        fc.tuple(
          fc.record({
            atMs: fc.nat({ max: 20_000 }),
            host: fc.constant(OWN),
            happens: fc.constant('new passwords' as const),
          }),
        ),
      ),
    }),
  },
  {
    name: 'credentials for Docker Hub',
    runs: 16,
    scenarios: scenariosWith({
      pods: someOf(
        aPod({
          image: fc.constantFrom('web:1', 'acme/app:1', 'index.docker.io/acme/app:1'),
          secrets: secretsOf(hubLogins),
          policy: fc.constantFrom('Always', 'IfNotPresent'),
        }),
        2,
        4,
      ),
    }),
  },
  {
    name: 'pods that are deleted while their credentials are tried',
    scenarios: scenariosWith({
      registry: fc.constant([{ atMs: 0, host: OWN, happens: 'thinks' as const, latencyMs: 1_500 }]),
      pods: someOf(
        aPod({
          image: fc.constant(`${OWN}/team/app:1`),
          fromMs: fc.nat({ max: 500 }),
          secrets: fc.constant([
            {
              namespace: 'default',
              name: 'pull',
              logins: [
                { registry: OWN, user: 'stranger' as const, good: false },
                { registry: `${OWN}/team`, user: 'acme' as const, good: false },
                { registry: '*.example.com', user: 'team' as const, good: false },
              ],
            },
          ]),
          untilMs: fc.integer({ min: 600, max: 8_000 }),
        }),
        1,
        3,
      ),
    }),
  },
  {
    name: 'a pull that hangs',
    scenarios: scenariosWith({
      preloaded: fc.constant(['docker.io/library/cache:1']),
      pods: fc
        .tuple(
          someOf(
            aPod({
              image: fc.constant(`${OWN}/open/tool:1`),
              untilMs: fc.option(fc.integer({ min: 5_000, max: 60_000 }), { nil: undefined }),
            }),
            1,
            2,
          ),
          someOf(
            aPod({
              image: fc.constantFrom('cache:1', 'cache:1', 'web:1', 'Web:1'),
              policy: fc.constantFrom(undefined, 'IfNotPresent', 'Never'),
              fromMs: fc.integer({ min: 500, max: 9_000 }),
              untilMs: fc.option(fc.integer({ min: 10_000, max: 30_000 }), { nil: undefined }),
            }),
            2,
            4,
          ),
        )
        .map(([some, others]) => named([...some, ...others])),
      registry: fc.tuple(
        fc.record({
          atMs: fc.constant(0),
          host: fc.constant(OWN),
          happens: fc.constant('thinks' as const),
          latencyMs: fc.constantFrom(5_000, 600_000),
        }),
      ),
    }),
  },
  {
    name: 'a kubelet that crashes',
    scenarios: scenariosWith({
      pods: someOf(
        aPod({ image: fc.oneof(publicImages, fc.constant('web:none')), policy: policies, retryMs: retries }),
        2,
        4,
      ),
      faults: fc.array(dies(30_000), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    name: 'a runtime that fails',
    scenarios: scenariosWith({
      pods: someOf(aPod({ image: publicImages, policy: policies }), 2, 4),
      faults: fc.array(
        fails(
          ['imageStatus', 'pullImage', 'pullImage'],
          [
            'out of order',
            'RegistryUnavailable: try later',
            'RegistryUnavailable',
            'SignatureValidationFailed: no signature',
          ],
        ),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    name: 'a runtime that cannot list its images',
    scenarios: scenariosWith({
      pods: someOf(
        aPod({
          image: fc.constantFrom('web:1', 'cache:1'),
          policy: fc.constantFrom('Always', 'IfNotPresent'),
          fromMs: fc.nat({ max: 1_000 }),
        }),
        1,
        2,
      ),
      faults: fc.array(
        fails(['imageStatus'], ['out of order']).map((fault) => ({ ...fault, atMs: fault.atMs / 100 })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    name: 'pods of two containers',
    scenarios: scenariosWith({
      registry: registryFails([HUB], 60_000),
      pods: fc
        .array(
          fc.tuple(
            aPod({
              image: fc.constantFrom('web:1', 'web:none', 'cache:1'),
              policy: fc.constantFrom('Always', 'IfNotPresent', 'Never'),
              retryMs: retries,
              fromMs: fc.nat({ max: 3_000 }),
            }),
            fc.constantFrom('web:1', 'web:none', 'cache:1'),
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((all) => named(all.map(([pod, second]) => ({ ...pod, second })))),
    }),
  },
  {
    name: 'secrets that cannot be read',
    scenarios: scenariosWith({
      preloaded: fc.subarray([`${OWN}/team/app:1`, 'docker.io/library/web:1']),
      pods: someOf(
        aPod({
          image: fc.constantFrom(`${OWN}/team/app:1`, `${OWN}/open/tool:1`, 'web:1'),
          policy: policies,
          retryMs: retries,
          secrets: fc
            .record({
              good: secretsOf(logins),
              untilMs: fc.integer({ min: 1, max: 40_000 }),
              first: fc.boolean(),
            })
            .map(({ good, untilMs, first }) => {
              const broken = { namespace: 'default', name: 'broken', logins: [], brokenUntilMs: untilMs };
              return first ? [broken, ...good] : [...good, broken];
            }),
        }),
        2,
        4,
      ),
    }),
  },
  {
    name: 'a burst',
    scenarios: scenariosWith({
      configuration: fc.record({
        imagePullCredentialsVerificationPolicy: fc.constant('NeverVerify' as const),
        registryPullQPS: fc.constantFrom(0.1, 0.2, 1),
        registryBurst: fc.integer({ min: 1, max: 3 }),
      }),
      node: fc.constant<Login[]>([{ registry: 'docker.io', user: 'stranger', good: false }]),
      pods: someOf(
        aPod({
          image: fc.constantFrom('web:1', 'web:2', 'cache:1', 'web:none'),
          fromMs: fc.nat({ max: 12_000 }),
          policy: fc.constantFrom('Always', 'IfNotPresent'),
        }),
        4,
        7,
      ),
    }),
  },
];
