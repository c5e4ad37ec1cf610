import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import type { Workload } from '../../testing/holds.ts';
import {
  BINDER,
  CLAIM_PROTECTION,
  type ClassName,
  type Operation,
  PROVISIONER,
  SCHEDULER,
  type Step,
  type VolumePlan,
  type VolumesScenario,
} from './operations.ts';
import { at, faults, gib, maybe, node, one, scenariosWith, strike, tier, wait } from './scenario.ts';

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

/** What happens to a volume after its claim: mostly something that can go wrong. */
const reclaiming = fc.constantFrom<Pick<VolumePlan, 'policy' | 'isTemporary'>>(
  { policy: 'Delete', isTemporary: true },
  { policy: 'Delete', isTemporary: true },
  { policy: 'Delete', isTemporary: false },
  { policy: 'Retain', isTemporary: true },
);

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
    fc.record({ gib: fc.constantFrom(2, 5), tier: maybe(tier, 4) }),
    fc.record({ n: fc.nat({ max: 2 }), claim: fc.constantFrom(0, 0, 1) }),
  )
  .map(([plans, { gib, tier }, reserved]): readonly Step[] => [
    ...plans.map((plan, n) => {
      const more = n === reserved.n ? { ...plan, reservedFor: reserved.claim } : plan;
      return at({ do: 'volume', n, ...simple(plan.gib, more) });
    }),
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
    reclaiming,
    fc.constantFrom<Operation>(
      { do: 'delete', kind: 'claim', n: 0 },
      { do: 'delete', kind: 'claim', n: 0 },
      { do: 'replace', n: 0 },
      { do: 'delete', kind: 'volume', n: 0 },
      { do: 'destroy', n: 0 },
    ),
    fc.constantFrom<Operation | undefined>(undefined, { do: 'retain', n: 0 }, { do: 'free', n: 0 }),
    fc.constantFrom(0, 4, 3_000),
  )
  .map(([plan, loss, after, pauseMs]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1, plan) }),
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
  .map(([n, returns, pauseMs]): readonly Step[] => {
    const resource = 'persistentvolumeclaims';
    return [
      at({ do: 'claim', n: 0, gib: 1, many: false, className: 'standard' }, 2_000),
      strike({ fault: 'delay-watches', process: PROVISIONER, forMs: 3_000, resource }, 1_000),
      at({ do: 'pod', n: 0, claims: [0] }),
      at({ do: 'leave', n }, pauseMs),
      returns ? at({ do: 'join', n }, 8_000) : wait(4_000),
    ];
  });

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
  .tuple(fc.boolean(), fc.constantFrom(true, true, true, false), fc.constantFrom(500, 4_000, 20_000))
  .map(([isReplaced, isTemporary, forMs]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1, { className: 'local', policy: 'Delete', isTemporary }) }),
    at({ do: 'claim', n: 2, gib: 1, many: false, className: 'standard' }),
    ...(isReplaced ? [at(LOCAL_CLAIM)] : []),
    strike(unseen('persistentvolumeclaims', forMs), 2_000),
    at(isReplaced ? { do: 'replace', n: 0 } : LOCAL_CLAIM),
    at({ do: 'pod', n: 0, claims: [0] }, 100),
    wait(forMs),
  ]);

/** The scheduler binds a volume, and the binder still sees it as free when another claim asks for it. */
const unseenVolume = fc
  .constantFrom(500, 4_000, 20_000)
  .map((forMs): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1, { className: 'local' }) }),
    at({ do: 'claim', n: 2, gib: 1, many: false, className: 'standard' }),
    strike(unseen('persistentvolumes', forMs), 2_000),
    at(LOCAL_CLAIM),
    at({ do: 'pod', n: 0, claims: [0] }, 100),
    at({ ...LOCAL_CLAIM, n: 1, volume: 0 }, 100),
    wait(forMs),
  ]);

const LOCAL_CLAIM = { do: 'claim', n: 0, gib: 1, many: false, className: 'local' } as const;

function unseen(resource: string, forMs: number): Fault {
  return { fault: 'delay-watches', process: BINDER, forMs, resource };
}

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
      wait(forMs),
    ];
  });

/** A pod waits for a claim that does not exist yet, and nothing else happens. */
const lateClaim = fc
  .tuple(fc.constantFrom<ClassName>('standard', 'local', 'manual'), fc.constantFrom(3_000, 20_000))
  .map(([className, pauseMs]): readonly Step[] => [
    at({ do: 'volume', n: 0, ...simple(1, { className }) }),
    at({ do: 'claim', n: 1, gib: 10, many: false, className: 'standard' }),
    at({ do: 'pod', n: 0, claims: [0] }, 2_000),
    at({ do: 'claim', n: 0, gib: 1, many: false, className }, pauseMs),
  ]);

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

/** Scenarios of claims, volumes and pods. */
export function scenarios(): readonly Workload<VolumesScenario>[] {
  return [
    { name: 'any run', scenarios: scenariosWith(one, 16), runs: 16 },
    { name: 'a choice of volumes', scenarios: scenariosWith(choice, 1), runs: 12 },
    { name: 'claims that compete', scenarios: scenariosWith(rivals, 1), runs: 8 },
    { name: 'a bound claim or volume is lost', scenarios: scenariosWith(losses, 1), runs: 14 },
    { name: 'a volume is provisioned', scenarios: scenariosWith(provisioning, 1), runs: 12 },
    { name: 'a user who chooses late', scenarios: scenariosWith(change, 1), runs: 6 },
    { name: 'a node that leaves', scenarios: scenariosWith(lostNode, 1), runs: 6 },
    { name: 'volumes on nodes', scenarios: scenariosWith(local, 1), runs: 8 },
    { name: 'a deletion of an object in use', scenarios: scenariosWith(inUse, 1), runs: 8 },
    { name: 'a claim that the binder sees late', scenarios: scenariosWith(unseenClaim, 1), runs: 10 },
    { name: 'a volume that the binder sees late', scenarios: scenariosWith(unseenVolume, 1), runs: 3 },
    { name: 'a claim after its pod', scenarios: scenariosWith(lateClaim, 1), runs: 5 },
    { name: 'a pod that is seen late', scenarios: scenariosWith(unseenPod, 1), runs: 8 },
  ];
}
