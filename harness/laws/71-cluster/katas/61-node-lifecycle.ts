import * as nodeLaws from '../../61-node-lifecycle/laws/index.ts';
import { EVICTION, GARBAGE, LIFECYCLE } from '../../61-node-lifecycle/operations.ts';
import { LINGER_MS } from '../../61-node-lifecycle/simulation/index.ts';
import { inCluster } from './in-cluster.ts';

const PROCESSES: ReadonlySet<string> = new Set([LIFECYCLE, EVICTION, GARBAGE]);

/** The laws of kata 61, for the machines of a whole cluster. */
export const nodeLifecycle = inCluster({
  kata: '61-node-lifecycle',
  of: nodeLaws,
  historiesOf: ({ scenario: { latencyMs }, struck, starts, restedMs, ...history }) => [
    {
      ...history,
      scenario: { latencyMs, nodes: [], steps: [] },
      starts: starts.filter(({ process }) => PROCESSES.has(process)),
      // The controllers run on no machine.
      struck: struck.filter(({ fault }) => !('node' in fault)),
      restedMs: restedMs === undefined ? undefined : restedMs + LINGER_MS,
    },
  ],
  leftOut: {
    ownClock: 'patient and verdictInTime also judge the nodes whose clock is wrong',
  },
});
