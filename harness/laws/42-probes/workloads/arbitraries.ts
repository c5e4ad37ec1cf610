import fc from 'fast-check';
import type { ProbeType } from '../../../contracts/node/probe-manager.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import type {
  Answer,
  ContainerPlan,
  ContainerRun,
  Ending,
  Phase,
  PodPlan,
  ProbePlan,
  ProbesScenario,
  Way,
} from '../scenario.ts';

const ways = fc.constantFrom<Way>('http', 'http', 'tcp', 'exec');

interface ProbeParts {
  readonly way?: fc.Arbitrary<Way>;
  readonly delay?: fc.Arbitrary<number>;
  readonly period?: fc.Arbitrary<number>;
  readonly timeout?: fc.Arbitrary<number>;
}

export const probe = (
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

/** One phase of answers. */
export const phase = (
  gives: fc.Arbitrary<Answer>,
  long = fc.integer({ min: 500, max: 9_000 }),
): fc.Arbitrary<Phase> => fc.record({ forMs: long, gives, takesMs: takes });

const usual = fc.constantFrom<Answer>('success', 'success', 'failure', 'failure', 'refuses', 'hangs');
/** Several phases of answers. */
export const phases = (gives = usual) => fc.array(phase(gives), { minLength: 1, maxLength: 4 });
/** No probe succeeds. */
export const dead = fc.constant<readonly Phase[]>([{ forMs: 1, gives: 'failure', takesMs: 1 }]);
/** Every probe succeeds. */
export const well = fc.constant<readonly Phase[]>([{ forMs: 1, gives: 'success', takesMs: 1 }]);

interface ContainerRunParts {
  readonly answers?: fc.Arbitrary<ContainerRun['answers']>;
  readonly ends?: fc.Arbitrary<ContainerRun['ends'] | undefined>;
}

const anyAnswers = (gives = usual): fc.Arbitrary<ContainerRun['answers']> =>
  fc.record({ startup: startUp, readiness: phases(gives), liveness: phases(gives) });

/** Answers of a startup probe: mostly failures, and then a success. */
const startUp: fc.Arbitrary<readonly Phase[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(phase(fc.constantFrom('failure', 'refuses', 'hangs')), phase(fc.constant('success'))),
  },
  { weight: 1, arbitrary: phases() },
);

/** One run of a container. */
export const containerRun = ({
  answers = anyAnswers(),
  ends = fc.constant(undefined),
}: ContainerRunParts = {}): fc.Arbitrary<ContainerRun> =>
  fc
    .record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1_000)),
      ends,
      drainMs: fc.constantFrom(0, 100, 2_500, 6_000),
      answers,
    })
    .map(({ ends: end, ...rest }) => ({ ...rest, ...(end && { ends: end }) }));

/** An exit of a container, or none. */
export const mortal = fc.option(
  fc.record({ afterMs: fc.integer({ min: 100, max: 12_000 }), exitCode: fc.constantFrom(0, 1) }),
  { nil: undefined },
);

/** Some of these probes, always including the first. */
export const probesOf = (
  types: readonly ProbeType[],
  parts?: ProbeParts,
): fc.Arbitrary<ContainerPlan['probes']> =>
  fc.record(
    Object.fromEntries(types.map((type) => [type, probe(type, parts)])) as Record<
      ProbeType,
      fc.Arbitrary<ProbePlan>
    >,
    { requiredKeys: types.slice(0, 1) },
  );

/** A container with probes and runs. */
export const container = (
  parts: Partial<{
    readonly probes: fc.Arbitrary<ContainerPlan['probes']>;
    readonly runs: fc.Arbitrary<readonly ContainerRun[]>;
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
    runs: parts.runs ?? fc.array(containerRun({ ends: mortal }), { minLength: 1, maxLength: 3 }),
  });

/** An age of the kubelet of at least each period, so that it is not young any more. Whole seconds hit the end of a delay. */
const grown = fc.oneof(fc.integer({ min: 5_000, max: 8_000 }), fc.constantFrom(5_000, 6_000, 7_000));

/** An age of the kubelet below, at or above a period. */
export const young = fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.constantFrom(1_000, 2_000, 3_000));

interface PodParts {
  readonly containers?: fc.Arbitrary<readonly ContainerPlan[]>;
  readonly addAfterMs?: fc.Arbitrary<number>;
  readonly restartPolicy?: fc.Arbitrary<PodPlan['restartPolicy']>;
  readonly ending?: fc.Arbitrary<Ending | undefined>;
  readonly syncs?: fc.Arbitrary<readonly number[]>;
}

/** The times of further statuses. */
const syncs = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 4 });

export const pod = (parts: PodParts = {}): fc.Arbitrary<PodPlan> =>
  fc
    .record({
      addAfterMs: parts.addAfterMs ?? grown,
      restartPolicy: parts.restartPolicy ?? fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
      initFails: fc.boolean(),
      containers: (parts.containers ??
        container({ sidecar: fc.constant(false) }).map((one) => [one])) as fc.Arbitrary<ContainerPlan[]>,
      syncsMs: parts.syncs ?? syncs,
      ending: parts.ending ?? fc.constant(undefined),
    })
    .map(({ ending, ...rest }) => ({ ...rest, ...(ending && { ending }) }));

/** A pod with one container. */
export const alone = (parts: Parameters<typeof container>[0]) =>
  container({ sidecar: fc.constant(false), ...parts }).map((one) => [one]);

/** One container, and possibly a second one or a sidecar. */
export const several = fc
  .tuple(container({ sidecar: fc.constant(false) }), fc.array(container(), { maxLength: 1 }))
  .map(([one, more]) => [one, ...more]);

/** A scenario with these pods and this restart of the kubelet. */
export const story = (
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
    describeScenario,
  );

/** A restart of the kubelet in these times. */
export const restarts = (
  atMs: fc.Arbitrary<number>,
  downMs: fc.Arbitrary<number>,
): fc.Arbitrary<NonNullable<ProbesScenario['restart']>> =>
  fc.record({ atMs, downMs, statusFirst: fc.boolean() });

/** The removal of a pod within one of the first calls of `onUpdate` about it. */
const removalInUpdate: fc.Arbitrary<Ending> = fc.record({
  atMs: fc.constant(0),
  how: fc.constantFrom('remove', 'clean up'),
  inUpdate: fc.integer({ min: 1, max: 3 }),
  graceMs: fc.constant(0),
});

/** The end of a pod. */
export const ending = (how: fc.Arbitrary<Ending['how']>): fc.Arbitrary<Ending> =>
  fc.record({
    atMs: fc.integer({ min: 0, max: 20_000 }),
    how,
    graceMs: fc.integer({ min: 1_000, max: 15_000 }),
  });

/** Pods that one call of `cleanupPods` removes. */
export const endingTogether: fc.Arbitrary<readonly PodPlan[]> = fc
  .integer({ min: 2_000, max: 20_000 })
  .chain((atMs) =>
    fc.array(
      pod({
        addAfterMs: fc.constant(6_000),
        ending: fc.constant({ atMs, how: 'clean up', graceMs: 0 }),
      }),
      { minLength: 2, maxLength: 3 },
    ),
  );

/** All probes of a container get these answers. */
export const answering = (answers: fc.Arbitrary<readonly Phase[]>): fc.Arbitrary<ContainerRun['answers']> =>
  fc.record({ startup: answers, readiness: answers, liveness: answers });

/** A command that cannot run interrupts a run of equal answers, which goes on after it. */
const interrupted = (gives: Answer): fc.Arbitrary<readonly Phase[]> =>
  fc
    .tuple(
      phase(fc.constant(gives), fc.integer({ min: 2_100, max: 3_900 })),
      phase(fc.constant('errors'), fc.integer({ min: 2_100, max: 3_900 })),
      phase(fc.constant(gives)),
    )
    .map((some) => some.map((one) => ({ ...one, takesMs: 0 })));

const inThrees = (type: ProbeType): fc.Arbitrary<ProbePlan> =>
  probe(type, { way: fc.constant('exec'), period: fc.constant(2), delay: fc.constant(0) }).map((plan) => ({
    ...plan,
    successThreshold: type === 'readiness' ? 3 : 1,
    failureThreshold: 3,
  }));

/** A container whose results change after three equal answers, with a probe between them that cannot run. */
export const interruptedRuns = alone({
  probes: fc.record({ readiness: inThrees('readiness'), liveness: inThrees('liveness') }),
  runs: fc.array(
    containerRun({
      answers: fc.record({
        startup: well,
        readiness: interrupted('success'),
        liveness: interrupted('failure'),
      }),
    }),
    { minLength: 1, maxLength: 1 },
  ),
});

/** A container that ends so soon that its workers mostly meet it only after its end. */
const shortLived = alone({
  probes: probesOf(['liveness', 'startup'], { delay: fc.constant(0), period: fc.constantFrom(2, 3) }),
  runs: fc.array(
    containerRun({
      ends: fc.record({ afterMs: fc.integer({ min: 10, max: 400 }), exitCode: fc.constantFrom(0, 1) }),
    }).map((one) => ({ ...one, afterMs: 3_000 })),
    { minLength: 2, maxLength: 4 },
  ),
});

/** A pod that is removed as soon as one of its containers has its first results. */
export const removedInUpdate: fc.Arbitrary<PodPlan> = fc.oneof(
  pod({
    restartPolicy: fc.constant('Always'),
    containers: shortLived,
    ending: removalInUpdate.map((one) => ({ ...one, inUpdate: 2 * (one.inUpdate ?? 1) - 1 })),
  }),
  pod({
    containers: alone({ probes: probesOf(['liveness'], { delay: fc.constant(0) }) }),
    ending: removalInUpdate.map((one) => ({ ...one, inUpdate: 1 })),
  }),
);
