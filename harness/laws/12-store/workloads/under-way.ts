import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type {
  CallPlan,
  CrashPlan,
  OperationPlan,
  Step,
  StoreScenario,
  WatcherPlan,
} from '../scenario/index.ts';
import { client, compact, past, put, putOf, ranges, read, scenariosWith, watcher } from './operations.ts';

const now = fc.constant(undefined);
/** An append takes its time: other calls arrive while a write is on its way. */
const slow = fc.constantFrom({ readMs: 0, appendMs: 8, syncMs: 3 }, { readMs: 0, appendMs: 8, syncMs: 0 });

/** The number of calls of the log before the first append: a read and a truncation. */
const OPENED = 2;

/** Generates crashes that take the text of the `flush`-th flush, after its append and before its sync. */
const beforeSync = (flush: number, rest: Partial<CrashPlan> = {}): CrashPlan => ({
  at: { call: OPENED + 2 * flush + 1, moment: 'before' },
  keeps: 0,
  torn: 'nothing',
  restartAfterMs: 1,
  ...rest,
});

/** A condition that no scenario fulfils. */
const never = { key: 'a', target: 'version', is: '=', to: 4_711 } as const;

/** Generates calls that write nothing, so that a careless store does not wait for the disk. */
const idle: fc.Arbitrary<CallPlan> = fc.oneof(
  read(now),
  ranges.map((range): CallPlan => ({ call: 'transact', then: [{ range }] })),
  ranges.map(
    (range): CallPlan => ({
      call: 'transact',
      compare: [never],
      then: [{ put: 'a', value: 'never' }],
      otherwise: [{ range }],
    }),
  ),
);

const often = fc.nat({ max: 2 });

/** Writes under way that a crash takes, while other clients read, compare and watch. */
const dirty = (write: fc.Arbitrary<CallPlan>, reads: fc.Arbitrary<CallPlan>, before: number) =>
  fc
    .tuple(
      fc.array(putOf(fc.constantFrom('a', 'a/b', 'b')), { minLength: before, maxLength: before }),
      write,
      fc.array(client([[1, reads]], { min: 12, max: 16, pause: often }), { minLength: 2, maxLength: 3 }),
    )
    .map(([puts, last, readers]): Step[][] => [
      [...puts.map((one): Step => ({ afterMs: 0, call: 'transact', then: [one] })), { afterMs: 5, ...last }],
      ...readers,
    ]);

const compacting = fc.constantFrom<CallPlan>(
  { call: 'compact', revision: { fromNewest: 0 } },
  { call: 'compact', revision: { fromNewest: -1 } },
);

/** Watchers of the past that ask for progress at once; many, so that some begin during a compaction. */
const eager: fc.Arbitrary<WatcherPlan[]> = fc.array(
  watcher(fc.constantFrom({ fromNewest: -3 }, { fromNewest: -2 }), 50).map((plan) => ({
    ...plan,
    range: { key: '!', end: '~' },
    asksAtMs: [0, 1, 2],
  })),
  { minLength: 5, maxLength: 7 },
);

/** Two clients write at once during a flush, the second only after the first. */
const dependent: fc.Arbitrary<Step[][]> = fc
  .tuple(fc.nat({ max: 999_999 }), fc.nat({ max: 999 }))
  .map(([x, y]) => [
    [{ afterMs: 3, call: 'transact', then: [{ put: 'b', value: `z${y}` }] }],
    [{ afterMs: 4, call: 'transact', then: [{ put: 'a', value: `x${x}` }] }],
    [
      {
        afterMs: 4,
        call: 'transact',
        compare: [{ key: 'a', target: 'value', is: '=', to: `x${x}` }],
        then: [{ put: 'a-b', value: `y${y}` }],
      },
      { afterMs: 0, call: 'range', range: { key: '!', end: '~' } },
    ],
  ]);

/** Values whose length in bytes is another than in characters. */
const wide = fc.constantFrom('é', 'ééééé', '😀😀', 'v1');

/** Operations of one transaction that see each other: puts in any order, two deletes of a range, and reads between. */
const entangled: fc.Arbitrary<OperationPlan[]> = fc
  .tuple(
    fc.shuffledSubarray(['a', 'a-b', 'a/b', 'ab'], { minLength: 2, maxLength: 3 }),
    fc.constantFrom({ key: 'b' }, { key: 'b', end: 'c' }, { key: 'b', end: '~' }),
  )
  .map(([keys, gone]) => [
    ...keys.map((key) => ({ put: key, value: 'entangled' })),
    { range: { key: '!', end: '~' } },
    { delete: gone },
    { delete: gone },
    { range: { key: '!', end: '~' } },
  ]);

const inEitherList = (operations: fc.Arbitrary<OperationPlan[]>): fc.Arbitrary<CallPlan> =>
  fc
    .tuple(operations, fc.boolean())
    .map(([some, isFirst]) =>
      isFirst
        ? { call: 'transact', then: some }
        : { call: 'transact', compare: [never], then: [], otherwise: some },
    );

const unknownLease = putOf(fc.constantFrom('a', 'b'), fc.constant('unknown' as const)).map((one) => [one]);

/** Classes of scenarios in which the state of a store is ahead of its disk, or of its answer. */
export const underWay: readonly Workload<StoreScenario>[] = [
  {
    name: 'reads of a write that a crash takes',
    scenarios: fc.constantFrom(0, 1).chain((before) =>
      scenariosWith({
        clients: dirty(put(), idle, before),
        crashes: fc.constant([beforeSync(before)]),
        disk: slow,
      }),
    ),
    runs: 8,
  },
  {
    name: 'refusals of a compaction that a crash takes',
    scenarios: fc.constantFrom(2, 3).chain((before) =>
      scenariosWith({
        clients: dirty(compacting, fc.oneof(read(past), compact), before),
        watchers: eager,
        crashes: fc.constant([beforeSync(before)]),
        disk: slow,
      }),
    ),
    runs: 30,
  },
  {
    name: 'a crash soon after a crash',
    // A store may open its log with or without a truncation.
    scenarios: fc
      .tuple(
        fc.constantFrom(OPENED - 1, OPENED - 1, OPENED),
        fc.constantFrom(100, 100, 100, 99),
        fc.integer({ min: 4, max: 12 }),
      )
      .chain(([append, keeps, ms]) =>
        scenariosWith({
          clients: fc.tuple(
            client([[1, put()]], { min: 1, max: 1, pause: fc.constant(1) }),
            client([[1, fc.constant<CallPlan>({ call: 'range', range: { key: '!', end: '~' } })]], {
              min: 16,
              max: 20,
              pause: fc.constant(1),
            }),
          ) as fc.Arbitrary<Step[][]>,
          crashes: fc.constant<CrashPlan[]>([
            { at: { call: append + 1, moment: 'before' }, keeps, torn: 'nothing', restartAfterMs: 1 },
            { at: { ms }, keeps: 0, torn: 'nothing', restartAfterMs: 1 },
          ]),
          disk: slow,
        }),
      ),
    runs: 16,
  },
  {
    name: 'a damaged end',
    scenarios: fc
      .constantFrom<Partial<CrashPlan>>(
        { keeps: 99 },
        { torn: 'one character' },
        { keeps: 60, torn: 'noise' },
      )
      .chain((rest) =>
        scenariosWith({
          clients: fc.tuple(wide, wide).map(([first, second]): Step[][] => [
            [
              { afterMs: 1, call: 'transact', then: [{ put: 'a', value: first }] },
              { afterMs: 1, call: 'transact', then: [{ put: 'b', value: second }] },
              { afterMs: 1, call: 'transact', then: [{ put: 'a/b', value: 'later' }] },
            ],
          ]),
          crashes: fc.constant([beforeSync(1, rest)]),
          disk: slow,
        }),
      ),
    runs: 10,
  },
  {
    name: 'writes that depend on a damaged write',
    scenarios: scenariosWith({
      clients: dependent,
      crashes: fc.constant([beforeSync(1, { torn: 'one character' })]),
      disk: fc.constant({ readMs: 0, appendMs: 8, syncMs: 8 }),
    }),
    runs: 14,
  },
  {
    name: 'operations that see each other',
    scenarios: scenariosWith({
      clients: fc.array(
        client(
          [
            [3, inEitherList(entangled)],
            [1, put()],
          ],
          { min: 3, max: 6 },
        ).map((steps) => [{ afterMs: 0, call: 'transact', then: [{ put: 'b', value: 'first' }] }, ...steps]),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    runs: 10,
  },
];

/** Classes of scenarios with leases that do not exist, in either list of a transaction. */
export const unknownLeases: readonly Workload<StoreScenario>[] = [
  {
    name: 'leases that do not exist',
    scenarios: scenariosWith({
      clients: fc.array(
        client(
          [
            [2, inEitherList(unknownLease)],
            [1, put()],
          ],
          { min: 2, max: 4 },
        ),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    runs: 6,
  },
];
