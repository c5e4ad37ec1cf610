import fc from 'fast-check';
import type { Workload } from '../../../../testing/holds.ts';
import type { Disturbance, ObjectScenario, VersionPlan } from '../scenario/index.ts';
import { behind } from './behind.ts';
import {
  client,
  clients,
  comingBack,
  create,
  crowd,
  disturbances,
  elsewhere,
  everything,
  flips,
  followers,
  get,
  lateWatch,
  list,
  otherwiseReached,
  pageReaders,
  pageWriters,
  remove,
  rivals,
  rushing,
  sameFlips,
  scenariosWith,
  update,
  watches,
  within,
  writers,
} from './parts.ts';

/** The classes of scenarios of an object store. */
export const objectWorkloads: readonly Workload<ObjectScenario>[] = [
  {
    name: 'anything on the own store',
    scenarios: scenariosWith({
      store: 'own',
      clients: clients(everything),
      watches: watches(0, 1),
      followers: followers(0, 1),
    }),
    runs: 12,
  },
  {
    name: 'anything on a slow store',
    scenarios: scenariosWith({
      store: 'given',
      clients: clients(everything),
      watches: watches(0, 2),
      followers: followers(0, 1),
      disturbances: disturbances(3),
    }),
    runs: 20,
  },
  {
    name: 'writers of the same objects',
    scenarios: scenariosWith({
      store: 'given',
      latencyMs: fc.constantFrom(2, 5),
      clients: rivals,
    }),
    runs: 16,
  },
  {
    name: 'guarded writes of one object',
    scenarios: scenariosWith({ store: 'given', clients: clients(rushing, 4, 5) }),
    runs: 10,
  },
  {
    name: 'the same changes of one object',
    scenarios: scenariosWith({ store: 'given', latencyMs: fc.constant(5), clients: sameFlips }),
    runs: 10,
  },
  {
    name: 'values that come back',
    scenarios: scenariosWith({ store: 'given', latencyMs: fc.constant(10), clients: comingBack }),
    runs: 10,
  },
  {
    name: 'a crowd at one object',
    scenarios: scenariosWith({ store: 'given', latencyMs: fc.constantFrom(0, 0, 2), clients: crowd }),
    runs: 5,
  },
  {
    name: 'lists in pages',
    scenarios: scenariosWith({
      store: 'given',
      clients: fc.tuple(pageWriters, pageReaders, pageReaders),
      disturbances: disturbances(1),
    }),
    runs: 12,
  },
  {
    name: 'reads of a revision',
    scenarios: scenariosWith({
      store: 'given',
      clients: fc.tuple(
        writers,
        client([
          [3, get],
          [3, list()],
          [1, elsewhere],
        ]),
        client([
          [3, get],
          [3, list()],
        ]),
      ),
      disturbances: disturbances(1),
    }),
    runs: 16,
  },
  {
    name: 'a revision of another resource',
    scenarios: scenariosWith({ store: 'given', clients: otherwiseReached }),
    runs: 12,
  },
  {
    name: 'a cache that is late',
    scenarios: scenariosWith({
      store: 'given',
      clients: fc.tuple(
        client([[1, create()]], 2, 4, fc.nat({ max: 4 })),
        client([[1, list(fc.constantFrom<VersionPlan>('newest', 'newest', 'any', { fromSeen: 0 }))]], 2, 3),
      ),
      disturbances: within.map((atMs): Disturbance[] => [{ atMs: atMs % 5, what: 'hold', forMs: 8_000 }]),
    }),
    runs: 10,
  },
  {
    name: 'watches after a gap',
    scenarios: scenariosWith({
      store: 'given',
      clients: fc.tuple(
        client(
          [
            [2, create()],
            [1, remove()],
            [3, update(['increment'])],
          ],
          8,
          12,
          fc.constantFrom(5, 10, 20),
        ),
      ),
      watches: fc.array(lateWatch, { minLength: 2, maxLength: 4 }),
      disturbances: fc.integer({ min: 10, max: 60 }).map((atMs): Disturbance[] => [{ atMs, what: 'cut' }]),
    }),
    runs: 5,
  },
  {
    name: 'watches',
    scenarios: scenariosWith({
      store: 'given',
      latencyMs: fc.constantFrom(2, 10, 10),
      clients: clients(flips, 1, 2),
      watches: watches(3, 5),
      disturbances: disturbances(1),
    }),
    runs: 80,
  },
  {
    name: 'followers',
    scenarios: scenariosWith({
      store: 'given',
      clients: clients(writers),
      watches: watches(1, 2),
      followers: followers(1, 3),
      disturbances: disturbances(2),
    }),
    runs: 18,
  },
  ...behind,
];
