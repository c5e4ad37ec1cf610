import { parseIP, parsePrefix } from '../../api/ip-prefix.ts';
import {
  type CniAttachment,
  CniError,
  type CniResult,
  type NetworkPlugin,
} from '../../contracts/node/network-plugin.ts';
import type { ClusterNetwork } from './cluster-network.ts';
import { EthernetSegment } from './stack/ethernet-segment.ts';
import type { MachineNetwork } from './stack/machine-network.ts';
import { removeLink } from './tools/ip-link.ts';
import { Refusal } from './tools/words.ts';

/** Options of {@link standInPlugin}. */
interface StandInPluginOptions {
  /** The network of the current boot. */
  readonly machine: () => MachineNetwork;
  /** The cluster whose router gets the route to the pods. */
  readonly cluster: ClusterNetwork;
  /** The node's own range, a /24: `10.244.1.0/24`. */
  readonly podCIDR: string;
  /** The node's address. Host ports on this address can forward to pods. */
  readonly hostIP: string;
  /**
   * Reports each address that is added or removed. An address that is lost in a power failure stays allocated until
   * {@link NetworkPlugin.del}.
   */
  readonly onAddress: (change: 'added' | 'removed', ip: string, netns: string) => void;
}

/**
 * The first and last address for pods in a /24. Before them are the network's own address and the gateway; after them
 * is the broadcast address.
 */
const FIRST_HOST = 2;
const LAST_HOST = 254;

/** The plugin of {@link standInPlugin}, and its hook for a boot. */
export interface StandInPlugin {
  readonly plugin: Pick<NetworkPlugin, 'add' | 'del' | 'check'>;
  /** Attaches the machine to the network of its pods, when the machine boots. */
  boot(): void;
}

/** The machine's interface on the network of its pods. */
const GATEWAY = 'pods';

/** The resources of an attachment. */
interface Held {
  readonly ip: string;
  readonly netns: string;
  /** The iptables rules of its host ports, without the command that adds or deletes them. */
  readonly rules: readonly string[];
}

/**
 * Creates a network plugin for clusters that were created without one. It allocates addresses round robin, like
 * host-local, so an address is not reused right after its release. Allocations survive a power failure of the machine,
 * as host-local's files do: only {@link NetworkPlugin.del} releases an address.
 *
 * Differs: the pods of a machine share one Ethernet, each with its own card, without bridge and veth pairs. They send
 * all packets to the machine first. The router between the machines knows where the pods are, as in a cloud with
 * kubenet.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local, plugins/meta/portmap
 */
export function standInPlugin(options: StandInPluginOptions): StandInPlugin {
  const { machine, cluster, podCIDR, hostIP, onAddress } = options;
  const prefix = podCIDR.slice(0, podCIDR.lastIndexOf('.') + 1);
  const held = new Map<string, Held>();
  let wire = new EthernetSegment();
  let last = FIRST_HOST - 1;
  cluster.route(parsePrefix(podCIDR), parseIP(hostIP));

  const boot = (): void => {
    wire = new EthernetSegment();
    machine().plug(wire, { name: GATEWAY });
    machine().do(`ip addr add ${prefix}1/24 dev ${GATEWAY}`);
    machine().do(`ip link set ${GATEWAY} up`);
  };

  const next = (): string | undefined => {
    const taken = new Set([...held.values()].map(({ ip }) => ip));
    for (let i = 0; i <= LAST_HOST - FIRST_HOST; i++) {
      const host = ((last - FIRST_HOST + 1 + i) % (LAST_HOST - FIRST_HOST + 1)) + FIRST_HOST;
      if (taken.has(`${prefix}${host}`)) continue;
      last = host;
      return `${prefix}${host}`;
    }
    return undefined;
  };

  const connect = ({ netns, ifname }: CniAttachment, ip: string): void => {
    const network = machine();
    const name = nameOf(netns);
    const namespace = network.named.get(name);
    if (!namespace) throw new Error(`failed to open netns "${netns}": no such file or directory`);
    namespace.addLink({ kind: 'device', name: ifname, segment: wire });
    network.do(`ip -n ${name} addr add ${ip}/32 dev ${ifname}`);
    network.do(`ip -n ${name} link set ${ifname} up`);
    network.do(`ip -n ${name} route add default via ${prefix}1 dev ${ifname} onlink`);
  };

  /** The rules that forward ports of the node to a pod, also for connections from that pod itself. */
  const rulesFor = ({ runtimeConfig }: CniAttachment, ip: string): readonly string[] =>
    (runtimeConfig?.portMappings ?? []).flatMap(({ protocol, hostPort, containerPort }) => {
      const to = `-p ${protocol} --dport ${hostPort} -j DNAT --to-destination ${ip}:${containerPort}`;
      return [
        `PREROUTING -d ${hostIP} ${to}`,
        `OUTPUT -d ${hostIP} ${to}`,
        `POSTROUTING -s ${ip} -d ${ip} -p ${protocol} --dport ${containerPort} -j MASQUERADE`,
      ];
    });

  const plugin: StandInPlugin['plugin'] = {
    async add(attachment) {
      const { containerID, netns } = attachment;
      const key = keyOf(attachment);
      if (held.has(key)) {
        throw failed('add', `IP has been allocated to ${containerID}, duplicate allocation is not allowed`);
      }
      const ip = next();
      if (ip === undefined) {
        const range = `${prefix}1-${prefix}${LAST_HOST}`;
        throw failed(
          'add',
          `failed to allocate for range 0: no IP addresses available in range set: ${range}`,
        );
      }
      connect(attachment, ip);
      const rules = rulesFor(attachment, ip);
      held.set(key, { ip, netns, rules });
      onAddress('added', ip, netns);
      for (const rule of rules) machine().do(`iptables -t nat -I ${rule}`);
      return resultOf(attachment, ip, `${prefix}1`);
    },

    async del(attachment) {
      const key = keyOf(attachment);
      const found = held.get(key);
      if (!found) return;
      held.delete(key);
      disconnect(machine(), found, attachment.ifname);
      onAddress('removed', found.ip, found.netns);
    },

    async check(attachment) {
      if (!held.has(keyOf(attachment))) {
        throw failed(
          'check',
          `host-local: Failed to find address added by container ${attachment.containerID}`,
        );
      }
    },
  };
  return { plugin, boot };
}

/** Removes an attachment. After a power failure of the machine some or all parts of it may be missing. */
function disconnect(network: MachineNetwork, { ip, netns, rules }: Held, ifname: string): void {
  const card = network.named.get(nameOf(netns))?.links.get(ifname);
  if (card) removeLink(card);
  const gateway = network.host.links.get(GATEWAY);
  if (gateway) network.host.neighbours.remove(gateway, parseIP(ip));
  for (const rule of rules) {
    try {
      network.do(`iptables -t nat -D ${rule}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

function nameOf(netns: string): string {
  return netns.slice(netns.lastIndexOf('/') + 1);
}

function keyOf({ containerID, ifname }: CniAttachment): string {
  return `${containerID}/${ifname}`;
}

/** Upstream: containernetworking/cni@v1.3.0 libcni/api.go pluginDescription */
function failed(verb: string, message: string): CniError {
  return new CniError(999, `plugin type="bridge" name="cbr0" failed (${verb}): ${message}`);
}

function resultOf({ ifname, netns }: CniAttachment, ip: string, gateway: string): CniResult {
  return {
    cniVersion: '1.1.0',
    interfaces: [{ name: 'cni0' }, { name: ifname, sandbox: netns }],
    ips: [{ address: `${ip}/24`, gateway, interface: 1 }],
    routes: [{ dst: '0.0.0.0/0', gw: gateway }],
  };
}
