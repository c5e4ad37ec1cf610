import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { type Answer, PROBE_TYPES, type ProbesScenario } from '../scenario.ts';
import {
  alone,
  answering,
  container,
  containerRun,
  dead,
  ending,
  endingTogether,
  interruptedRuns,
  mortal,
  phase,
  phases,
  pod,
  probe,
  probesOf,
  removedInUpdate,
  restarts,
  several,
  story,
  well,
  young,
} from './arbitraries.ts';

/** Answers that sometimes take longer than a period. */
const slow = fc.record({
  forMs: fc.integer({ min: 1_000, max: 6_000 }),
  gives: fc.constantFrom<Answer>('success', 'failure', 'hangs'),
  takesMs: fc.oneof(fc.integer({ min: 900, max: 4_500 }), fc.constantFrom(0, 1)),
});

/** The workloads of all core laws. */
export const workloads: readonly Workload<ProbesScenario>[] = [
  {
    name: 'anything goes',
    scenarios: story(
      fc.array(
        pod({
          containers: several,
          ending: fc.option(ending(fc.constantFrom('delete', 'remove', 'clean up')), { nil: undefined }),
        }),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
    ),
    runs: 12,
  },
  {
    name: 'one probe that fails and recovers',
    scenarios: story(
      pod({
        containers: alone({
          probes: fc.oneof(...PROBE_TYPES.map((type) => probesOf([type]))),
          runs: fc.array(containerRun(), { minLength: 1, maxLength: 2 }),
        }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a slow start',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: alone({
          probes: fc.record({
            startup: probe('startup'),
            readiness: probe('readiness'),
            liveness: probe('liveness'),
          }),
          runs: fc.array(containerRun({ ends: mortal }), { minLength: 1, maxLength: 3 }),
        }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a container that ends and comes back',
    scenarios: story(
      pod({
        restartPolicy: fc.constantFrom('Always', 'OnFailure', 'OnFailure', 'Never'),
        containers: alone({
          runs: fc.array(
            containerRun({
              ends: fc.record({
                afterMs: fc.integer({ min: 100, max: 9_000 }),
                exitCode: fc.constantFrom(0, 1),
              }),
            }),
            { minLength: 2, maxLength: 4 },
          ),
        }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a container that does not stay alive',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: alone({
          probes: probesOf(['liveness', 'readiness']),
          runs: fc.array(
            containerRun({
              answers: fc.record({
                liveness: fc.tuple(
                  phase(fc.constant('success')),
                  phase(fc.constantFrom('failure', 'hangs', 'refuses')),
                ),
                readiness: phases(),
              }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        }),
      }),
    ),
    runs: 8,
  },
  {
    name: 'probes that take longer than their period',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['readiness', 'liveness'], {
            period: fc.constantFrom(1, 2),
            timeout: fc.constantFrom(3, 4, 5),
          }),
          runs: fc.array(
            containerRun({ answers: answering(fc.array(slow, { minLength: 2, maxLength: 5 })) }),
            {
              minLength: 1,
              maxLength: 2,
            },
          ),
        }),
      }),
    ),
    runs: 8,
  },
  {
    name: 'commands that cannot run',
    scenarios: story(
      pod({
        containers: fc.oneof(
          alone({
            probes: probesOf(['liveness', 'readiness', 'startup'], { way: fc.constant('exec') }),
            runs: fc.array(
              containerRun({
                answers: answering(
                  phases(fc.constantFrom('errors', 'errors', 'success', 'failure', 'hangs')),
                ),
              }),
              { minLength: 1, maxLength: 2 },
            ),
          }),
          interruptedRuns,
        ),
      }),
    ),
    runs: 8,
  },
  {
    name: 'a pod that is deleted',
    scenarios: story(
      pod({
        containers: several,
        ending: ending(fc.constant('delete')),
        syncs: fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 2, maxLength: 6 }),
      }),
    ),
    runs: 10,
  },
  {
    name: 'a pod that is removed',
    scenarios: story(
      fc.oneof(
        fc.array(pod({ ending: ending(fc.constantFrom('remove', 'clean up')) }), {
          minLength: 1,
          maxLength: 3,
        }),
        endingTogether,
      ),
    ),
    runs: 7,
  },
  {
    name: 'a pod that is removed within onUpdate',
    scenarios: story(removedInUpdate),
    runs: 8,
  },
  {
    name: 'a kubelet that stops',
    scenarios: story(
      pod({ containers: several, restartPolicy: fc.constant('Always') }),
      restarts(fc.integer({ min: 2_000, max: 20_000 }), fc.constant(60_000)),
    ),
    runs: 8,
  },
];

/** ★ Servers that answer with redirects. */
export const redirectWorkloads: readonly Workload<ProbesScenario>[] = [
  {
    name: 'servers that redirect',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['readiness', 'liveness'], {
            way: fc.constant('http'),
            timeout: fc.constantFrom(1, 2, 3),
          }),
          runs: fc.array(
            containerRun({
              answers: answering(
                phases(
                  fc.constantFrom(
                    'redirects',
                    'leads to another port',
                    'leads to another port',
                    'leads away',
                    'leads in circles',
                    'leads away at last',
                    'leads nowhere',
                    'success',
                  ),
                ),
              ),
            }),
            { minLength: 1, maxLength: 1 },
          ),
        }),
      }),
    ),
    runs: 12,
  },
];

/** ★ Servers with a gRPC health service. */
export const healthWorkloads: readonly Workload<ProbesScenario>[] = [
  {
    name: 'servers that speak gRPC',
    scenarios: story(
      pod({
        containers: alone({
          probes: probesOf(['readiness', 'liveness'], { way: fc.constant('grpc') }),
          runs: fc.array(
            containerRun({
              answers: answering(
                phases(fc.constantFrom('success', 'failure', 'refuses', 'hangs', 'knows no health')),
              ),
            }),
            { minLength: 1, maxLength: 2 },
          ),
        }),
      }),
    ),
    runs: 12,
  },
];

/** ★ A young kubelet, and a restarting kubelet. */
export const restartWorkloads: readonly Workload<ProbesScenario>[] = [
  {
    name: 'a young kubelet',
    scenarios: story(
      fc.array(pod({ addAfterMs: young }), { minLength: 1, maxLength: 2 }),
      fc.constant(undefined),
      25_000,
    ),
    runs: 12,
  },
  {
    name: 'the pods of a node whose kubelet starts',
    scenarios: story(
      fc.array(
        pod({
          addAfterMs: fc.constant(0),
          restartPolicy: fc.constant('Always'),
          containers: alone({
            probes: probesOf(['liveness'], { period: fc.constant(5), delay: fc.constant(0) }),
            runs: fc.array(containerRun({ answers: answering(well) }), { minLength: 1, maxLength: 1 }),
          }),
        }),
        { minLength: 3, maxLength: 4 },
      ),
      fc.constant(undefined),
      25_000,
    ),
    runs: 4,
  },
  {
    name: 'a kubelet that restarts',
    scenarios: story(
      fc.array(pod({ containers: several, restartPolicy: fc.constant('Always') }), {
        minLength: 1,
        maxLength: 2,
      }),
      restarts(fc.integer({ min: 9_000, max: 30_000 }), fc.integer({ min: 100, max: 15_000 })),
      65_000,
    ),
    runs: 8,
  },
  {
    name: 'a ready container when its kubelet restarts',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: container({
          probes: fc.record(
            { startup: probe('startup'), readiness: probe('readiness') },
            { requiredKeys: ['readiness'] },
          ),
          runs: fc.array(
            containerRun({ answers: fc.record({ startup: well, readiness: well, liveness: well }) }),
            {
              minLength: 1,
              maxLength: 1,
            },
          ),
        }).map((one) => [{ ...one, isSidecar: false }]),
      }),
      restarts(fc.integer({ min: 14_000, max: 30_000 }), fc.integer({ min: 100, max: 25_000 })),
      65_000,
    ),
    runs: 6,
  },
  {
    name: 'an unready container when its kubelet restarts',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: container({
          probes: fc.record({ readiness: probe('readiness', { timeout: fc.constant(1) }) }),
          runs: fc.array(
            containerRun({
              answers: answering(phases(fc.constantFrom('failure', 'failure', 'hangs'))),
            }),
            { minLength: 1, maxLength: 1 },
          ),
        }).map((one) => [{ ...one, isSidecar: false }]),
        syncs: fc.array(fc.integer({ min: 15_000, max: 60_000 }), { minLength: 8, maxLength: 12 }),
      }),
      restarts(fc.integer({ min: 18_000, max: 30_000 }), fc.integer({ min: 100, max: 15_000 })),
      65_000,
    ),
    runs: 6,
  },
  {
    name: 'a started sidecar when its kubelet restarts',
    scenarios: story(
      pod({
        restartPolicy: fc.constant('Always'),
        containers: fc.tuple(
          container({ sidecar: fc.constant(false), probes: fc.constant({}) }),
          container({
            sidecar: fc.constant(true),
            probes: fc.record({ startup: probe('startup'), readiness: probe('readiness') }),
            runs: fc.array(
              containerRun({
                answers: fc.record({
                  startup: well,
                  readiness: fc.oneof(well, dead, dead),
                  liveness: well,
                }),
              }),
              { minLength: 1, maxLength: 1 },
            ),
          }),
        ),
      }),
      restarts(fc.integer({ min: 14_000, max: 30_000 }), fc.integer({ min: 10_000, max: 25_000 })),
      65_000,
    ),
    runs: 6,
  },
];
