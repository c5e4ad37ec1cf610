/** How many lives of a scheduler can be lived and judged in a second, and what takes the time. */
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { scenarios } from './scenario.ts';
import { runScheduler } from './world.ts';

const { components } = await import('#components');

compareLives('a scheduler', {
  scenarios,
  live: (scenario) => runScheduler(components.scheduler, components, scenario),
  laws: Object.values(laws),
});
