import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import { ENDPOINTS, nodeNames, type Operation, SLICES, type Step, serviceNames } from './operations.ts';
import { describeScenario } from './render.ts';

/** A scenario for the controllers: operations, faults and time, as values that fast-check generates and shrinks. */
export interface EndpointsScenario {
  readonly seed: number;
  /** The order of simultaneous events. */
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  /** The maximum latency of a message. */
  readonly latencyMs: number;
  /** The steps before the controllers start. */
  readonly before: readonly Step[];
  readonly steps: readonly Step[];
}

const service = fc.constantFrom(...serviceNames);
const anyPod = fc.nat({ max: 6 });
const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const serves: fc.Arbitrary<Operation> = fc
  .record({
    service,
    unready: fc.constantFrom(false, false, true),
    distribution: fc.constantFrom(undefined, undefined, 'PreferSameZone' as const, 'PreferSameNode' as const),
  })
  .map(({ distribution, ...rest }) => ({ do: 'serve', ...rest, ...(distribution && { distribution }) }));

const runs: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('run' as const),
  tier: fc.constantFrom('web' as const, 'web' as const, 'admin' as const, 'other' as const),
  node: fc.constantFrom('node-1' as const, 'node-2' as const, ...nodeNames),
  http: fc.constantFrom(8080 as const, 8080 as const, 9090 as const, 0 as const),
  ready: fc.constantFrom(true, true, false),
  reuses: fc.boolean(),
  named: fc.boolean(),
});

const flips: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('flip' as const),
  pod: anyPod,
  times: fc.constantFrom(1, 1, 2),
});

const ends: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('end' as const),
  pod: anyPod,
  phase: fc.constantFrom('Succeeded' as const, 'Failed' as const),
  unready: fc.boolean(),
});

const deletes = fc.record({ do: fc.constant('delete' as const), pod: anyPod });

const meddles = fc.record({
  do: fc.constant('meddle' as const),
  slice: fc.nat({ max: 3 }),
  how: fc.constantFrom('delete' as const, 'empty' as const, 'unready' as const, 'give' as const),
});

const unserves = fc.record({ do: fc.constant('unserve' as const), service });
const remakes = fc.record({ do: fc.constant('remake' as const), service });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: runs },
  { weight: 6, arbitrary: flips },
  { weight: 3, arbitrary: serves },
  { weight: 3, arbitrary: deletes },
  { weight: 2, arbitrary: fc.constant({ do: 'reap' as const }) },
  { weight: 3, arbitrary: ends },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('vanish' as const), pod: anyPod }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('relabel' as const),
      pod: anyPod,
      tier: fc.constantFrom('web' as const, 'admin' as const, 'other' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('annotate' as const), pod: anyPod }) },
  { weight: 1, arbitrary: fc.constant({ do: 'join' as const }) },
  { weight: 2, arbitrary: meddles },
  { weight: 1, arbitrary: unserves },
  { weight: 1, arbitrary: remakes },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), service }) },
  { weight: 1, arbitrary: fc.constant({ do: 'collect' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('label' as const),
      service,
      as: fc.constantFrom('front', 'back'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(service, fc.constantFrom(undefined, 'PreferClose' as const, 'PreferSameNode' as const))
      .map(([name, as]) => ({ do: 'distribute' as const, service: name, ...(as && { as }) })),
  },
);

const processes = fc.constantFrom(SLICES, SLICES, ENDPOINTS);

const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 4, arbitrary: processes.chain(apiFaults) },
  { weight: 2, arbitrary: processes.chain(crashes).map(laterThanItsLastRequest) },
);

/** Many pods are created at once, and some are deleted: slices fill up, and become half empty. */
const crowd = fc
  .tuple(fc.array(runs, { minLength: 4, maxLength: 8 }), fc.array(deletes, { maxLength: 4 }), pauses)
  .map(([some, gone, pauseMs]): readonly Step[] => [
    ...some.map((operation) => at({ ...operation, tier: 'web', http: 8080 } as Operation)),
    ...gone.map((operation, i) => at(operation, i === 0 ? pauseMs : 0)),
    at({ do: 'reap' }, 1_000),
  ]);

/** The cache does not contain the last write, while the pods keep changing. */
const blind = fc
  .tuple(fc.integer({ min: 300, max: 5_000 }), fc.array(flips, { minLength: 2, maxLength: 4 }), processes)
  .map(([forMs, some, process]): readonly Step[] => [
    at({ do: 'serve', service: 'web', unready: false }),
    at({ ...plain, do: 'run' }),
    strike(
      {
        fault: 'delay-watches',
        process,
        forMs,
        resource: process === SLICES ? 'endpointslices' : 'endpoints',
      },
      3_000,
    ),
    ...some.map((operation) => at({ ...operation, pod: 0, times: 1 } as Operation, 60)),
    // Until the cache has caught up.
    at({ do: 'annotate', pod: 0 }, forMs + 100),
  ]);

const plain = { tier: 'web', node: 'node-1', http: 8080, ready: true, reuses: false, named: false } as const;

/** A pod gets the address of a terminating pod. */
const heir = fc
  .tuple(runs, fc.constantFrom(false, false, true))
  .map(([operation, isReaped]): readonly Step[] => [
    at({ do: 'serve', service: 'web', unready: false }),
    ...[1, 2, 3].map(() => at({ ...plain, do: 'run' })),
    at({ do: 'delete', pod: 2 }, 2_000),
    at({ do: 'delete', pod: 3 }),
    at({ ...operation, tier: 'web', node: 'node-2', http: 8080, reuses: true } as Operation, 100),
    ...(isReaped ? [at({ do: 'reap' }, 2_000)] : []),
  ]);

/** A user edits a Service, its pod, or one of its slices, and nothing else happens. */
const edited = fc
  .oneof(
    fc.constantFrom<Operation>(
      { do: 'remake', service: 'web' },
      { do: 'relabel', pod: 0, tier: 'other' },
      { do: 'relabel', pod: 1, tier: 'admin' },
    ),
    fc.constantFrom('front', 'back').map((as): Operation => ({ do: 'label', service: 'web', as })),
    fc
      .constantFrom('PreferClose' as const, 'PreferSameNode' as const)
      .map((as): Operation => ({ do: 'distribute', service: 'web', as })),
    meddles,
  )
  .map((operation): readonly Step[] => [
    at({ do: 'serve', service: 'web', unready: false }),
    at({ ...plain, do: 'run' }),
    at(operation, 5_000),
    at(operation.do === 'remake' ? { do: 'flip', pod: 0, times: 1 } : { do: 'annotate', pod: 0 }, 5_000),
  ]);

/** A slice that was just written is deleted, and the cache never contains it. */
const lost = fc
  .tuple(fc.constantFrom('cut-watches' as const, 'delay-watches' as const), fc.integer({ min: 2, max: 60 }))
  .map(([fault, afterMs]): readonly Step[] => [
    strike(
      fault === 'cut-watches'
        ? { fault, process: SLICES }
        : { fault, process: SLICES, forMs: 500, resource: 'endpointslices' },
    ),
    at({ do: 'serve', service: 'web', unready: false }),
    at({ do: 'meddle', slice: 0, how: 'delete' }, afterMs),
    at({ ...plain, do: 'run' }, 20),
  ]);

/** A Service is deleted while a controller is down. */
const unseen = fc
  .tuple(processes, fc.oneof(unserves, remakes), fc.integer({ min: 100, max: 3_000 }))
  .map(([process, operation, awayMs]): readonly Step[] => [
    at({ do: 'serve', service: operation.service, unready: false }),
    strike({ fault: 'crash', process, skip: 0, performed: true, restartAfterMs: awayMs }, 1_000),
    at({ ...plain, do: 'run' }),
    at(operation, 50),
  ]);

/** The last request is rejected, and nothing happens after it. */
const lastWord = fc
  .tuple(
    processes,
    fc.constantFrom('InternalError' as const, 'Conflict' as const, 'TooManyRequests' as const),
    fc.oneof(flips, runs, ends),
  )
  .map(([process, reason, operation]): readonly Step[] => [
    at({ do: 'serve', service: 'web', unready: false }),
    at({ ...plain, do: 'run' }),
    strike({ fault: 'refuse', process, reason, requests: 2 }, 2_000),
    at(operation),
    at({ do: 'annotate', pod: 0 }, 1_000),
  ]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
): fc.Arbitrary<EndpointsScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    before: fc
      .tuple(fc.array(serves, { minLength: 1, maxLength: 2 }), fc.array(runs, { maxLength: 3 }))
      .map((some) => some.flat().map((operation) => at(operation))),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const one = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios for the endpoints of a few Services. */
export function scenarios(): readonly Workload<EndpointsScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(one, 10), runs: 40 },
    { name: 'a crowd', scenarios: scenariosWith(fc.oneof(crowd, one), 3), runs: 15 },
    { name: 'a cache that is behind', scenarios: scenariosWith(fc.oneof(blind, blind, one), 2), runs: 20 },
    { name: 'a slice that goes unseen', scenarios: scenariosWith(fc.oneof(lost, lost, one), 2), runs: 12 },
    {
      name: 'a Service that goes unseen',
      scenarios: scenariosWith(fc.oneof(unseen, unseen, one), 2),
      runs: 12,
    },
    { name: 'an address that is used again', scenarios: scenariosWith(heir, 1), runs: 10 },
    { name: 'a hand from outside', scenarios: scenariosWith(edited, 2), runs: 16 },
    { name: 'a refusal in the end', scenarios: scenariosWith(lastWord, 2), runs: 12 },
  ];
}

/** Delays a restart until the last request has arrived: a lease ensures that. */
function laterThanItsLastRequest(fault: Fault): Fault {
  return fault.fault === 'crash' ? { ...fault, restartAfterMs: fault.restartAfterMs + 50 } : fault;
}
