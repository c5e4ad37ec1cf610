import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'endpointslicemirroring-controller';

/** The Services of a scenario. The first one exists before the controller. */
export const NAMES = ['outside', 'other'] as const;
export type Name = (typeof NAMES)[number];

/** A subset of Endpoints; addresses and ports have numbers. */
export interface Subset {
  readonly ready: readonly number[];
  readonly notReady: readonly number[];
  readonly ports: readonly number[];
}

/** A mark of Endpoints: it forbids mirroring, or is copied into the slices, or is not. */
export type Mark = 'none' | 'label' | 'annotation' | 'trigger' | 'skip' | 'leader';

/** An operation of a user. */
export type Operation =
  | { readonly do: 'serve' | 'select' | 'unselect' | 'unserve' | 'remove'; readonly name: Name }
  /** Writes the Endpoints. */
  | { readonly do: 'write'; readonly name: Name; readonly subsets: readonly Subset[]; readonly mark: Mark }
  /** Deletes the Endpoints and creates them again with the same content. */
  | { readonly do: 'recreate'; readonly name: Name }
  /** Edits or deletes a slice. */
  | { readonly do: 'edit'; readonly name: Name; readonly how: 'empty' | 'delete' | 'label' | 'copy' };

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** A scenario for the controller. */
export interface MirroringScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const name = fc.constantFrom<Name>('outside', 'outside', 'other');
const addresses = fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 3 });
const subset: fc.Arbitrary<Subset> = fc.record({
  ready: addresses,
  notReady: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 2 }),
  ports: fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 2 }),
});
const subsets = fc.array(subset, { minLength: 1, maxLength: 3 });
const marks = fc.constantFrom<Mark>(
  'none',
  'none',
  'none',
  'label',
  'annotation',
  'trigger',
  'skip',
  'leader',
);
const write = fc.record({ do: fc.constant('write' as const), name, subsets, mark: marks });
const edit = fc.record({
  do: fc.constant('edit' as const),
  name,
  how: fc.constantFrom('empty', 'delete', 'label', 'copy'),
});

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 6, arbitrary: write },
  { weight: 2, arbitrary: edit },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('serve', 'select', 'unselect', 'unserve', 'remove', 'recreate'),
      name,
    }),
  },
);

const faults = fc.oneof(
  { weight: 3, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS) },
);

/** A subset with one address, so that there is a slice. */
const ONE: Subset = { ready: [0], notReady: [], ports: [0] };
const first = (more: readonly Subset[] = []): Step =>
  at({ do: 'write', name: 'outside', subsets: [ONE, ...more], mark: 'none' }, 500);

/** The ports change, so that slices are replaced. */
const replaced = fc
  .tuple(fc.array(subsets, { minLength: 1, maxLength: 3 }), marks)
  .map(([all, mark]) => [
    first(),
    ...all.map((each) => at({ do: 'write', name: 'outside', subsets: each, mark: 'none' }, 500)),
    at({ do: 'write', name: 'outside', subsets: [ONE], mark }, 500),
  ]);

/** Only the labels and annotations change. */
const marked = fc
  .array(fc.constantFrom<Mark>('none', 'annotation', 'annotation', 'label', 'trigger', 'skip', 'leader'), {
    minLength: 2,
    maxLength: 4,
  })
  .map((all) => [
    first(),
    ...all.map((mark) => at({ do: 'write', name: 'outside', subsets: [ONE], mark }, 500)),
  ]);

/** The Service comes late, goes, or has a selector for a while. */
const served = fc
  .tuple(
    subsets,
    fc.constantFrom<readonly Step[]>(
      [at({ do: 'select', name: 'other' }, 500)],
      [at({ do: 'unserve', name: 'other' }, 500)],
      [at({ do: 'select', name: 'other' }, 500), at({ do: 'unselect', name: 'other' }, 500)],
      [at({ do: 'remove', name: 'other' }, 500)],
      [],
    ),
  )
  .map(([all, more]) => [
    at({ do: 'write', name: 'other', subsets: [ONE, ...all], mark: 'none' }, 500),
    at({ do: 'serve', name: 'other' }, 500),
    ...more,
  ]);

/** The Endpoints are deleted and created again while the controller is down, or sees events late. */
const recreated = fc
  .tuple(
    fc.boolean(),
    fc.constantFrom('crash' as const, 'late' as const, 'none' as const),
    fc.integer({ min: 100, max: 3_000 }),
  )
  .map(([isEdited, how, forMs]) => [
    first(),
    ...(how === 'crash'
      ? [
          strike(
            { fault: 'crash', process: PROCESS, skip: 0, performed: false, restartAfterMs: forMs },
            1_000,
          ),
          strike({ fault: 'cut-watches', process: PROCESS }),
        ]
      : []),
    ...(how === 'late' ? [strike({ fault: 'delay-watches', process: PROCESS, forMs }, 1_000)] : []),
    at({ do: 'recreate', name: 'outside' }, 50),
    ...(isEdited ? [at({ do: 'edit', name: 'outside', how: 'label' }, 10)] : []),
    at({ do: 'serve', name: 'other' }, 4_000),
  ]);

/** A write fails, or its answer is lost; the cache of slices may be late. */
const failing = fc
  .tuple(
    fc.constantFrom('create', 'update', 'delete', 'list'),
    fc.constantFrom('refused', 'performed', 'not performed', 'late'),
    subsets,
    subsets,
  )
  .map(([verb, how, before, after]) => {
    const fault: Fault =
      how === 'refused'
        ? { fault: 'refuse', process: PROCESS, reason: 'InternalError', requests: 2, verb }
        : how === 'late'
          ? { fault: 'delay-watches', process: PROCESS, forMs: 2_000, resource: 'endpointslices' }
          : { fault: 'time-out', process: PROCESS, performed: how === 'performed', verb };
    return [
      first(before),
      strike(fault, verb === 'create' ? 0 : 500),
      at({ do: 'write', name: 'outside', subsets: after, mark: 'none' }),
      at({ do: 'write', name: 'outside', subsets: [ONE], mark: 'label' }, 100),
      at({ do: 'serve', name: 'other' }, 3_000),
    ];
  });

/** Users edit the slices. */
const edited = fc
  .array(edit, { minLength: 1, maxLength: 4 })
  .map((all) => [first(), ...all.map((each) => at({ ...each, name: 'outside' }, 500))]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
): fc.Arbitrary<MirroringScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const any = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios of Endpoints and Services. */
export function scenarios(): readonly Workload<MirroringScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(any, 12), runs: 16 },
    { name: 'slices that are replaced', scenarios: scenariosWith(replaced, 1), runs: 12 },
    { name: 'labels and annotations', scenarios: scenariosWith(marked, 1), runs: 16 },
    { name: 'a Service that comes and goes', scenarios: scenariosWith(served, 1), runs: 14 },
    { name: 'Endpoints that are created again', scenarios: scenariosWith(recreated, 1), runs: 12 },
    { name: 'requests that fail', scenarios: scenariosWith(failing, 1), runs: 16 },
    { name: 'edited slices', scenarios: scenariosWith(edited, 1), runs: 8 },
  ];
}

function describeScenario(scenario: MirroringScenario): readonly string[] {
  const { steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : say(step))),
    ...sayHealing(steps),
  ];
}

function say(operation: Operation): string {
  const its = operation.name;
  switch (operation.do) {
    case 'serve':
      return `create Service ${its} without a selector, if it does not exist`;
    case 'select':
      return `Service ${its} gets a selector`;
    case 'unselect':
      return `Service ${its} loses its selector`;
    case 'unserve':
      return `delete Service ${its}`;
    case 'remove':
      return `delete Endpoints ${its}`;
    case 'recreate':
      return `delete Endpoints ${its}, and create them again`;
    case 'edit':
      return `edit a slice of ${its}: ${operation.how}`;
    case 'write': {
      const all = operation.subsets.map(
        ({ ready, notReady, ports }) => `ready ${ready} not ready ${notReady} ports ${ports}`,
      );
      return `write Endpoints ${its} (${operation.mark}): ${all.join('; ')}`;
    }
  }
}
