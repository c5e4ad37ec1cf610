import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { Limits } from '../oracle/limits.ts';
import type { Action, Shift, Step, WorkerPlan, WorkQueueScenario } from '../scenario/index.ts';
import { allOddItems, oddItems, scenariosWith, waits } from '../scenario/parts.ts';
import { poolDrainWorkloads, poolWorkloads } from './pool.ts';

const items = fc.constantFrom('a', 'b', 'c', 'd');

const delays = fc.oneof(
  { weight: 8, arbitrary: waits },
  { weight: 1, arbitrary: fc.constantFrom(0, -5) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, 10.5, 7_003) },
);

const actions: fc.Arbitrary<Action> = fc.oneof(
  { withCrossShrink: true },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('add' as const), item: items }) },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('addAfter' as const), item: items, delayMs: delays }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('addRateLimited' as const), item: items }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('forget' as const), item: items }) },
  { weight: 2, arbitrary: fc.constant({ act: 'len' as const }) },
);

const step = (action: fc.Arbitrary<Action>): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: waits }), action)
    .map(([afterMs, one]) => ({ afterMs, ...one }));

/** Generates several actions of one kind in the same turn. */
const atOnce = (act: 'add' | 'addRateLimited', chosen = items, minLength = 2, maxLength = 8) =>
  fc
    .tuple(waits, fc.array(chosen, { minLength, maxLength, size: 'max' }))
    .map(([afterMs, some]) => some.map((item, i): Step => ({ afterMs: i === 0 ? afterMs : 0, act, item })));

/** Generates two delays of one item: either may be the earlier one. */
const putOff: fc.Arbitrary<Step[]> = fc
  .tuple(waits, items, fc.array(fc.tuple(waits, delays), { minLength: 2, maxLength: 3 }))
  .map(([firstAfterMs, item, times]) =>
    times.map(([afterMs, delayMs], i): Step => {
      return { afterMs: i === 0 ? firstAfterMs : afterMs, act: 'addAfter', item, delayMs };
    }),
  );

/** Generates two delays of one item. They end within a millisecond, or the second delay is 0. */
const closeDelays: fc.Arbitrary<Step[]> = fc
  .tuple(waits, items, fc.constantFrom(0, 1, 5), fc.constantFrom(-0.75, -0.25, 0, 0.25, 0.75, 'none'))
  .map(([firstAfterMs, item, afterMs, laterMs]) => [
    { afterMs: firstAfterMs, act: 'addAfter', item, delayMs: 10.75 },
    {
      afterMs,
      act: 'addAfter',
      item,
      delayMs: typeof laterMs === 'string' ? 0 : 10.75 + laterMs - afterMs,
    },
  ]);

/** Generates a delay that is too long for the run: its timer must be cancelled. */
const farAway: fc.Arbitrary<readonly Step[]> = items.map((item) => [
  { afterMs: 0, act: 'addAfter', item, delayMs: 1_000_000 },
]);

const anything = step(actions).map((one) => [one]);

const producer = (...kinds: readonly fc.Arbitrary<readonly Step[]>[]): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(fc.oneof({ withCrossShrink: true }, ...kinds.map((arbitrary) => ({ weight: 1, arbitrary }))), {
      minLength: 1,
      maxLength: 8,
    })
    .map((chapters) => chapters.flat());

const LASTLY: readonly Shift['lastly'][] = ['nothing', 'add', 'addAfter', 'addRateLimited', 'forget'];

const shifts = (lastly: fc.Arbitrary<Shift['lastly']>): fc.Arbitrary<Shift> =>
  fc.record({
    takesMs: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: waits }),
    lastly,
    restsMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: waits }),
  });

const hands = (min: number, max: number, shift = shifts(fc.constantFrom(...LASTLY, 'nothing' as const))) =>
  fc.array(
    fc.record({
      startsAtMs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: waits }),
      shifts: fc.array(shift, { maxLength: 8 }),
    }) as fc.Arbitrary<WorkerPlan>,
    { minLength: min, maxLength: max },
  );

/** Generates workers that call get from the start, and take a while for each item. */
const busy = (min: number, max: number): fc.Arbitrary<WorkerPlan[]> =>
  fc.array(
    fc
      .array(fc.tuple(fc.integer({ min: 8, max: 60 }), fc.constantFrom(0, 0, 20)), { maxLength: 8 })
      .map((some) => ({
        startsAtMs: 0,
        shifts: [[30, some[0]?.[1] ?? 0] as const, ...some].map(([takesMs, restsMs]) => {
          return { takesMs, lastly: 'nothing' as const, restsMs };
        }),
      })),
    { minLength: min, maxLength: max },
  );

const exponentials = fc.record({
  baseDelayMs: fc.constantFrom(5, 10, 1),
  maxDelayMs: fc.constantFrom(1_000, 20, 40),
});
const buckets = fc.record({ qps: fc.constantFrom(10, 50, 4), burst: fc.constantFrom(1, 2, 3) });

const limits: fc.Arbitrary<Limits | 'default'> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant('default' as const) },
  { weight: 1, arbitrary: fc.record({ exponential: exponentials }) },
  { weight: 1, arbitrary: fc.record({ bucket: buckets }) },
  { weight: 1, arbitrary: fc.record({ exponential: exponentials, bucket: buckets }) },
);

/** Generates a shutdown in the middle of the work. */
const sudden = fc.integer({ min: 0, max: 120 });

/** Generates one more shutdown, soon after the first or in the same turn. */
const once = <How extends 'shutDown' | 'drain'>(how: How) =>
  fc.oneof(fc.constant(0), fc.nat({ max: 30 })).map((afterMs) => [{ how, afterMs }]);

const producers = (one: fc.Arbitrary<readonly Step[]>, max = 2) =>
  fc.array(one, { minLength: 1, maxLength: max });

/** Generates many items that fail at once, so that the default bucket runs out of tokens. */
const storm = (min: number, max: number, withinMs = 3_000): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min: 0, max: withinMs }), fc.integer({ min: 0, max: 999 }))
    .map(([count, afterMs, name]) =>
      Array.from({ length: count }, (_, i): Step => {
        return { afterMs: i === 0 ? afterMs : 0, act: 'addRateLimited', item: `${name}-${i}` };
      }),
    );

/** Workloads whose workers belong to the simulation. */
const queueWorkloads: readonly Workload<WorkQueueScenario>[] = [
  {
    name: 'anything goes',
    scenarios: scenariosWith({
      limits,
      producers: producers(producer(anything, anything, atOnce('add'), atOnce('addRateLimited'), putOff), 3),
      staff: hands(1, 3),
    }),
    runs: 25,
  },
  {
    name: 'more items than workers',
    scenarios: scenariosWith({
      producers: producers(
        producer(
          atOnce('add'),
          step(fc.constant({ act: 'len' as const })).map((one) => [one]),
        ),
      ),
      staff: hands(1, 2, shifts(fc.constantFrom('nothing' as const, 'add' as const))),
    }),
    runs: 10,
  },
  {
    name: 'more workers than items',
    scenarios: scenariosWith({ producers: producers(producer(anything, atOnce('add'))), staff: hands(3, 4) }),
  },
  {
    name: 'many workers, and adds while all are busy',
    scenarios: scenariosWith({
      producers: fc.tuple(
        fc.tuple(fc.constantFrom(8, 10), fc.constantFrom(5, 10)).map(([count, againAfterMs]) =>
          [5, againAfterMs].flatMap((afterMs) =>
            Array.from({ length: count }, (_, i): Step => {
              return { afterMs: i === 0 ? afterMs : 0, act: 'add', item: `0-${i}` };
            }),
          ),
        ),
      ),
      staff: busy(8, 10),
    }),
    runs: 3,
  },
  {
    name: 'repeated delays of one item',
    scenarios: scenariosWith({
      producers: producers(producer(putOff, closeDelays, anything)),
      staff: hands(1, 2),
    }),
    runs: 12,
  },
  {
    name: 'failures that are sometimes forgotten',
    scenarios: scenariosWith({
      limits,
      producers: producers(
        producer(
          atOnce('addRateLimited', fc.constantFrom('a', 'a', 'b'), 1, 4),
          step(fc.record({ act: fc.constant('forget' as const), item: fc.constantFrom('a', 'b') })).map(
            (one) => [one],
          ),
        ),
      ),
      staff: hands(1, 2),
    }),
    runs: 8,
  },
  {
    name: 'a rate limiter that returns fractions',
    scenarios: scenariosWith({
      limits: fc.constant({ exponential: { baseDelayMs: 2.25, maxDelayMs: 1_000 } }),
      producers: producers(producer(atOnce('addRateLimited', fc.constantFrom('a', 'b'), 2, 4))),
      staff: hands(1, 2),
    }),
    runs: 3,
  },
  {
    name: 'a burst of failures',
    scenarios: scenariosWith({
      // One or two tokens come back after each failure.
      producers: fc.tuple(
        fc
          .tuple(storm(101, 115), ...Array.from({ length: 8 }, () => storm(1, 4, 400)), storm(1, 8))
          .map((storms) => storms.flat()),
      ),
      staff: hands(2, 2, shifts(fc.constant('nothing' as const))),
    }),
    runs: 5,
  },
  {
    name: 'a large burst of failures',
    scenarios: scenariosWith({
      producers: fc.tuple(storm(205, 215)),
      staff: hands(2, 2, shifts(fc.constant('nothing' as const))),
    }),
    runs: 1,
  },
  {
    name: 'a burst of failures of two items, which are forgotten',
    scenarios: scenariosWith({
      producers: fc.tuple(
        fc
          .tuple(fc.integer({ min: 63, max: 66 }), storm(4, 8, 0))
          .map(([rounds, fresh]): Step[] => [
            ...['a', 'b'].flatMap((item) =>
              Array.from({ length: rounds }, (): Step => ({ afterMs: 0, act: 'addRateLimited', item })),
            ),
            { afterMs: 0, act: 'forget', item: 'a' },
            { afterMs: 0, act: 'forget', item: 'b' },
            ...fresh,
          ]),
      ),
      staff: hands(2, 2, shifts(fc.constant('nothing' as const))),
    }),
    runs: 1,
  },
  {
    name: 'a burst of failures after a long quiet period',
    scenarios: scenariosWith({
      producers: fc.tuple(
        fc
          .tuple(storm(1, 5), storm(101, 115))
          .map(([first, [begin, ...rest]]) => [...first, { ...(begin as Step), afterMs: 30_000 }, ...rest]),
      ),
      staff: hands(2, 2, shifts(fc.constant('nothing' as const))),
      quietAtMs: 120_000,
    }),
    runs: 3,
  },
  {
    name: 'odd items',
    scenarios: scenariosWith({
      producers: fc.tuple(
        allOddItems('add'),
        allOddItems('addRateLimited'),
        fc.array(
          step(
            fc.record({
              act: fc.constantFrom('add' as const, 'add' as const, 'addRateLimited' as const),
              item: oddItems,
            }),
          ),
          { minLength: 4, maxLength: 8 },
        ),
      ),
      staff: hands(1, 2),
    }),
    runs: 4,
  },
  {
    name: 'a shutdown during work',
    scenarios: scenariosWith({
      producers: fc.tuple(
        fc
          .tuple(atOnce('add', items, 4, 8), atOnce('add', items, 2, 4))
          .map(([first, [again, ...rest]]) => [
            ...first.map((one, i) => ({ ...one, afterMs: i === 0 ? 5 : 0 })),
            { ...(again as Step), afterMs: 5 },
            ...rest,
            { afterMs: 20, act: 'len' } as const,
            { afterMs: 20, act: 'len' } as const,
          ]),
      ),
      staff: busy(1, 2),
      ending: fc.record({
        how: fc.constant('shutDown' as const),
        atMs: fc.integer({ min: 8, max: 40 }),
        followedBy: once('shutDown'),
      }),
    }),
    runs: 10,
  },
  {
    name: 'a sudden shutdown',
    scenarios: scenariosWith({
      limits,
      producers: producers(producer(anything, atOnce('add'), putOff, farAway), 3),
      staff: hands(1, 3),
      ending: fc.record({ how: fc.constant('shutDown' as const), atMs: sudden }),
    }),
    runs: 15,
  },
];

/** The workloads of the core: each one is a kind of situation, with a fixed number of runs. */
export const workloads: readonly Workload<WorkQueueScenario>[] = [...queueWorkloads, ...poolWorkloads];

/** ★ The workloads with a drain. */
export const drainWorkloads: readonly Workload<WorkQueueScenario>[] = [
  {
    name: 'a drain',
    scenarios: scenariosWith({
      producers: producers(producer(anything, atOnce('add'), farAway), 3),
      staff: hands(1, 3),
      ending: fc.oneof(
        { withCrossShrink: true },
        { weight: 1, arbitrary: fc.constant({ how: 'drain' as const }) },
        { weight: 4, arbitrary: fc.record({ how: fc.constant('drain' as const), atMs: sudden }) },
      ),
    }),
    runs: 37,
  },
  {
    name: 'a drain that a shutdown ends',
    scenarios: scenariosWith({
      producers: producers(producer(anything, atOnce('add')), 3),
      staff: hands(1, 3, shifts(fc.constant('nothing' as const))),
      ending: fc.record({
        how: fc.constant('drain' as const),
        atMs: sudden,
        followedBy: once('shutDown'),
      }),
    }),
    runs: 20,
  },
  {
    name: 'several drains',
    scenarios: scenariosWith({
      producers: producers(producer(anything, atOnce('add')), 3),
      staff: hands(1, 3, shifts(fc.constant('nothing' as const))),
      ending: fc.record({
        how: fc.constantFrom('drain' as const, 'shutDown' as const),
        atMs: sudden,
        followedBy: fc
          .tuple(once('drain'), fc.oneof(once('shutDown'), fc.constant([])))
          .map((some) => some.flat()),
      }),
    }),
    runs: 20,
  },
  {
    name: 'several drains during work',
    scenarios: scenariosWith({
      producers: fc
        .tuple(atOnce('add', items, 2, 4), fc.constantFrom(0, 1, 2), fc.boolean())
        .map(([some, afterMs, twice]) => {
          const begun = some.map((one, i) => ({ ...one, afterMs: i === 0 ? 5 : 0 }));
          // The second round comes before the drain, while its items are in hand.
          const again = some.map((one, i) => ({ ...one, afterMs: i === 0 ? afterMs : 0 }));
          return [[...begun, ...(twice ? again : [])]];
        }),
      staff: busy(1, 2),
      ending: fc.record({
        how: fc.constant('drain' as const),
        atMs: fc.integer({ min: 8, max: 20 }),
        followedBy: fc
          .tuple(fc.nat({ max: 4 }), fc.option(fc.nat({ max: 4 }), { nil: undefined }))
          .map(([afterMs, thenMs]) => [
            { how: 'drain' as const, afterMs },
            ...(thenMs === undefined ? [] : [{ how: 'shutDown' as const, afterMs: thenMs }]),
          ]),
      }),
    }),
    runs: 16,
  },
  ...poolDrainWorkloads,
];
