import fc from 'fast-check';
import type { Workload } from '../../../../testing/holds.ts';
import type { Disturbance, ObjectScenario, Selection, WatchPlan } from '../scenario/index.ts';
import { client, clients, create, flips, followers, remove, scenariosWith, update } from './parts.ts';

/** A watch that begins now, without the state, while its cache is behind. */
const fromNow: fc.Arbitrary<WatchPlan> = fc
  .tuple(
    fc.integer({ min: 5, max: 80 }),
    fc.nat({ max: 1 }),
    fc.constantFrom<Selection>({}, { onlyApp: true }),
    fc.constantFrom<WatchPlan['version']>('newest', 'newest', 'any'),
  )
  .map(([startsAtMs, server, selection, version]) => ({
    startsAtMs,
    server,
    selection,
    version,
    sendInitialEvents: false,
  }));

/** The messages of watches wait, and a compaction forgets the states before their changes. */
const forgotten: fc.Arbitrary<Disturbance[]> = fc
  .tuple(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 10, max: 60 }), fc.nat({ max: 1 }))
  .map(([atMs, later, back]) => [
    { atMs, what: 'hold', forMs: 100 },
    { atMs: atMs + later, what: 'compact', back },
  ]);

/** Classes of scenarios with a cache that is behind its store. */
export const behind: readonly Workload<ObjectScenario>[] = [
  {
    name: 'watches from now on',
    scenarios: scenariosWith({
      store: 'given',
      clients: clients(
        client(
          [
            [3, create()],
            [3, update(['increment', 'app: a'])],
            [1, remove()],
          ],
          8,
          12,
          fc.integer({ min: 0, max: 8 }),
        ),
      ),
      watches: fc.array(fromNow, { minLength: 4, maxLength: 6 }),
    }),
    runs: 20,
  },
  {
    name: 'changes whose past is compacted',
    scenarios: scenariosWith({
      store: 'given',
      clients: clients(flips, 2, 2),
      followers: followers(2, 3),
      disturbances: forgotten,
    }),
    runs: 30,
  },
];
