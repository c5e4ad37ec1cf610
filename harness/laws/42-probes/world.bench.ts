/** How many lives of a probe manager can be lived and judged in a second, and what takes the time. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { healthRoads, redirectRoads, restartRoads, roads } from './roads.ts';
import { runProbes } from './world.ts';

const { components } = await import('#components');
const { probeManager } = components;
if (!probeManager) throw new Error('Failed to measure lives of a probe manager: the components have none.');

compareLives('a probe manager and its containers', {
  scenarios: fc.oneof(
    ...[...roads, ...redirectRoads, ...healthRoads, ...restartRoads].map(({ scenarios, runs = 6 }) => ({
      weight: runs,
      arbitrary: scenarios,
    })),
  ),
  live: (scenario) => runProbes(probeManager, scenario),
  laws: Object.values(laws),
  histories: 100,
});
