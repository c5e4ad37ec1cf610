import { parseIP } from '../../api/ip-prefix.ts';
import type { Service } from '../../api/objects.ts';
import { services } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { openConnection } from '../../node/network/stack/connection.ts';
import type { NetworkNamespace } from '../../node/network/stack/namespace.ts';
import type { Exchange } from './history.ts';
import { NAMESPACE } from './scenario.ts';

/** The interval between two connections to a Service. */
const PERIOD_MS = 2_500;

/** A program that opens connections. */
interface Caller {
  readonly node: string;
  readonly pod?: string;
  readonly namespace: NetworkNamespace;
}

/**
 * The clients of a cluster: every few seconds a program on a machine or in a pod opens a connection to each Service.
 *
 * @returns the connections so far, oldest first. The array grows
 */
export function openConnections(cluster: Cluster): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const random = cluster.sim.random.fork('traffic');
  cluster.sim.every(PERIOD_MS, () => {
    for (const service of cluster.storage.list(services, { namespace: NAMESPACE }) as Service[]) {
      const callers = callersIn(cluster);
      const caller = callers[random.int(callers.length)];
      if (caller && service.metadata.name !== 'kubernetes')
        exchanges.push({ ...open(caller, service), atMs: cluster.sim.elapsedMs });
    }
  });
  return exchanges;
}

/** Returns the machines that are on, and the pods on them whose network is complete. */
function callersIn({ machines }: Cluster): readonly Caller[] {
  return machines.flatMap(({ node, powered, network }) =>
    powered
      ? [
          { node, namespace: network.host },
          ...[...network.named.values()].flatMap((namespace) =>
            namespace.routes.routes.length > 0 ? [{ node, pod: namespace.label, namespace }] : [],
          ),
        ]
      : [],
  );
}

function open({ node, pod, namespace }: Caller, { metadata, spec }: Service): Omit<Exchange, 'atMs'> {
  const { clusterIP = '', ports = [] } = spec;
  const port = ports[0]?.port ?? 0;
  const { connection, fate, there } = openConnection(namespace, { ip: parseIP(clusterIP), port });
  connection?.close();
  return {
    service: metadata.name,
    to: `${clusterIP}:${port}`,
    node,
    ...(pod !== undefined && { pod }),
    ...(fate.kind !== 'delivered' && { failure: `${fate.kind}: ${fate.why}` }),
    reached: there.place,
  };
}
