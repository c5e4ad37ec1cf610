import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { pauses, schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import {
  type Operation,
  operations,
  type Place,
  PROCESS,
  type Step,
  slicePuts,
  strikes,
} from '../operations.ts';
import { describeScenario } from '../render.ts';

/** A scenario for the name server, as values. */
export interface DnsScenario {
  readonly seed: number;
  /** The order of simultaneous events. */
  readonly schedule: readonly number[];
  readonly replicas: number;
  /** The objects that exist before the name server starts. */
  readonly present: readonly Operation[];
  /** The faults at its start. */
  readonly onStart: readonly Fault[];
  readonly steps: readonly Step[];
}

const paced = (steps: fc.Arbitrary<Operation | Pick<Extract<Step, { strike: unknown }>, 'strike'>>) =>
  fc.tuple(pauses, steps).map(([afterMs, step]): Step => ({ afterMs, ...step }));

function scenariosWith(
  present: fc.Arbitrary<readonly Operation[]>,
  steps: fc.Arbitrary<readonly Step[]>,
  onStart: fc.Arbitrary<readonly Fault[]> = fc.constant([]),
) {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 1, 2),
    present,
    onStart,
    steps,
  });
  return inWords(all, describeScenario);
}

const place: Place = { namespace: 'default', name: 'db' };

/** Two slices of one service, both with ready endpoints. */
const split = fc
  .tuple(slicePuts, slicePuts)
  .map(([first, second]): readonly Operation[] => [
    { service: place, kind: 'headless', ports: ['http'] },
    ...[first, second].flatMap((operation, index): Operation[] =>
      'slice' in operation ? [{ ...operation, slice: place, index: index === 0 ? 0 : 1 }] : [],
    ),
  ]);

/** An alias of a service that has an address, or endpoints. */
const aliased = fc
  .tuple(fc.constantFrom('cluster' as const, 'headless' as const), slicePuts)
  .map(([kind, behind]): readonly Operation[] => {
    const target: Place = { namespace: 'default', name: 'web' };
    return [
      { service: target, kind, ports: ['http'] },
      { service: place, kind: { alias: 'web' }, ports: [] },
      ...('slice' in behind ? [{ ...behind, slice: target }] : []),
    ];
  });

/**
 * Rejects just enough of a name server's first requests that one or two informers must wait, so that it observes some
 * resources before others. After a 429 an informer waits immediately. After another rejection of its streaming list
 * it sends a list without waiting, so the streaming lists of all four informers are rejected, and one list.
 */
const refusals = fc
  .tuple(
    fc.constantFrom(
      { reason: 'TooManyRequests', streams: 0 } as const,
      { reason: 'ServiceUnavailable', streams: 4 } as const,
    ),
    fc.constantFrom(1, 1, 2),
  )
  .map(([{ reason, streams }, late]): readonly Fault[] => [
    { fault: 'refuse', process: PROCESS, reason, requests: streams + late },
  ]);

/** It is queried repeatedly while nothing happens. */
const waits = fc
  .array(fc.integer({ min: 100, max: 600 }), { minLength: 6, maxLength: 10 })
  .map((pausesMs) => pausesMs.map((afterMs): Step => ({ afterMs, namespace: 'shop' })));

/** Scenarios for a name server. */
export function scenarios(): readonly Workload<DnsScenario>[] {
  const present = fc.array(operations, { maxLength: 6 });
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: paced(operations) }, { weight: 1, arbitrary: paced(strikes) }),
    { maxLength: 10 },
  );
  return [
    { name: 'any life', scenarios: scenariosWith(present, steps), runs: 60 },
    {
      name: 'a service whose endpoints are in two slices',
      scenarios: scenariosWith(split, fc.array(paced(slicePuts), { maxLength: 3 })),
      runs: 15,
    },
    {
      name: 'an alias of a service',
      scenarios: scenariosWith(aliased, fc.array(paced(operations), { maxLength: 2 })),
      runs: 10,
    },
    {
      name: 'a name server that sees one thing before the other',
      scenarios: scenariosWith(
        fc.tuple(split, present).map((operations) => operations.flat()),
        waits,
        refusals,
      ),
      runs: 60,
    },
  ];
}
