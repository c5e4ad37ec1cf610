import { firstOf, formatPrefix, parsePrefix } from '../../api/ip-prefix.ts';
import { type CniAttachment, CniError, type CniResult } from '../../contracts/node/network-plugin.ts';
import { type NetworkTools, type Shell, shell, ToolError } from '../../contracts/node/network-tools.ts';
import { changeNat, natLines } from './bridge-parts.ts';
import { chainName } from './names.ts';
import { type CniRequest, cniCodes, pluginMain } from './skel.ts';

type PortMapping = NonNullable<NonNullable<CniAttachment['runtimeConfig']>['portMappings']>[number];

const DNAT = 'CNI-HOSTPORT-DNAT';
const SETMARK = 'CNI-HOSTPORT-SETMARK';
const MASQ = 'CNI-HOSTPORT-MASQ';
/**
 * The mark of packets to masquerade. Upstream: containernetworking/plugins@v1.9.1 plugins/meta/portmap/main.go
 * DefaultMarkBit
 */
const MARK = '0x2000/0x2000';

/**
 * Forwards ports of the node to a pod. It is the second plugin in the network of most clusters. The runtime calls it
 * after the plugin that creates the pod's interface, and it returns that plugin's result unchanged.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/meta/portmap/portmap_iptables.go, chain.go
 *
 * Differs: it supports only IPv4 and iptables, and none of `snat`, `masqAll`, `conditionsV4`, `markMasqBit`,
 * `externalSetMarkChain`. It creates the chain of a container atomically, and implements GC; upstream takes several
 * steps, and has no GC.
 */
export const portmap = pluginMain({ add, del, check, gc });

async function add(request: CniRequest): Promise<CniResult> {
  const { prevResult } = request.config;
  if (!prevResult) throw new Error('must be called as chained plugin');
  const mappings = mappingsOf(request);
  const container = addressOf(request, prevResult);
  if (mappings.length === 0 || container === undefined) return prevResult;
  const $ = shell(request.process.tools);
  for (const { chain, rules, entries, first } of sharedChains) {
    await ensureChain($, chain);
    for (const rule of rules) await ensureRule($, chain, rule);
    for (const [from, entry] of entries) await ensureRule($, from, [...entry, '-j', chain], first);
  }
  await tearDown(request.process.tools, ownChain(request));
  await changeNat(request.process.tools, linesOf(chainOf(request, mappings, container)));
  await forgetDatagrams($, mappings);
  await routeLocalnet($, container);
  return prevResult;
}

async function del(request: CniRequest): Promise<void> {
  if (mappingsOf(request).length > 0) await tearDown(request.process.tools, ownChain(request));
}

/** Deletes the rules of containers that are not valid any more. */
async function gc({ config, process }: CniRequest): Promise<void> {
  const valid = (config['cni.dev/valid-attachments'] ?? []).map(({ containerID }) => containerID);
  const owners = (await natLines(process.tools)).flatMap((line) => {
    const [, name, id] = /--comment "dnat name: \\"(.+?)\\" id: \\"(.+?)\\""/.exec(line) ?? [];
    return name === config.name && id !== undefined ? [id] : [];
  });
  for (const id of new Set(owners))
    if (!valid.includes(id)) await tearDown(process.tools, chainName(config.name, id, 'DN-'));
}

async function tearDown(tools: NetworkTools, chain: string): Promise<void> {
  const lines = await natLines(tools);
  if (!lines.some((line) => line.startsWith(`:${chain} `))) return;
  const jumps = lines.filter((line) => line.startsWith(`-A ${DNAT} `) && line.endsWith(` -j ${chain}`));
  await changeNat(tools, [
    `:${chain} - [0:0]`,
    ...jumps.map((line) => line.replace('-A', '-D')),
    `-X ${chain}`,
  ]);
}

async function check(request: CniRequest): Promise<void> {
  const { prevResult } = request.config;
  if (!prevResult) throw new Error('Required prevResult missing');
  const mappings = mappingsOf(request);
  const container = addressOf(request, prevResult);
  if (mappings.length === 0 || container === undefined) return;
  const $ = shell(request.process.tools);
  const { chain, rules, entries } = chainOf(request, mappings, container);
  const wanted = [
    ...rules.map((rule) => [chain, rule] as const),
    ...entries.map(([from, entry]) => [from, [...entry, '-j', chain]] as const),
  ];
  for (const [where, rule] of wanted) {
    if (await hasRule($, where, rule)) continue;
    throw new Error(
      `could not check ipv4 dnat: rule ${rule.join(' ')} in chain ${where} not found in table nat`,
    );
  }
}

/** A chain, its rules, and the rules that jump to it. */
interface PortChain {
  readonly chain: string;
  readonly rules: readonly (readonly string[])[];
  readonly entries: readonly (readonly [from: string, rule: readonly string[]])[];
  /** Whether its entries come before all other rules. */
  readonly first?: boolean;
}

/**
 * The chains that all containers share, in the order of their creation: a chain must exist before a rule jumps to it.
 */
const sharedChains: readonly PortChain[] = [
  {
    chain: SETMARK,
    rules: [['-m', 'comment', '--comment', 'CNI portfwd masquerade mark', '-j', 'MARK', '--set-xmark', MARK]],
    entries: [],
  },
  {
    chain: MASQ,
    rules: [['-m', 'mark', '--mark', MARK, '-j', 'MASQUERADE']],
    entries: [['POSTROUTING', ['-m', 'comment', '--comment', 'CNI portfwd requiring masquerade']]],
    first: true,
  },
  {
    chain: DNAT,
    rules: [],
    entries: [
      ['PREROUTING', ['-m', 'addrtype', '--dst-type', 'LOCAL']],
      ['OUTPUT', ['-m', 'addrtype', '--dst-type', 'LOCAL']],
    ],
  },
];

/** Returns a container's own chain. */
function chainOf(request: CniRequest, mappings: readonly PortMapping[], container: string): PortChain {
  const comment = `dnat name: "${request.config.name}" id: "${request.containerID}"`;
  const { ip, bits } = parsePrefix(container);
  const subnet = formatPrefix({ ip: firstOf({ ip, bits }), bits });
  const dnat = mappings.flatMap(({ protocol, hostPort, containerPort, hostIP }) => {
    const isAny = hostIP === undefined || hostIP === '' || hostIP === '0.0.0.0';
    const base = ['-p', protocol, '--dport', `${hostPort}`, ...(isAny ? [] : ['-d', hostIP])];
    return [
      [...base, '-s', subnet, '-j', SETMARK],
      [...base, '-s', '127.0.0.1', '-j', SETMARK],
      [...base, '-j', 'DNAT', '--to-destination', `${ip.text}:${containerPort}`],
    ];
  });
  const entries = [...new Set(mappings.map(({ protocol }) => protocol))].sort().flatMap((protocol) => {
    const ports = mappings.filter((each) => each.protocol === protocol).map(({ hostPort }) => hostPort);
    return inGroups(ports).map((group): PortChain['entries'][number] => {
      const multiport = ['-m', 'multiport', '-p', protocol, '--destination-ports', group.join(',')];
      return [DNAT, ['-m', 'comment', '--comment', comment, ...multiport]];
    });
  });
  return { chain: ownChain(request), rules: dnat, entries };
}

/** Returns the lines of a chain for `iptables-restore`. */
function linesOf({ chain, rules, entries }: PortChain): readonly string[] {
  const line = (where: string, rule: readonly string[]): string =>
    ['-A', where, ...rule.map((word) => (/[\s"]/.test(word) ? JSON.stringify(word) : word))].join(' ');
  return [
    `:${chain} - [0:0]`,
    ...rules.map((rule) => line(chain, rule)),
    ...entries.map(([from, rule]) => line(from, [...rule, '-j', chain])),
  ];
}

/**
 * Splits ports into groups. A rule names at most fifteen ports. Upstream: containernetworking/plugins@v1.9.1
 * plugins/meta/portmap/utils.go splitPortList
 */
function inGroups(ports: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(ports.length / 15) }, (_, i) => ports.slice(15 * i, 15 * (i + 1)));
}

function ownChain({ config, containerID }: CniRequest): string {
  return chainName(config.name, containerID, 'DN-');
}

/** @throws CniError when a port is invalid */
function mappingsOf({ config }: CniRequest): readonly PortMapping[] {
  const mappings = (config.runtimeConfig?.portMappings ?? []) as readonly PortMapping[];
  for (const { hostPort, containerPort } of mappings) {
    const wrong =
      containerPort <= 0 ? `container port number: ${containerPort}` : `host port number: ${hostPort}`;
    if (containerPort <= 0 || hostPort <= 0)
      throw new CniError(cniCodes.internal, `failed to parse config: Invalid ${wrong}`);
  }
  return mappings.map((mapping) => ({ ...mapping, protocol: mapping.protocol.toLowerCase() }));
}

/** Returns the first IPv4 address of the container's own interface. */
function addressOf({ ifname }: CniRequest, { interfaces, ips }: CniResult): string | undefined {
  return ips.find(({ address, interface: index }) => {
    const at = index === undefined ? undefined : interfaces[index];
    return !address.includes(':') && (at === undefined || (at.name === ifname && at.sandbox));
  })?.address;
}

async function ensureChain($: Shell, chain: string): Promise<void> {
  await $`iptables -w -t nat -N ${chain}`.catch((error: Error) => {
    if (!(error instanceof ToolError) || !error.stderr.includes('exists')) throw error;
  });
}

async function ensureRule($: Shell, chain: string, rule: readonly string[], first = false): Promise<void> {
  if (await hasRule($, chain, rule)) return;
  await $`iptables -w -t nat ${first ? '-I' : '-A'} ${chain} ${rule}`;
}

async function hasRule($: Shell, chain: string, rule: readonly string[]): Promise<boolean> {
  try {
    await $`iptables -w -t nat -C ${chain} ${rule}`;
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.exitCode === 1) return false;
    throw error;
  }
}

/**
 * Deletes the kernel's UDP connections to these ports. A known connection keeps its old destination, and steady UDP
 * packets would keep it alive forever.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/meta/portmap/main.go deletePortmapStaleConnections
 */
async function forgetDatagrams($: Shell, mappings: readonly PortMapping[]): Promise<void> {
  for (const { protocol, hostPort } of mappings) {
    if (protocol === 'udp') await $`conntrack -D -p udp --orig-port-dst ${hostPort}`.catch(() => {});
  }
}

/**
 * Allows packets from 127.0.0.1 to leave through the bridge. Upstream: containernetworking/plugins@v1.9.1
 * plugins/meta/portmap/utils.go
 */
async function routeLocalnet($: Shell, container: string): Promise<void> {
  const [way] = JSON.parse(await $`ip -j route get ${container.split('/')[0] as string}`) as [
    { dev: string }?,
  ];
  if (way) await $`sysctl -w net.ipv4.conf.${way.dev}.route_localnet=1`;
}
