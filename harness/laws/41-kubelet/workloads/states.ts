import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { ContainerPlan, KubeletScenario, OnTerm, ProbePlan, RunPlan } from '../scenario/index.ts';
import { anyMs, create, remove, scenariosWith, step, wait } from '../scenario/parts.ts';
import { container, crash, init, pod, policies } from './plans.ts';

/** Each container has its own image, and one image may not exist. */
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
      // A missing image is retried without end, so in the end all images exist.
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

/** The probes of a container, and the answers of its program. */
const probed: fc.Arbitrary<Partial<ContainerPlan>> = fc.oneof(
  // The program hangs after a while.
  fc.record({
    probes: fc.record<ProbePlan>({
      liveness: fc.constant(true),
      readiness: fc.boolean(),
      answersAfterMs: fc.constantFrom(0, 300),
      failsAfterMs: fc.integer({ min: 4_000, max: 9_000 }),
    }),
    runs: fc.constant<readonly RunPlan[]>([{ lastsMs: 50_000, code: 0 }]),
  }),
  // The program becomes ready late, or stops being ready.
  fc.record({
    probes: fc.record<ProbePlan>({
      readiness: fc.constant(true),
      answersAfterMs: fc.constantFrom(0, 20_000),
      failsAfterMs: fc.integer({ min: 5_000, max: 20_000 }),
    }),
    runs: fc.constant<readonly RunPlan[]>([{ lastsMs: 50_000, code: 1 }]),
  }),
  // The program starts late, or never.
  fc.record({
    probes: fc.record<ProbePlan>({
      startup: fc.constant(true),
      liveness: fc.boolean(),
      answersAfterMs: fc.constantFrom(5_000, 60_000),
    }),
    runs: fc.constant<readonly RunPlan[]>([{ lastsMs: 50_000, code: 1 }]),
  }),
);

/** Containers with probes: a container that hangs is killed, and restarts by its policy. */
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

/** The kubelet restarts before a probe of a container has succeeded, or before it fails. */
const probedAcross = scenariosWith({
  steps: fc
    .record({
      how: fc.constantFrom<readonly [ProbePlan, number]>(
        [{ readiness: true, answersAfterMs: 30_000 }, 13_000],
        [{ readiness: true, liveness: true, answersAfterMs: 0, failsAfterMs: 25_000 }, 13_000],
        [{ startup: true, answersAfterMs: 8_000 }, 2_000],
      ),
      laterMs: fc.integer({ min: 0, max: 4_000 }),
      downMs: fc.constantFrom(100, 3_000),
    })
    .map(({ how: [probes, atMs], laterMs, downMs }) => [
      create(
        pod({
          graceSeconds: 3,
          containers: [container('app', { probes, runs: [{ lastsMs: 60_000, code: 0 }] })],
        }),
      ),
      step({ do: 'restart-kubelet', downMs }, atMs + laterMs),
      wait(45_000),
    ]),
});

/** A deleted pod uses its grace period, in which its probes fail. */
const probedEnd = scenariosWith({
  steps: fc
    .record({
      restartPolicy: policies,
      readiness: fc.boolean(),
      startup: fc.boolean(),
      atMs: fc.integer({ min: 3_000, max: 8_000 }),
      onTerm: fc.constantFrom<OnTerm>('ignores', { afterMs: 9_000, code: 0 }),
    })
    .map(({ restartPolicy, readiness, startup, atMs, onTerm }) => [
      create(
        pod({
          restartPolicy,
          graceSeconds: 12,
          containers: [
            container('app', { onTerm, probes: { liveness: true, readiness, startup, answersAfterMs: 0 } }),
          ],
        }),
      ),
      remove(atMs),
      wait(20_000),
    ]),
});

/** A pod with a readiness gate. */
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

/** A pod passes its deadline while it runs, and its containers use their whole grace period. */
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

/** A sandbox dies, and the second run of the init containers takes long. */
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

/** A pod in the host network: its sandbox has no address and is still good. */
const hostNetwork = scenariosWith({
  steps: fc
    .tuple(policies, anyMs, fc.boolean())
    .map(([restartPolicy, atMs, isKilled]) => [
      create(pod({ restartPolicy, hostNetwork: true })),
      ...(isKilled ? [step({ do: 'kill-sandbox', pod: 0 }, 2_000 + atMs)] : []),
      wait(20_000),
    ]),
});

/** Workloads with unusual statuses. */
export const stateWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'an image per container', scenarios: ownImages, runs: 8 },
  { name: 'probes', scenarios: probes, runs: 12 },
  { name: 'probes across a restart of the kubelet', scenarios: probedAcross, runs: 4 },
  { name: 'probes of a pod that ends', scenarios: probedEnd, runs: 3 },
  { name: 'readiness gates', scenarios: gates, runs: 4 },
  { name: 'a deadline while it runs', scenarios: late, runs: 4 },
  { name: 'initialized again', scenarios: initializedAnew, runs: 4 },
  { name: 'host network', scenarios: hostNetwork, runs: 4 },
];
