import fc from 'fast-check';
import type { Workload } from '../../testing/holds.ts';
import { container, crash, init, pod, policies } from './plans.ts';
import type { ContainerPlan, KubeletScenario, OnTerm, ProbePlan, RunPlan } from './scenario.ts';
import { anyMs, create, scenariosWith, step, wait } from './scenario-parts.ts';

/** The containers of a pod have images of their own, and one of them may be nowhere. */
const ownImages = scenariosWith({
  steps: fc
    .record({
      restartPolicy: policies,
      images: fc.shuffledSubarray(['program:1', 'program:2', 'absent:1'], { minLength: 2, maxLength: 3 }),
      runs: fc.array(crash, { minLength: 1, maxLength: 2 }),
      afterMs: fc.constantFrom(15_000, 45_000),
    })
    .map(({ restartPolicy, images, runs, afterMs }) => [
      create(
        pod({
          restartPolicy,
          containers: images.map((image, i) => container(`app-${i}`, { image, runs: i === 0 ? runs : [] })),
        }),
      ),
      // What is nowhere is tried for ever: in the end, all images are there.
      step(
        {
          do: 'set-image',
          pod: 0,
          container: Math.max(0, images.indexOf('absent:1')),
          image: 'program:2',
        },
        afterMs,
      ),
      wait(30_000),
    ]),
});

/** How one container is probed, and what its program does about it. */
const probed: fc.Arbitrary<Partial<ContainerPlan>> = fc.oneof(
  // It hangs after a while.
  fc.record({
    probes: fc.record<ProbePlan>({
      liveness: fc.constant(true),
      readiness: fc.boolean(),
      answersAfterMs: fc.constantFrom(0, 300),
      failsAfterMs: fc.integer({ min: 4_000, max: 9_000 }),
    }),
    runs: fc.constant<readonly RunPlan[]>([{ lastsMs: 50_000, code: 0 }]),
  }),
  // It is not ready at first, or not any more.
  fc.record({
    probes: fc.record<ProbePlan>({
      readiness: fc.constant(true),
      answersAfterMs: fc.constantFrom(0, 20_000),
      failsAfterMs: fc.integer({ min: 5_000, max: 20_000 }),
    }),
    runs: fc.constant<readonly RunPlan[]>([{ lastsMs: 50_000, code: 1 }]),
  }),
  // It is slow to start, or never does.
  fc.record({
    probes: fc.record<ProbePlan>({
      startup: fc.constant(true),
      liveness: fc.boolean(),
      answersAfterMs: fc.constantFrom(5_000, 60_000),
    }),
    runs: fc.constant<readonly RunPlan[]>([{ lastsMs: 50_000, code: 1 }]),
  }),
);

/** Containers that are probed: what hangs is killed, and by its policy started again. */
const probes = scenariosWith({
  steps: fc
    .record({
      restartPolicy: policies,
      own: fc.option(policies, { nil: undefined }),
      how: probed,
      onTerm: fc.constantFrom<OnTerm>({ afterMs: 20, code: 0 }, { afterMs: 500, code: 143 }, 'ignores'),
    })
    .map(({ restartPolicy, own, how, onTerm }) => [
      create(
        pod({
          restartPolicy,
          graceSeconds: 3,
          containers: [container('app', { ...how, onTerm, ...(own ? { restartPolicy: own } : {}) })],
        }),
      ),
      wait(90_000),
    ]),
});

/** A pod that is ready only when another client says so. */
const gates = scenariosWith({
  steps: fc
    .tuple(anyMs, fc.boolean())
    .map(([afterMs, isOpened]) => [
      create(pod({ gate: true, containers: [container('app'), container('other')] })),
      wait(12_000),
      ...(isOpened ? [step({ do: 'meddle', pod: 0, with: 'condition' }, afterMs)] : []),
      wait(14_000),
    ]),
});

/** The time of a pod is over while it runs, and its containers take all that they have to stop. */
const late = scenariosWith({
  steps: fc
    .tuple(policies, fc.integer({ min: 3, max: 8 }), fc.constantFrom(20, 30))
    .map(([restartPolicy, activeDeadlineSeconds, graceSeconds]) => [
      create(
        pod({
          restartPolicy,
          activeDeadlineSeconds,
          graceSeconds,
          containers: [container('app', { onTerm: 'ignores' }), container('other')],
        }),
      ),
      wait(60_000),
    ]),
});

/** A sandbox dies, and what initializes the pod takes long the second time. */
const initializedAnew = scenariosWith({
  steps: fc
    .tuple(anyMs, fc.boolean(), fc.constantFrom(true, true, false))
    .map(([atMs, hasOther, crashes]) => [
      create(
        pod({
          containers: [container('app', { runs: crashes ? Array(4).fill({ lastsMs: 400, code: 1 }) : [] })],
          inits: [
            init('init-0', {
              runs: [
                { lastsMs: 200, code: 0 },
                { lastsMs: 25_000, code: 0 },
              ],
            }),
            ...(hasOther ? [init('init-1')] : []),
          ],
        }),
      ),
      step({ do: 'kill-sandbox', pod: 0 }, 3_000 + atMs),
      wait(50_000),
    ]),
});

/** A pod in the network of the node: it has no address of its own, and its sandbox is right all the same. */
const hostNetwork = scenariosWith({
  steps: fc
    .tuple(policies, anyMs, fc.boolean())
    .map(([restartPolicy, atMs, isKilled]) => [
      create(pod({ restartPolicy, hostNetwork: true })),
      ...(isKilled ? [step({ do: 'kill-sandbox', pod: 0 }, 2_000 + atMs)] : []),
      wait(20_000),
    ]),
});

/** Lives in which what a pod says of itself is not a matter of course. */
export const stateWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'an image per container', scenarios: ownImages, runs: 8 },
  { name: 'probes', scenarios: probes, runs: 14 },
  { name: 'readiness gates', scenarios: gates, runs: 4 },
  { name: 'a deadline while it runs', scenarios: late, runs: 4 },
  { name: 'initialized again', scenarios: initializedAnew, runs: 4 },
  { name: 'host network', scenarios: hostNetwork, runs: 4 },
];
