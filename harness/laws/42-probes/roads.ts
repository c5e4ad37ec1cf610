import fc from 'fast-check';
import type { ProbeType } from '../../contracts/node/probe-manager.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import type {
  Answer,
  ContainerPlan,
  Ending,
  Life,
  Phase,
  PodPlan,
  ProbePlan,
  ProbesScenario,
  Way,
} from './scenario.ts';
import { PROBE_TYPES } from './scenario.ts';
import { wordsOf } from './words.ts';

const ways = fc.constantFrom<Way>('http', 'http', 'tcp', 'exec');

interface ProbeParts {
  readonly way?: fc.Arbitrary<Way>;
  readonly delay?: fc.Arbitrary<number>;
  readonly period?: fc.Arbitrary<number>;
  readonly timeout?: fc.Arbitrary<number>;
}

const probe = (
  type: ProbeType,
  { way = ways, delay, period, timeout }: ProbeParts = {},
): fc.Arbitrary<ProbePlan> =>
  fc.record({
    way,
    initialDelaySeconds: delay ?? fc.constantFrom(0, 0, 0, 2, 5),
    periodSeconds: period ?? fc.constantFrom(1, 2, 3, 5),
    timeoutSeconds: timeout ?? fc.constantFrom(1, 1, 2),
    successThreshold: type === 'readiness' ? fc.constantFrom(1, 1, 2, 3) : fc.constant(1),
    failureThreshold: fc.constantFrom(1, 2, 3),
    isFancy: fc.constantFrom(false, false, true),
  });

const takes = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 5) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 900 }) },
);

const phase = (
  gives: fc.Arbitrary<Answer>,
  long = fc.integer({ min: 500, max: 9_000 }),
): fc.Arbitrary<Phase> => fc.record({ forMs: long, gives, takesMs: takes });

const usual = fc.constantFrom<Answer>('success', 'success', 'failure', 'failure', 'refuses', 'hangs');
const phases = (gives = usual) => fc.array(phase(gives), { minLength: 1, maxLength: 4 });
const well = fc.constant<readonly Phase[]>([{ forMs: 1, gives: 'success', takesMs: 1 }]);

interface LifeParts {
  readonly answers?: fc.Arbitrary<Life['answers']>;
  readonly ends?: fc.Arbitrary<Life['ends'] | undefined>;
}

const anyAnswers = (gives = usual): fc.Arbitrary<Life['answers']> =>
  fc.record({ startup: startUp, readiness: phases(gives), liveness: phases(gives) });

/** Slow to start, and then well; or never. */
const startUp: fc.Arbitrary<readonly Phase[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(phase(fc.constantFrom('failure', 'refuses', 'hangs')), phase(fc.constant('success'))),
  },
  { weight: 1, arbitrary: phases() },
);

const life = ({
  answers = anyAnswers(),
  ends = fc.constant(undefined),
}: LifeParts = {}): fc.Arbitrary<Life> =>
  fc
    .record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1_000)),
      ends,
      drainMs: fc.constantFrom(0, 100, 2_500, 6_000),
      answers,
    })
    .map(({ ends: end, ...rest }) => ({ ...rest, ...(end && { ends: end }) }));

const mortal = fc.option(
  fc.record({ afterMs: fc.integer({ min: 100, max: 12_000 }), exitCode: fc.constantFrom(0, 1) }),
  { nil: undefined },
);

/** Some of the probes, but one at least. */
const probesOf = (types: readonly ProbeType[], parts?: ProbeParts): fc.Arbitrary<ContainerPlan['probes']> =>
  fc.record(
    Object.fromEntries(types.map((type) => [type, probe(type, parts)])) as Record<
      ProbeType,
      fc.Arbitrary<ProbePlan>
    >,
    { requiredKeys: types.slice(0, 1) },
  );

const container = (
  parts: Partial<{
    readonly probes: fc.Arbitrary<ContainerPlan['probes']>;
    readonly lives: fc.Arbitrary<readonly Life[]>;
    readonly sidecar: fc.Arbitrary<boolean>;
  }> = {},
): fc.Arbitrary<ContainerPlan> =>
  fc.record({
    isSidecar: parts.sidecar ?? fc.constantFrom(false, false, false, true),
    probes:
      parts.probes ??
      fc.oneof(
        probesOf(['readiness', 'liveness', 'startup']),
        probesOf(['liveness', 'readiness', 'startup']),
      ),
    lives: parts.lives ?? fc.array(life({ ends: mortal }), { minLength: 1, maxLength: 3 }),
  });

/** Later than any period: a kubelet that is not young any more. */
const grown = fc.integer({ min: 5_000, max: 8_000 });

interface PodParts {
  readonly containers?: fc.Arbitrary<readonly ContainerPlan[]>;
  readonly addAfterMs?: fc.Arbitrary<number>;
  readonly restartPolicy?: fc.Arbitrary<PodPlan['restartPolicy']>;
  readonly ending?: fc.Arbitrary<Ending | undefined>;
  readonly syncs?: fc.Arbitrary<readonly number[]>;
}

const syncs = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 4 });

const pod = (parts: PodParts = {}): fc.Arbitrary<PodPlan> =>
  fc
    .record({
      addAfterMs: parts.addAfterMs ?? grown,
      restartPolicy: parts.restartPolicy ?? fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
      containers: (parts.containers ??
        container({ sidecar: fc.constant(false) }).map((one) => [one])) as fc.Arbitrary<ContainerPlan[]>,
      syncsMs: parts.syncs ?? syncs,
      ending: parts.ending ?? fc.constant(undefined),
    })
    .map(({ ending, ...rest }) => ({ ...rest, ...(ending && { ending }) }));

const alone = (parts: Parameters<typeof container>[0]) =>
  container({ sidecar: fc.constant(false), ...parts }).map((one) => [one]);

const several = fc
  .tuple(container({ sidecar: fc.constant(false) }), fc.array(container(), { maxLength: 1 }))
  .map(([one, more]) => [one, ...more]);

const story = (
  pods: fc.Arbitrary<PodPlan> | fc.Arbitrary<readonly PodPlan[]>,
  restart: fc.Arbitrary<ProbesScenario['restart']> = fc.constant(undefined),
  endMs = 45_000,
): fc.Arbitrary<ProbesScenario> =>
  inWords(
    fc
      .record({
        seed: seeds,
        schedule: schedules,
        pods: (pods as fc.Arbitrary<PodPlan | readonly PodPlan[]>).map((some) =>
          Array.isArray(some) ? some : [some],
        ) as fc.Arbitrary<PodPlan[]>,
        restart,
        endMs: fc.constant(endMs),
      })
      .map(({ restart: one, ...rest }) => ({ ...rest, ...(one && { restart: one }) })),
    wordsOf,
  );

const ending = (how: fc.Arbitrary<Ending['how']>): fc.Arbitrary<Ending> =>
  fc.record({
    atMs: fc.integer({ min: 0, max: 20_000 }),
    how,
    graceMs: fc.integer({ min: 1_000, max: 15_000 }),
  });

/** Longer than its period. */
const slow = fc.record({
  forMs: fc.integer({ min: 3_000, max: 9_000 }),
  gives: fc.constantFrom<Answer>('success', 'failure', 'hangs'),
  takesMs: fc.integer({ min: 900, max: 4_500 }),
});

const answering = (answers: fc.Arbitrary<readonly Phase[]>): fc.Arbitrary<Life['answers']> =>
  fc.record({ startup: answers, readiness: answers, liveness: answers });

/** The lives that all laws are read off. */
export const roads: readonly Road<ProbesScenario>[] = [
  {
    name: 'anything goes',
    scenarios: story(
      fc.array(
        pod({
          containers: several,
          ending: fc.option(ending(fc.constantFrom('delete', 'remove', 'clean up')), { nil: undefined }),
        }),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
    ),
    runs: 14,
  },
  {
    name: 'one probe that fails and recovers',
    scenarios: story(
      pod({
        containers: alone({
          probes: fc.oneof(...PROBE_TYPES.map((type) => probesOf([type]))),
          lives: fc.array(life(), { minLength: 1, maxLength: 2 }),
        }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a slow start',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: alone({
          probes: fc.record({
            startup: probe('startup'),
            readiness: probe('readiness'),
            liveness: probe('liveness'),
          }),
          lives: fc.array(life({ ends: mortal }), { minLength: 1, maxLength: 3 }),
        }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a container that ends and comes back',
    scenarios: story(
      pod({
        containers: alone({
          lives: fc.array(
            life({
              ends: fc.record({
                afterMs: fc.integer({ min: 100, max: 9_000 }),
                exitCode: fc.constantFrom(0, 1),
              }),
            }),
            { minLength: 2, maxLength: 4 },
          ),
        }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a container that does not stay alive',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: alone({
          probes: probesOf(['liveness', 'readiness']),
          lives: fc.array(
            life({
              answers: fc.record({
                liveness: fc.tuple(
                  phase(fc.constant('success')),
                  phase(fc.constantFrom('failure', 'hangs', 'refuses')),
                ),
                readiness: phases(),
              }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        }),
      }),
    ),
    runs: 8,
  },
  {
    name: 'probes that take longer than their period',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['readiness', 'liveness'], {
            period: fc.constantFrom(1, 2),
            timeout: fc.constantFrom(3, 4, 5),
          }),
          lives: fc.array(life({ answers: answering(fc.array(slow, { minLength: 1, maxLength: 3 })) }), {
            minLength: 1,
            maxLength: 2,
          }),
        }),
      }),
    ),
    runs: 8,
  },
  {
    name: 'commands that cannot be run',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['liveness', 'readiness', 'startup'], { way: fc.constant('exec') }),
          lives: fc.array(
            life({
              answers: answering(phases(fc.constantFrom('errors', 'errors', 'success', 'failure', 'hangs'))),
            }),
            { minLength: 1, maxLength: 2 },
          ),
        }),
      }),
    ),
    runs: 6,
  },
  {
    name: 'a pod that is deleted',
    scenarios: story(
      pod({
        containers: several,
        ending: ending(fc.constant('delete')),
        syncs: fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 2, maxLength: 6 }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a pod that is removed',
    scenarios: story(
      fc.array(pod({ ending: ending(fc.constantFrom('remove', 'clean up')) }), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
    runs: 6,
  },
];

/** ★ Servers that send one elsewhere. */
export const redirectRoads: readonly Road<ProbesScenario>[] = [
  {
    name: 'servers that send one elsewhere',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['readiness', 'liveness'], {
            way: fc.constant('http'),
            timeout: fc.constantFrom(1, 2, 3),
          }),
          lives: fc.array(
            life({
              answers: answering(
                phases(
                  fc.constantFrom('redirects', 'redirects', 'leads away', 'leads in circles', 'success'),
                ),
              ),
            }),
            { minLength: 1, maxLength: 1 },
          ),
        }),
      }),
    ),
    runs: 12,
  },
];

/** ★ Servers that speak gRPC. */
export const healthRoads: readonly Road<ProbesScenario>[] = [
  {
    name: 'servers that speak gRPC',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['readiness', 'liveness'], { way: fc.constant('grpc') }),
          lives: fc.array(
            life({
              answers: answering(
                phases(fc.constantFrom('success', 'failure', 'refuses', 'hangs', 'knows no health')),
              ),
            }),
            { minLength: 1, maxLength: 2 },
          ),
        }),
      }),
    ),
    runs: 12,
  },
];

/** ★ A kubelet that has just started, and one that is started again. */
export const restartRoads: readonly Road<ProbesScenario>[] = [
  {
    name: 'a young kubelet',
    scenarios: story(
      fc.array(pod({ addAfterMs: fc.integer({ min: 0, max: 4_000 }) }), { minLength: 1, maxLength: 2 }),
      fc.constant(undefined),
      25_000,
    ),
    runs: 12,
  },
  {
    name: 'a kubelet that is started again',
    scenarios: story(
      fc.array(pod({ containers: several, restartPolicy: fc.constant('Always') }), {
        minLength: 1,
        maxLength: 2,
      }),
      fc.record({
        atMs: fc.integer({ min: 9_000, max: 30_000 }),
        downMs: fc.integer({ min: 100, max: 15_000 }),
      }),
      65_000,
    ),
    runs: 12,
  },
  {
    name: 'a container that is well when its kubelet is started again',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: container({
          probes: fc.record(
            { startup: probe('startup'), readiness: probe('readiness') },
            { requiredKeys: ['readiness'] },
          ),
          lives: fc.array(life({ answers: fc.record({ startup: well, readiness: well, liveness: well }) }), {
            minLength: 1,
            maxLength: 1,
          }),
        }).map((one) => [{ ...one, isSidecar: false }]),
      }),
      fc.record({
        atMs: fc.integer({ min: 14_000, max: 30_000 }),
        downMs: fc.integer({ min: 100, max: 25_000 }),
      }),
      65_000,
    ),
    runs: 8,
  },
];
