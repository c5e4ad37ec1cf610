import fc from 'fast-check';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { EVICTION, LIFECYCLE, type Operation, PRESSURES, type Step } from '../operations.ts';
import { NOT_READY, UNREACHABLE } from '../oracle/taints.ts';
import {
  BEGUN_MS,
  enduring,
  MAINTENANCE,
  maintained,
  type Story,
  skews,
  tolerations,
  wait,
} from './parts.ts';

const node = fc.nat({ max: 3 });
const pod = fc.integer({ min: 1, max: 4 });
const placed = fc.record({ pod, node, tolerations });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: node.map((index): Operation => ({ do: 'die', node: index })) },
  { weight: 5, arbitrary: node.map((index): Operation => ({ do: 'return', node: index })) },
  {
    weight: 4,
    arbitrary: fc
      .record({ node, isReady: fc.boolean(), pressures: fc.subarray([...PRESSURES]) })
      .map((report): Operation => ({ do: 'report', ...report })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ node, areThere: fc.boolean() })
      .map((all): Operation => ({ do: 'routes', ...all })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ node, byMs: fc.constantFrom(3_600_000, -3_600_000) })
      .map((all): Operation => ({ do: 'clock', ...all })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ node, isCordoned: fc.boolean() })
      .map((all): Operation => ({ do: 'cordon', ...all })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ node, effect: fc.constantFrom('NoExecute' as const, 'NoSchedule' as const) }).map(
      ({ node: index, effect }): Operation => ({
        do: 'taint',
        node: index,
        taint: { key: MAINTENANCE, effect },
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ node, key: fc.constantFrom(MAINTENANCE, MAINTENANCE, NOT_READY, UNREACHABLE) })
      .map((all): Operation => ({ do: 'untaint', ...all })),
  },
  { weight: 1, arbitrary: node.map((index): Operation => ({ do: 'delete-node', node: index })) },
  { weight: 2, arbitrary: node.map((index): Operation => ({ do: 'create-node', node: index })) },
  { weight: 3, arbitrary: placed.map((all): Operation => ({ do: 'create-pod', ...all })) },
  { weight: 1, arbitrary: pod.map((number): Operation => ({ do: 'delete-pod', pod: number })) },
  { weight: 1, arbitrary: placed.map((all): Operation => ({ do: 'replace-pod', ...all })) },
  {
    weight: 2,
    arbitrary: fc.record({ pod, seconds: fc.constantFrom(3, 50) }).map(
      ({ pod: number, seconds }): Operation => ({
        do: 'tolerate',
        pod: number,
        tolerations: [maintained(seconds)],
      }),
    ),
  },
);

const faults = fc.oneof(apiFaults(LIFECYCLE), apiFaults(EVICTION), crashes(LIFECYCLE), crashes(EVICTION));

const pausesMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1_000, max: 12_000 }),
  fc.integer({ min: 30_000, max: 70_000 }),
);

const zones = fc.constantFrom(
  ['a', 'a', 'a', 'a'],
  ['a', 'a', 'b', 'b'],
  ['a', 'a', 'a', 'b'],
  ['a', 'b', 'c', 'c'],
);

/** Generates a general story. @param withFaults whether requests fail and controllers crash */
export function anything(withFaults: boolean): fc.Arbitrary<Story> {
  const happens = fc.oneof(
    {
      weight: withFaults ? 2 : 5,
      arbitrary: operations.map((operation): Step => ({ ...operation, afterMs: 0 })),
    },
    ...(withFaults ? [{ weight: 1, arbitrary: faults.map((strike): Step => ({ strike, afterMs: 0 })) }] : []),
  );
  const steps = fc.array(
    fc.tuple(pausesMs, happens).map(([afterMs, each]): Step => ({ ...each, afterMs })),
    { minLength: 3, maxLength: 9 },
  );
  return fc
    .record({ zones, errors: fc.tuple(skews, skews, skews, skews), steps, first: tolerations })
    .map((all) => ({
      nodes: all.zones.map((zone, i) => ({ zone, ...(all.errors[i] ? { skewMs: all.errors[i] } : {}) })),
      present: [
        { pod: 1, node: 0, tolerations: all.first },
        { pod: 2, node: 1, tolerations: [...enduring(25), maintained(25)] },
      ],
      steps: [wait(BEGUN_MS), ...all.steps],
    }));
}
