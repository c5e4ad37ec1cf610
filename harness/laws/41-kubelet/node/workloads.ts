import fc from 'fast-check';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import { PROCESS } from '../scenario/index.ts';
import { describeNodeScenario } from './render.ts';
import type { NodeOperation, NodeScenario, NodeStep } from './scenario.ts';

const pressure = fc.subarray(['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const);
const restart: fc.Arbitrary<NodeOperation> = fc.record({
  do: fc.constant('restart' as const),
  downMs: fc.constantFrom(100, 3_000, 60_000),
});
const press: fc.Arbitrary<NodeOperation> = fc.record({ do: fc.constant('press' as const), pressure });
const breaks: fc.Arbitrary<NodeOperation> = fc.record({
  do: fc.constant('break' as const),
  what: fc.constantFrom('runtime' as const, 'network' as const),
  broken: fc.boolean(),
});
const meddle: fc.Arbitrary<NodeOperation> = fc.record({
  do: fc.constant('meddle' as const),
  with: fc.constantFrom('label' as const, 'condition' as const, 'resource' as const),
});
const simple = (
  name: 'delete-node' | 'make-node' | 'replace-node' | 'mark-unknown' | 'touch-lease' | 'delete-lease',
) => fc.constant<NodeOperation>({ do: name });

const afterMs = fc.oneof(pauses, fc.integer({ min: 5_000, max: 25_000 }));

function step(operation: fc.Arbitrary<NodeOperation>): fc.Arbitrary<NodeStep> {
  return fc.tuple(operation, afterMs).map(([each, ms]): NodeStep => ({ ...each, afterMs: ms }));
}

const strike: fc.Arbitrary<NodeStep> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 1, arbitrary: crashes(PROCESS) }),
    afterMs,
  )
  .map(([fault, ms]) => ({ strike: fault, afterMs: ms }));

/** Time until a started kubelet knows its runtime, and its pressures; independent of each other. */
function blindness(ms: readonly number[]): fc.Arbitrary<NodeScenario['blindMs']> {
  return fc.record({ runtime: fc.constantFrom(...ms), pressure: fc.constantFrom(...ms) });
}

function scenariosWith(
  steps: fc.Arbitrary<readonly NodeStep[]>,
  blindMs = blindness([0, 500, 12_000]),
): fc.Arbitrary<NodeScenario> {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    latencyMs: fc.constantFrom(1, 20, 200),
    blindMs,
    isThere: fc.boolean(),
    steps,
  });
  return inWords(scenarios, describeNodeScenario);
}

/** Long enough for a kubelet to register. */
const up: NodeStep = { do: 'nothing', afterMs: 15_000 };
/** Long enough for the sources of a kubelet to know the node. */
const sighted: NodeStep = { do: 'nothing', afterMs: 55_000 };

/** Workloads of a kubelet that reports its node. */
export const nodeWorkloads: readonly Workload<NodeScenario>[] = [
  {
    name: 'pressure and failures',
    scenarios: scenariosWith(fc.array(step(fc.oneof(press, breaks, meddle)), { maxLength: 6 })),
    runs: 15,
  },
  {
    name: 'a kubelet that restarts on a node under pressure or with failures',
    scenarios: scenariosWith(
      fc
        .tuple(
          fc.oneof(press, breaks),
          step(restart),
          fc.array(step(fc.oneof(restart, press, breaks)), { maxLength: 3 }),
        )
        .map(([first, again, rest]): NodeStep[] => [
          sighted,
          { ...first, afterMs: 0 },
          sighted,
          again,
          ...rest,
        ]),
      blindness([3_000, 12_000, 40_000]),
    ),
    runs: 20,
  },
  {
    name: 'a kubelet that restarts while its runtime does not answer',
    scenarios: scenariosWith(
      step(restart).map((again): NodeStep[] => [sighted, again]),
      fc.constant({ runtime: 40_000, pressure: 500 }),
    ),
    runs: 8,
  },
  {
    name: 'a Node that is deleted and created again',
    scenarios: scenariosWith(
      fc
        .array(step(fc.oneof(simple('delete-node'), simple('make-node'), simple('replace-node'))), {
          minLength: 1,
          maxLength: 4,
        })
        .map((steps): NodeStep[] => [up, ...steps, { do: 'make-node', afterMs: 12_000 }]),
    ),
    runs: 15,
  },
  {
    name: 'a status that cannot be written five times',
    scenarios: scenariosWith(
      fc.constant<NodeStep[]>([
        up,
        {
          strike: {
            fault: 'refuse',
            process: PROCESS,
            reason: 'ServiceUnavailable',
            requests: 5,
            verb: 'updateStatus',
          },
          afterMs: 0,
        },
        // The next report without a change is due within this time.
        { do: 'nothing', afterMs: 450_000 },
      ]),
    ),
    runs: 4,
  },
  {
    name: 'another client writes',
    scenarios: scenariosWith(
      fc
        .array(
          step(fc.oneof(meddle, simple('mark-unknown'), simple('touch-lease'), simple('delete-lease'))),
          {
            minLength: 1,
            maxLength: 6,
          },
        )
        .map((steps): NodeStep[] => [up, ...steps]),
    ),
    runs: 13,
  },
  {
    name: 'any operations, with faults',
    scenarios: scenariosWith(
      fc.array(
        fc.oneof(
          { weight: 2, arbitrary: strike },
          {
            weight: 3,
            arbitrary: step(
              fc.oneof(
                press,
                breaks,
                meddle,
                restart,
                simple('replace-node'),
                simple('mark-unknown'),
                simple('delete-lease'),
              ),
            ),
          },
        ),
        { minLength: 2, maxLength: 8 },
      ),
    ),
    runs: 25,
  },
];
