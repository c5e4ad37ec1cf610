import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults } from '../../testing/arbitraries/faults.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import { container, crash, end, init, onTerms, pod, podIndexes, podPlans, policies } from './plans.ts';
import { sayScenario } from './say.ts';
import {
  type ContainerPlan,
  type Deed,
  type KubeletScenario,
  NODE,
  type PodPlan,
  PROCESS,
  PROFILES,
  type Step,
} from './scenario.ts';

type Steps = fc.Arbitrary<readonly Step[]>;

const step = (deed: Deed, afterMs = 0): Step => ({ afterMs, ...deed });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const create = (as: PodPlan, afterMs = 0, index: 0 | 1 | 2 = 0): Step =>
  step({ do: 'create', pod: index, as }, afterMs);
const wait = (afterMs: number): Step => step({ do: 'nothing' }, afterMs);
const remove = (afterMs: number, graceSeconds?: number): Step =>
  step({ do: 'delete', pod: 0, ...(graceSeconds === undefined ? {} : { graceSeconds }) }, afterMs);

/** Long enough for a pod to run. */
const upMs = fc.integer({ min: 3_000, max: 9_000 });
const brieflyMs = fc.integer({ min: 0, max: 400 });
const anyMs = fc.oneof(brieflyMs, fc.integer({ min: 400, max: 6_000 }));

const verbs = fc.constantFrom(
  'runPodSandbox',
  'createContainer',
  'startContainer',
  'stopContainer',
  'stopPodSandbox',
  'removeContainer',
  'removePodSandbox',
  'podSandboxStatus',
  'containerStatus',
  'listPodSandbox',
  'listContainers',
);

const runtimeFaults: fc.Arbitrary<Fault> = fc.record({
  fault: fc.constant('fail-call' as const),
  process: fc.constant(PROCESS),
  port: fc.constant('cri' as const),
  verb: verbs,
  performed: fc.boolean(),
  afterMs: fc.constantFrom(0, 0, 2_000),
});

/** The kubelet dies at one of its next calls, of which it makes some thirty while a pod begins. */
const crashes: fc.Arbitrary<Fault> = fc.record({
  fault: fc.constant('crash' as const),
  process: fc.constant(PROCESS),
  skip: fc.nat({ max: 40 }),
  performed: fc.boolean(),
  restartAfterMs: fc.oneof(fc.integer({ min: 100, max: 900 }), fc.integer({ min: 2_000, max: 40_000 })),
});

interface Parts {
  readonly before?: Steps;
  readonly steps: Steps;
  readonly calm?: Steps;
}

/** What all lives have, whatever their road. */
function life({
  before = fc.constant([]),
  steps,
  calm = fc.constant([]),
}: Parts): fc.Arbitrary<KubeletScenario> {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    profile: fc.constantFrom(...PROFILES),
    latencyMs: fc.constantFrom(1, 5),
    before,
    steps,
    calm,
  });
  return inWords(scenarios, sayScenario);
}

/** A pod comes up, and goes when it is deleted. */
const plain = life({
  before: fc.option(podPlans, { nil: undefined }).map((as) => (as ? [create(as, 0, 1)] : [])),
  steps: fc
    .tuple(podPlans, upMs, fc.constantFrom(undefined, 1, 3, 60))
    .map(([as, afterMs, grace]) => [create(as, 500), remove(afterMs, grace), wait(2_000)]),
});

/** Init containers that fail before they succeed, or for good. */
const inits = life({
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
const crashLoop = life({
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

/** It crashes, is well for more or less than ten minutes, and crashes again. */
const health = life({
  steps: fc
    .tuple(crash, fc.constantFrom(560_000, 590_000, 612_000, 640_000), crash)
    .map(([first, wellMs, last]) => [
      create(
        pod({ containers: [container('app', { runs: [first, first, { lastsMs: wellMs, code: 1 }, last] })] }),
      ),
      wait(760_000),
    ]),
});

/** What is restarted and what is not. */
const policy = life({
  steps: fc
    .tuple(
      policies,
      fc.array(
        fc.record({
          runs: fc.array(end, { minLength: 1, maxLength: 3 }),
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

/** Pods that are deleted: hooks, programs that do not listen, a second delete with less time. */
const deletion = life({
  steps: fc
    .record({
      onTerm: onTerms,
      other: onTerms,
      hook: fc.constantFrom(undefined, undefined, 1, 3, 8),
      graceSeconds: fc.constantFrom(1, 4, 10, 30),
      atMs: anyMs,
      second: fc.option(fc.tuple(anyMs, fc.constantFrom(1, 3, 0)), { nil: undefined }),
    })
    .map(({ onTerm, other, hook, graceSeconds, atMs, second }) => [
      create(
        pod({
          graceSeconds,
          containers: [
            container('app', { onTerm, ...(hook === undefined ? {} : { preStopSeconds: hook }) }),
            container('other', { onTerm: other }),
          ],
        }),
      ),
      remove(3_000 + atMs),
      ...(second ? [remove(second[0], second[1])] : []),
      wait(40_000),
    ]),
});

/** A pod is deleted before it runs, while it begins. */
const stillborn = life({
  steps: fc
    .tuple(podPlans, fc.integer({ min: 0, max: 900 }), fc.constantFrom(undefined, 0, 1))
    .map(([as, afterMs, grace]) => [create(as, 200), remove(afterMs, grace), wait(3_000)]),
});

/** Another pod under the same name, while what was of the first one still stops. */
const replaced = life({
  steps: fc
    .tuple(onTerms, podPlans, anyMs, fc.option(podPlans, { nil: undefined }), anyMs)
    .map(([onTerm, second, atMs, third, laterMs]) => [
      create(pod({ graceSeconds: 5, containers: [container('app', { onTerm })] })),
      step({ do: 'replace', pod: 0, as: second }, 2_000 + atMs),
      ...(third ? [step({ do: 'replace', pod: 0, as: third }, laterMs)] : []),
      wait(15_000),
    ]),
});

/** What changes while the kubelet is away. */
const whileAway = life({
  steps: fc
    .record({
      as: podPlans,
      upMs: anyMs,
      forMs: fc.integer({ min: 1_000, max: 30_000 }),
      deeds: fc.array(
        fc.constantFrom<Deed>(
          { do: 'delete', pod: 0 },
          { do: 'delete', pod: 0, graceSeconds: 0 },
          { do: 'replace', pod: 0, as: pod() },
          { do: 'set-image', pod: 0, container: 0, image: 'program:2' },
          { do: 'kill-sandbox', pod: 0 },
          { do: 'create', pod: 1, as: pod() },
        ),
        { maxLength: 2 },
      ),
    })
    .map(({ as, upMs: atMs, forMs, deeds }) => [
      create(as),
      step({ do: 'restart-kubelet', afterMs: forMs }, atMs),
      ...deeds.map((deed) => step(deed, 300)),
      wait(forMs + 10_000),
    ]),
});

/** The kubelet dies at any of its calls. */
const dies = life({
  steps: fc
    .tuple(podPlans, fc.array(fc.tuple(anyMs, crashes), { minLength: 1, maxLength: 3 }), anyMs)
    .map(([as, blows, lastlyMs]) => [
      create(as),
      ...blows.map(([afterMs, fault]) => strike(fault, afterMs)),
      remove(lastlyMs + 3_000),
      wait(10_000),
    ]),
});

/** Calls of the runtime fail, carried out or not. */
const runtimeSaysNo = life({
  steps: fc
    .tuple(
      podPlans,
      fc.array(fc.tuple(anyMs, runtimeFaults), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      anyMs,
    )
    .map(([as, blows, deleted, lastlyMs]) => [
      ...blows.slice(0, 2).map(([, fault]) => strike(fault)),
      create(as),
      ...blows.slice(2).map(([afterMs, fault]) => strike(fault, afterMs)),
      ...(deleted ? [remove(lastlyMs)] : []),
      wait(20_000),
    ]),
  calm: fc.constant([remove(0), wait(5_000)]),
});

/** The runtime restarts. */
const runtimeRestarts = life({
  steps: fc
    .tuple(podPlans, anyMs, fc.integer({ min: 200, max: 40_000 }), fc.boolean(), anyMs)
    .map(([as, atMs, forMs, deleted, lastlyMs]) => [
      create(as),
      step({ do: 'restart-runtime', forMs }, atMs),
      ...(deleted ? [remove(lastlyMs)] : []),
      wait(forMs + 1_000),
    ]),
});

/** The first process of a sandbox dies, the machine loses its power, the memory is used up. */
const violence = life({
  steps: fc
    .tuple(
      podPlans,
      fc.array(
        fc.tuple(
          anyMs,
          fc.constantFrom<Deed>(
            { do: 'kill-sandbox', pod: 0 },
            { do: 'kill-sandbox', pod: 0 },
            { do: 'oom', pod: 0, container: 0 },
            { do: 'oom', pod: 0, container: 1 },
          ),
        ),
        { minLength: 1, maxLength: 2 },
      ),
    )
    .map(([as, blows]) => [
      create(as),
      ...blows.map(([afterMs, deed]) => step(deed, 2_000 + afterMs)),
      wait(30_000),
    ]),
});

/** The machine loses its power. */
const reboot = life({
  steps: fc
    .tuple(podPlans, podPlans, anyMs, fc.integer({ min: 500, max: 20_000 }))
    .map(([as, other, atMs, afterMs]) => [
      create(as),
      create(other, 0, 1),
      step({ do: 'reboot', afterMs }, 1_000 + atMs),
      wait(afterMs + 20_000),
    ]),
});

/** Trouble with the API. */
const apiTrouble = life({
  steps: fc
    .tuple(
      podPlans,
      fc.array(fc.tuple(anyMs, apiFaults(PROCESS)), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      anyMs,
    )
    .map(([as, blows, deleted, lastlyMs]) => [
      create(as),
      ...blows.map(([afterMs, fault]) => strike(fault, afterMs)),
      ...(deleted ? [remove(lastlyMs)] : []),
      wait(4_000),
    ]),
  calm: fc.constant([step({ do: 'create', pod: 1, as: pod() }), remove(4_000), wait(5_000)]),
});

/** The node reaches nobody for a while, and things change meanwhile. */
const partition = life({
  steps: fc
    .record({
      as: podPlans,
      atMs: anyMs,
      forMs: fc.integer({ min: 2_000, max: 60_000 }),
      deed: fc.constantFrom<Deed>(
        { do: 'nothing' },
        { do: 'delete', pod: 0 },
        { do: 'replace', pod: 0, as: pod() },
        { do: 'meddle', pod: 0, with: 'ready' },
      ),
    })
    .map(({ as, atMs, forMs, deed }) => [
      create(as),
      strike({ fault: 'partition', node: NODE, forMs }, atMs),
      step(deed, 1_000),
      wait(forMs),
    ]),
});

/** Images are changed, also to one that is nowhere and back. */
const images = life({
  steps: fc
    .tuple(
      policies,
      onTerms,
      fc.array(fc.tuple(anyMs, fc.constantFrom('program:1', 'program:2', 'program:2', 'absent:1')), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([restartPolicy, onTerm, edits]) => [
      create(
        pod({
          restartPolicy,
          graceSeconds: 4,
          containers: [container('app', { onTerm }), container('other')],
        }),
      ),
      ...edits.map(([afterMs, image]) =>
        step({ do: 'set-image', pod: 0, container: 0, image }, 1_500 + afterMs),
      ),
      step({ do: 'set-image', pod: 0, container: 0, image: 'program:1' }, 3_000),
      wait(10_000),
    ]),
});

/** Somebody else writes statuses. */
const meddling = life({
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

/** Pods that may only run so long. */
const deadline = life({
  steps: fc
    .tuple(podPlans, fc.integer({ min: 1, max: 12 }))
    .map(([as, activeDeadlineSeconds]) => [create({ ...as, activeDeadlineSeconds }), wait(20_000)]),
});

/** Anything, one after the other. */
const mixed = life({
  before: fc.option(podPlans, { nil: undefined }).map((as) => (as ? [create(as)] : [])),
  steps: fc
    .array(
      fc.tuple(
        anyMs,
        fc.oneof<fc.Arbitrary<Deed>[]>(
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
            afterMs: fc.integer({ min: 100, max: 8_000 }),
          }),
          fc.record({ do: fc.constant('kill-sandbox' as const), pod: podIndexes }),
        ),
      ),
      { minLength: 2, maxLength: 7 },
    )
    .map((each) => [...each.map(([afterMs, deed]) => step(deed, afterMs)), wait(5_000)]),
});

/** The lives of a kubelet: what only a rare one shows has a road of its own. */
export const roads: readonly Road<KubeletScenario>[] = [
  { name: 'a pod comes and goes', scenarios: plain },
  { name: 'init containers', scenarios: inits },
  { name: 'a crash loop', scenarios: crashLoop, runs: 4 },
  { name: 'ten minutes of health', scenarios: health, runs: 4 },
  { name: 'restart policies', scenarios: policy, runs: 8 },
  { name: 'deletions', scenarios: deletion, runs: 10 },
  { name: 'deleted before it ran', scenarios: stillborn, runs: 8 },
  { name: 'another pod of the same name', scenarios: replaced, runs: 8 },
  { name: 'changes while the kubelet is away', scenarios: whileAway, runs: 8 },
  { name: 'the kubelet dies', scenarios: dies, runs: 12 },
  { name: 'the runtime says no', scenarios: runtimeSaysNo, runs: 12 },
  { name: 'the runtime restarts', scenarios: runtimeRestarts },
  { name: 'sudden deaths', scenarios: violence, runs: 8 },
  { name: 'the power fails', scenarios: reboot },
  { name: 'trouble with the API', scenarios: apiTrouble, runs: 10 },
  { name: 'a partition', scenarios: partition },
  { name: 'other images', scenarios: images, runs: 8 },
  { name: 'others write statuses', scenarios: meddling },
  { name: 'deadlines', scenarios: deadline },
  { name: 'anything', scenarios: mixed, runs: 12 },
];
