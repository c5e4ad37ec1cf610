import { endpointSlices, endpoints, services } from '../../../api/resource.ts';
import * as mirroringLaws from '../../57-endpoint-slice-mirroring/laws.ts';
import { obligations } from '../../57-endpoint-slice-mirroring/oracle.ts';
import { PROCESS } from '../../57-endpoint-slice-mirroring/scenario.ts';
import { requestsOf } from '../history.ts';
import { inCluster } from './in-cluster.ts';
import { restIn } from './rest.ts';

/** The laws of kata 57, for the Services without a selector of a whole cluster. */
export const mirroring = inCluster({
  kata: '57-endpoint-slice-mirroring',
  of: mirroringLaws,
  historiesOf: (history) => {
    const { restedMs: _, endMs: __, left: ___, ...run } = history;
    const rest = restIn(history, {
      processes: [PROCESS],
      resources: [endpointSlices, endpoints, services],
      owedIn: (list) =>
        obligations({
          services: list(services),
          endpoints: list(endpoints),
          slices: list(endpointSlices),
        }),
    });
    return [{ ...run, ...rest, requests: requestsOf(history, PROCESS) }];
  },
  leftOut: {},
});
