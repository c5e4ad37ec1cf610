/**
 * Kata 52 · The network of pods. Read README.md beside this file, then begin at the top: Level 1 is the bridge.
 *
 * Two programs. {@link bridge} is a network plugin: the container runtime runs it for each pod, and it connects the pod with its node.
 * {@link routeController} runs on each node all the time, and connects the nodes.
 *
 * Both set the network up with commands that you can type into the shell of a real node; `shell` of `#harness` runs them.
 *
 *     const $ = shell(request.process.tools);
 *     await $`ip link set dev ${name} up`;
 *     const links: IpLink[] = JSON.parse(await $`ip -d -j link show`);
 *
 * To go your own way, write {@link bridge} and {@link routeController} in any shape. The functions of the levels may stay as they are
 * or go; what their contracts say of the network, of the order of things and of words counts all the same, and the laws ask for no more.
 */
import {
  type Addressing,
  attachmentInterfaces,
  type BridgeConfiguration,
  bridgeConfiguration,
  type CniAttachment,
  type CniPlugin,
  type CniRequest,
  type CniResult,
  changeNat,
  type IpLink,
  type NetworkTools,
  type Node,
  type NodeComponent,
  type NodeComponentContext,
  natLines,
  type PairOptions,
  type PodRoutes,
  pluginMain,
  type RuleOwner,
  type Shell,
  todo,
} from '#harness';

const KATA = '52-pod-network';

// Level 1 · The bridge

/**
 * Sees to it that the node has a bridge of this name: it is up, and keeps its address on the link (its MAC) whatever ports come and
 * go. A bridge that was never given an address of its own takes the lowest of its ports', and when that changes all pods lose their
 * gateway for a while. A bridge that is there is kept as it is: it may have ports.
 *
 * Two plugins may do this at the same time.
 *
 * @example
 * `await ensureBridge($, 'cni0')` on a node without one: there is a bridge `cni0` with the flag `UP`.
 *
 * @param mtu of a bridge that is made
 * @returns the bridge, as `ip` showed it before or after this; {@link linkNamed} of `#harness` finds it
 * @throws Error `failed to create bridge "cni0": "cni0" already exists but is not a bridge`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go ensureBridge, ensureAddr
 */
export async function ensureBridge($: Shell, name: string, mtu?: number): Promise<IpLink> {
  return todo(KATA, 'ensureBridge', 'Level 1');
}

// Level 2 · The pair

/**
 * The name of the end in the host: `veth` and eight hexadecimal digits, at most 15 characters in all. It is the same whenever it is
 * asked for, and another one for another container or another interface of the same container. `sha512` of `#harness` helps.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/link_linux.go RandomVethName, which draws it
 */
export function hostVethName(attachment: Pick<CniAttachment, 'containerID' | 'ifname'>): string {
  return todo(KATA, 'hostVethName', 'Level 2');
}

/**
 * Makes the pair: one end is `ifname` in the namespace of the pod, and is left down; the other one, {@link hostVethName}, is in the
 * host, a port of the bridge, and up. It is a port from the moment at which it is made (`ip link add NAME master BRIDGE type veth …`): a
 * plugin may die after any command, and {@link gc} finds what it has left among the ports. With `hairpinMode`, the bridge sends back by this port what came in by it.
 *
 * `namespaceName(request)` of `#harness` is the name of the namespace, as `ip -n` takes it; `mtuWords(mtu)` are the words for an
 * MTU.
 *
 * @throws Error `container veth name ("eth0") peer provided ("veth1a2b3c4d") already exists` when the namespace has an interface
 * of this name: that is left alone
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go setupVeth; pkg/ip/link_linux.go SetupVeth
 */
export async function setUpVeth(
  $: Shell,
  request: Pick<CniAttachment, 'containerID' | 'netns' | 'ifname'>,
  options: PairOptions,
): Promise<void> {
  todo(KATA, 'setUpVeth', 'Level 2');
}

/**
 * Removes an interface of the host; of a pair both ends go. Succeeds when it is not there, also when it goes at this very moment:
 * with its namespace.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/link_linux.go DelLinkByNameAddr
 */
export async function removeVeth($: Shell, host: string): Promise<void> {
  todo(KATA, 'removeVeth', 'Level 2');
}

// Level 3 · Addresses

/**
 * Leaves a part of the work to another plugin: the one that `config.ipam.type` names. It gets the same environment and the same
 * configuration (`process.env`, `process.stdin`) as this plugin, with this command: `process.run` runs it.
 *
 * Each configuration here names one. What becomes of one without `ipam` is left open: upstream connects the pod then, and gives it no
 * address.
 *
 * @returns what it prints: for `ADD`, a result as JSON
 * @throws CniError its error, as `errorOf` of `#harness` reads it
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md section 4
 */
export async function delegate(
  request: Pick<CniRequest, 'process' | 'config'>,
  command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS',
): Promise<string> {
  return todo(KATA, 'delegate', 'Level 3');
}

/**
 * Decides what a pod gets of what the address manager gave. Nothing is run here.
 *
 * - Each address belongs to interface 2 of the result: the end in the container.
 * - With `isGateway`, an address without a gateway gets the first address of its network: of `10.244.1.7/24`, `10.244.1.1`.
 * - `isDefaultGateway` means `isGateway`, too. Then there is a route to `0.0.0.0/0` (for IPv6, `::/0`) by the gateway, behind the
 *   others; none is added if there is one already, be it without a gateway: that one goes by the gateway of the address.
 * - `gateways` are the addresses that the bridge needs, with the length of their networks; without `isGateway`, none.
 *
 * `parsePrefix`, `firstOf` and `plus` of `#harness` calculate with addresses.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go calcGateways
 */
export function addressingOf(
  ipam: Pick<CniResult, 'ips' | 'routes'>,
  config: BridgeConfiguration,
): Addressing {
  return todo(KATA, 'addressingOf', 'Level 3');
}

/**
 * Gives the interface of the pod its addresses, turns it on, and then adds the routes by it, in the order of the result. A route that
 * says no gateway goes by the gateway of the first address of its family, if that has one.
 *
 * Before it gets its address: `net.ipv4.conf.eth0.arp_notify` is 1 in the namespace of the pod, so that whatever knew the address as
 * another pod's is told of the new one. `nsenter --net=/var/run/netns/cni-1 sysctl -w …` sets it.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ipam/ipam_linux.go ConfigureIface
 */
export async function configureInterface(
  $: Shell,
  request: Pick<CniAttachment, 'netns' | 'ifname'>,
  addressing: Pick<Addressing, 'ips' | 'routes'>,
): Promise<void> {
  todo(KATA, 'configureInterface', 'Level 3');
}

/**
 * Sees to it that the bridge has this address, and that the node passes packets on: `net.ipv4.ip_forward` is 1, or for an address of
 * IPv6 `net.ipv6.conf.all.forwarding`. If the bridge has the address, it is left alone. Two plugins may do this at the same time.
 *
 * @param gateway with the length of its network: `10.244.1.1/24`
 * @throws Error `failed to set bridge addr: "cni0" already has an IP address different from 10.244.1.1/24` when it has another one
 * of IPv4
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go ensureAddr, enableIPForward
 */
export async function ensureGateway($: Shell, bridge: string, gateway: string): Promise<void> {
  todo(KATA, 'ensureGateway', 'Level 3');
}

// Level 4 · ADD and DEL

/**
 * Connects a pod with its node: a bridge, a pair, addresses, the gateway. What an earlier `ADD` of the same attachment has left,
 * whole or half, is no obstacle; that one may have died anywhere.
 *
 * Whatever fails after the address manager was asked: all is taken back, the interface before the address, as {@link del} does it, and
 * what failed first is thrown. What cannot be taken back then stays, and so may the pair and the bridge when something fails earlier:
 * another `ADD`, a `DEL` or a `GC` will come. But an address is never given back while an interface or a rule is left that has it.
 *
 * `readResult` of `#harness` reads what the address manager prints. If there is no address in it: `IPAM plugin returned missing IP
 * config`.
 *
 * Written already: {@link bridgeConfiguration} is the configuration with its defaults; `checkNamespace($, request)` throws when the
 * namespace of the pod is not there, and comes before all else; {@link attachmentInterfaces} are the interfaces of the result: it
 * looks them up, so it comes last.
 *
 * Level 5: with `ipMasq`, the rules are made, too: {@link changeNat}.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdAdd
 */
export async function add(request: CniRequest): Promise<CniResult> {
  return todo(KATA, 'add', 'Level 4');
}

/**
 * Undoes {@link add}: the pair, the address, and, Level 5, with `ipMasq` the rules. Whatever is missing is no error: the attachment
 * may be unknown, its namespace gone (`request.netns` is empty then, or names nothing), or this the second `DEL`. The bridge stays.
 *
 * The address is given back last, after interface and rules are gone: it may be another pod's a moment later. (Upstream gives it back
 * before the rules go.) When the interface or the rules cannot be removed, that is the error, and the address stays.
 *
 * Whether `ipMasq` is on, the configuration of this request says. If it was on at the `ADD` and is off now, the rules may stay, as
 * upstream leaves them, or go.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdDel
 */
export async function del(request: CniRequest): Promise<void> {
  todo(KATA, 'del', 'Level 4');
}

/**
 * The plugin. `STATUS` is left to the address manager. Written already.
 *
 * Its contract, for the free way: `ADD`, `DEL`, `CHECK`, `GC` and `STATUS` as {@link add}, {@link del}, {@link check} and {@link gc}
 * have them, and as the functions of Levels 1, 2, 3 and 5 that these are made of, for any configuration of the type
 * `BridgeConfiguration` that names an address manager. Free are: the names of commands and how many there are, the order in which the
 * rules of a pod are made, and which interfaces are looked at first.
 */
export const bridge: CniPlugin = pluginMain({
  add,
  del,
  check,
  gc,
  status: async (request) => void (await delegate(request, 'STATUS')),
});

// Level 5 · To the outside

/**
 * The lines for {@link changeNat} by which what a pod sends to the outside goes out under the address of its node. They make the
 * container's own chain, `chainName(network, containerID)` of `#harness`, and for each address of IPv4 add three rules, each with the
 * comment `ruleComment(network, containerID)`:
 *
 * - in the chain: what is for the subnet of the address is left as it is (`ACCEPT`);
 * - in the chain: what is not for 224.0.0.0/4 is masqueraded;
 * - in `POSTROUTING`: what comes from this address, and from no other, jumps to the chain.
 *
 * The chain is the container's, and not the interface's, as upstream has it: a `DEL` of one interface takes the rules of all. Kubernetes
 * gives a container one interface of a network.
 *
 * Without an address of IPv4 there is nothing to masquerade: no lines, or the chain alone.
 *
 * @example
 * For the address 10.244.1.2/24 (the comments are left out here):
 *
 *     :CNI-5f2b… - [0:0]
 *     -A CNI-5f2b… -d 10.244.1.0/24 -j ACCEPT
 *     -A CNI-5f2b… ! -d 224.0.0.0/4 -j MASQUERADE
 *     -A POSTROUTING -s 10.244.1.2/32 -j CNI-5f2b…
 *
 * A comment is written `-m comment --comment "name: \"cbr0\" id: \"4f5c\""`.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/ipmasq_iptables_linux.go SetupIPMasq
 */
export function masqueradeRules(owner: RuleOwner, result: Pick<CniResult, 'ips'>): readonly string[] {
  return todo(KATA, 'masqueradeRules', 'Level 5');
}

/**
 * The lines for {@link changeNat} by which the rules of one container go: those that jump to its chain, and the chain. The address
 * that they were for is not known any more.
 *
 * @param lines all that stands in the table, as {@link natLines} gives it: `:CNI-5f2b… - [0:0]`, `-A POSTROUTING … -j CNI-5f2b…`
 * @returns no lines when the chain is not there
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/ipmasq_iptables_linux.go TeardownIPMasq
 */
export function masqueradeRemoval(lines: readonly string[], owner: RuleOwner): readonly string[] {
  return todo(KATA, 'masqueradeRemoval', 'Level 5');
}

/** Takes the rules of one container back, all at once. Written already. */
export async function tearDownMasquerade(tools: NetworkTools, owner: RuleOwner): Promise<void> {
  const removal = masqueradeRemoval(await natLines(tools), owner);
  if (removal.length > 0) await changeNat(tools, removal);
}

// Level 6 · CHECK and GC

/**
 * Looks whether all is as `ADD` has made it, and changes nothing. In this order: the namespace is there; the address manager has no
 * objection; there is a result to compare with; the bridge is one; the interface in the container is there; the end in the host is a
 * port of the bridge, and both ends are up; the interface in the container has the MAC of the result; and, with `checkAddresses($, request, result)` of
 * `#harness`, addresses and routes are there.
 *
 * The result is `prevResult` of the configuration; its three lists are there, empty where the runtime has left one out.
 *
 * @throws Error what is wrong:
 * - `Required prevResult missing`
 * - `CNI created bridge cni0 in host namespace was not found`
 * - `CNI created interface in container eth0 not found`
 * - `CNI veth created for bridge cni0 was not found`
 * - `Interface eth0 Mac aa:… doesn't match container Mac: bb:…`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdCheck
 */
export async function check(request: CniRequest): Promise<void> {
  todo(KATA, 'check', 'Level 6');
}

/**
 * Takes back what no `DEL` will come for: what was made for attachments that are not among `config['cni.dev/valid-attachments']`.
 * A plugin that died left it, or a runtime that forgot it. That is:
 *
 * - ends of pairs that are named as {@link hostVethName} names them, and are no valid attachment's: ports of the bridge, and those
 *   that are in no bridge and down, because a plugin died before it had finished them. Other ports of the bridge are not ours, nor
 *   is one that is up and in no bridge: other plugins name theirs so, too. The bridge is this network's alone: of two networks that
 *   share one, the `GC` of each would take the ports of the other (upstream's bridge plugin collects nothing);
 * - rules of containers of this network: `masqueradedContainers(lines, network)` of `#harness` reads whose they are;
 * - addresses: the address manager is asked to `GC`, too.
 *
 * All of it is tried, whatever fails. Without a list nothing is valid: the library of CNI tells an absent list and an empty one
 * apart neither in what it writes nor in what it reads. A `GC` and an `ADD` of one network never run at the same time: the runtime
 * sees to that.
 *
 * @throws Error with all that failed, a line each
 * @see Upstream: containernetworking/cni@v1.3.0 pkg/types/types.go NetConf, whose list is left out when it is empty
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md section 2, GC
 */
export async function gc(request: CniRequest): Promise<void> {
  todo(KATA, 'gc', 'Level 6');
}

// Level 7 · Routes between nodes

/**
 * The routes that a node owes: to the pods of each other node, by the address of that node.
 *
 * @example
 * node-2 has `spec.podCIDR` 10.244.2.0/24 and the address 192.168.0.2 of type `InternalIP`: 10.244.2.0/24 → 192.168.0.2.
 *
 * Of two other nodes that claim one network, either will do, but for the same nodes it is always the same one. A node that takes no new
 * pods, or is being deleted, has its pods still, and so its route.
 *
 * Each node has one podCIDR here, of IPv4. What becomes of one of IPv6, or of a single address (`/32`), is left open.
 *
 * @param nodes all of the cluster. One without a podCIDR, or without such an address, has no route yet
 * @param self the name of the node whose routes they are. It needs none to its own pods, and none to what another node, that will
 * soon be gone, claims of them
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/backend/hostgw/hostgw.go
 */
export function desiredRoutes(nodes: readonly Node[], self: string): PodRoutes {
  return todo(KATA, 'desiredRoutes', 'Level 7');
}

/**
 * The commands that make what there is into what there should be; none when it is so. A route that goes another way than it should is
 * replaced in one command: there must be no moment without it. That takes the place of another program's route to the same network,
 * too: upstream does so, and the pods of a node have the better right to it.
 *
 * A `del` names the gateway and the protocol: if the route has gone in the meantime, `ip route del 10.244.2.0/24` alone would take another
 * program's route to this network. A route that has no gateway is deleted without one.
 *
 * @example
 * `['ip', 'route', 'replace', '10.244.2.0/24', 'via', '192.168.0.2', 'proto', ROUTE_PROTOCOL]`, and `del` in place of `replace`
 *
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go
 */
export function routeCommands(installed: PodRoutes, desired: PodRoutes): readonly (readonly string[])[] {
  return todo(KATA, 'routeCommands', 'Level 7');
}

/**
 * The routes that the agent has made, also the agent before this one: those of the protocol {@link ROUTE_PROTOCOL}. `ip -j route show
 * proto …` lists them; a route is an `IpRoute`. It makes none with a `metric`: one that has a metric is not its own. A route by an
 * interface alone is listed, too: its gateway is the empty string here.
 */
export async function installedRoutes(tools: NetworkTools): Promise<PodRoutes> {
  return todo(KATA, 'installedRoutes', 'Level 7');
}

// Level 8 · The agent of a node

/**
 * Rules for the network of all pods, `POD_NETWORK` of `#harness`, as `ensureMasqueradeChain` takes them, in this order. Each has the
 * comment `flanneld masq`, behind its conditions: `-m comment --comment "flanneld masq"`.
 *
 * 1. What is marked (`-m mark --mark 0x4000/0x4000`) is left to others (`RETURN`): kube-proxy masquerades it.
 * 2. From the pods of this node to any pod: `RETURN`.
 * 3. From any pod to the pods of this node: `RETURN`.
 * 4. From elsewhere to the pods of this node: `RETURN`.
 * 5. From any pod, not to 224.0.0.0/4: `MASQUERADE --random-fully`.
 * 6. From elsewhere to any pod: `MASQUERADE --random-fully`.
 *
 * @param podCIDR the network of the pods of this node
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/trafficmngr/iptables/iptables.go masqRules
 */
export function networkMasqueradeRules(podCIDR: string): readonly string[] {
  return todo(KATA, 'networkMasqueradeRules', 'Level 8');
}

/**
 * Does whatever the node owes now, and nothing that it does not owe: routes to the others, then `ensureMasqueradeChain(tools, rules)`
 * of `#harness`, then `writeConflist(files, podCIDR)`. As long as the node itself has no podCIDR: nothing at all. What fails does not
 * keep the rest from being done: one node may be out of reach.
 *
 * @param all the nodes of the cluster
 * @throws Error with all that failed
 */
export async function syncNode(
  context: Pick<NodeComponentContext, 'node' | 'host'>,
  all: readonly Node[],
): Promise<void> {
  todo(KATA, 'syncNode', 'Level 8');
}

/**
 * The agent of one node. It watches all nodes (`nodes` of `#harness`), and calls {@link syncNode} when one has changed, ten seconds
 * after the last time at the latest, and again when it failed. It changes nothing before it has seen all nodes: it would take the
 * routes to the others for leftovers.
 *
 * Its contract, for the free way:
 *
 * - Each other node of the cluster has a route of protocol `ROUTE_PROTOCOL` to its podCIDR by its InternalIP, also one that takes no new
 *   pods or is being deleted. A node that claims the podCIDR of this one has none. Of two others that claim one, see
 *   {@link desiredRoutes}.
 * - No other route of that protocol is there, with or without a gateway, also none that an earlier life of the agent has left. A route
 *   with a `metric` is none of the agent's, whatever its protocol, and stays.
 * - Routes of other protocols are not touched, not even when the agent's own to the same network is gone in the moment in which it
 *   deletes it. There is one exception: the agent's route takes the place of a route without a metric to the same network.
 * - What is removed, a route, the rules or the configuration, is there again ten seconds later, also while another node cannot be
 *   reached.
 * - Rules and configuration as {@link syncNode} has them. In place of the rules, others will do by which pods see each other's addresses
 *   and what leaves the network has the node's: no law asks for the rules 4 and 6 of {@link networkMasqueradeRules}, for
 *   `--random-fully`, or for multicast, which a node does not send on.
 * - As long as this node has no podCIDR, nothing is changed. Once it has one, that is never changed: the API server refuses it.
 * - Where nothing is to be done, nothing is changed.
 *
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go RouteNetwork.Run
 */
export const routeController: NodeComponent = async (context) => {
  todo(KATA, 'routeController', 'Level 8');
};
