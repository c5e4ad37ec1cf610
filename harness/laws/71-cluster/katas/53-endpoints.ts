import { endpointSlices, endpoints, nodes, pods, services } from '../../../api/resource.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { Observations } from '../../../testing/rig/observations.ts';
import * as endpointsLaws from '../../53-endpoints/laws.ts';
import { ENDPOINTS, SLICES } from '../../53-endpoints/operations.ts';
import { situationOf, wrongEndpoints, wrongSlices } from '../../53-endpoints/oracle.ts';
import { entriesOf } from '../history.ts';
import { inCluster } from './in-cluster.ts';
import { restIn } from './rest.ts';

/** The maximum number of endpoints in a slice. Upstream: kubernetes/kubernetes@v1.36.3 kube-controller-manager --max-endpoints-per-slice */
const ENDPOINTS_MAX = 100;

/** The laws of kata 53, for the Services of a whole cluster. */
export const endpointControllers = inCluster({
  kata: '53-endpoints',
  of: endpointsLaws,
  historiesOf: (history) => {
    const { trace, scenario, recorders, restedMs: _, endMs: __, left: ___, ...run } = history;
    const resources = [endpointSlices, endpoints, nodes, pods, services];
    const slices = restIn(history, {
      processes: [SLICES],
      resources,
      owedIn: (list) => wrongSlices(situationOf(list, ENDPOINTS_MAX)),
    });
    const ofEndpoints = restIn(history, {
      processes: [ENDPOINTS],
      resources,
      owedIn: (list) => wrongEndpoints(situationOf(list, ENDPOINTS_MAX)),
    });
    const observed = new Observations({
      process: SLICES,
      resources: ['pods', 'services'],
      latencyMs: scenario.latencyMs,
    }).read(trace);
    const isRested = slices.restedMs !== undefined && ofEndpoints.restedMs !== undefined;
    return [
      {
        ...run,
        pods: new ObjectHistories(entriesOf(history, pods)),
        services: new ObjectHistories(entriesOf(history, services)),
        endpointsMax: ENDPOINTS_MAX,
        observedAt: (atMs: number) => observed.at(recorders.get(SLICES)?.sinceMs(atMs) ?? 0),
        restedMs: isRested ? Math.max(slices.restedMs, ofEndpoints.restedMs) : undefined,
        left: { slices: slices.owed, endpoints: ofEndpoints.owed, atMs: slices.leftMs },
      },
    ];
  },
  leftOut: { sparing: 'no pod changes alone after a whole cluster is at rest' },
});
