import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'cronjob-controller';

/** The schedules of the runs, and the minutes between their times. */
export const PERIODS = { '* * * * *': 1, '*/2 * * * *': 2, '*/5 * * * *': 5 } as const;
export type Schedule = keyof typeof PERIODS;
export type Policy = 'Allow' | 'Forbid' | 'Replace';

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation of a user, or of the Job controller. */
export type Operation =
  /** A running Job ends; Jobs have numbers. */
  | { readonly do: 'end'; readonly job: number; readonly type: 'Complete' | 'Failed' }
  /** A user deletes a Job. */
  | { readonly do: 'delete'; readonly job: number }
  | { readonly do: 'suspend'; readonly suspend: boolean }
  | { readonly do: 'reschedule'; readonly schedule: Schedule }
  | { readonly do: 'policy'; readonly policy: Policy }
  /** `kubectl create job --from=cronjob/report`. */
  | { readonly do: 'manual' }
  /** A Job with an owner of another kind and the same name. */
  | { readonly do: 'other' }
  /** The CronJob and its Jobs are deleted, and it is created again. */
  | { readonly do: 'recreate' };

/** A scenario for the controller. */
export interface CronJobScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  /** How long after the beginning of a minute the run begins. */
  readonly beginMs: number;
  readonly cron: Schedule;
  readonly policy: Policy;
  readonly deadlineSeconds?: number | undefined;
  readonly keepSucceeded: number;
  readonly keepFailed: number;
  readonly steps: readonly Step[];
}

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const job = fc.nat({ max: 3 });
const type = fc.constantFrom('Complete' as const, 'Complete' as const, 'Failed' as const);
const cron = fc.constantFrom(...(Object.keys(PERIODS) as Schedule[]));
const policy = fc.constantFrom('Allow' as const, 'Forbid' as const, 'Replace' as const);

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), job, type }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), job }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('suspend' as const), suspend: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reschedule' as const), schedule: cron }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('policy' as const), policy }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('manual' as const, 'other' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recreate' as const) }) },
);

const crash = crashes(PROCESS);
const faults = fc.oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 2, arbitrary: crash });

/** The pause until the next minute, or a little before or after it. */
const toMinute = fc.oneof(fc.constant(60_000), fc.integer({ min: 59_950, max: 60_200 }));

const one = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
  { weight: 2, arbitrary: fc.tuple(operations, toMinute).map(([each, ms]) => [at(each, ms)]) },
);

/** The controller crashes around the creation of a Job, or a request of it is lost. */
const interrupted = (minutes: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      fc.oneof(
        fc.record({
          fault: fc.constant('crash' as const),
          process: fc.constant(PROCESS),
          skip: fc.nat({ max: 3 }),
          performed: fc.boolean(),
          restartAfterMs: fc.constantFrom(50, 1_000, 70_000),
        }),
        fc.record({
          fault: fc.constant('time-out' as const),
          process: fc.constant(PROCESS),
          performed: fc.boolean(),
          verb: fc.constantFrom('create', 'update'),
        }),
        fc.record({
          fault: fc.constant('refuse' as const),
          process: fc.constant(PROCESS),
          reason: fc.constantFrom('Conflict' as const, 'InternalError' as const),
          requests: fc.integer({ min: 1, max: 3 }),
        }),
      ),
      fc.boolean(),
      type,
    )
    .map(([fault, lags, ended]): readonly Step[] => [
      strike(fault, 30_000),
      ...(lags ? [strike({ fault: 'lag', replica: 0, forMs: 40_000 })] : []),
      at({ do: 'end', job: 0, type: ended }, minutes * 60_000 - 28_000),
    ]);

/** A Job ends and its trace is deleted, while the controller sees an old state. */
const forgotten = fc
  .tuple(fc.integer({ min: 2_000, max: 40_000 }), fc.boolean(), type, fc.boolean())
  .map(([forMs, restarts, ended, other]): readonly Step[] => [
    strike({ fault: 'delay-watches', process: PROCESS, forMs, resource: 'cronjobs' }, 59_000),
    ...(restarts ? [strike({ fault: 'lag', replica: 0, forMs })] : []),
    at({ do: 'end', job: 0, type: ended }, 1_500),
    at({ do: 'delete', job: 0 }, 100),
    at({ do: other ? 'other' : 'manual' }, 100),
  ]);

/** Many Jobs end one after the other, and the oldest are deleted. */
const history = fc
  .array(type, { minLength: 3, maxLength: 4 })
  .map((types) => types.map((each) => at({ do: 'end', job: 0, type: each }, 60_500)));

/** The CronJob is suspended for some minutes. */
const suspended = (longerMs: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .integer({ min: 50_000, max: 400_000 })
    .map((forMs) => [
      at({ do: 'suspend', suspend: true }, 20_000),
      at({ do: 'suspend', suspend: false }, forMs + longerMs),
      at({ do: 'end', job: 0, type: 'Complete' }, 5_000),
    ]);

/** Jobs run while others are due. */
const overlap = fc
  .tuple(fc.integer({ min: 61_000, max: 200_000 }), fc.boolean(), faults, type)
  .map(([ms, isHit, fault, ended]): readonly Step[] => [
    ...(isHit ? [strike(fault, 50_000)] : []),
    at({ do: 'end', job: 0, type: ended }, ms),
  ]);

interface Fixed {
  readonly cron?: Schedule;
  readonly policies?: fc.Arbitrary<Policy>;
  readonly keep?: fc.Arbitrary<number>;
  readonly deadline?: undefined;
}

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
  fixed: Fixed = {},
): fc.Arbitrary<CronJobScenario> {
  const keep = fixed.keep ?? fc.nat({ max: 3 });
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    beginMs: fc.oneof(fc.constantFrom(0, 59_900), fc.nat({ max: 59_999 })),
    cron: fixed.cron === undefined ? cron : fc.constant(fixed.cron),
    policy: fixed.policies ?? policy,
    deadlineSeconds:
      'deadline' in fixed ? fc.constant(undefined) : fc.constantFrom(undefined, undefined, 30, 200),
    keepSucceeded: keep,
    keepFailed: keep,
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const MINUTELY = { cron: '* * * * *' } as const;

/** Scenarios of a CronJob. */
export function scenarios(): readonly Workload<CronJobScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(one, 10), runs: 16 },
    {
      name: 'an interrupted creation',
      scenarios: scenariosWith(interrupted(1), 2, MINUTELY),
      runs: 10,
    },
    {
      name: 'an interrupted creation before a pause',
      scenarios: scenariosWith(interrupted(5), 1, { cron: '*/5 * * * *', deadline: undefined }),
      runs: 8,
    },
    {
      name: 'an old view of the CronJob',
      scenarios: scenariosWith(forgotten, 2, { ...MINUTELY, keep: fc.constant(0) }),
      runs: 8,
    },
    {
      name: 'a full history',
      scenarios: scenariosWith(history, 1, { ...MINUTELY, keep: fc.nat({ max: 2 }) }),
      runs: 6,
    },
    { name: 'a suspension', scenarios: scenariosWith(suspended(0), 1, MINUTELY), runs: 5 },
    {
      name: 'a long suspension',
      scenarios: scenariosWith(suspended(6_500_000), 1, { ...MINUTELY, deadline: undefined }),
      runs: 2,
    },
    {
      name: 'Jobs that overlap',
      scenarios: scenariosWith(overlap, 2, {
        ...MINUTELY,
        policies: fc.constantFrom('Forbid' as const, 'Replace' as const),
      }),
      runs: 8,
    },
  ];
}

function describeScenario(scenario: CronJobScenario): readonly string[] {
  const { beginMs, cron: text, policy: concurrency, deadlineSeconds, keepSucceeded, keepFailed } = scenario;
  const deadline = deadlineSeconds === undefined ? '' : `, startingDeadlineSeconds ${deadlineSeconds}`;
  return [
    ...sayCircumstances(scenario),
    `the run begins ${beginMs / 1_000} s after a full minute`,
    `schedule "${text}", ${concurrency}${deadline}, keeps ${keepSucceeded} succeeded and ${keepFailed} failed Jobs`,
    ...saySteps(scenario.steps, (step) => ('strike' in step ? sayFault(step.strike) : say(step))),
    ...sayHealing(scenario.steps),
  ];
}

function say(operation: Operation): string {
  switch (operation.do) {
    case 'end':
      return `running Job ${operation.job} ends: ${operation.type}`;
    case 'delete':
      return `a user deletes Job ${operation.job}`;
    case 'suspend':
      return operation.suspend ? 'a user suspends the CronJob' : 'a user resumes the CronJob';
    case 'reschedule':
      return `a user sets the schedule "${operation.schedule}"`;
    case 'policy':
      return `a user sets the policy ${operation.policy}`;
    case 'manual':
      return 'a user creates a Job from the CronJob';
    case 'other':
      return 'a user creates a Job with an owner of another kind and the same name';
    case 'recreate':
      return 'a user deletes the CronJob and its Jobs, and creates it again';
  }
}
