import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'statefulset-controller';

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation; pods have numbers from 0, which count from the first ordinal of the set. */
export type Operation =
  | { readonly do: 'scale'; readonly replicas: number }
  /** A user sets another image. */
  | { readonly do: 'edit'; readonly version: number }
  | { readonly do: 'partition'; readonly partition: number }
  | { readonly do: 'on-delete' }
  /** A pod ends, or a user deletes it. */
  | { readonly do: 'fail' | 'succeed' | 'delete'; readonly pod: number }
  /** A user deletes the claim of a pod, and then the pod. */
  | { readonly do: 'delete-claim'; readonly pod: number }
  /** A user creates a pod with the set's labels, without an owner: under the name of a pod, or under another one. */
  | { readonly do: 'orphan'; readonly pod: number }
  | { readonly do: 'stray' }
  /** A user deletes the set with everything that it owns except claims, and creates it again. */
  | { readonly do: 'recreate' }
  /** Another client takes the name of the next revision with this version, and then a user sets that version. */
  | { readonly do: 'collide'; readonly version: number };

/** A scenario for the controller. */
export interface StatefulSetScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  readonly latencyMs: number;
  /** The pods that the set has at first. */
  readonly pods: number;
  readonly isParallel: boolean;
  readonly partition: number;
  readonly minReadySeconds: number;
  readonly start: number;
  /** Whether pods lose readiness from time to time. */
  readonly flaps: boolean;
  readonly steps: readonly Step[];
}

type Spec = Pick<
  StatefulSetScenario,
  'pods' | 'isParallel' | 'partition' | 'minReadySeconds' | 'start' | 'flaps'
>;

const pod = fc.nat({ max: 3 });
const version = fc.integer({ min: 1, max: 3 });
const count = fc.integer({ min: 0, max: 4 });
const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const of = <K extends Operation['do']>(kind: K): fc.Arbitrary<K> => fc.constant(kind);

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.record({ do: of('scale'), replicas: count }) },
  { weight: 4, arbitrary: fc.record({ do: of('edit'), version }) },
  { weight: 2, arbitrary: fc.record({ do: of('partition'), partition: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: of('on-delete') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('fail' as const, 'succeed' as const, 'delete' as const),
      pod,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: of('delete-claim'), pod }) },
  { weight: 1, arbitrary: fc.record({ do: of('orphan'), pod }) },
  { weight: 1, arbitrary: fc.record({ do: of('stray') }) },
  { weight: 1, arbitrary: fc.record({ do: of('recreate') }) },
  { weight: 1, arbitrary: fc.record({ do: of('collide'), version }) },
);

const crash = crashes(PROCESS);
const faults = fc.oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 2, arbitrary: crash });

const one = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

const lateView = fc.oneof(
  fc.record({
    fault: fc.constant('delay-watches' as const),
    process: fc.constant(PROCESS),
    forMs: fc.integer({ min: 500, max: 4_000 }),
    resource: fc.constantFrom('pods', 'pods', 'controllerrevisions', 'statefulsets'),
  }),
  fc.record({
    fault: fc.constant('time-out' as const),
    process: fc.constant(PROCESS),
    performed: fc.boolean(),
  }),
  crash,
);

/** The set grows and shrinks. */
const resizing = fc
  .array(fc.tuple(count, fc.integer({ min: 200, max: 4_000 })), { minLength: 2, maxLength: 4 })
  .map((sizes): readonly Step[] => sizes.map(([replicas, ms]) => at({ do: 'scale', replicas }, ms)));

/** A complete set shrinks by at least two pods. */
const shrinking = fc
  .tuple(fc.nat({ max: 2 }), fc.option(lateView, { nil: undefined }))
  .map(([replicas, fault]): readonly Step[] => [
    at({ do: 'scale', replicas: 4 }),
    at({ do: 'scale', replicas }, 14_000),
    ...(fault ? [strike(fault, 200)] : []),
  ]);

/** Another image, and something that happens meanwhile. */
const updating = fc
  .tuple(
    fc.constantFrom(2, 3),
    fc.option(lateView, { nil: undefined }),
    fc.integer({ min: 0, max: 3_000 }),
    pod,
  )
  .map(([next, fault, ms, each]): readonly Step[] => [
    at({ do: 'edit', version: next }, 5_000),
    ...(fault ? [strike(fault, ms)] : []),
    at({ do: 'delete', pod: each }, ms),
  ]);

/** A canary: another image above a partition, deletions on both sides, and then a lower partition. */
const canary = fc
  .tuple(fc.constantFrom(2, 3), pod, fc.nat({ max: 2 }))
  .map(([next, each, lower]): readonly Step[] => [
    at({ do: 'edit', version: next }, 5_000),
    at({ do: 'delete', pod: 0 }, 6_000),
    at({ do: 'delete', pod: each }, 3_000),
    at({ do: 'partition', partition: lower }, 3_000),
  ]);

/** The strategy OnDelete, another image, and one deletion. */
const byHand = pod.map((each): readonly Step[] => [
  at({ do: 'on-delete' }, 4_000),
  at({ do: 'edit', version: 2 }, 500),
  at({ do: 'delete', pod: each }, 3_000),
]);

/** A pod ends, or has no owner, and nothing else happens. */
const unexpected = fc
  .tuple(
    fc.nat({ max: 1 }),
    fc.constantFrom(
      'fail' as const,
      'succeed' as const,
      'succeed' as const,
      'delete-claim' as const,
      'orphan' as const,
      'stray' as const,
    ),
  )
  .map(([each, kind]): readonly Step[] => [
    ...(kind === 'orphan' ? [at({ do: 'scale' as const, replicas: 0 }, 3_000)] : []),
    at(kind === 'stray' ? { do: kind } : { do: kind, pod: each }, 5_000),
    ...(kind === 'orphan' ? [at({ do: 'scale' as const, replicas: 3 }, 1_000)] : []),
  ]);

/** Templates come and go, so that old revisions return and others become too old. */
const history = fc
  .tuple(
    fc.shuffledSubarray([1, 2, 3], { minLength: 3 }),
    fc.array(fc.oneof(version, version, fc.constant(0)), { maxLength: 2 }),
  )
  .map(([all, more]): readonly Step[] =>
    [...all, ...more].map((each) =>
      at(each === 0 ? { do: 'collide', version: 2 } : { do: 'edit', version: each }, 2_500),
    ),
  );

/** Another client has the name of the next revision. */
const collision = fc
  .tuple(fc.constantFrom(2, 3), fc.boolean())
  .map(([next, returns]): readonly Step[] => [
    at({ do: 'collide', version: next }, 5_000),
    ...(returns ? [at({ do: 'edit' as const, version: 1 }, 5_000)] : []),
  ]);

const anySpec: fc.Arbitrary<Spec> = fc.record({
  pods: fc.constantFrom(2, 3, 3, 4),
  isParallel: fc.constantFrom(false, false, true),
  partition: fc.constantFrom(0, 0, 0, 1, 2),
  minReadySeconds: fc.constantFrom(0, 0, 2),
  start: fc.constantFrom(0, 0, 0, 3),
  flaps: fc.constantFrom(false, false, true),
});
const ordered = anySpec.map((spec): Spec => ({ ...spec, isParallel: false }));
const steady = anySpec.map((spec): Spec => ({ ...spec, isParallel: false, flaps: false, pods: 4 }));
const partitioned = fc
  .tuple(anySpec, fc.constantFrom(1, 2))
  .map(([spec, partition]): Spec => ({ ...spec, pods: 3, partition, flaps: false }));
const plain = anySpec.map((spec): Spec => ({ ...spec, partition: 0, flaps: false }));

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
  specs: fc.Arbitrary<Spec> = anySpec,
): fc.Arbitrary<StatefulSetScenario> {
  const all = fc
    .record({
      seed: seeds,
      schedule: schedules,
      replicas: fc.constantFrom(1, 1, 2),
      latencyMs: fc.constantFrom(1, 5, 20),
      spec: specs,
      steps: pacedSteps(group, { minLength: 1, maxLength }),
    })
    .map(({ spec, ...rest }): StatefulSetScenario => ({ ...rest, ...spec }));
  return inWords(all, describeScenario);
}

/** Scenarios of a StatefulSet whose size, template and pods change. */
export function scenarios(): readonly Workload<StatefulSetScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(one, 10), runs: 14 },
    { name: 'a set that grows and shrinks', scenarios: scenariosWith(resizing, 1, ordered), runs: 5 },
    { name: 'a set that shrinks', scenarios: scenariosWith(shrinking, 1, steady), runs: 5 },
    { name: 'an update', scenarios: scenariosWith(updating, 1, plain), runs: 9 },
    { name: 'a canary', scenarios: scenariosWith(canary, 1, partitioned), runs: 6 },
    { name: 'updates by hand', scenarios: scenariosWith(byHand, 1, plain), runs: 3 },
    { name: 'a pod that ends, or has no owner', scenarios: scenariosWith(unexpected, 1, plain), runs: 10 },
    { name: 'templates that return', scenarios: scenariosWith(history, 1, plain), runs: 4 },
    { name: 'a collision of names', scenarios: scenariosWith(collision, 1, plain), runs: 3 },
  ];
}

function describeScenario(scenario: StatefulSetScenario): readonly string[] {
  const { pods, isParallel, partition, minReadySeconds, start, flaps, steps } = scenario;
  const spec = [
    `${pods} replicas`,
    ...(isParallel ? ['Parallel'] : []),
    ...(partition > 0 ? [`partition: ${partition}`] : []),
    ...(minReadySeconds > 0 ? [`minReadySeconds: ${minReadySeconds}`] : []),
    ...(start > 0 ? [`ordinals from ${start}`] : []),
    ...(flaps ? ['pods that lose readiness'] : []),
  ];
  return [
    ...sayCircumstances(scenario),
    `a StatefulSet with ${spec.join(', ')}`,
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : sayOperation(step, start))),
    ...sayHealing(steps),
  ];
}

function sayOperation(operation: Operation, start: number): string {
  const name = 'pod' in operation ? `web-${operation.pod + start}` : '';
  switch (operation.do) {
    case 'scale':
      return `a user scales web to ${operation.replicas}`;
    case 'edit':
      return `a user sets the image web:${operation.version}`;
    case 'partition':
      return `a user sets the partition to ${operation.partition}`;
    case 'on-delete':
      return 'a user sets the strategy OnDelete';
    case 'delete-claim':
      return `a user deletes the claim of ${name}, and ${name}`;
    case 'orphan':
      return `a user creates ${name} without an owner, if it does not exist`;
    case 'stray':
      return 'a user creates the pod other-1 with the labels of the set';
    case 'recreate':
      return 'a user deletes the StatefulSet, and creates it again';
    case 'collide':
      return `another client takes the name of the revision of web:${operation.version}, and a user sets that image`;
    default:
      return { fail: `${name} fails`, succeed: `${name} ends`, delete: `a user deletes ${name}` }[
        operation.do
      ];
  }
}
