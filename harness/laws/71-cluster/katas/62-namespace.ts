import { namespaces } from '../../../api/resource.ts';
import * as namespaceLaws from '../../62-namespace/laws/index.ts';
import { PROCESS } from '../../62-namespace/scenario.ts';
import { requestsOf } from '../history.ts';
import { inCluster } from './in-cluster.ts';
import { restIn } from './rest.ts';

const NO_OBSTACLE = 'no obstacle outlasts the faults of a whole cluster';

/** The laws of kata 62, for the namespaces of a whole cluster. */
export const namespaceDeletion = inCluster({
  kata: '62-namespace',
  of: namespaceLaws,
  historiesOf: (history) => {
    const { left: _, restedMs: __, ...run } = history;
    const { owed, ...rest } = restIn(history, {
      processes: [PROCESS],
      resources: [namespaces],
      owedIn: (list) =>
        list(namespaces).flatMap(({ metadata: { name, deletionTimestamp } }) =>
          deletionTimestamp === undefined ? [] : [name],
        ),
    });
    const blocked = {
      atMs: history.endMs,
      namespaces: [],
      content: [],
      hidden: undefined,
      unserved: undefined,
    };
    return [{ ...run, ...rest, left: owed, blocked, requests: requestsOf(history, PROCESS) }];
  },
  leftOut: { goesOn: NO_OBSTACLE, truthful: NO_OBSTACLE, calm: NO_OBSTACLE },
});
