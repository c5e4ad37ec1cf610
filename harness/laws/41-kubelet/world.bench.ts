/** How many lives of a kubelet can be lived and judged in a second, and what takes the time. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { roads } from './roads.ts';
import { runKubelet } from './world.ts';

const { components } = await import('#components');
const { kubelet } = components;
if (!kubelet) throw new Error('Failed to measure lives of a kubelet: this cluster has none.');

compareLives('a kubelet', {
  scenarios: fc.oneof(...roads.map(({ scenarios, runs = 6 }) => ({ weight: runs, arbitrary: scenarios }))),
  live: (scenario) => runKubelet(kubelet, components, scenario),
  laws: Object.values(laws),
});
