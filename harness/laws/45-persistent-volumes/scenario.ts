import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import {
  BINDER,
  CLAIM_PROTECTION,
  type ClaimPlan,
  type ClassName,
  COUNT,
  type Operation,
  PROVISIONER,
  SCHEDULER,
  type Step,
  type Tier,
  VOLUME_PROTECTION,
  type VolumePlan,
  type VolumesScenario,
} from './operations.ts';
import { describeScenario } from './render.ts';

const number = (count: number): fc.Arbitrary<number> => fc.nat({ max: count - 1 });
export const [volume, claim, pod, node] = [COUNT.volumes, COUNT.claims, COUNT.pods, COUNT.nodes].map(
  number,
) as [fc.Arbitrary<number>, fc.Arbitrary<number>, fc.Arbitrary<number>, fc.Arbitrary<number>];
/** The sizes of volumes and claims. */
export const gib = fc.constantFrom(1, 2, 5, 10);
export const tier = fc.constantFrom<Tier>('slow', 'fast');
/** Generates a value, or undefined in one of `freq` + 1 cases. */
export const maybe = <T>(each: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | undefined> =>
  fc.option(each, { nil: undefined, freq });
const classOf = (...names: readonly ClassName[]): fc.Arbitrary<ClassName> => fc.constantFrom(...names);

/** Removes the fields without a value. */
function compact<T extends object>(plan: T): T {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined)) as T;
}

const volumePlans: fc.Arbitrary<VolumePlan> = fc
  .record({
    gib,
    many: fc.boolean(),
    className: classOf('', 'manual', 'local'),
    policy: fc.constantFrom('Retain' as const, 'Delete' as const),
    isTemporary: fc.boolean(),
    tier,
    reservedFor: maybe(claim, 4),
    node: maybe(node, 3),
  })
  .map((plan) => compact(plan) as VolumePlan);

const claimPlans: fc.Arbitrary<ClaimPlan> = fc
  .record({
    gib,
    many: fc.boolean(),
    className: maybe(classOf('', 'manual', 'local', 'standard'), 4),
    tier: maybe(tier, 3),
    volume: maybe(volume, 4),
  })
  .map((plan) => {
    // The provisioner serves neither a selector nor a further mode.
    const isProvisioned = plan.className === 'standard' || plan.className === undefined;
    return compact(isProvisioned ? { ...plan, many: false, tier: undefined } : plan) as ClaimPlan;
  });

/** Returns a step with an operation. */
export const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
/** Returns a step without an effect. */
export const wait = (ms: number): Step => at({ do: 'wait', n: 0 }, ms);
/** Returns a step with a fault. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(volume, volumePlans).map(([n, plan]) => ({ do: 'volume' as const, n, ...plan })),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(claim, claimPlans).map(([n, plan]) => ({ do: 'claim' as const, n, ...plan })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pod' as const),
      n: pod,
      claims: fc.uniqueArray(claim, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('volume' as const, 'claim' as const, 'pod' as const), fc.nat({ max: 4 }))
      .map(([kind, n]) => ({ do: 'delete' as const, kind, n: n % COUNT[`${kind}s`] })),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), n: claim }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('retain' as const, 'destroy' as const), n: volume }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const), n: claim, volume }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('free' as const), n: volume }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'join' as const), n: node }) },
);

const processes = fc.oneof(
  { weight: 5, arbitrary: fc.constant(BINDER) },
  { weight: 2, arbitrary: fc.constantFrom(PROVISIONER, SCHEDULER) },
  { weight: 1, arbitrary: fc.constantFrom(CLAIM_PROTECTION, VOLUME_PROTECTION) },
);
/** Faults of the API and crashes, mostly of the binder. */
export const faults: fc.Arbitrary<Fault> = processes.chain((process) =>
  fc.oneof({ weight: 3, arbitrary: apiFaults(process) }, { weight: 2, arbitrary: crashes(process) }),
);

/** Generates a single operation or fault. */
export const one: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 6, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 1, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Generates scenarios of up to `maxLength` groups of steps. */
export function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
): fc.Arbitrary<VolumesScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}
