import { contains, parseIP, parsePrefix } from '../../api/ip-prefix.ts';
import type { Node, Service } from '../../api/objects.ts';
import { nodes, services } from '../../api/resource.ts';
import { SERVICE_CLUSTER_IP_RANGE } from '../../apiserver/kinds/service-allocators.ts';
import type { WebhookTransport } from '../../contracts/admission/index.ts';
import type { SocketAddress } from '../../contracts/node/index.ts';
import { POD_NETWORK } from '../../node/cni/flannel.ts';
import type { ClusterNetwork } from '../../node/network/cluster-network.ts';
import { sendDatagram } from '../../node/network/datagram.ts';
import { DNS_PORT } from '../../node/programs/resolver/messages.ts';
import { parseResolverConfiguration } from '../../node/programs/resolver/resolv-conf.ts';
import { isAddress, read, resolve, UnknownHost } from '../../node/programs/resolver/resolve.ts';
import type { Clock } from '../../sim/index.ts';
import { type Machinery, podNetwork, runningMachine } from '../nodes/pod-network.ts';
import { webhookTransport } from './webhook-transport.ts';

/** The addresses of Services and pods. */
const RANGES = [SERVICE_CLUSTER_IP_RANGE, POD_NETWORK].map(parsePrefix);

/** The part of a cluster that the way to webhooks needs. */
interface Surroundings extends Machinery {
  readonly clock: Clock;
  readonly network: Pick<ClusterNetwork, 'requestOutside'>;
}

/**
 * Creates the transport of a cluster's apiservers to webhooks: to pods over the cluster's network, and to hosts outside.
 *
 * Differs: it reads the newest Services. Upstream's has an informer, which can be behind the storage. Unless the network
 * has a way out, the hosts outside belong to the simulation. The addresses of the cluster always do, so a host of the
 * real network cannot be reached at one of them.
 */
export function clusterWebhooks(cluster: Surroundings): WebhookTransport {
  return webhookTransport({
    network: podNetwork(cluster),
    service: (key) => cluster.storage.get(services, key) as Service | undefined,
    lookUp: (host) => lookUp(cluster, host),
    isInside: (host) => isInside(cluster, host),
    get requestOutside() {
      return cluster.network.requestOutside;
    },
  });
}

/** Returns whether a host is an address of a pod, of a Service or of a node. */
function isInside({ storage }: Machinery, host: string): boolean {
  if (!isAddress(host)) return false;
  const ip = parseIP(host);
  if (RANGES.some((range) => contains(range, ip))) return true;
  const all = storage.list(nodes) as Node[];
  return all.some(({ status }) => status?.addresses?.some(({ address }) => address === ip.text));
}

/**
 * Looks up a name outside the cluster: with the name servers of the machine from which the apiserver's requests start.
 *
 * @throws Error when it finds no address
 */
async function lookUp(cluster: Surroundings, host: string): Promise<string> {
  if (isAddress(host)) return host;
  const machine = runningMachine(cluster);
  if (!machine) throw new Error(`dial tcp: lookup ${host}: no such host`);
  const { files } = machine.host;
  const sender = { clock: cluster.clock, namespace: machine.network.host };
  const process = { files, sendDatagram: (...args: Datagram) => sendDatagram(...args, sender) };
  const [server] = parseResolverConfiguration(await read(process, '/etc/resolv.conf', '')).servers;
  const found = await resolve(process, host).catch((error: unknown) => {
    if (!(error instanceof UnknownHost)) throw error;
    const why = error.code === 'EAI_NONAME' ? 'no such host' : 'server misbehaving';
    throw new Error(`dial tcp: lookup ${host} on ${server}:${DNS_PORT}: ${why}`);
  });
  return found[0] as string;
}

type Datagram = [payload: string, to: SocketAddress];
