import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import type { Workload } from '../../../testing/holds.ts';
import { type ContainerPlan, type KubeletScenario, PROCESS } from '../scenario/index.ts';
import { anyMs, create, remove, scenariosWith, step, strike, wait } from '../scenario/parts.ts';
import { container, init, pod, policies } from './plans.ts';

const twice = (lastsMs: number, code: number) => [
  { lastsMs, code },
  { lastsMs, code },
  { lastsMs, code },
  { lastsMs, code },
];

/** The sandbox of a pod dies after some of its containers have ended, or before some have started. */
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
      // A missing image would be retried without end.
      step({ do: 'set-image', pod: 0, container: isAlone ? 0 : 1, image: 'program:2' }),
      wait(20_000),
    ]),
});

/** The sandbox of a pod without an image dies: the pod gets another one, whatever its policy. */
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

/** A healthy container gets another image, also in a pod with the policy Never. */
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

/** Containers with restart rules: for some exit codes, or for all others. */
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

/** The creation or the start of a container fails. */
const unstarted = scenariosWith({
  steps: fc
    .record({
      restartPolicy: policies,
      hasInit: fc.boolean(),
      skips: fc.boolean(),
      verb: fc.constantFrom('startContainer', 'createContainer'),
    })
    .map(({ restartPolicy, hasInit, skips, verb }) => [
      ...(skips ? [] : [strike(fails(verb))]),
      create(pod({ restartPolicy, inits: hasInit ? [init('init-0')] : [] })),
      // The start of the container after the init container fails.
      ...(skips ? [strike(fails(verb), 300)] : []),
      wait(40_000),
    ]),
});

/** A pod is deleted while one of its containers is in back-off. */
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

/** A pod in a crash loop is replaced by one of the same name that also crashes, and starts without back-off. */
const successors = scenariosWith({
  steps: fc.tuple(fc.integer({ min: 18_000, max: 24_000 }), fc.constantFrom(0, 1)).map(([afterMs, code]) => {
    const crashing = pod({ containers: [container('app', { runs: twice(700, code) })] });
    return [create(crashing), step({ do: 'replace', pod: 0, as: crashing }, afterMs), wait(50_000)];
  }),
});

/** A preStop hook takes longer than the grace period of the deletion. */
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

/** The stop of a container or a sandbox fails. */
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

/** Workloads whose final state depends on earlier events. */
export const endWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'a partly finished pod', scenarios: halfDone, runs: 14 },
  { name: 'a pod that has not started', scenarios: notBegun, runs: 4 },
  { name: 'a new image', scenarios: changed, runs: 4 },
  { name: 'restart rules of a container', scenarios: rules, runs: 6 },
  { name: 'a failing start', scenarios: unstarted, runs: 8 },
  { name: 'deleted in back-off', scenarios: deletedWaiting, runs: 4 },
  { name: 'a successor that also crashes', scenarios: successors, runs: 3 },
  { name: 'slow preStop hooks', scenarios: longHooks, runs: 3 },
  { name: 'a failing stop', scenarios: unstopped, runs: 6 },
];
