import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import type { Workload } from '../../testing/holds.ts';
import { container, init, pod, policies } from './plans.ts';
import { type ContainerPlan, type KubeletScenario, PROCESS } from './scenario.ts';
import { anyMs, create, remove, scenariosWith, step, strike, wait } from './scenario-parts.ts';

const twice = (lastsMs: number, code: number) => [
  { lastsMs, code },
  { lastsMs, code },
  { lastsMs, code },
  { lastsMs, code },
];

/** The sandbox dies of a pod of which a part is done, or was never begun. */
const halfDone = scenariosWith({
  steps: fc
    .record({
      restartPolicy: policies,
      first: fc.constantFrom<Partial<ContainerPlan>>(
        { runs: [{ lastsMs: 800, code: 0 }] },
        { runs: [{ lastsMs: 800, code: 1 }] },
        {},
      ),
      second: fc.constantFrom<Partial<ContainerPlan>>({}, { image: 'absent:1' }),
      isAlone: fc.boolean(),
      atMs: anyMs,
    })
    .map(({ restartPolicy, first, second, isAlone, atMs }) => [
      create(
        pod({
          restartPolicy,
          containers: [...(isAlone ? [] : [container('app', first)]), container('other', second)],
        }),
      ),
      step({ do: 'kill-sandbox', pod: 0 }, 3_000 + atMs),
      wait(15_000),
      // What is nowhere would be tried for ever.
      step({ do: 'set-image', pod: 0, container: isAlone ? 0 : 1, image: 'program:2' }),
      wait(20_000),
    ]),
});

/** The sandbox dies of a pod of which nothing has begun, as its image is nowhere yet: it gets another one, whatever its policy. */
const notBegun = scenariosWith({
  steps: fc
    .tuple(policies, anyMs)
    .map(([restartPolicy, atMs]) => [
      create(pod({ restartPolicy, containers: [container('app', { image: 'absent:1' })] })),
      step({ do: 'kill-sandbox', pod: 0 }, 1_000 + atMs),
      step({ do: 'set-image', pod: 0, container: 0, image: 'program:2' }, 15_000),
      wait(20_000),
    ]),
});

/** A container that is well gets another image, also in a pod that runs once. */
const changed = scenariosWith({
  steps: fc
    .tuple(policies, fc.option(policies, { nil: undefined }), anyMs)
    .map(([restartPolicy, own, atMs]) => [
      create(
        pod({
          restartPolicy,
          containers: [container('app', own ? { restartPolicy: own } : {}), container('other')],
        }),
      ),
      step({ do: 'set-image', pod: 0, container: 0, image: 'program:2' }, 3_000 + atMs),
      wait(20_000),
    ]),
});

/** Rules of the containers' own say what is restarted: with these codes, or with all but these. */
const rules = scenariosWith({
  steps: fc
    .array(
      fc.record({
        code: fc.constantFrom(0, 1, 42),
        restartPolicy: policies,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.subarray([0, 1, 42], { minLength: 1, maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((each) => [
      create(
        pod({
          restartPolicy: 'Never',
          containers: each.map(({ code, restartPolicy, ...rule }, i) =>
            container(`app-${i}`, { runs: [{ lastsMs: 900, code }], restartPolicy, rules: [rule] }),
          ),
        }),
      ),
      wait(30_000),
    ]),
});

const fails = (verb: string): Fault => ({
  fault: 'fail-call',
  process: PROCESS,
  port: 'cri',
  verb,
  performed: false,
});

/** A container was made, and its start fails. */
const unstarted = scenariosWith({
  steps: fc
    .record({
      restartPolicy: policies,
      hasInit: fc.boolean(),
      skips: fc.boolean(),
    })
    .map(({ restartPolicy, hasInit, skips }) => [
      ...(skips ? [] : [strike(fails('startContainer'))]),
      create(pod({ restartPolicy, inits: hasInit ? [init('init-0')] : [] })),
      // When the init container has started, the one after it does not.
      ...(skips ? [strike(fails('startContainer'), 300)] : []),
      wait(40_000),
    ]),
});

/** A pod is deleted while a container of it waits to be started again. */
const deletedWaiting = scenariosWith({
  steps: fc
    .tuple(fc.constantFrom(0, 0, 1), fc.integer({ min: 6_000, max: 11_000 }), fc.boolean())
    .map(([code, afterMs, hasOther]) => [
      create(
        pod({
          containers: [
            container('app', { runs: twice(600, code) }),
            ...(hasOther ? [container('other')] : []),
          ],
        }),
      ),
      remove(afterMs, 10),
      wait(20_000),
    ]),
});

/** A pod that crashes gives way to another one of its name, which crashes, too: it has failed for the first time then. */
const heirs = scenariosWith({
  steps: fc.tuple(fc.integer({ min: 18_000, max: 24_000 }), fc.constantFrom(0, 1)).map(([afterMs, code]) => {
    const crashing = pod({ containers: [container('app', { runs: twice(700, code) })] });
    return [create(crashing), step({ do: 'replace', pod: 0, as: crashing }, afterMs), wait(50_000)];
  }),
});

/** A hook that takes longer than a pod may, as it is deleted with less time than it was made with. */
const longHooks = scenariosWith({
  steps: fc
    .tuple(fc.constantFrom(15, 25), fc.constantFrom(3, 5), fc.boolean())
    .map(([preStopSeconds, graceSeconds, ignores]) => [
      create(
        pod({
          graceSeconds: 30,
          containers: [container('app', { preStopSeconds, ...(ignores ? { onTerm: 'ignores' } : {}) })],
        }),
      ),
      remove(4_000, graceSeconds),
      wait(60_000),
    ]),
});

/** A container or a sandbox is not stopped when it is to be. */
const unstopped = scenariosWith({
  steps: fc
    .tuple(policies, fc.constantFrom('stopContainer', 'stopPodSandbox'), fc.boolean())
    .map(([restartPolicy, verb, isDeleted]) => [
      create(pod({ restartPolicy, graceSeconds: 5 })),
      strike(fails(verb), 4_000),
      isDeleted ? remove(0) : step({ do: 'set-image', pod: 0, container: 0, image: 'program:2' }),
      wait(30_000),
    ]),
  calm: fc.constant([remove(0), wait(5_000)]),
});

/** Lives whose end hangs on what was before. */
export const endWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'a partly finished pod', scenarios: halfDone, runs: 14 },
  { name: 'a pod that has not started', scenarios: notBegun, runs: 4 },
  { name: 'a new image', scenarios: changed, runs: 4 },
  { name: 'restart rules of a container', scenarios: rules, runs: 6 },
  { name: 'a failing start', scenarios: unstarted, runs: 6 },
  { name: 'deleted in back-off', scenarios: deletedWaiting, runs: 4 },
  { name: 'a successor that also crashes', scenarios: heirs, runs: 3 },
  { name: 'slow preStop hooks', scenarios: longHooks, runs: 3 },
  { name: 'a failing stop', scenarios: unstopped, runs: 6 },
];
