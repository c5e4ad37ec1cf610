/** How many lives of a network of pods can be lived and judged in a second. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import { roads } from './all-roads.ts';
import * as laws from './laws.ts';
import { runPodNetwork } from './world.ts';

const { components } = await import('#components');
const { podNetwork: bridge, routeController } = components;
if (!bridge || !routeController) throw new Error('Failed to bench kata 52: components lack it.');

compareLives('a network of pods', {
  scenarios: fc.oneof(...roads.map(({ scenarios, runs = 6 }) => ({ weight: runs, arbitrary: scenarios }))),
  live: (scenario) => runPodNetwork({ bridge, routeController, components }, scenario),
  laws: Object.values(laws),
  histories: 60,
});
