import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
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
} from './operations.ts';
import { describeScenario } from './render.ts';

/** A scenario for the controllers of volumes. */
export interface VolumesScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const number = (count: number): fc.Arbitrary<number> => fc.nat({ max: count - 1 });
const [volume, claim, pod, node] = [COUNT.volumes, COUNT.claims, COUNT.pods, COUNT.nodes].map(number) as [
  fc.Arbitrary<number>,
  fc.Arbitrary<number>,
  fc.Arbitrary<number>,
  fc.Arbitrary<number>,
];
const gib = fc.constantFrom(1, 2, 5, 10);
const tier = fc.constantFrom<Tier>('slow', 'fast');
const maybe = <T>(each: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | undefined> =>
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

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

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
const faults: fc.Arbitrary<Fault> = processes.chain((process) =>
  fc.oneof({ weight: 3, arbitrary: apiFaults(process) }, { weight: 2, arbitrary: crashes(process) }),
);

/** A crash of the process at one of its next requests. */
const crashOf = (process: fc.Arbitrary<string>, skip: number): fc.Arbitrary<Fault> =>
  fc.record({
    fault: fc.constant('crash' as const),
    process,
    skip: fc.nat({ max: skip }),
    performed: fc.boolean(),
    restartAfterMs: fc.constantFrom(1, 50, 3_000),
  });

const simple = (gib: number, more: Partial<VolumePlan> = {}): VolumePlan => ({
  ...{ gib, many: false, className: 'manual', policy: 'Retain', isTemporary: false, tier: 'slow' },
  ...more,
});

/** Volumes exist before a claim that fits several of them. */
const choice = fc
  .tuple(
    fc.array(
      fc.record({
        gib,
        many: fc.boolean(),
        tier,
        policy: fc.constantFrom('Retain' as const, 'Delete' as const),
      }),
      { minLength: 3, maxLength: 5 },
    ),
    fc.record({ gib: fc.constantFrom(1, 2), tier: maybe(tier, 4) }),
    maybe(fc.nat({ max: 2 }), 2),
  )
  .map(([plans, { gib, tier }, reserved]): readonly Step[] => [
    ...plans.map((plan, n) =>
      at({ do: 'volume', n, ...simple(plan.gib, { ...plan, ...(n === reserved && { reservedFor: 0 }) }) }),
    ),
    at({ do: 'claim', n: 0, gib, many: false, className: 'manual', ...(tier && { tier }) }, 3_000),
  ]);

/** Two or three claims want the same volume, and the binder fails at one of its writes. */
const rivals = fc
  .tuple(
    crashOf(fc.constant(BINDER), 5),
    fc.integer({ min: 2, max: 3 }),
    fc.boolean(),
    fc.constantFrom(0, 40, 16_000),
  )
  .map(([crash, count, lags, pauseMs]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1) }),
    ...(lags ? [strike({ fault: 'lag', replica: 0, forMs: 2_000 }, 2_000)] : []),
    strike(crash, 500),
    ...Array.from({ length: count }, (_, n) =>
      at({ do: 'claim', n, gib: 1, many: false, className: 'manual' }),
    ),
    at({ do: 'volume', n: 1, ...simple(1) }, pauseMs),
  ]);

/** A bound claim loses its volume, or a bound volume its claim. */
const losses = fc
  .tuple(
    fc.constantFrom('Retain' as const, 'Delete' as const),
    fc.boolean(),
    fc.constantFrom<Operation>(
      { do: 'delete', kind: 'claim', n: 0 },
      { do: 'replace', n: 0 },
      { do: 'delete', kind: 'volume', n: 0 },
      { do: 'destroy', n: 0 },
    ),
    fc.constantFrom<Operation | undefined>(undefined, { do: 'retain', n: 0 }, { do: 'free', n: 0 }),
    fc.constantFrom(0, 4, 3_000),
  )
  .map(([policy, isTemporary, loss, after, pauseMs]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1, { policy, isTemporary }) }),
    at({ do: 'claim', n: 0, gib: 1, many: false, className: 'manual' }, 2_000),
    at(loss, 3_000),
    ...(after ? [at(after, pauseMs)] : []),
  ]);

/** The binder has chosen a volume when the user asks for another one. */
const change = fc
  .tuple(fc.nat({ max: 3 }), fc.boolean(), fc.integer({ min: 0, max: 40 }))
  .map(([skip, performed, pauseMs]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1) }),
    at({ do: 'volume', n: 1, ...simple(2) }),
    strike({ fault: 'crash', process: BINDER, skip, performed, restartAfterMs: 3_000 }, 2_000),
    at({ do: 'claim', n: 0, gib: 1, many: false, className: 'manual' }),
    at({ do: 'ask', n: 0, volume: 1 }, pauseMs),
  ]);

/** A pod waits for a claim of the default class, and a process fails while the volume is created. */
const provisioning = fc
  .tuple(
    crashOf(fc.constantFrom(SCHEDULER, BINDER, PROVISIONER), 3),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom<Operation | undefined>(
      undefined,
      { do: 'delete', kind: 'pod', n: 0 },
      { do: 'delete', kind: 'claim', n: 0 },
      { do: 'replace', n: 0 },
    ),
    fc.integer({ min: 0, max: 12 }),
  )
  .map(([crash, crashes, isPodFirst, event, pauseMs]): readonly Step[] => {
    const claim = at({ do: 'claim', n: 0, gib: 1, many: false, className: 'standard' }, 2_000);
    const pod = at({ do: 'pod', n: 0, claims: [0] }, 2_000);
    return [
      ...(crashes ? [strike(crash, 1_000)] : []),
      ...(isPodFirst ? [pod, claim] : [claim, pod]),
      ...(event ? [at(event, pauseMs)] : []),
    ];
  });

/** A node leaves after the scheduler has selected it, and before the provisioner has heard that. */
const lostNode = fc
  .tuple(node, fc.boolean(), fc.constantFrom(100, 1_000))
  .map(([n, returns, pauseMs]): readonly Step[] => [
    at({ do: 'claim', n: 0, gib: 1, many: false, className: 'standard' }, 2_000),
    strike({
      fault: 'delay-watches',
      process: PROVISIONER,
      forMs: 3_000,
      resource: 'persistentvolumeclaims',
    }),
    at({ do: 'pod', n: 0, claims: [0] }),
    at({ do: 'leave', n }, pauseMs),
    ...(returns ? [at({ do: 'join', n }, 8_000)] : []),
  ]);

/** Pods choose among the volumes of administrators on two nodes. */
const local = fc
  .tuple(fc.array(fc.record({ gib, node }), { minLength: 2, maxLength: 4 }), fc.constantFrom(0, 20, 2_000))
  .map(([plans, pauseMs]): readonly Step[] => [
    ...plans.map(({ gib, node }, n) => at({ do: 'volume', n, ...simple(gib, { className: 'local', node }) })),
    at({ do: 'claim', n: 0, gib: 1, many: false, className: 'local' }, 2_000),
    at({ do: 'claim', n: 1, gib: 2, many: false, className: 'local' }),
    at({ do: 'pod', n: 0, claims: [0] }, 500),
    at({ do: 'pod', n: 1, claims: [1] }, pauseMs),
    at({ do: 'pod', n: 2, claims: [0, 1] }),
  ]);

/** The scheduler binds a volume to a claim that the binder has not seen yet: the claim is new, or it replaces another one. */
const unseenClaim = fc
  .tuple(
    fc.constantFrom('Retain' as const, 'Delete' as const),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom(500, 4_000, 20_000),
  )
  .map(([policy, isTemporary, isReplaced, forMs]): readonly Step[] => {
    const claim: Operation = { do: 'claim', n: 0, gib: 1, many: false, className: 'local' };
    const late: Fault = {
      fault: 'delay-watches',
      process: BINDER,
      forMs,
      resource: 'persistentvolumeclaims',
    };
    return [
      at({ do: 'volume', n: 0, ...simple(1, { className: 'local', policy, isTemporary }) }),
      ...(isReplaced ? [at(claim)] : []),
      strike(late, 2_000),
      at(isReplaced ? { do: 'replace', n: 0 } : claim),
      at({ do: 'pod', n: 0, claims: [0] }, 100),
    ];
  });

/** A pod begins to use a claim, or ends, while the protection of claims sees no pods. */
const unseenPod = fc
  .tuple(fc.constantFrom(1_000, 10_000), fc.boolean(), fc.boolean())
  .map(([forMs, isMasked, isExpired]): readonly Step[] => {
    const late: Fault = { fault: 'delay-watches', process: CLAIM_PROTECTION, forMs, resource: 'pods' };
    const relist: Fault = { fault: 'fail-watches', process: CLAIM_PROTECTION, reason: 'Expired' };
    const deletion: Operation = { do: 'delete', kind: 'claim', n: 0 };
    return [
      at({ do: 'claim', n: 0, gib: 1, many: false, className: 'standard' }),
      at({ do: 'claim', n: 1, gib: 1, many: false, className: 'standard' }),
      ...(isMasked ? [at({ do: 'pod', n: 0, claims: [0] }), at(deletion, 4_000)] : []),
      strike(isMasked && isExpired ? relist : late, 2_000),
      ...(isMasked ? [at({ do: 'delete', kind: 'pod', n: 0 })] : []),
      at({ do: 'pod', n: 0, claims: [isMasked ? 1 : 0] }),
      ...(isMasked ? [] : [at(deletion, 500)]),
    ];
  });

/** A claim or a volume in use is deleted, and later its user. */
const inUse = fc
  .tuple(
    fc.constantFrom<ClassName>('manual', 'standard'),
    fc.boolean(),
    fc.integer({ min: 0, max: 60 }),
    faults,
    fc.boolean(),
  )
  .map(([className, ofVolume, pauseMs, fault, fails]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1) }),
    at({ do: 'claim', n: 0, gib: 1, many: false, className }, 2_000),
    at({ do: 'pod', n: 0, claims: [0] }, pauseMs),
    ...(fails ? [strike(fault, 500)] : []),
    at({ do: 'delete', kind: ofVolume ? 'volume' : 'claim', n: 0 }, 20_000),
    at({ do: 'delete', kind: 'pod', n: 0 }, 3_000),
    ...(ofVolume ? [at({ do: 'delete', kind: 'claim', n: 0 }, 1_000)] : []),
  ]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
): fc.Arbitrary<VolumesScenario> {
  const paced = fc
    .tuple(pauses, group)
    .map(([pauseMs, steps]) =>
      steps.map((step, i): Step => (i === 0 ? { ...step, afterMs: step.afterMs + pauseMs } : step)),
    );
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    steps: fc.array(paced, { minLength: 1, maxLength }).map((groups) => groups.flat()),
  });
  return inWords(all, describeScenario);
}

const one: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 6, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 1, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios of claims, volumes and pods. */
export function scenarios(): readonly Workload<VolumesScenario>[] {
  return [
    { name: 'any run', scenarios: scenariosWith(one, 16), runs: 20 },
    { name: 'a choice of volumes', scenarios: scenariosWith(choice, 1), runs: 12 },
    { name: 'claims that compete', scenarios: scenariosWith(rivals, 1), runs: 12 },
    { name: 'a bound claim or volume is lost', scenarios: scenariosWith(losses, 1), runs: 14 },
    { name: 'a volume is provisioned', scenarios: scenariosWith(provisioning, 1), runs: 12 },
    { name: 'a user who chooses late', scenarios: scenariosWith(change, 1), runs: 6 },
    { name: 'a node that leaves', scenarios: scenariosWith(lostNode, 1), runs: 6 },
    { name: 'volumes on nodes', scenarios: scenariosWith(local, 1), runs: 8 },
    { name: 'a deletion of an object in use', scenarios: scenariosWith(inUse, 1), runs: 8 },
    { name: 'a claim that the binder sees late', scenarios: scenariosWith(unseenClaim, 1), runs: 8 },
    { name: 'a pod that is seen late', scenarios: scenariosWith(unseenPod, 1), runs: 8 },
  ];
}
