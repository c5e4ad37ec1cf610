import { configMaps, namespaces, secrets, serviceAccounts } from '../../../api/resource.ts';
import { SIMULATED_CA } from '../../../cluster/cluster-keys.ts';
import * as serviceAccountLaws from '../../64-service-account/laws/index.ts';
import { obligations, snapshotFrom } from '../../64-service-account/oracle.ts';
import { PROCESSES } from '../../64-service-account/scenario.ts';
import { inCluster } from './in-cluster.ts';
import { restIn } from './rest.ts';

/** The laws of kata 64, for the namespaces and Secrets of a whole cluster. */
export const serviceAccountControllers = inCluster({
  kata: '64-service-account',
  of: serviceAccountLaws,
  historiesOf: (history) => {
    const { trace, struck, restedMs: _, endMs: __, left: ___, ...run } = history;
    const rest = restIn(history, {
      processes: PROCESSES,
      resources: [configMaps, namespaces, secrets, serviceAccounts],
      owedIn: (list) => obligations(snapshotFrom(list, SIMULATED_CA)),
    });
    return [
      {
        ...run,
        ...rest,
        requests: trace.filter(({ actor }) => PROCESSES.includes(actor as never)),
        // In the end the clocks are set right, which counts as a fault.
        isUndisturbed: struck.every(({ atMs }) => atMs >= history.healedMs),
        rootCA: SIMULATED_CA,
        reviewed: [],
      },
    ];
  },
  leftOut: {
    valid: 'the apiserver is not asked about the tokens of a cluster that has ended',
  },
});
