import fc from 'fast-check';
import type { EvictionThreshold } from '../../../kubelet/node/thresholds.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeEviction } from './render.ts';
import type { EvictedPodPlan, EvictionScenario, Pass } from './scenario.ts';

const MIB = 1024 ** 2;

const grace = fc.constantFrom<Partial<EvictionThreshold>>({}, {}, { gracePeriodMs: 30_000 });

/** Thresholds of memory: 100Mi, perhaps soft, and perhaps with another 50Mi to reclaim. */
const ofMemory = fc
  .tuple(grace, fc.constantFrom<Partial<EvictionThreshold>>({}, { minReclaim: { quantity: 50 * MIB } }))
  .map(
    ([soft, more]): EvictionThreshold => ({
      signal: 'memory.available',
      value: { quantity: 100 * MIB },
      ...soft,
      ...more,
    }),
  );

/** A soft threshold with an amount to reclaim. */
const softWithReclaim: EvictionThreshold = {
  signal: 'memory.available',
  value: { quantity: 100 * MIB },
  gracePeriodMs: 30_000,
  minReclaim: { quantity: 50 * MIB },
};

/** Thresholds of the disk: 10 %, perhaps soft, and perhaps with another 5 % to reclaim. */
const ofDisk = fc
  .tuple(grace, fc.constantFrom<Partial<EvictionThreshold>>({}, { minReclaim: { percentage: 0.05 } }))
  .map(
    ([soft, more]): EvictionThreshold => ({
      signal: 'nodefs.available',
      value: { percentage: 0.1 },
      ...soft,
      ...more,
    }),
  );

const ofPids = grace.map(
  (soft): EvictionThreshold => ({
    signal: 'pid.available',
    value: { percentage: 0.1 },
    ...soft,
  }),
);

/** Usages that are often equal to a request, and to each other. */
const mib = fc.constantFrom(50, 100, 150, 200);

const podPlans: fc.Arbitrary<EvictedPodPlan> = fc.record(
  {
    priority: fc.constantFrom(0, -1, 10, 2_000_000_000),
    requestMib: mib,
    memoryMib: mib,
    diskMib: mib,
    isKnown: fc.constantFrom(true, true, true, false),
    graceSeconds: fc.constantFrom(0, 5, 60, 120),
  },
  { requiredKeys: ['memoryMib', 'diskMib', 'isKnown'] },
);

/** A pod with a limit of its volume, which it may exceed. */
const limited = podPlans.map((plan): EvictedPodPlan => ({ ...plan, limitMib: 100 }));

/** Pods that arrive: some do not fit beside the others. */
const arrivals = fc
  .tuple(podPlans, fc.constantFrom(0, 0, 600))
  .map(
    ([plan, more]): EvictedPodPlan =>
      plan.requestMib === undefined ? plan : { ...plan, requestMib: plan.requestMib + more },
  );

/** Amounts below, at and above each threshold, with and without the amount to reclaim. */
const passesWith = (
  afterMs: readonly number[],
  memoryMib: readonly number[],
): fc.Arbitrary<readonly Pass[]> =>
  fc.array(
    fc.record<Pass>({
      afterMs: fc.constantFrom(...afterMs),
      memoryMib: fc.constantFrom(...memoryMib),
      diskPercent: fc.constantFrom(5, 9, 10, 12, 14, 15, 50, 50),
      pidsPercent: fc.constantFrom(5, 10, 50, 50, 50, 50),
      unusedPercent: fc.constantFrom(0, 1, 5, 10),
      isPartial: fc.constantFrom(false, false, false, false, true),
      fails: fc.constantFrom(false, false, false, false, false, true),
      arrives: fc.option(arrivals, { nil: undefined }) as fc.Arbitrary<EvictedPodPlan>,
    }),
    { minLength: 2, maxLength: 10 },
  );

const passes = passesWith(
  [10_000, 10_000, 10_000, 20_000, 30_000, 290_000, 300_000],
  [50, 99, 100, 120, 149, 150, 500, 500],
);

function scenariosWith(
  thresholds: fc.Arbitrary<readonly EvictionThreshold[]>,
  {
    pods = podPlans,
    calls = passes,
  }: { readonly pods?: fc.Arbitrary<EvictedPodPlan>; readonly calls?: typeof passes } = {},
): fc.Arbitrary<EvictionScenario> {
  const scenarios = fc.record({
    thresholds,
    maxPodGracePeriodSeconds: fc.constantFrom(0, 30, 90),
    pods: fc.array(pods, { minLength: 1, maxLength: 5 }),
    passes: calls,
  });
  return inWords(scenarios, describeEviction);
}

/** ★ Workloads of a node that runs out of memory, disk space or process IDs. */
export const evictionWorkloads: readonly Workload<EvictionScenario>[] = [
  { name: 'memory', scenarios: scenariosWith(fc.tuple(ofMemory)), runs: 25 },
  {
    name: 'a long shortage of memory',
    scenarios: scenariosWith(fc.tuple(ofMemory), {
      calls: passesWith([10_000, 20_000, 30_000], [50, 50, 99, 120, 149, 150]),
    }),
    runs: 20,
  },
  {
    name: 'a soft shortage of memory that ends slowly',
    scenarios: scenariosWith(fc.tuple(fc.constant(softWithReclaim)), {
      calls: fc
        .tuple(passesWith([30_000], [50, 99]), passesWith([10_000], [120, 149]))
        .map(([short, recovering]) => [...short, ...recovering]),
    }),
    runs: 20,
  },
  { name: 'disk space', scenarios: scenariosWith(fc.tuple(ofDisk)), runs: 25 },
  {
    name: 'several thresholds',
    scenarios: scenariosWith(
      fc.tuple(ofDisk, ofPids, ofMemory, ofMemory).chain((all) => fc.shuffledSubarray(all, { minLength: 2 })),
    ),
    runs: 60,
  },
  {
    name: 'limits of volumes',
    scenarios: scenariosWith(fc.tuple(ofMemory), { pods: fc.oneof(podPlans, podPlans, limited) }),
    runs: 10,
  },
];
