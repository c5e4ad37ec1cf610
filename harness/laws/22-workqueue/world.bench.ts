/**
 * How many lives of a queue, and of its workers, can be lived and judged in a second, and what takes the time. Rate
 * limits are the laws' own arithmetic: what is measured is the queue.
 */
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import * as limiterLaws from './limiter-laws.ts';
import { expectedRateLimiter } from './limits.ts';
import * as poolLaws from './pool-laws.ts';
import { scenarios as poolScenarios } from './pool-scenario.ts';
import { runWorkerPool } from './pool-world.ts';
import { scenarios } from './scenario.ts';
import { runWorkQueue } from './world.ts';

const { components } = await import('#components');
const kit = {
  newWorkQueue: components.workQueue,
  runWorkers: components.workers,
  newRateLimiter: expectedRateLimiter,
};

compareLives('a queue', {
  scenarios: scenarios(),
  live: (scenario) => runWorkQueue(kit, scenario),
  laws: [...Object.values(laws), ...Object.values(limiterLaws)],
  histories: 200,
});

compareLives('its workers', {
  scenarios: poolScenarios(),
  live: (scenario) => runWorkerPool(kit, scenario),
  laws: Object.values(poolLaws),
  histories: 200,
});
