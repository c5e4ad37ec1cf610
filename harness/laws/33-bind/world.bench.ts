/** How many lives of a scheduler can be lived and judged in a second, and what takes the time. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { roads } from './scenario.ts';
import { runScheduler } from './world.ts';

const { components } = await import('#components');

compareLives('a scheduler', {
  scenarios: fc.oneof(...roads.map(({ scenarios, runs = 6 }) => ({ weight: runs, arbitrary: scenarios }))),
  live: (scenario) => runScheduler(components.scheduler, components, scenario),
  laws: Object.values(laws),
});
