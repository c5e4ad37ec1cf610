import { nodes } from '../../../api/resource.ts';
import * as nodeIpamLaws from '../../56-node-ipam/laws.ts';
import { PROCESS } from '../../56-node-ipam/scenario.ts';
import { waitingIn } from '../../56-node-ipam/simulation.ts';
import { entriesOf, requestsOf } from '../history.ts';
import { inCluster } from './in-cluster.ts';
import { restIn } from './rest.ts';

/** The number of blocks of 256 addresses in 10.244.0.0/16. */
const BLOCKS = 256;

/** The laws of kata 56, for the nodes of a whole cluster. */
export const nodeIpam = inCluster({
  kata: '56-node-ipam',
  of: nodeIpamLaws,
  historiesOf: (history) => {
    const { starts, restedMs: _, endMs: __, left: ___, ...run } = history;
    const rest = restIn(history, {
      processes: [PROCESS],
      resources: [nodes],
      owedIn: (list) => waitingIn(list(nodes), BLOCKS),
    });
    return [
      {
        ...run,
        ...rest,
        waiting: rest.owed,
        nodes: entriesOf(history, nodes),
        blocks: BLOCKS,
        requests: requestsOf(history, PROCESS),
        observedOf: () => 0,
        bornMs: starts.flatMap(({ process, atMs }) => (process === PROCESS ? [atMs] : [])),
      },
    ];
  },
  leftOut: { last: 'no cluster uses all of its 256 blocks' },
});
