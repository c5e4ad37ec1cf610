/** How many lives of the plugin on a node can be lived and judged in a second, and what takes the time. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { roads } from './roads.ts';
import { runIpam } from './world.ts';

const { components } = await import('#components');
const plugin = components.ipam as NonNullable<typeof components.ipam>;

compareLives('an address manager', {
  scenarios: fc.oneof(...roads.map(({ scenarios, runs = 6 }) => ({ weight: runs, arbitrary: scenarios }))),
  live: (scenario) => runIpam(plugin, scenario),
  laws: Object.values(laws),
});
