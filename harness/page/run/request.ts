import type { Node, Service } from '../../api/objects.ts';
import { nodes, services } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { nodeNetwork } from '../../node/network/node-network.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import type { NetworkNamespace } from '../../node/network/stack/namespace.ts';
import type { Action } from '../protocol/recipe.ts';

/** curl has no timeout. The user of a page that requests a dead endpoint wants an answer. */
const TIMEOUT_MS = 10_000;

/** Callbacks of a request. */
interface RequestOutcome {
  readonly print: (text: string, isError: boolean) => void;
  /** Called when its packet has gone its way. */
  readonly onSent: (packet: Attempt) => void;
}

/** The exit codes of curl. */
const OK = 0;
const FAILED_TO_CONNECT = 7;

/**
 * Sends an HTTP request from a pod, a machine or a host outside. The name of a Service stands for its address: a pod
 * that asks by name uses `curl` at the prompt.
 *
 * @returns the exit code that curl would have
 * @throws Error when the sender or the Service does not exist
 */
export function request(
  { from, url }: Extract<Action, { do: 'request' }>,
  cluster: Cluster,
  { print, onSent }: RequestOutcome,
): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  const namespace = namespaceCalled(from, cluster);
  const { clock } = cluster.sim;
  const network = nodeNetwork({ clock, namespace: () => namespace });
  const asked = {
    scheme: 'http',
    method: 'GET',
    host: addressOf(hostname, cluster),
    port: port === '' ? 80 : Number(port),
    path: pathname,
    headers: { Host: hostname },
    timeoutMs: TIMEOUT_MS,
  } as const;
  let receiver = '';
  const endCapture = cluster.network.capture((packet) => {
    if (packet.from !== namespace || packet.to.ip.text !== asked.host || packet.to.port !== asked.port)
      return;
    const { fate, there } = packet.opened;
    if (fate.kind === 'delivered') receiver = ` from ${there.place}`;
    onSent(packet);
  });
  return network
    .request(asked)
    .then(
      ({ status, body }) => {
        print(`HTTP ${status}${receiver}\n${body}`, false);
        return OK;
      },
      (error: unknown) => {
        print(`${error instanceof Error ? error.message : String(error)}\n`, true);
        return FAILED_TO_CONNECT;
      },
    )
    .finally(endCapture);
}

/** Returns the network of a pod, a machine or a host outside. */
function namespaceCalled(name: string, cluster: Cluster): NetworkNamespace {
  if (name === 'laptop') return cluster.network.outside(name).namespace;
  for (const { network } of cluster.machines) {
    if (network.host.node === name) return network.host;
    for (const namespace of network.named.values()) if (namespace.label === name) return namespace;
  }
  throw new Error(`Failed to send a request from ${name}: no pod or machine of this name is up.`);
}

/** Returns an address for `web` or `web.shop`, the Service of this name, or for `node-1`; any other host stays. */
function addressOf(host: string, { storage }: Cluster): string {
  if (/^[\d.]+$/.test(host)) return host;
  const [name, namespace = 'default'] = host.split('.');
  const service = (storage.list(services) as Service[]).find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
  const node = (storage.list(nodes) as Node[]).find(({ metadata }) => metadata.name === host);
  const address =
    service?.spec.clusterIP ?? node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  if (address && address !== 'None') return address;
  throw new Error(`Failed to ask ${host}: no Service or node of this name has an address.`);
}
