/** How many lives of a ReplicaSet controller can be lived and judged in a second, and what takes the time. */
import { compareLives } from '../../testing/lives.ts';
import * as laws from './laws.ts';
import { scenarios } from './scenario.ts';
import { runReplicaSet } from './world.ts';

const { components } = await import('#components');

compareLives('a ReplicaSet controller', {
  scenarios,
  live: (scenario) => runReplicaSet(components.replicaSetController, components, scenario),
  laws: Object.values(laws),
});
