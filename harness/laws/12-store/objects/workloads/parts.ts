import fc from 'fast-check';
import type { ObjectPlace } from '../../../../contracts/store/index.ts';
import { shortened } from '../../../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../../../testing/arbitraries/time.ts';
import { inWords } from '../../../../testing/telling.ts';
import { plain } from '../../workloads/operations.ts';
import { describeObjects } from '../render/scenario.ts';
import type {
  ChangePlan,
  Disturbance,
  FollowerPlan,
  ObjectScenario,
  PreconditionPlan,
  Selection,
  Step,
  StepPlan,
  VersionPlan,
  WatchPlan,
} from '../scenario/index.ts';
import { ELSEWHERE, PLACES } from './places.ts';

const places = fc.constantFrom(...PLACES);
const fewPlaces = fc.constantFrom(...PLACES.slice(0, 2));
const onePlace = fc.constantFrom(...PLACES.slice(0, 1));

const selections: fc.Arbitrary<Selection> = fc.constantFrom<Selection>(
  {},
  {},
  { namespace: 'a' },
  { onlyApp: true },
  { onlyApp: true },
  { namespace: 'a', onlyApp: true },
  { namespace: 'a-b' },
  { namespace: 'none' },
);

const versions: fc.Arbitrary<VersionPlan> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('newest' as const) },
  { weight: 3, arbitrary: fc.constant('any' as const) },
  { weight: 5, arbitrary: fc.integer({ min: -6, max: 0 }).map((fromSeen) => ({ fromSeen })) },
  { weight: 1, arbitrary: fc.constantFrom(1, 2, 500).map((fromSeen) => ({ fromSeen })) },
);

const apps = fc.constantFrom('a' as const, 'b' as const);
const pauses = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 2, arbitrary: fc.integer({ min: 6, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(500, 3_000) },
);

const preconditions: fc.Arbitrary<PreconditionPlan> = fc.constantFrom<PreconditionPlan>(
  { uid: 'seen' },
  { uid: 'wrong' },
  { resourceVersion: 'seen' },
  { resourceVersion: 'seen' },
  { resourceVersion: 'wrong' },
  { resourceVersion: 'future' },
  { uid: 'seen', resourceVersion: 'seen' },
);

export const create = (place = places): fc.Arbitrary<StepPlan> =>
  fc.tuple(place, apps).map(([of, app]) => ({ call: 'create', place: of, app }));

export const get: fc.Arbitrary<StepPlan> = fc
  .tuple(places, versions)
  .map(([place, version]) => ({ call: 'get', place, version }));

export const update = (changes: readonly ChangePlan[], place = places): fc.Arbitrary<StepPlan> =>
  fc.tuple(place, fc.constantFrom(...changes)).map(([of, change]) => ({ call: 'update', place: of, change }));

export const remove = (place = places): fc.Arbitrary<StepPlan> =>
  place.map((of) => ({ call: 'delete', place: of }));

const guardedUpdate = (changes: readonly ChangePlan[], place = places): fc.Arbitrary<StepPlan> =>
  fc
    .tuple(place, fc.constantFrom(...changes), preconditions)
    .map(([of, change, own]) => ({ call: 'update', place: of, change, preconditions: own }));

const guarded = (place = places): fc.Arbitrary<StepPlan> =>
  fc.oneof<fc.Arbitrary<StepPlan>[]>(
    guardedUpdate(['increment', 'increment', 'increment an old copy', 'app: a', 'nothing'], place),
    fc.tuple(place, preconditions).map(([of, own]) => ({ call: 'delete', place: of, preconditions: own })),
  );

export const list = (
  version = versions,
  limit: fc.Arbitrary<number | undefined> = fc.constantFrom(undefined, undefined, 1, 2, 3),
): fc.Arbitrary<StepPlan> =>
  fc
    .tuple(
      selections,
      version,
      fc.constantFrom(undefined, undefined, 'Exact' as const, 'NotOlderThan' as const),
      limit,
      fc.constantFrom(0, 3, 20),
    )
    .map(([selection, of, match, most, pauseMs]) => ({
      call: 'list',
      selection,
      version: of,
      ...(match && { match }),
      ...(most !== undefined && { limit: most }),
      pauseMs,
    }));

export const elsewhere: fc.Arbitrary<StepPlan> = fc
  .constantFrom(...ELSEWHERE)
  .map((key) => ({ call: 'elsewhere', key }));

type Weighted = readonly [weight: number, step: fc.Arbitrary<StepPlan>];

export const client = (
  steps: readonly Weighted[],
  min = 2,
  max = 8,
  pause = pauses,
): fc.Arbitrary<readonly Step[]> =>
  shortened(
    fc.array(
      fc
        .tuple(
          pause,
          fc.oneof({ withCrossShrink: true }, ...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
        )
        .map(([afterMs, step]): Step => ({ afterMs, ...step })),
      { minLength: min, maxLength: max },
    ),
  );

export const clients = (one: fc.Arbitrary<readonly Step[]>, min = 2, max = 3) =>
  fc.array(one, { minLength: min, maxLength: max });

export const watches = (min: number, max: number): fc.Arbitrary<WatchPlan[]> =>
  fc.array(
    fc
      .tuple(
        fc.oneof(
          { weight: 3, arbitrary: fc.integer({ min: 0, max: 120 }) },
          { weight: 2, arbitrary: fc.constantFrom(1_250, 2_500) },
        ),
        fc.nat({ max: 1 }),
        selections,
        versions,
        fc.constantFrom(undefined, undefined, undefined, true, false),
        fc.constantFrom(undefined, true),
      )
      .map(([startsAtMs, server, selection, version, sendInitialEvents, allowWatchBookmarks]) => ({
        startsAtMs,
        server,
        selection,
        version,
        ...(sendInitialEvents !== undefined && { sendInitialEvents }),
        ...(allowWatchBookmarks !== undefined && { allowWatchBookmarks }),
      })),
    { minLength: min, maxLength: max },
  );

/** A watch from a past version, after a cache has listed again. */
export const lateWatch: fc.Arbitrary<WatchPlan> = fc
  .tuple(fc.constantFrom<Selection>({}, { namespace: 'a' }), fc.integer({ min: -6, max: 0 }))
  .map(([selection, fromSeen]) => ({ startsAtMs: 1_500, server: 0, selection, version: { fromSeen } }));

export const followers = (min: number, max: number): fc.Arbitrary<FollowerPlan[]> =>
  fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 80 }), fc.nat({ max: 1 }), selections)
      .map(([startsAtMs, server, selection]) => ({ startsAtMs, server, selection })),
    { minLength: min, maxLength: max },
  );

export const within = fc.integer({ min: 0, max: 120 });

export const disturbances = (max: number): fc.Arbitrary<Disturbance[]> =>
  fc.array(
    fc.oneof(
      fc
        .tuple(within, fc.constantFrom(30, 200, 8_000))
        .map(([atMs, forMs]): Disturbance => ({ atMs, what: 'hold', forMs })),
      within.map((atMs): Disturbance => ({ atMs, what: 'cut' })),
      fc
        .tuple(within, fc.nat({ max: 4 }))
        .map(([atMs, back]): Disturbance => ({ atMs, what: 'compact', back })),
    ),
    { maxLength: max },
  );

export function scenariosWith(parts: {
  readonly store: ObjectScenario['store'];
  readonly clients: fc.Arbitrary<(readonly Step[])[]>;
  readonly watches?: fc.Arbitrary<WatchPlan[]>;
  readonly followers?: fc.Arbitrary<FollowerPlan[]>;
  readonly disturbances?: fc.Arbitrary<Disturbance[]>;
  readonly latencyMs?: fc.Arbitrary<number>;
}): fc.Arbitrary<ObjectScenario> {
  const isOwn = parts.store === 'own';
  const scenarios = fc.record(
    {
      seed: seeds,
      schedule: schedules,
      store: fc.constant(parts.store),
      latencyMs: isOwn ? fc.constant(0) : (parts.latencyMs ?? fc.constantFrom(0, 2, 10)),
      lagMs: isOwn ? fc.constant(0) : fc.constantFrom(0, 5, 60),
      isWarm: fc.constantFrom(true, true, true, false),
      servers: fc.constantFrom(1, 2),
      clients: parts.clients,
      watches: parts.watches ?? fc.constant([]),
      followers: parts.followers ?? fc.constant([]),
      disturbances: parts.disturbances ?? fc.constant([]),
    },
    plain,
  );
  return inWords(scenarios, describeObjects);
}

export const everything = client([
  [4, create()],
  [2, get],
  [4, update(['increment', 'app: a', 'app: b', 'nothing', 'only even'])],
  [2, remove()],
  [1, guarded()],
  [4, list()],
  [1, elsewhere],
]);

export const writers = client(
  [
    [3, create()],
    [4, update(['increment', 'app: a', 'app: b', 'app: a'])],
    [2, remove()],
  ],
  4,
  10,
);

/** Writers of one object, mostly: their reads and writes interleave. */
const hotPlaces = fc.constantFrom(...PLACES.slice(0, 1), ...PLACES.slice(0, 2));
export const rivals: fc.Arbitrary<(readonly Step[])[]> = clients(
  client(
    [
      [1, create(hotPlaces)],
      [5, update(['increment', 'increment', 'only even', 'nothing', 'app: a'], hotPlaces)],
      [1, remove(hotPlaces)],
      [5, guarded(hotPlaces)],
    ],
    5,
    9,
    fc.nat({ max: 4 }),
  ),
  3,
  4,
).map((some) =>
  some.map((steps) => [{ afterMs: 0, call: 'create', place: PLACES[0] as ObjectPlace, app: 'b' }, ...steps]),
);

/** Puts objects into a selection, and takes them out. */
export const flips: fc.Arbitrary<readonly Step[]> = client(
  [
    [2, create(fewPlaces)],
    [5, update(['app: a', 'app: b'], fewPlaces)],
    [2, update(['increment'], fewPlaces)],
    [1, remove(fewPlaces)],
  ],
  6,
  12,
);

/** Creates some objects, and changes them. */
export const pageWriters: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.shuffledSubarray([...PLACES], { minLength: 4 }),
    client(
      [
        [3, update(['increment', 'app: b'])],
        [2, remove()],
        [1, create()],
      ],
      4,
      8,
    ),
  )
  .map(([some, rest]) => [
    ...some.map((place): Step => ({ afterMs: 0, call: 'create', place, app: 'a' })),
    ...rest.map((step) => ({ ...step, afterMs: 10 + (step.afterMs % 20) })),
  ]);

/** Lists in pages while the objects change. */
export const pageReaders: fc.Arbitrary<readonly Step[]> = client(
  [
    [
      1,
      list(
        fc.constantFrom<VersionPlan>('newest', 'newest', { fromSeen: 0 }, { fromSeen: -2 }, 'any'),
        fc.constantFrom(1, 2),
      ),
    ],
  ],
  1,
  3,
).map((steps) => steps.map((step, i) => (i === 0 ? { ...step, afterMs: 60 } : step)));

/** Reads a revision that only a write of another resource reaches. */
export const otherwiseReached: fc.Arbitrary<(readonly Step[])[]> = fc
  .tuple(
    create(),
    fc.oneof(
      fc.constant<StepPlan>({ call: 'get', place: PLACES[0] as ObjectPlace, version: { fromSeen: 1 } }),
      fc.constant<StepPlan>({ call: 'list', selection: {}, version: { fromSeen: 1 }, pauseMs: 0 }),
    ),
    fc.constantFrom(250, 1_000, 4_000),
    elsewhere,
  )
  .map(([first, read, afterMs, other]) => [
    [
      { afterMs: 0, ...first },
      { afterMs: 100, ...read },
    ],
    [{ afterMs: 150 + afterMs, ...other }],
  ]);

/** A client that writes one object without a rest, so that others come in between. */
export const rushing = client(
  [
    [2, create(onePlace)],
    [3, update(['increment'], onePlace)],
    [1, remove(onePlace)],
    [4, guarded(onePlace)],
  ],
  5,
  9,
  fc.integer({ min: 0, max: 3 }),
);

const shared = PLACES[0] as ObjectPlace;

/** Begins with the create of an object that all clients have. */
const afterCreate = (others: fc.Arbitrary<(readonly Step[])[]>): fc.Arbitrary<(readonly Step[])[]> =>
  others.map((some) =>
    some.map((steps, i) => [
      ...(i === 0 ? [{ afterMs: 0, call: 'create', place: shared, app: 'b' } as const] : []),
      ...steps,
    ]),
  );

/** Clients that flip one object to and fro at the same time: a state comes back, or is there already. */
export const sameFlips: fc.Arbitrary<(readonly Step[])[]> = afterCreate(
  clients(
    client(
      [
        [3, update(['app: a', 'app: b'], onePlace)],
        [2, guardedUpdate(['app: a', 'app: b', 'nothing'], onePlace)],
      ],
      4,
      8,
      fc.nat({ max: 2 }),
    ),
    4,
    5,
  ),
);

/** So many clients that the last one succeeds only after many attempts. */
export const crowd: fc.Arbitrary<(readonly Step[])[]> = afterCreate(
  fc
    .integer({ min: 26, max: 30 })
    .map((size) =>
      Array.from({ length: size }, (): Step[] => [
        { afterMs: 30, call: 'update', place: shared, change: 'increment' },
      ]),
    ),
);
