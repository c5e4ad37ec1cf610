/** How many lives of a queue and its workers can be lived and judged in a second, and what takes the time. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { drainRoads, roads } from './roads.ts';
import { runWorkQueue } from './world.ts';

const { components } = await import('#components');
const kit = { newWorkQueue: components.workQueue, runWorkers: components.workers };

compareLives('a queue and its workers', {
  scenarios: fc.oneof(
    ...[...roads, ...drainRoads].map(({ scenarios, runs = 6 }) => ({ weight: runs, arbitrary: scenarios })),
  ),
  live: (scenario) => runWorkQueue(kit, scenario),
  laws: Object.values(laws),
  histories: 200,
});
