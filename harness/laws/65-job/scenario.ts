import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { shortened } from '../../testing/arbitraries/shortened.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import {
  type JobName,
  type JobShape,
  type NodeBehaviour,
  type Operation,
  PROCESS,
  type Step,
} from './operations.ts';
import { describeScenario } from './render/scenario.ts';

/** A scenario: operations, faults and times, as values that fast-check generates and shrinks. */
export interface JobScenario {
  readonly seed: number;
  /** The order of tasks at the same instant. */
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  /** The longest latency of a message. */
  readonly latencyMs: number;
  /** Whether the caches do not report which version they have reached. @defaultValue false */
  readonly isVersionless?: boolean;
  /** How the nodes run pods by themselves. Absent if they wait for operations. */
  readonly nodes?: NodeBehaviour;
  /** Steps before the controller starts. */
  readonly before: readonly Step[];
  /** Steps after the controller starts; then no fault or operation follows. */
  readonly steps: readonly Step[];
}

const jobNames: fc.Arbitrary<JobName> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('pi' as const) },
  { weight: 1, arbitrary: fc.constant('sort' as const) },
);
const counts = fc.integer({ min: 1, max: 4 });
const anyPod = fc.nat({ max: 5 });
const codes = fc.constantFrom(0, 1, 0, 42);

/** Generates a field that is present in about every third object. */
const sometimes = <K extends string, T>(field: K, values: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: values.map((value) => ({ [field]: value }) as { [F in K]: T }) },
  ) as fc.Arbitrary<{ [F in K]?: T }>;

/** Generates the shape of any Job without optional policies. */
export const shapes: fc.Arbitrary<JobShape> = fc
  .tuple(
    fc.constantFrom<Pick<JobShape, 'completionMode'>>({}, {}, { completionMode: 'Indexed' }),
    counts,
    fc.oneof({ weight: 4, arbitrary: counts }, { weight: 1, arbitrary: fc.constant(undefined) }),
    sometimes('backoffLimit', fc.nat({ max: 3 })),
    sometimes('activeDeadlineSeconds', fc.constantFrom(5, 20, 100)),
    sometimes('suspend', fc.constant(true)),
    sometimes('podReplacementPolicy', fc.constant('Failed')),
    sometimes('restartPolicy', fc.constant('OnFailure' as const)),
  )
  .map(([mode, parallelism, completions, ...rest]): JobShape => {
    const isIndexed = mode.completionMode === 'Indexed';
    const amount = completions ?? (isIndexed ? parallelism : undefined);
    return Object.assign(
      {},
      mode,
      { parallelism },
      amount === undefined ? {} : { completions: amount },
      ...rest,
    ) as JobShape;
  });

/** Generates changes of a spec; the server refuses some of them. */
const edits: fc.Arbitrary<JobShape> = fc.oneof(
  counts.map((parallelism) => ({ parallelism })),
  fc.boolean().map((suspend) => ({ suspend })),
  fc.constantFrom(5, 20, 300).map((activeDeadlineSeconds) => ({ activeDeadlineSeconds })),
  counts.map((count) => ({ parallelism: count, completions: count })),
  fc.nat({ max: 3 }).map((backoffLimit) => ({ backoffLimit })),
);

/** Generates operations; common operations have higher weights. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  weighted(4, fc.constant({ do: 'run' as const })),
  weighted(5, fc.record({ do: fc.constant('end' as const), pod: anyPod, code: codes })),
  weighted(2, fc.record({ do: fc.constant('end-all' as const), code: codes })),
  weighted(2, fc.record({ do: fc.constant('edit' as const), job: jobNames, shape: edits })),
  weighted(2, fc.record({ do: fc.constant('kill' as const), pod: anyPod })),
  weighted(2, fc.record({ do: fc.constant('reap' as const), code: fc.constantFrom(143, 0) })),
  weighted(1, fc.record({ do: fc.constant('clean-up' as const), pod: anyPod })),
  weighted(1, fc.record({ do: fc.constant('flip' as const), pod: anyPod })),
  weighted(
    1,
    fc.record({ do: fc.constant('restart' as const), pod: anyPod, times: fc.integer({ min: 1, max: 3 }) }),
  ),
  weighted(1, fc.record({ do: fc.constant('touch' as const), job: jobNames })),
  weighted(1, fc.record({ do: fc.constant('free' as const), pod: anyPod })),
  weighted(1, fc.record({ do: fc.constant('hand-made' as const), job: jobNames, isStrangers: fc.boolean() })),
  weighted(
    1,
    fc.record({
      do: fc.constant('delete' as const),
      job: jobNames,
      how: fc.constantFrom('Background' as const, 'Foreground' as const, 'Orphan' as const),
    }),
  ),
  weighted(2, fc.record({ do: fc.constant('create' as const), job: jobNames, shape: shapes })),
  weighted(1, fc.record({ do: fc.constant('collect' as const), pods: fc.nat({ max: 3 }) })),
);

const faults: fc.Arbitrary<Fault> = fc.oneof(
  weighted(5, apiFaults(PROCESS)),
  weighted(2, crashes(PROCESS).map(laterThanItsLastRequest)),
);

/** Generates how nodes run pods: fast or slow, to success or failure. */
export const nodeBehaviours: fc.Arbitrary<NodeBehaviour> = fc.record({
  startMs: fc.constantFrom(100, 1_500),
  runMs: fc.constantFrom(50, 2_000, 30_000),
  stopMs: fc.constantFrom(100, 3_000, 20_000),
  codes: fc.array(codes, { minLength: 1, maxLength: 4 }),
});

/** Options of {@link scenariosOf}. */
export interface Circumstances {
  /** Steps before the controller starts. @defaultValue `pi` is created, of any shape */
  readonly before?: fc.Arbitrary<readonly Step[]>;
  /** @defaultValue nodes wait for operations */
  readonly nodes?: fc.Arbitrary<NodeBehaviour | undefined>;
  /** @defaultValue 1 or 2 */
  readonly replicas?: number;
  /** @defaultValue up to 20 */
  readonly latencyMs?: number;
  /** @defaultValue false */
  readonly isVersionless?: boolean;
}

/** Generates scenarios with these steps. */
export function scenariosOf(
  steps: fc.Arbitrary<readonly Step[]>,
  {
    before = anyJob,
    nodes = fc.constant(undefined),
    replicas,
    latencyMs,
    isVersionless = false,
  }: Circumstances = {},
): fc.Arbitrary<JobScenario> {
  return inWords(
    fc
      .record({
        seed: seeds,
        schedule: schedules,
        replicas: replicas === undefined ? fc.constantFrom(1, 2) : fc.constant(replicas),
        latencyMs: latencyMs === undefined ? fc.constantFrom(1, 5, 20) : fc.constant(latencyMs),
        nodes,
        before: shortened(before),
        steps: shortened(steps),
      })
      .map(({ nodes, ...rest }) => ({
        ...rest,
        ...(nodes ? { nodes } : {}),
        ...(isVersionless ? { isVersionless } : {}),
      })),
    describeScenario,
  );
}

const anyJob: fc.Arbitrary<readonly Step[]> = shapes.map((shape) => [
  { afterMs: 0, do: 'create', job: 'pi', shape },
]);

/** Generates random operations, with faults. */
export const randomSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { withCrossShrink: true },
    weighted(8, one(operations)),
    weighted(2, one(faults.map((strike) => ({ strike })))),
  ),
  { maxLength: 12 },
);

/** Generates random operations without faults. */
export const calmSteps: fc.Arbitrary<readonly Step[]> = fc.array(one(operations), { maxLength: 12 });

/** Generates faults without operations: the nodes act by themselves. */
export const faultySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  one(
    fc.oneof(
      weighted(
        3,
        faults.map((strike) => ({ strike })),
      ),
      weighted(1, fc.constant({ do: 'touch' as const, job: 'pi' as const })),
    ),
  ),
  { maxLength: 6 },
);

function one(some: fc.Arbitrary<Operation | { readonly strike: Fault }>): fc.Arbitrary<Step> {
  return fc.tuple(pauses, some).map(([afterMs, each]) => ({ afterMs, ...each }));
}

function weighted<T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
): { weight: number; arbitrary: fc.Arbitrary<T> } {
  return { weight, arbitrary };
}

/** Delays a restart until the last request has arrived, as a kubelet or a lease ensures. */
function laterThanItsLastRequest(fault: Fault): Fault {
  return fault.fault === 'crash' ? { ...fault, restartAfterMs: fault.restartAfterMs + 50 } : fault;
}
