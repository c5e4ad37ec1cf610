/** How many lives of an informer can be lived and judged in a second, and what takes the time. */
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { scenarios } from './scenario.ts';
import { runInformer } from './world.ts';

const { components } = await import('#components');

compareLives('an informer', {
  scenarios: scenarios(),
  live: (scenario) => runInformer(components.informer, scenario),
  laws: Object.values(laws),
});
