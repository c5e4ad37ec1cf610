import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { ContainerPlan, KubeletScenario, OnTerm, Operation, PodPlan } from '../scenario/index.ts';
import { anyMs, create, remove, scenariosWith, step, upMs, wait } from '../scenario/parts.ts';
import { endWorkloads } from './ends.ts';
import { container, crash, init, onTerms, pod, podIndexes, podPlans, policies, soonMs } from './plans.ts';
import { startWorkloads } from './starts.ts';
import { stateWorkloads } from './states.ts';
import { troubleWorkloads } from './troubles.ts';

/** A pod is created, runs and is deleted. */
const plain = scenariosWith({
  before: fc.option(podPlans, { nil: undefined }).map((as) => (as ? [create(as, 0, 1)] : [])),
  steps: fc
    .tuple(podPlans, upMs, fc.constantFrom(undefined, 1, 3, 60))
    .map(([as, afterMs, grace]) => [create(as, 500), remove(afterMs, grace), wait(2_000)]),
});

/** Init containers that fail before they succeed, or always. */
const inits = scenariosWith({
  steps: fc
    .tuple(
      fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
      fc.array(fc.array(crash, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(crash, { maxLength: 1 }), { minLength: 1, maxLength: 2 }),
    )
    .map(([restartPolicy, failing, apps]) => [
      create(
        pod({
          restartPolicy,
          inits: failing.map((runs, i) => init(`init-${i}`, { runs })),
          containers: apps.map((runs, i) => container(`app-${i}`, { runs })),
        }),
      ),
      wait(50_000),
    ]),
});

/** A container that crashes again and again. */
const crashLoop = scenariosWith({
  steps: fc
    .tuple(
      fc.array(fc.record({ lastsMs: fc.integer({ min: 10, max: 4_000 }), code: fc.constantFrom(0, 1, 2) }), {
        minLength: 5,
        maxLength: 7,
      }),
      fc.boolean(),
    )
    .map(([runs, beside]) => [
      create(pod({ containers: [container('app', { runs }), ...(beside ? [container('other')] : [])] })),
      wait(420_000),
    ]),
});

/** A container crashes, runs for more or less than ten minutes, and crashes again. */
const health = scenariosWith({
  steps: fc
    .tuple(crash, fc.constantFrom(560_000, 590_000, 612_000, 640_000), crash)
    .map(([first, wellMs, last]) => [
      create(
        pod({ containers: [container('app', { runs: [first, first, { lastsMs: wellMs, code: 1 }, last] })] }),
      ),
      wait(760_000),
    ]),
});

/** Restart policies of pods and containers. */
const policy = scenariosWith({
  steps: fc
    .tuple(
      policies,
      fc.array(
        fc.record({
          runs: fc.array(fc.record({ lastsMs: soonMs, code: fc.constantFrom(0, 0, 1, 42) }), {
            minLength: 1,
            maxLength: 3,
          }),
          own: fc.option(
            fc.record({
              restartPolicy: policies,
              codes: fc.array(fc.constantFrom(0, 1, 42), { maxLength: 2 }),
            }),
            {
              nil: undefined,
              freq: 2,
            },
          ),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([restartPolicy, each]) => [
      create(
        pod({
          restartPolicy,
          containers: each.map(({ runs, own }, i) => container(`app-${i}`, { runs, ...ownPolicy(own) })),
        }),
      ),
      wait(60_000),
    ]),
});

function ownPolicy(
  own: { readonly restartPolicy: PodPlan['restartPolicy']; readonly codes: readonly number[] } | undefined,
): Partial<ContainerPlan> {
  if (!own) return {};
  const rules = own.codes.length > 0 ? [{ operator: 'In' as const, values: own.codes }] : [];
  return { restartPolicy: own.restartPolicy, ...(rules.length > 0 ? { rules } : {}) };
}

/** Deletions: programs that ignore SIGTERM, a second delete with a shorter grace period. */
const deletion = scenariosWith({
  steps: fc
    .record({
      onTerm: onTerms,
      other: onTerms,
      graceSeconds: fc.constantFrom(1, 4, 10, 30),
      atMs: anyMs,
      second: fc.option(fc.tuple(anyMs, fc.constantFrom(1, 3, 0)), { nil: undefined }),
    })
    .map(({ onTerm, other, graceSeconds, atMs, second }) => [
      create(
        pod({
          graceSeconds,
          volume: true,
          containers: [container('app', { onTerm }), container('other', { onTerm: other })],
        }),
      ),
      remove(3_000 + atMs),
      ...(second ? [remove(second[0], second[1])] : []),
      wait(40_000),
    ]),
});

/** A preStop hook uses a part of the grace period; the program ignores SIGTERM, or exits late. */
const hooks = scenariosWith({
  steps: fc
    .record({
      hook: fc.constantFrom(5, 8),
      graceSeconds: fc.constantFrom(9, 10, 12),
      onTerm: fc.constantFrom<OnTerm>('ignores', 'ignores', { afterMs: 6_000, code: 0 }),
      later: fc.constantFrom<Operation>(
        { do: 'delete', pod: 0 },
        { do: 'delete', pod: 0, graceSeconds: 15 },
        { do: 'set-image', pod: 0, container: 0, image: 'program:2' },
      ),
    })
    .map(({ hook, graceSeconds, onTerm, later }) => [
      create(
        pod({
          graceSeconds,
          containers: [container('app', { onTerm, preStopSeconds: hook }), container('other')],
        }),
      ),
      step(later, 4_000),
      wait(20_000),
    ]),
});

/** A pod is deleted while it starts. */
const stillborn = scenariosWith({
  steps: fc
    .tuple(podPlans, fc.integer({ min: 0, max: 900 }), fc.constantFrom(undefined, 0, 1))
    .map(([as, afterMs, grace]) => [create(as, 200), remove(afterMs, grace), wait(3_000)]),
});

/** Another pod of the same name, while the first one still stops. */
const replaced = scenariosWith({
  steps: fc
    .tuple(onTerms, podPlans, anyMs, fc.option(podPlans, { nil: undefined }), anyMs)
    .map(([onTerm, second, atMs, third, laterMs]) => [
      create(pod({ graceSeconds: 5, containers: [container('app', { onTerm })] })),
      step({ do: 'replace', pod: 0, as: second }, 2_000 + atMs),
      ...(third ? [step({ do: 'replace', pod: 0, as: third }, laterMs)] : []),
      wait(15_000),
    ]),
});

/** Changed images, also to a missing image and back, and also in a crash loop: a new image has no back-off. */
const images = scenariosWith({
  steps: fc
    .tuple(
      policies,
      onTerms,
      fc.array(crash, { maxLength: 3 }),
      fc.array(fc.tuple(anyMs, fc.constantFrom('program:1', 'program:2', 'program:2', 'absent:1')), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([restartPolicy, onTerm, runs, edits]) => [
      create(
        pod({
          restartPolicy,
          graceSeconds: 4,
          containers: [container('app', { onTerm, runs }), container('other')],
        }),
      ),
      ...edits.map(([afterMs, image]) =>
        step({ do: 'set-image', pod: 0, container: 0, image }, 1_500 + afterMs),
      ),
      step({ do: 'set-image', pod: 0, container: 0, image: 'program:1' }, 3_000),
      wait(10_000),
    ]),
});

/** Another client writes statuses. */
const meddling = scenariosWith({
  steps: fc
    .tuple(
      podPlans,
      fc.array(
        fc.tuple(anyMs, fc.constantFrom('ready' as const, 'condition' as const, 'restarts' as const)),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    )
    .map(([as, each]) => [
      create(as),
      ...each.map(([afterMs, kind]) => step({ do: 'meddle', pod: 0, with: kind }, 2_000 + afterMs)),
      wait(8_000),
    ]),
});

/** Pods with a deadline; some never start, because their image does not exist. */
const deadline = scenariosWith({
  steps: fc
    .tuple(podPlans, fc.integer({ min: 1, max: 12 }), fc.constantFrom(true, false, false))
    .map(([as, activeDeadlineSeconds, isAbsent]) => [
      create({
        ...as,
        activeDeadlineSeconds,
        ...(isAbsent ? { inits: [], containers: [container('app', { image: 'absent:1' })] } : {}),
      }),
      wait(20_000),
    ]),
});

/** Any operations, one after another. */
const mixed = scenariosWith({
  before: fc.option(podPlans, { nil: undefined }).map((as) => (as ? [create(as)] : [])),
  steps: fc
    .array(
      fc.tuple(
        anyMs,
        fc.oneof<fc.Arbitrary<Operation>[]>(
          fc.record({ do: fc.constant('create' as const), pod: podIndexes, as: podPlans }),
          fc.record({ do: fc.constant('create' as const), pod: podIndexes, as: podPlans }),
          fc.record({ do: fc.constant('delete' as const), pod: podIndexes }),
          fc.record({
            do: fc.constant('delete' as const),
            pod: podIndexes,
            graceSeconds: fc.constantFrom(0, 1, 5),
          }),
          fc.record({ do: fc.constant('replace' as const), pod: podIndexes, as: podPlans }),
          fc.record({
            do: fc.constant('restart-kubelet' as const),
            downMs: fc.integer({ min: 100, max: 8_000 }),
          }),
          fc.record({ do: fc.constant('kill-sandbox' as const), pod: podIndexes }),
        ),
      ),
      { minLength: 2, maxLength: 7 },
    )
    .map((each) => [...each.map(([afterMs, operation]) => step(operation, afterMs)), wait(5_000)]),
});

/** The workloads of a kubelet: each rare case has its own. */
export const workloads: readonly Workload<KubeletScenario>[] = [
  { name: 'a pod is created and deleted', scenarios: plain },
  { name: 'init containers', scenarios: inits },
  { name: 'a crash loop', scenarios: crashLoop, runs: 4 },
  { name: 'ten minutes without a crash', scenarios: health, runs: 4 },
  { name: 'restart policies', scenarios: policy, runs: 12 },
  { name: 'deletions', scenarios: deletion, runs: 10 },
  { name: 'preStop hooks', scenarios: hooks },
  ...startWorkloads,
  { name: 'deleted before the start', scenarios: stillborn, runs: 8 },
  { name: 'another pod of the same name', scenarios: replaced, runs: 8 },
  ...troubleWorkloads,
  { name: 'changed images', scenarios: images, runs: 8 },
  { name: 'another client writes statuses', scenarios: meddling },
  { name: 'deadlines', scenarios: deadline },
  { name: 'any operations', scenarios: mixed, runs: 12 },
  ...stateWorkloads,
  ...endWorkloads,
];
