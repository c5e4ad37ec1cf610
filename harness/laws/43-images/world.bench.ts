/** How many lives of a node's images can be lived and judged in a second, and what takes the time. */
import fc from 'fast-check';
import { compareLives } from '../../testing/lives.ts';
import { roads } from './collect-roads.ts';
import * as laws from './laws.ts';
import { parallelRoads, tenantRoads } from './star-roads.ts';
import { runImages } from './world.ts';

const { components } = await import('#components');
const newImageManager = components.imageManager as NonNullable<typeof components.imageManager>;

compareLives('the images of a node', {
  scenarios: fc.oneof(
    ...[...roads, ...tenantRoads, ...parallelRoads].map(({ scenarios, runs = 6 }) => ({
      weight: runs,
      arbitrary: scenarios,
    })),
  ),
  live: (scenario) => runImages(newImageManager, scenario),
  laws: Object.values(laws),
  histories: 200,
});
