/**
 * Kata 52 · The network of pods. Read README.md first, then start with Level 1.
 *
 * {@link bridge} is a network plugin: the container runtime runs it for each pod, and it connects the pod to its node.
 * {@link routeController} runs on each node all the time, and connects the nodes.
 *
 * Both use commands of a real node; `shell` of `#harness` runs them:
 *
 *     const $ = shell(request.process.tools);
 *     await $`ip link set dev ${name} up`;
 *     const links: IpLink[] = JSON.parse(await $`ip -d -j link show`);
 *
 * For your own design, write only these two; the contracts of the levels' functions still define the network, the order
 * of steps and the error messages.
 */
import {
  type Addressing,
  attachmentInterfaces,
  bridgeConfiguration,
  changeNat,
  natLines,
  type PairOptions,
  type PodRoutes,
  type RuleOwner,
} from '#given/52-pod-network';
import {
  type BridgeConfiguration,
  type CniAttachment,
  type CniPlugin,
  type CniRequest,
  type CniResult,
  type IpLink,
  type NetworkTools,
  type Node,
  type NodeComponent,
  type NodeComponentContext,
  pluginMain,
  type Shell,
  todo,
} from '#harness';

const KATA = '52-pod-network';

// Level 1 · The bridge

/**
 * Ensures that the node has a bridge of this name that is up and never changes its MAC. A bridge whose MAC was never
 * set takes the lowest MAC of its ports. An existing bridge keeps its ports. Two plugins may do this at the same time.
 *
 * @param mtu - of a new bridge
 * @returns the bridge, as `ip` showed it before or after the change; {@link linkNamed} of `#harness` finds it
 * @throws Error `failed to create bridge "cni0": "cni0" already exists but is not a bridge`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go ensureBridge, ensureAddr
 */
export async function ensureBridge($: Shell, name: string, mtu?: number): Promise<IpLink> {
  return todo(KATA, 'ensureBridge', 'Level 1');
}

// Level 2 · The pair

/**
 * Returns the name of the host end: `veth` and eight hexadecimal digits, such as those of `sha512` of `#harness`. It
 * depends only on the container ID and the interface.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/link_linux.go RandomVethName, which draws it
 */
export function hostVethName(attachment: Pick<CniAttachment, 'containerID' | 'ifname'>): string {
  return todo(KATA, 'hostVethName', 'Level 2');
}

/**
 * Creates the pair. One end is `ifname` in the pod's namespace; it stays down. The other end, {@link hostVethName}, is
 * a port of the bridge, and up. Create it as a port (`ip link add NAME master BRIDGE type veth …`), so that {@link gc}
 * finds it after a crash. `hairpinMode` turns the hairpin of the port on or off.
 *
 * `namespaceName(request)` of `#harness` returns the namespace for `ip -n`; `mtuWords(mtu)` the words for an MTU.
 *
 * @throws Error `container veth name ("eth0") peer provided ("veth1a2b3c4d") already exists` if the namespace already
 * has an interface of this name, which stays unchanged
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go setupVeth; pkg/ip/link_linux.go
 * SetupVeth
 */
export async function setUpVeth(
  $: Shell,
  request: Pick<CniAttachment, 'containerID' | 'netns' | 'ifname'>,
  options: PairOptions,
): Promise<void> {
  todo(KATA, 'setUpVeth', 'Level 2');
}

/**
 * Removes a host interface, and so both ends of a pair. Succeeds if it does not exist, or disappears at this moment.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/link_linux.go DelLinkByNameAddr
 */
export async function removeVeth($: Shell, host: string): Promise<void> {
  todo(KATA, 'removeVeth', 'Level 2');
}

// Level 3 · Addresses

/**
 * Runs the address manager, the plugin `config.ipam.type`, with `process.run`: the same environment (`process.env`)
 * except for this command, and the same configuration (`process.stdin`).
 *
 * @returns its output: for `ADD`, a result as JSON
 * @throws CniError with its error, as `errorOf` of `#harness` reads it
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md section 4
 */
export async function delegate(
  request: Pick<CniRequest, 'process' | 'config'>,
  command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS',
): Promise<string> {
  return todo(KATA, 'delegate', 'Level 3');
}

/**
 * Decides the addresses and routes of a pod from the result of the address manager.
 *
 * - Each address belongs to interface 2 of the result: the container end.
 * - With `isGateway`, an address without a gateway gets the first address of its network: 10.244.1.1 for
 *   `10.244.1.7/24`.
 * - `isDefaultGateway` implies `isGateway`, and appends a route to `0.0.0.0/0` (IPv6: `::/0`) via the gateway, unless
 *   the result has a default route of this family. A default route without a gateway uses the gateway of the address.
 * - `gateways` are the addresses of the bridge, with prefix; none without `isGateway`.
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
 * Sets the addresses of the pod's interface, sets it up, and then adds the routes through it, in the order of the
 * result. A route without a gateway uses the gateway of the first address of its family, if that has one.
 *
 * Before it adds the addresses, it sets `net.ipv4.conf.eth0.arp_notify` to 1 in the pod's namespace, so that the kernel
 * announces it to its neighbours: `nsenter --net=/var/run/netns/cni-1 sysctl -w …`.
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
 * Ensures that the bridge has this address, and that the node forwards packets: `net.ipv4.ip_forward` is 1, or for an
 * IPv6 address `net.ipv6.conf.all.forwarding`. Two plugins may do this at the same time.
 *
 * @param gateway - with prefix: `10.244.1.1/24`
 * @throws Error `failed to set bridge addr: "cni0" already has an IP address different from 10.244.1.1/24` if the
 * bridge has another IPv4 address
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go ensureAddr, enableIPForward
 */
export async function ensureGateway($: Shell, bridge: string, gateway: string): Promise<void> {
  todo(KATA, 'ensureGateway', 'Level 3');
}

// Level 4 · ADD and DEL

/**
 * Connects a pod to its node: bridge, pair, addresses, gateway; with `ipMasq` (Level 5) also the rules, with
 * {@link changeNat}. Remains of an earlier `ADD` of the same attachment must not make it fail.
 *
 * If a step fails after the call of the address manager, it undoes everything like {@link del} and throws the first
 * error. Remains that it cannot remove may stay, as may the pair and the bridge after an earlier failure. But it never
 * releases an address that an interface or a rule still has.
 *
 * Given: {@link bridgeConfiguration}, the configuration with its defaults; `checkNamespace($, request)`, which comes
 * first; `readResult`, for the output of the address manager; {@link attachmentInterfaces}, which comes last.
 *
 * @throws Error `IPAM plugin returned missing IP config` if the result of the address manager has no address
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdAdd
 */
export async function add(request: CniRequest): Promise<CniResult> {
  return todo(KATA, 'add', 'Level 4');
}

/**
 * Undoes {@link add}: removes the pair, with `ipMasq` of this request (Level 5) the rules, and then releases the
 * address. The bridge stays. Missing parts are not an error: the namespace may be gone (`request.netns` is then empty,
 * or names nothing), or this is the second `DEL`.
 *
 * Another pod may get the address a moment later. So if `del` cannot remove the interface or the rules, it fails and
 * keeps the address. Without `ipMasq`, rules of the `ADD` may stay or go.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdDel
 */
export async function del(request: CniRequest): Promise<void> {
  todo(KATA, 'del', 'Level 4');
}

/** The plugin. Given. Your own design may use other commands, and another order of a pod's rules and of the checks. */
export const bridge: CniPlugin = pluginMain({
  add,
  del,
  check,
  gc,
  status: async (request) => void (await delegate(request, 'STATUS')),
});

// Level 5 · To the outside

/**
 * Returns the lines for {@link changeNat} that masquerade a container's packets to the outside. They create the
 * container's own chain, `chainName(network, containerID)` of `#harness`. For each IPv4 address they add the three rules
 * of the example, each with the comment `ruleComment(network, containerID)`. Without an IPv4 address: no lines, or only
 * the chain.
 *
 * @example
 * For the address 10.244.1.2/24 (without the comments `-m comment --comment "name: \"cbr0\" id: \"4f5c\""`):
 *
 *     :CNI-5f2b… - [0:0]
 *     -A CNI-5f2b… -d 10.244.1.0/24 -j ACCEPT
 *     -A CNI-5f2b… ! -d 224.0.0.0/4 -j MASQUERADE
 *     -A POSTROUTING -s 10.244.1.2/32 -j CNI-5f2b…
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/ipmasq_iptables_linux.go SetupIPMasq
 */
export function masqueradeRules(owner: RuleOwner, result: Pick<CniResult, 'ips'>): readonly string[] {
  return todo(KATA, 'masqueradeRules', 'Level 5');
}

/**
 * Returns the lines for {@link changeNat} that remove the rules of a container: the rules that jump to its chain, for
 * any address, and the chain.
 *
 * @param lines - the whole table, as {@link natLines} returns it: `:CNI-5f2b… - [0:0]`, `-A POSTROUTING … -j CNI-5f2b…`
 * @returns no lines if the chain does not exist
 * @see Upstream: containernetworking/plugins@v1.9.1 pkg/ip/ipmasq_iptables_linux.go TeardownIPMasq
 */
export function masqueradeRemoval(lines: readonly string[], owner: RuleOwner): readonly string[] {
  return todo(KATA, 'masqueradeRemoval', 'Level 5');
}

/** Removes the rules of a container in one transaction. Given. */
export async function tearDownMasquerade(tools: NetworkTools, owner: RuleOwner): Promise<void> {
  const removal = masqueradeRemoval(await natLines(tools), owner);
  if (removal.length > 0) await changeNat(tools, removal);
}

// Level 6 · CHECK and GC

/**
 * Checks that everything is as `ADD` created it, and changes nothing. The checks and their errors, in this order:
 *
 * 1. The namespace exists, and the CHECK of the address manager succeeds.
 * 2. `prevResult` of the configuration, the result of the `ADD`, exists: `Required prevResult missing`. Its three lists
 *    may be empty.
 * 3. The bridge is a bridge: `CNI created bridge cni0 in host namespace was not found`.
 * 4. The pod has the interface: `CNI created interface in container eth0 not found`.
 * 5. The host end is a port of the bridge, and both ends are up: `CNI veth created for bridge cni0 was not found`.
 * 6. The interface has the MAC of the result: `Interface eth0 Mac aa:… doesn't match container Mac: bb:…`.
 * 7. Addresses and routes exist: `checkAddresses($, request, result)` of `#harness`.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdCheck
 */
export async function check(request: CniRequest): Promise<void> {
  todo(KATA, 'check', 'Level 6');
}

/**
 * Removes the remains of attachments that are not in `config['cni.dev/valid-attachments']`:
 *
 * - host ends with a name like {@link hostVethName}: ports of the bridge, and links that are down and in no bridge, as
 *   a plugin that crashed leaves them. All others belong to other programs;
 * - rules of this network's containers: `masqueradedContainers(lines, network)` of `#harness` returns their IDs;
 * - addresses: run `GC` of the address manager.
 *
 * After a failure it continues with the rest. A missing list means that nothing is valid, as in CNI. No `ADD` of the
 * network runs during a `GC`. Each network has its own bridge.
 *
 * @throws Error with all failures, one per line
 * @see Upstream: containernetworking/cni@v1.3.0 pkg/types/types.go NetConf, whose list is left out when it is empty
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md section 2, GC
 */
export async function gc(request: CniRequest): Promise<void> {
  todo(KATA, 'gc', 'Level 6');
}

// Level 7 · Routes between nodes

/**
 * Returns the routes that a node needs: to the podCIDR of each other node, via its `InternalIP`. Nodes that are cordoned
 * or being deleted still have pods. If two other nodes claim one podCIDR, always choose the same one of them.
 *
 * @param nodes - a node without a podCIDR or an `InternalIP` gets no route. A podCIDR is an
 * IPv4 network larger than `/32`
 * @param self - the name of this node. It needs no route to its own podCIDR, even if another node claims that
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/backend/hostgw/hostgw.go
 */
export function desiredRoutes(nodes: readonly Node[], self: string): PodRoutes {
  return todo(KATA, 'desiredRoutes', 'Level 7');
}

/**
 * Returns the commands that turn the installed routes into the desired ones; none if they are equal. One `replace`
 * changes a route, so that the route exists at every moment, even if it is another program's.
 *
 * A `del` names the gateway, if there is one, and the protocol: `ip route del 10.244.2.0/24` alone could delete another
 * program's route.
 *
 * @example
 * `['ip', 'route', 'replace', '10.244.2.0/24', 'via', '192.168.0.2', 'proto', ROUTE_PROTOCOL]`, and `del` in place of
 * `replace`
 *
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go
 */
export function routeCommands(installed: PodRoutes, desired: PodRoutes): readonly (readonly string[])[] {
  return todo(KATA, 'routeCommands', 'Level 7');
}

/**
 * Returns the routes of this agent and of earlier ones: those with the protocol {@link ROUTE_PROTOCOL}, from `ip -j
 * route show proto …` (`IpRoute`). A route with a `metric` belongs to another program. A route without a gateway has
 * the empty string as its gateway here.
 */
export async function installedRoutes(tools: NetworkTools): Promise<PodRoutes> {
  return todo(KATA, 'installedRoutes', 'Level 7');
}

// Level 8 · The agent of a node

/**
 * Returns the rules for `ensureMasqueradeChain`, in this order. "Any pod" is `POD_NETWORK` of `#harness`. After its
 * conditions, each rule has the comment `-m comment --comment "flanneld masq"`.
 *
 * 1. Marked packets (`-m mark --mark 0x4000/0x4000`): `RETURN`; kube-proxy masquerades them.
 * 2. From the pods of this node to any pod: `RETURN`.
 * 3. From any pod to the pods of this node: `RETURN`.
 * 4. From elsewhere (`! -s`) to the pods of this node: `RETURN`.
 * 5. From any pod, not to 224.0.0.0/4: `MASQUERADE --random-fully`.
 * 6. From elsewhere to any pod: `MASQUERADE --random-fully`.
 *
 * @param podCIDR - of this node
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/trafficmngr/iptables/iptables.go masqRules
 */
export function networkMasqueradeRules(podCIDR: string): readonly string[] {
  return todo(KATA, 'networkMasqueradeRules', 'Level 8');
}

/**
 * Makes all changes that the node needs now, and no others: first the routes, then `ensureMasqueradeChain(tools,
 * rules)` of `#harness`, and last `writeConflist(files, podCIDR)`, because the node accepts pods from then on. Does
 * nothing while the node itself has no podCIDR. After a failure it continues with the rest.
 *
 * @param all - the nodes of the cluster
 * @throws Error with all failures
 */
export async function syncNode(
  context: Pick<NodeComponentContext, 'node' | 'host'>,
  all: readonly Node[],
): Promise<void> {
  todo(KATA, 'syncNode', 'Level 8');
}

/**
 * The agent of one node. It watches all nodes (`nodes` of `#harness`) and calls {@link syncNode} when a node has
 * changed, at least every ten seconds, and again after a failure. It changes nothing before its first list is complete.
 *
 * For your own design:
 *
 * - The routes are those of {@link desiredRoutes}. No other route with the protocol `ROUTE_PROTOCOL` remains, with or
 *   without a gateway, even from an earlier agent. Routes with a `metric` stay.
 * - Routes of other protocols stay, even if the agent's route to the same network disappears just before it deletes it.
 *   Exception: the agent's route replaces a route without a metric to the same network.
 * - A removed route, rule or configuration is restored within ten seconds, even while a node is unreachable.
 * - Rules and configuration follow {@link syncNode}, in its order. No law needs rules 4 and 6, `--random-fully`, or
 *   multicast.
 * - While this node has no podCIDR, or if nothing needs a change, the agent changes nothing. A podCIDR never changes
 *   afterwards.
 *
 * @see Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go RouteNetwork.Run
 */
export const routeController: NodeComponent = async (context) => {
  todo(KATA, 'routeController', 'Level 8');
};
