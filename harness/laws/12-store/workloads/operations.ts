import fc from 'fast-check';
import type { KeyRange } from '../../../contracts/store/index.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import type {
  CallPlan,
  ConditionPlan,
  CrashPlan,
  LeasePlan,
  OperationPlan,
  Relative,
  Step,
  StoreScenario,
  WatcherPlan,
} from '../scenario/index.ts';

/** Keys that careless code confuses: one is the beginning of another, and `-` comes before `/`. */
const KEYS = ['a', 'a-b', 'a/b', 'a/b/c', 'b', 'ab'] as const;
/** Ranges of these keys: all, those below a folder, a single key, the keys between two, and an empty range. */
const RANGES: readonly KeyRange[] = [
  { key: '!', end: '~' },
  { key: 'a/', end: 'a0' },
  { key: 'a' },
  { key: 'a', end: 'b' },
  { key: 'a/b', end: 'a/c' },
  { key: 'b', end: 'a' },
  { key: 'b' },
];
/** Values that a careless log confuses with its own text. */
const ODD_VALUES = ['', '\n', '{"k":"v"}\n', 'é\n"\\', '😀', ' 7 ', '\0'];

/** Key order in objects is of no meaning. */
export const plain = { noNullPrototype: true } as const;

export const keys = fc.constantFrom(...KEYS);
export const fewKeys = fc.constantFrom('a', 'b');
export const ranges = fc.constantFrom(...RANGES);

/** Generates values, most of them different from each other. */
export const values: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 999 }).map((n) => `v${n}`) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_VALUES) },
  { weight: 1, arbitrary: fc.constant('same') },
);

/** Generates pauses within a few calls of the disk; sometimes longer. */
export const pauses: fc.Arbitrary<number> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 4, max: 20 }) },
);

const back = (min: number, max = 0): fc.Arbitrary<Relative> =>
  fc.integer({ min, max }).map((fromNewest) => ({ fromNewest }));

export const past = fc.oneof(
  { weight: 6, arbitrary: back(-6, -1) },
  { weight: 2, arbitrary: back(0, 0) },
  { weight: 1, arbitrary: back(1, 2) },
  { weight: 1, arbitrary: back(-40, -7) },
);

export const putOf = (
  key: fc.Arbitrary<string>,
  lease?: fc.Arbitrary<LeasePlan>,
): fc.Arbitrary<Extract<OperationPlan, { put: string }>> =>
  fc
    .tuple(key, values, lease ?? fc.constant(undefined))
    .map(([put, value, one]) => ({ put, value, ...(one !== undefined && { lease: one }) }));

const deleteOf = (range: fc.Arbitrary<KeyRange>): fc.Arbitrary<OperationPlan> =>
  range.map((one) => ({ delete: one }));

const limits = fc.constantFrom(undefined, undefined, 1, 2, 3, 100);

const readOf = (range: fc.Arbitrary<KeyRange>, revision: fc.Arbitrary<Relative | undefined>) =>
  fc.tuple(range, revision, limits).map(([one, at, limit]) => ({
    range: one,
    ...(at && { revision: at }),
    ...(limit !== undefined && { limit }),
  }));

const mostlyNow = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: past });

/** Revisions that a store refuses: of the future, or compacted by then. */
const refused = fc.oneof(back(1, 3), back(-8, -4));

const single = keys.map((key): KeyRange => ({ key }));

/** Generates conditions of each target and comparison, around the present state. */
export const conditions = (key: fc.Arbitrary<string>): fc.Arbitrary<ConditionPlan> =>
  fc
    .tuple(
      key,
      fc.constantFrom('=' as const, '=' as const, '!=' as const, '<' as const, '>' as const),
      fc.oneof(
        fc.record(
          {
            target: fc.constantFrom('createRevision' as const, 'modRevision' as const, 'version' as const),
            to: fc.oneof(
              { weight: 4, arbitrary: fc.constantFrom(0, 0, 0, 1, -1).map((seen) => ({ seen })) },
              { weight: 1, arbitrary: fc.constantFrom(0, 1, 2) },
            ),
          },
          plain,
        ),
        fc.record(
          {
            target: fc.constant('value' as const),
            to: fc.oneof(fc.constant({ seen: true as const }), values),
          },
          plain,
        ),
      ),
    )
    .map(([of, is, rest]): ConditionPlan => ({ key: of, is, ...rest }));

/** Generates a list of operations. Some have a duplicate key. */
const operations = (max: number): fc.Arbitrary<OperationPlan[]> =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: putOf(keys) },
      { weight: 2, arbitrary: deleteOf(fc.oneof(single, ranges)) },
      { weight: 2, arbitrary: readOf(ranges, mostlyNow) },
      { weight: 1, arbitrary: readOf(ranges, refused) },
    ),
    { maxLength: max },
  );

/** Puts without a condition. */
export const put = (key: fc.Arbitrary<string> = keys): fc.Arbitrary<CallPlan> =>
  putOf(key).map((one) => ({ call: 'transact', then: [one] }));

/** Deletes of a key or a range. */
export const remove: fc.Arbitrary<CallPlan> = deleteOf(
  fc.oneof({ weight: 2, arbitrary: single }, { weight: 1, arbitrary: ranges }),
).map((one) => ({ call: 'transact', then: [one] }));

/** Writes of the apiserver: only if the key is as it was seen; otherwise it reads the key. */
export const swap = (key: fc.Arbitrary<string> = keys): fc.Arbitrary<CallPlan> =>
  fc.tuple(putOf(key), fc.constantFrom(0, 0, 0, -1), fc.boolean()).map(([one, seen, deletes]) => ({
    call: 'transact',
    compare: [{ key: one.put, target: 'modRevision', is: '=', to: { seen } }],
    then: [deletes ? { delete: { key: one.put } } : one],
    otherwise: [{ range: { key: one.put } }],
  }));

/** Transactions with several operations. */
export const transaction: fc.Arbitrary<CallPlan> = fc
  .tuple(fc.array(conditions(keys), { maxLength: 2 }), operations(4), operations(3))
  .map(([compare, then, otherwise]) => ({ call: 'transact', compare, then, otherwise }));

/** Puts of several keys at once, all with one value. */
export const together: fc.Arbitrary<CallPlan> = fc
  .tuple(fc.uniqueArray(keys, { minLength: 2, maxLength: 4 }), values)
  .map(([some, value]) => ({ call: 'transact', then: some.map((key) => ({ put: key, value })) }));

export const read = (revision: fc.Arbitrary<Relative | undefined> = mostlyNow): fc.Arbitrary<CallPlan> =>
  readOf(ranges, revision).map((one) => ({ call: 'range', ...one }));

export const compact: fc.Arbitrary<CallPlan> = fc
  .oneof({ weight: 5, arbitrary: back(-5, 0) }, { weight: 3, arbitrary: back(1, 3) })
  .map((revision) => ({ call: 'compact', revision }));

const leases = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 2 }) as fc.Arbitrary<LeasePlan> },
  { weight: 1, arbitrary: fc.constant('unknown' as const) },
);

const grant = fc.constantFrom(1, 2, 4).map((seconds): CallPlan => ({ call: 'grantLease', seconds }));

const leasedPut = putOf(fewKeys, leases).map((one): CallPlan => ({ call: 'transact', then: [one] }));

/** Puts of several keys, all with one lease. */
const leasedTogether: fc.Arbitrary<CallPlan> = fc
  .tuple(fc.uniqueArray(keys, { minLength: 2, maxLength: 3 }), fc.nat({ max: 2 }))
  .map(([some, lease]) => ({
    call: 'transact',
    then: some.map((key) => ({ put: key, value: 'leased', lease })),
  }));

/** Deletes of ranges with several keys. */
const removeSome: fc.Arbitrary<CallPlan> = deleteOf(
  fc.constantFrom(...RANGES.filter(({ end = '' }) => end > 'a0')),
).map((one) => ({ call: 'transact', then: [one] }));

/** Generates a client that grants a lease, uses it, and perhaps revokes it. */
export const leaseholder: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(grant, { minLength: 1, maxLength: 2 }),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: leasedPut },
        { weight: 2, arbitrary: leasedTogether },
        { weight: 3, arbitrary: put(fewKeys) },
        { weight: 1, arbitrary: remove },
        { weight: 1, arbitrary: removeSome },
      ),
      { minLength: 2, maxLength: 5 },
    ),
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: leases.map((lease): CallPlan => ({ call: 'revokeLease', lease })) },
        { weight: 1, arbitrary: grant },
        { weight: 1, arbitrary: leasedPut },
        { weight: 1, arbitrary: read(fc.constant(undefined)) },
      ),
      { maxLength: 4 },
    ),
    fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(0, 400, 1_500)), {
      minLength: 11,
      maxLength: 11,
    }),
  )
  .map(([grants, uses, ends, waits]) =>
    [...grants, ...uses, ...ends].map((call, i): Step => ({ afterMs: waits[i] ?? 0, ...call })),
  );

/** Generates a client that makes some of these calls, with pauses. */
export const client = (
  calls: readonly (readonly [weight: number, call: fc.Arbitrary<CallPlan>])[],
  { min = 1, max = 7, pause = pauses }: { min?: number; max?: number; pause?: fc.Arbitrary<number> } = {},
): fc.Arbitrary<Step[]> =>
  fc.array(
    fc
      .tuple(
        pause,
        fc.oneof({ withCrossShrink: true }, ...calls.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
      )
      .map(([afterMs, call]): Step => ({ afterMs, ...call })),
    { minLength: min, maxLength: max },
  );

export const clients = (one: fc.Arbitrary<Step[]>, min = 2, max = 4): fc.Arbitrary<Step[][]> =>
  fc.array(one, { minLength: min, maxLength: max });

/** Generates a watcher. */
export const watcher = (
  from: fc.Arbitrary<Relative | undefined> = fc.oneof(fc.constant(undefined), past),
  withinMs = 60,
): fc.Arbitrary<WatcherPlan> =>
  fc
    .tuple(
      fc.integer({ min: 0, max: withinMs }),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(RANGES[0] as KeyRange) },
        { weight: 3, arbitrary: ranges },
      ),
      from,
      fc.constantFrom(0, 0, 1, 5, 15),
      fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })), { maxLength: 3 }),
      fc.constantFrom(undefined, undefined, undefined, 30),
    )
    .map(([startsAtMs, range, first, takesMs, asksAtMs, stopsAtMs]) => ({
      startsAtMs,
      // No store accepts an empty range of a watch.
      range: range.end !== undefined && range.end <= range.key ? { key: 'b' } : range,
      ...(first && { from: first }),
      takesMs,
      asksAtMs,
      ...(stopsAtMs !== undefined && { stopsAtMs }),
    }));

export const watchers = (min = 0, max = 2, one = watcher()): fc.Arbitrary<WatcherPlan[]> =>
  fc.array(one, { minLength: min, maxLength: max });

/** Generates crashes: at a call of the log, or at a time. */
export const crash: fc.Arbitrary<CrashPlan> = fc.record(
  {
    at: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record(
          {
            call: fc.integer({ min: 0, max: 16 }),
            moment: fc.constantFrom('before' as const, 'after' as const),
          },
          plain,
        ),
      },
      {
        weight: 2,
        arbitrary: fc.record(
          { ms: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(500, 1_200)) },
          plain,
        ),
      },
    ),
    keeps: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constant(100) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 99 }) },
    ),
    torn: fc.oneof(
      { weight: 5, arbitrary: fc.constant('one character' as const) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          'nothing' as const,
          'zeros' as const,
          'noise' as const,
          'older text' as const,
        ),
      },
    ),
    restartAfterMs: fc.constantFrom(1, 5, 30),
  },
  plain,
);

const disks = fc.record(
  {
    readMs: fc.constantFrom(0, 3),
    appendMs: fc.constantFrom(0, 1, 4),
    syncMs: fc.constantFrom(0, 2, 6),
  },
  plain,
);

/** Generates scenarios with these parts, and with the parts that all workloads share. */
export function scenariosWith(parts: {
  readonly clients: fc.Arbitrary<Step[][]>;
  readonly watchers?: fc.Arbitrary<WatcherPlan[]>;
  readonly crashes?: fc.Arbitrary<CrashPlan[]>;
  readonly disk?: fc.Arbitrary<StoreScenario['disk']>;
}): fc.Arbitrary<StoreScenario> {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    disk: parts.disk ?? disks,
    clients: parts.clients,
    watchers: parts.watchers ?? fc.constant([]),
    crashes: parts.crashes ?? fc.constant([]),
  });
  return inWords(scenarios, describeScenario);
}
