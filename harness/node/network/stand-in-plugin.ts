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

/** What the stand-in for a network plugin needs. */
export interface StandInPluginOptions {
  /** That of the boot that runs. */
  readonly machine: () => MachineNetwork;
  /** Its router is told where the pods are. */
  readonly cluster: ClusterNetwork;
  /** The node's own range, a /24: `10.244.1.0/24`. */
  readonly podCIDR: string;
  /** The node's address: its ports may lead to pods. */
  readonly hostIP: string;
  /** Told what becomes of addresses. An address that is lost with the machine's power is held until {@link NetworkPlugin.del}. */
  readonly onAddress: (change: 'added' | 'removed', ip: string, netns: string) => void;
}

/** In a /24: after the network's own address and the gateway's, before the broadcast's. */
const FIRST_HOST = 2;
const LAST_HOST = 254;

/** {@link standInPlugin} */
export interface StandInPlugin {
  readonly plugin: Pick<NetworkPlugin, 'add' | 'del' | 'check'>;
  /** The machine boots: it gets its end of the wire to its pods. */
  boot(): void;
}

/** The machine's end of the wire to its pods. */
const GATEWAY = 'pods';

/** What is held for an attachment. */
interface Held {
  readonly ip: string;
  readonly netns: string;
  /** The rules of its ports on the host, without what is done with them. */
  readonly rules: readonly string[];
}

/**
 * A network plugin for clusters that were made without one. It gives out addresses, round robin like host-local, so that one that
 * was just released is not given out again at once. What it gave out survives the machine's death, as host-local's files do: only
 * {@link NetworkPlugin.del} releases an address.
 *
 * Differs: the pods of a machine are on an Ethernet of their own, each with a card of its own, without bridge and veth pairs; all
 * that they send goes to the machine first. The router of the machines knows where they are, as in a cloud with kubenet.
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

  /** Ports of the node that lead to a pod, also from the pod itself. */
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

/** The machine may have lost its power since: then there is nothing left of it. */
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
