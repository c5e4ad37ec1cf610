import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import { describeScenario } from './describe.ts';
import { type Operation, operations, type Place, PROCESS, type Step, slicePuts, strikes } from './step.ts';

/** What a name server is put through, as values. */
export interface DnsScenario {
  readonly seed: number;
  /** Which goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly replicas: number;
  /** What is there before the name server starts. */
  readonly present: readonly Operation[];
  /** What strikes it as it starts. */
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

/** Two slices of one service, both with endpoints that take traffic. */
const split = fc
  .tuple(slicePuts, slicePuts)
  .map(([first, second]): readonly Operation[] => [
    { service: place, kind: 'headless', ports: ['http'] },
    ...[first, second].flatMap((operation, index): Operation[] =>
      'slice' in operation ? [{ ...operation, slice: place, index: index === 0 ? 0 : 1 }] : [],
    ),
  ]);

/** An alias of a service, which has an address of its own, or endpoints. */
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
 * Of the first requests of a name server just so many are refused that one informer, or two, must wait: it sees one thing before the other.
 * After a 429 an informer waits at once. After another refusal of its streaming list it asks for a list, without a wait: so the
 * streaming lists of all four are refused, and a list besides.
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

/** It is asked again and again while nothing happens. */
const waits = fc
  .array(fc.integer({ min: 100, max: 600 }), { minLength: 6, maxLength: 10 })
  .map((pausesMs) => pausesMs.map((afterMs): Step => ({ afterMs, namespace: 'shop' })));

/** Histories of a name server's life. */
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
