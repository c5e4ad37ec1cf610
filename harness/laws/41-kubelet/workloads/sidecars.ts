import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { ContainerPlan, KubeletScenario, OnTerm, RunPlan } from '../scenario/index.ts';
import { anyMs, create, remove, scenariosWith, step, wait } from '../scenario/parts.ts';
import { container, crash, init, pod, policies } from './plans.ts';

/** Returns the plan of a sidecar. */
function sidecar(name: string, more: Partial<ContainerPlan> = {}): ContainerPlan {
  return container(name, { restartPolicy: 'Always', ...more });
}

const runs = fc.array(crash, { maxLength: 2 });
/** Exits at once after SIGTERM, or after a while. */
const onTerm = fc.constantFrom<OnTerm>({ afterMs: 20, code: 0 }, { afterMs: 1_500, code: 143 });

/** Pods with containers, one or two sidecars, and perhaps an init container. */
const plan = fc
  .record({
    restartPolicy: policies,
    first: fc.record({ runs, onTerm }),
    second: fc.record({ runs, onTerm }),
    hasInit: fc.boolean(),
    app: fc.record({
      runs: fc.constantFrom<readonly RunPlan[]>(
        [],
        [],
        [{ lastsMs: 9_000, code: 0 }],
        [{ lastsMs: 6_000, code: 1 }],
      ),
      onTerm,
    }),
  })
  .map(({ restartPolicy, first, second, hasInit, app }) =>
    pod({
      restartPolicy,
      inits: [sidecar('side-0', first), ...(hasInit ? [init('init')] : []), sidecar('side-1', second)],
      containers: [container('app', app), container('other', { runs: app.runs })],
    }),
  );

/** Pods with sidecars run and end, or are deleted. */
const beside = scenariosWith({
  steps: fc
    .tuple(plan, fc.option(anyMs, { nil: undefined }))
    .map(([as, atMs]) => [
      create(as),
      wait(25_000),
      ...(atMs === undefined ? [] : [remove(atMs)]),
      wait(20_000),
    ]),
});

/** The containers ignore SIGTERM, so that a sidecar has only the rest of the grace period. */
const inNoTime = scenariosWith({
  steps: fc.tuple(plan, fc.constantFrom(4, 6, 9)).map(([as, graceSeconds]) => [
    create({
      ...as,
      graceSeconds,
      inits: as.inits.map((each) => (each.restartPolicy ? { ...each, runs: [], onTerm: 'ignores' } : each)),
      containers: [container('app', { onTerm: 'ignores' })],
    }),
    remove(7_000),
    wait(30_000),
  ]),
});

/** The sandbox dies, and the pod starts again in another one. */
const anew = scenariosWith({
  steps: fc
    .tuple(plan, anyMs)
    .map(([as, atMs]) => [create(as), step({ do: 'kill-sandbox', pod: 0 }, 2_000 + atMs), wait(40_000)]),
});

/** ★ Workloads of pods with sidecars. */
export const sidecarWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'sidecars', scenarios: beside, runs: 24 },
  { name: 'sidecars without time left', scenarios: inNoTime, runs: 6 },
  { name: 'sidecars in another sandbox', scenarios: anew, runs: 10 },
];
