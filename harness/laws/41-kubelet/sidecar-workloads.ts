import fc from 'fast-check';
import type { Workload } from '../../testing/holds.ts';
import { container, crash, init, pod, policies } from './plans.ts';
import type { ContainerPlan, KubeletScenario, OnTerm, RunPlan } from './scenario.ts';
import { anyMs, create, remove, scenariosWith, step, wait } from './scenario-parts.ts';

/** An init container that runs beside the others. */
function sidecar(name: string, more: Partial<ContainerPlan> = {}): ContainerPlan {
  return container(name, { restartPolicy: 'Always', ...more });
}

const runs = fc.array(crash, { maxLength: 2 });
/** It stops at once, or takes a while. */
const onTerm = fc.constantFrom<OnTerm>({ afterMs: 20, code: 0 }, { afterMs: 1_500, code: 143 });

/** A sidecar, an init container that needs it perhaps, another sidecar, and what they are there for. */
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

/** Pods with sidecars come, live and end, or are deleted. */
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

/** The containers that a sidecar serves do not stop when they are asked to: it has what is left of the time. */
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

/** The sandbox dies, and all begins anew. */
const anew = scenariosWith({
  steps: fc
    .tuple(plan, anyMs)
    .map(([as, atMs]) => [create(as), step({ do: 'kill-sandbox', pod: 0 }, 2_000 + atMs), wait(40_000)]),
});

/** ★ The lives of a kubelet whose pods have sidecars. */
export const sidecarWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'sidecars', scenarios: beside, runs: 24 },
  { name: 'sidecars without time left', scenarios: inNoTime, runs: 6 },
  { name: 'sidecars in another sandbox', scenarios: anew, runs: 10 },
];
