import fc from 'fast-check';
import type { ContainerPlan, OnTerm, PodIndex, PodPlan, RestartPolicy, RunPlan } from '../scenario/index.ts';

/** Indexes of pod names. */
export const podIndexes: fc.Arbitrary<PodIndex> = fc.constantFrom(0, 1, 2);

/** The images with the program. */
export const IMAGES = ['program:1', 'program:2'] as const;

/** Short run times, some of them within one relist of the containers. */
export const soonMs = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 900 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 9_000 }) },
);

const codes = fc.constantFrom(0, 1, 1, 2, 42, 137);

/** A run that fails by itself. */
export const crash: fc.Arbitrary<RunPlan> = fc.record({
  lastsMs: soonMs,
  code: codes.map((code) => code || 1),
});

/** A run that ends by itself, perhaps with 0. */
const end: fc.Arbitrary<RunPlan> = fc.record({ lastsMs: soonMs, code: codes });

/** Reactions to SIGTERM: most programs exit at once, some late, some not at all. */
export const onTerms: fc.Arbitrary<OnTerm> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<OnTerm>({ afterMs: 20, code: 0 }) },
  {
    weight: 2,
    arbitrary: fc.record({ afterMs: fc.integer({ min: 0, max: 8_000 }), code: fc.constantFrom(0, 143, 1) }),
  },
  { weight: 2, arbitrary: fc.constant<OnTerm>('ignores') },
);

/** Returns the plan of a container that runs until SIGTERM. */
export function container(name: string, more: Partial<ContainerPlan> = {}): ContainerPlan {
  return { name, image: 'program:1', runs: [], onTerm: { afterMs: 20, code: 0 }, ...more };
}

/** Returns the plan of an init container that succeeds soon. */
export function init(name: string, more: Partial<ContainerPlan> = {}): ContainerPlan {
  return container(name, { init: true, ...more });
}

/** Returns the plan of a pod with one container. */
export function pod(more: Partial<PodPlan> = {}): PodPlan {
  return { restartPolicy: 'Always', inits: [], containers: [container('app')], ...more };
}

export const policies: fc.Arbitrary<RestartPolicy> = fc.constantFrom('Always', 'OnFailure', 'Never');

/** Pods with one or two containers, and up to two init containers. */
export const podPlans: fc.Arbitrary<PodPlan> = fc
  .record({
    restartPolicy: policies,
    inits: fc.array(fc.record({ runs: fc.array(crash, { maxLength: 1 }), onTerm: onTerms }), {
      maxLength: 2,
    }),
    containers: fc.array(fc.record({ runs: fc.array(end, { maxLength: 2 }), onTerm: onTerms }), {
      minLength: 1,
      maxLength: 2,
    }),
    graceSeconds: fc.constantFrom(0, 1, 2, 5, 30),
    volume: fc.boolean(),
  })
  .map(({ inits, containers, ...rest }) => ({
    ...rest,
    inits: inits.map((more, i) => init(`init-${i}`, more)),
    containers: containers.map((more, i) => container(`app-${i}`, more)),
  }));
