import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { Relative, Step, StoreScenario } from '../scenario/index.ts';
import {
  client,
  clients,
  compact,
  crash,
  fewKeys,
  leaseholder,
  past,
  put,
  read,
  remove,
  scenariosWith,
  swap,
  together,
  transaction,
  watcher,
  watchers,
} from './operations.ts';
import { longWriter, rangesTogether, wide } from './sizes.ts';
import { underWay, unknownLeases } from './under-way.ts';

const now = fc.constant(undefined);

const mixed = client([
  [4, put()],
  [2, remove],
  [3, swap()],
  [3, transaction],
  [1, together],
  [3, read()],
  [1, compact],
]);

/** Some clients write at once, and one compacts before they have an answer. */
const overtaken: fc.Arbitrary<Step[][]> = fc
  .tuple(
    clients(client([[1, put()]], { max: 2, pause: fc.constant(1) }), 3, 4),
    fc.constantFrom(1, 2),
    fc.integer({ min: 2, max: 3 }),
    client([[1, put()]], { max: 2 }),
  )
  .map(([writers, afterMs, fromNewest, later]) => [
    ...writers,
    [{ afterMs, call: 'compact', revision: { fromNewest } }, ...later],
  ]);

const ahead: fc.Arbitrary<Relative | undefined> = fc.constantFrom(
  undefined,
  { fromNewest: 0 },
  { fromNewest: 1 },
);

/** The classes of scenarios of a key-value store. */
export const workloads: readonly Workload<StoreScenario>[] = [
  {
    name: 'anything goes',
    scenarios: scenariosWith({
      clients: clients(mixed),
      watchers: watchers(),
      crashes: fc.array(crash, { maxLength: 2 }),
    }),
    runs: 20,
  },
  {
    name: 'writers of the same keys',
    scenarios: scenariosWith({
      clients: clients(
        client([
          [2, put(fewKeys)],
          [4, swap(fewKeys)],
          [2, read(now)],
        ]),
        3,
        4,
      ),
    }),
    runs: 10,
  },
  {
    name: 'transactions of several keys',
    scenarios: scenariosWith({
      clients: clients(
        client([
          [4, transaction],
          [2, together],
          [2, read(now)],
        ]),
      ),
      watchers: watchers(1, 1),
    }),
    runs: 10,
  },
  {
    name: 'reads of the past, and compactions',
    scenarios: scenariosWith({
      clients: clients(
        client([
          [4, put()],
          [2, remove],
          [4, read(past)],
          [2, compact],
        ]),
        2,
        4,
      ),
      watchers: watchers(1, 2, watcher(past)),
      crashes: fc.array(crash, { maxLength: 1 }),
    }),
    runs: 12,
  },
  {
    name: 'a compaction of writes under way',
    scenarios: scenariosWith({
      clients: overtaken,
      watchers: watchers(2, 3, watcher(ahead, 0)),
      disk: fc.constantFrom({ readMs: 0, appendMs: 4, syncMs: 6 }, { readMs: 0, appendMs: 0, syncMs: 6 }),
    }),
    runs: 14,
  },
  {
    name: 'a long history',
    scenarios: scenariosWith({ clients: clients(longWriter, 1, 1) }),
    runs: 6,
  },
  {
    name: 'wide transactions',
    scenarios: scenariosWith({ clients: clients(wide, 1, 1), watchers: watchers(0, 1) }),
    runs: 5,
  },
  {
    name: 'ranges in transactions',
    scenarios: scenariosWith({ clients: clients(rangesTogether, 1, 2) }),
    runs: 6,
  },
  {
    name: 'watchers',
    scenarios: scenariosWith({
      clients: clients(
        client([
          [4, put()],
          [2, remove],
          [1, together],
          [1, swap()],
        ]),
        1,
        3,
      ),
      watchers: watchers(2, 4),
    }),
    runs: 10,
  },
  {
    name: 'crashes while clients write',
    scenarios: scenariosWith({
      clients: clients(
        client(
          [
            [4, put()],
            [2, remove],
            [2, swap()],
            [2, together],
            [7, read(now)],
          ],
          { max: 9, pause: fc.nat({ max: 2 }) },
        ),
        2,
        4,
      ),
      watchers: watchers(0, 1),
      crashes: fc.array(crash, { minLength: 1, maxLength: 3 }),
    }),
    runs: 44,
  },
  ...underWay,
];

/** The classes of scenarios with leases. */
export const leaseWorkloads: readonly Workload<StoreScenario>[] = [
  {
    name: 'leases',
    scenarios: scenariosWith({
      clients: clients(leaseholder, 1, 2),
      watchers: watchers(0, 1),
      crashes: fc.array(crash, { maxLength: 1 }),
    }),
    runs: 18,
  },
  ...unknownLeases,
];
