import fc from 'fast-check';
import { placeOf } from '../oracle/credentials.ts';
import { APP_DIGEST, HUB, OTHER, OWN, WEB_2_DIGEST, WEB_DIGEST } from '../scenario/catalogue.ts';
import type { CollectStep, Login, PodPlan, RegistryStep, SecretPlan } from '../scenario/index.ts';

/** The parts of scenarios. */
export const MB = 1_000_000;

export const publicImages = fc.constantFrom(
  'web',
  'web:1',
  'web:latest',
  'docker.io/web:1',
  'docker.io/library/web:2',
  'index.docker.io/library/web:1',
  'cache:1',
  `web@${WEB_DIGEST}`,
  `web@${WEB_2_DIGEST}`,
  `web:1@${WEB_DIGEST}`,
  `${OWN}/open/tool:1`,
);

/** Public and private images. */
export const appImages = fc.constantFrom(
  `${OWN}/team/app:1`,
  `${OWN}/team/app`,
  `${OWN}/team/db:1`,
  `${OTHER}/team/app:1`,
  `${OTHER}/team/app`,
  'index.docker.io/acme/app:1',
  `${OWN}/open/tool:1`,
  `${OWN}/team/app@${APP_DIGEST}`,
  'acme/app:1',
  'web:1',
);

/** Invalid image names. */
export const badNames = fc.constantFrom(
  'Web:1',
  'web:',
  'web:1:2',
  'library/Web',
  ':1',
  '/web',
  `${OWN}/team//app`,
  'web@sha256:12',
  'a'.repeat(64),
  'web tool',
  'web:-1',
  'http://web',
);

export const policies = fc.constantFrom<PodPlan['policy'][]>(undefined, 'Always', 'IfNotPresent', 'Never');

/** The time to the next request after a refusal. The values coincide with the ends of back-offs. */
export const retries = fc.constantFrom(1_000, 2_500, 5_000, 10_000, 15_000);

/** A pod with these parts, and defaults for the others. */
export function aPod(
  parts: { readonly [K in keyof PodPlan]?: fc.Arbitrary<PodPlan[K]> },
): fc.Arbitrary<Omit<PodPlan, 'name'>> {
  const all = fc.record({
    namespace: fc.constant('default'),
    image: publicImages,
    policy: fc.constant<PodPlan['policy']>(undefined),
    secrets: fc.constant<SecretPlan[]>([]),
    fromMs: fc.oneof(fc.constant(0), fc.nat({ max: 20_000 })),
    retryMs: fc.constantFrom(3_000, 10_000),
    runsMs: fc.constantFrom(1_000, 30_000),
    untilMs: fc.constant<number | undefined>(undefined),
    ...parts,
  }) as fc.Arbitrary<Omit<PodPlan, 'name'> & { policy?: PodPlan['policy']; untilMs?: number }>;
  return all.map(({ policy, untilMs, ...pod }) => ({
    ...pod,
    ...(policy !== undefined && { policy }),
    ...(untilMs !== undefined && { untilMs: Math.max(untilMs, pod.fromMs + 1) }),
  }));
}

const aLogin: fc.Arbitrary<Login> = fc.record({
  registry: fc.constantFrom(
    OWN,
    `https://${OWN}`,
    `http://${OWN}/`,
    `https://${OWN}/v1/`,
    `https://${OWN}/v2/`,
    `${OWN}/team`,
    `https://${OWN}/v1/team`,
    `${OWN}/team/app`,
    OTHER,
    '*.example.com',
    'registry.*.com',
    'other.example.com',
    'example.com',
    'docker.io/library',
    'docker.io',
    'https://index.docker.io/v1/',
    'docker.io/acme',
  ),
  user: fc.constantFrom('team' as const, 'acme' as const, 'stranger' as const),
  good: fc.boolean(),
});

/** The logins of one docker config, with distinct keys. */
export const logins: fc.Arbitrary<Login[]> = fc.uniqueArray(aLogin, {
  maxLength: 4,
  selector: ({ registry }) => placeOf(registry).key,
});

/** Logins for Docker Hub, with the keys that occur in practice. */
export const hubLogins: fc.Arbitrary<Login[]> = fc.uniqueArray(
  aLogin.chain((login) =>
    fc
      .constantFrom('docker.io', 'docker.io/library', 'https://index.docker.io/v1/', 'docker.io/acme')
      .map((registry) => ({ ...login, registry })),
  ),
  { minLength: 1, maxLength: 3, selector: ({ registry }) => placeOf(registry).key },
);

/** Logins that can pull the private images. */
export const goodLogins = (user: 'team' | 'acme'): Login[] => [{ registry: OWN, user, good: true }];

/** The secrets of a pod. */
export function secretsOf(of: fc.Arbitrary<Login[]>): fc.Arbitrary<SecretPlan[]> {
  return fc
    .array(of, { maxLength: 3 })
    .map((all) => all.map((one, i) => ({ namespace: 'default', name: `secret-${i + 1}`, logins: one })));
}

/** Registries that fail and recover. */
export function registryFails(hosts: readonly string[], maxMs: number): fc.Arbitrary<RegistryStep[]> {
  const step = fc.record({
    atMs: fc.nat({ max: maxMs }),
    host: fc.constantFrom(...hosts),
    happens: fc.constantFrom(
      'unavailable' as const,
      'available' as const,
      'unreachable' as const,
      'reachable' as const,
    ),
  });
  const atFirst: RegistryStep = { atMs: 0, host: hosts[0] ?? HUB, happens: 'unavailable' };
  return fc.array(step, { maxLength: 4 }).map((steps) => [atFirst, ...steps]);
}

/** A registry that fails at once, or only after longer than the first back-off. */
export const slowlyFailing = (host: string, maxMs: number): fc.Arbitrary<RegistryStep[]> =>
  fc
    .tuple(fc.constantFrom(0, 9_000), registryFails([host], maxMs))
    .map(([latencyMs, steps]) => [{ atMs: 0, host, happens: 'thinks', latencyMs }, ...steps]);

/** Collections every five minutes, and sometimes before an eviction. */
export const collections: fc.Arbitrary<CollectStep[]> = fc
  .subarray([210_000, 510_000, 810_000, 1_110_000, 1_410_000], { maxLength: 2 })
  .map((some) => [
    ...[0, 300_000, 600_000, 900_000, 1_200_000, 1_500_000].map((atMs) => ({
      atMs,
      call: 'garbageCollect' as const,
    })),
    ...some.map((atMs) => ({ atMs, call: 'deleteUnusedImages' as const })),
  ]);

/** The first pod, which has access to the private image of its team. */
const owner = fc.record({
  namespace: fc.constant('team'),
  image: fc.constantFrom(`${OWN}/team/app:1`, `${OWN}/team/app@${APP_DIGEST}`),
  policy: fc.constant<PodPlan['policy']>('IfNotPresent'),
  secrets: fc.constant<SecretPlan[]>([
    { namespace: 'team', name: 'pull', uid: 1, logins: goodLogins('team') },
  ]),
  fromMs: fc.nat({ max: 300 }),
  retryMs: fc.constant(30_000),
  runsMs: fc.constantFrom(1_000, 60_000),
});

/** The secret with which a tenant can pull, and one of another password. */
const secretOf = (user: 'team' | 'acme', good = true): SecretPlan => ({
  namespace: user,
  name: 'pull',
  uid: 1,
  logins: [{ registry: OWN, user, good }],
});

const aTenant = (
  user: 'team' | 'acme',
  image: fc.Arbitrary<string>,
  fromMs: fc.Arbitrary<number>,
  good = true,
): fc.Arbitrary<Omit<PodPlan, 'name'>> =>
  aPod({
    namespace: fc.constant(user),
    image,
    policy: fc.constant<PodPlan['policy']>('IfNotPresent'),
    // The secret that counts may be the second of two.
    secrets: fc
      .subarray([{ ...secretOf(user, false), name: 'old' }])
      .map((old) => [...old, secretOf(user, good)]),
    fromMs,
    retryMs: fc.constant(30_000),
  });

const numbered = (pods: readonly Omit<PodPlan, 'name'>[]): PodPlan[] =>
  pods.map((pod, n) => ({ name: `pod-${n + 1}`, ...pod }));

const [early, late] = [fc.nat({ max: 20 }), fc.integer({ min: 9_000, max: 25_000 })];

/** Two tenants that pull one image at the same time, and then again, when it is present. */
export const tenantsAtOnce: fc.Arbitrary<PodPlan[]> = fc
  .tuple(
    ...[early, late].flatMap((fromMs) =>
      (['team', 'acme'] as const).map((user) => aTenant(user, fc.constant(`${OWN}/team/db:1`), fromMs)),
    ),
  )
  .map(numbered);

/** A tenant whose pull succeeds after that of another tenant has failed, and later pods of both. */
export const failureBesidePull: fc.Arbitrary<PodPlan[]> = fc
  .tuple(
    aTenant('team', fc.constant(`${OWN}/team/app:1`), early),
    aTenant('acme', fc.constant(`${OWN}/team/app:1`), early, false),
    aTenant('acme', fc.constant(`${OWN}/team/app:1`), late, false),
    aTenant('team', fc.constant(`${OWN}/team/app:1`), late),
  )
  .map(numbered);

const twoNames = fc.constantFrom(`${OWN}/team/app:1`, `${OWN}/mirror/app:1`);

/**
 * Tenants that use one image under two names, each of which only one of them may pull.
 *
 * @param second - the first pod of the other tenant, if it has one
 */
const underTwoNames = (second: readonly fc.Arbitrary<Omit<PodPlan, 'name'>>[]): fc.Arbitrary<PodPlan[]> =>
  fc
    .tuple(
      fc.tuple(aTenant('team', fc.constant(`${OWN}/team/app:1`), fc.nat({ max: 4_000 })), ...second),
      aTenant('team', fc.constant(`${OWN}/mirror/app:1`), late),
      fc.array(fc.oneof(aTenant('team', twoNames, late), aTenant('acme', twoNames, late)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([first, third, others]) => numbered([...first, third, ...others]));

/** Both tenants pull the image first. */
export const bothNames = underTwoNames([
  aTenant('acme', fc.constant(`${OWN}/mirror/app:1`), fc.nat({ max: 4_000 })),
]);

/** Only the tenant of the first name pulls the image first. */
export const firstName = underTwoNames([]);

/** A secret that equals that of the owner, or resembles it, or differs. */
const someSecret: fc.Arbitrary<SecretPlan> = fc.record({
  namespace: fc.constantFrom('team', 'acme'),
  name: fc.constantFrom('pull', 'pull', 'other'),
  uid: fc.constantFrom(1, 2),
  logins: fc.constantFrom(
    goodLogins('team'),
    goodLogins('acme'),
    [{ registry: OWN, user: 'team' as const, good: false }],
    [{ registry: 'other.example.com', user: 'team' as const, good: true }],
  ),
});

const neighbour = aPod({
  image: fc.constantFrom(
    `${OWN}/team/app:1`,
    `${OWN}/team/app:1`,
    `${OWN}/team/app:1`,
    `${OWN}/team/app:latest`,
    `${OWN}/team/db:1`,
    `${OWN}/team/app@${APP_DIGEST}`,
    'web:1',
  ),
  policy: fc.constantFrom<PodPlan['policy'][]>(
    'IfNotPresent',
    'IfNotPresent',
    'IfNotPresent',
    'Never',
    'Always',
  ),
  secrets: fc.oneof(
    { weight: 1, arbitrary: fc.constant<SecretPlan[]>([]) },
    { weight: 2, arbitrary: someSecret.map((one) => [one]) },
    // The owner's secret with another password, and a new secret of the same name.
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(1, 2)
        .map((uid): SecretPlan[] => [
          { namespace: 'team', name: 'pull', uid, logins: [{ registry: OWN, user: 'team', good: false }] },
        ]),
    },
  ),
  fromMs: fc.integer({ min: 3_000, max: 28_000 }),
  retryMs: fc.constantFrom(2_500, 6_000),
  untilMs: fc.option(fc.integer({ min: 6_000, max: 60_000 }), { nil: undefined, freq: 4 }),
});

/**
 * Pods of several tenants that want the same private images, with secrets of all kinds.
 *
 * @param untilMs - the deletion of the first pod, if it is deleted
 */
export function tenants(untilMs: fc.Arbitrary<number | undefined> = fc.constant(undefined)) {
  return {
    node: fc.oneof(
      { weight: 9, arbitrary: fc.constant<Login[]>([]) },
      { weight: 1, arbitrary: fc.constant(goodLogins('team')) },
    ),
    pods: fc.tuple(owner, untilMs, fc.array(neighbour, { minLength: 2, maxLength: 5 })).map(
      ([first, deletedMs, others]): PodPlan[] =>
        [{ ...first, ...(deletedMs !== undefined && { untilMs: deletedMs }) }, ...others].map((pod, n) => ({
          name: `pod-${n + 1}`,
          ...pod,
        })) as PodPlan[],
    ),
  };
}
