import { chainName, ensureMasqueradeChain, readResult, sha512, writeConflist } from '#given/52-pod-network';
import {
  type CniConfiguration,
  CniError,
  type CniPlugin,
  type CniRequest,
  type CniResult,
  firstOf,
  formatPrefix,
  type IpAddresses,
  type IpLink,
  type IpRoute,
  type Node,
  type NodeComponent,
  type NodeComponentContext,
  nodes,
  parsePrefix,
  pluginMain,
  plus,
  shell,
  ToolError,
} from '#harness';

// A pod network without the functions of the levels: one class for a pod's connection, and an agent that polls.

interface Config extends CniConfiguration {
  readonly bridge?: string;
  readonly isGateway?: boolean;
  readonly isDefaultGateway?: boolean;
  readonly ipMasq?: boolean;
  readonly hairpinMode?: boolean;
  readonly mtu?: number;
}

/** Returns the name of the host end: its first part identifies the network, the rest the attachment. */
function endOf(network: string, of?: { readonly containerID: string; readonly ifname: string }): string {
  const whose = of ? sha512(`${of.containerID}/${of.ifname}`).slice(0, 8) : '';
  return `pod${sha512(network).slice(0, 4)}${whose}`;
}

function isSix(prefix: string): boolean {
  return prefix.includes(':');
}

/** The connection between one pod and its node. */
class Wire {
  readonly #request: CniRequest;
  readonly #config: Config & { readonly bridge: string };
  readonly #netns: string;

  constructor(request: CniRequest) {
    this.#request = request;
    this.#config = { bridge: 'cni0', ...request.config };
    this.#netns = request.netns.split('/').at(-1) ?? '';
  }

  async lay(): Promise<CniResult> {
    const { ifname, netns } = this.#request;
    const { bridge, hairpinMode, mtu, ipMasq, cniVersion, isDefaultGateway } = this.#config;
    const isGateway = this.#config.isGateway || isDefaultGateway;
    await this.#run('ip', '-n', this.#netns, '-j', 'link', 'show').catch(() => {
      throw new Error(`failed to open netns "${netns}"`);
    });
    await this.cut();
    const sized = mtu ? ['mtu', `${mtu}`] : [];
    if (!(await this.#link(bridge)))
      await this.#unless(/exists/, 'ip', 'link', 'add', bridge, ...sized, 'type', 'bridge');
    const found = await this.#link(bridge);
    if (found?.linkinfo?.info_kind !== 'bridge') throw new Error(`${bridge} is not a bridge`);
    await this.#run('ip', 'link', 'set', bridge, 'up', 'address', found.address);
    if (await this.#inside(ifname)) throw new Error(`${ifname} already exists`);
    const host = endOf(this.#config.name, this.#request);
    await this.#run(
      'ip',
      'link',
      'add',
      host,
      ...sized,
      'type',
      'veth',
      'peer',
      'name',
      ifname,
      ...sized,
      'netns',
      this.#netns,
    );
    await this.#run('ip', 'link', 'set', host, 'master', bridge, 'up');
    await this.#run('bridge', 'link', 'set', 'dev', host, 'hairpin', hairpinMode ? 'on' : 'off');
    try {
      const given = readResult(await this.ask('ADD'));
      const ips = given.ips.map((each) => {
        const gateway =
          each.gateway ?? (isGateway ? plus(firstOf(parsePrefix(each.address)), 1).text : undefined);
        return { address: each.address, ...(gateway !== undefined && { gateway }), interface: 2 };
      });
      const [first] = ips;
      if (!first) throw new Error('IPAM plugin returned missing IP config');
      const routes = [...given.routes];
      for (const { address, gateway: gw } of isGateway ? ips : []) {
        const all = isSix(address) ? '::/0' : '0.0.0.0/0';
        if (isDefaultGateway && gw && !routes.some(({ dst }) => dst === all)) routes.push({ dst: all, gw });
        await this.#beGateway(`${gw}/${parsePrefix(address).bits}`);
      }
      await this.#run('nsenter', `--net=${netns}`, 'sysctl', '-w', `net.ipv4.conf.${ifname}.arp_notify=1`);
      await this.#run('ip', '-n', this.#netns, 'link', 'set', ifname, 'up');
      for (const { address } of ips)
        await this.#run('ip', '-n', this.#netns, 'addr', 'add', address, 'dev', ifname);
      for (const { dst, gw: said } of routes) {
        const gw = said ?? ips.find(({ address }) => isSix(address) === isSix(dst))?.gateway;
        const way = [...(gw ? ['via', gw] : []), 'dev', ifname];
        await this.#run('ip', '-n', this.#netns, 'route', 'add', dst, ...way);
      }
      if (ipMasq) await this.#masquerade(ips.filter(({ address }) => !isSix(address)));
      const [ours, ends, container] = [
        await this.#link(bridge),
        await this.#link(host),
        await this.#inside(ifname),
      ];
      const interfaces = [
        { name: bridge, mac: ours?.address ?? '' },
        { name: host, mac: ends?.address ?? '' },
        { name: ifname, mac: container?.address ?? '', sandbox: netns },
      ];
      return { cniVersion, interfaces, ips, routes };
    } catch (error) {
      await this.cut().catch(() => {});
      throw error;
    }
  }

  /** Removes the connection, with its rules and its address. */
  async cut(): Promise<void> {
    const { ipMasq } = this.#config;
    const host = endOf(this.#config.name, this.#request);
    if (await this.#link(host)) await this.#unless(/Cannot find device/, 'ip', 'link', 'del', host);
    if (ipMasq) await this.#unmasquerade(chainName(this.#config.name, this.#request.containerID));
    await this.ask('DEL');
  }

  async check(): Promise<void> {
    const { ifname, netns, containerID } = this.#request;
    const { bridge, prevResult } = this.#config;
    await this.ask('CHECK');
    if (!prevResult) throw new Error('Required prevResult missing');
    const inside = await this.#inside(ifname);
    const host = (await this.#links()).find(({ ifindex }) => ifindex === inside?.link_index);
    const isWell =
      inside !== undefined &&
      host?.master === bridge &&
      [inside, host].every(({ flags }) => flags.includes('UP'));
    if (!isWell) throw new Error(`the wire of ${containerID} is broken`);
    const mac = prevResult.interfaces.find(({ sandbox }) => sandbox === netns)?.mac;
    if (mac !== undefined && mac !== inside.address) throw new Error(`${ifname} is another one`);
    const shown = await this.#run('ip', '-n', this.#netns, '-j', 'addr', 'show', 'dev', ifname);
    const [own] = JSON.parse(shown) as [IpAddresses];
    for (const { address } of prevResult.ips)
      if (!own.addr_info.some(({ local, prefixlen }) => address === `${local}/${prefixlen}`))
        throw new Error(`${address} is gone`);
    const routes: readonly IpRoute[] = JSON.parse(
      await this.#run('ip', '-n', this.#netns, '-j', 'route', 'show'),
    );
    for (const { dst } of prevResult.routes)
      if (!routes.some((route) => route.dst === (dst === '0.0.0.0/0' ? 'default' : dst)))
        throw new Error(`the route to ${dst} is gone`);
  }

  async collect(): Promise<void> {
    const { name, 'cni.dev/valid-attachments': valid = [] } = this.#config;
    const kept = new Set(valid.map((each) => endOf(name, each)));
    const prefix = endOf(name).slice(0, 7);
    const failures: string[] = [];
    const attempt = (step: Promise<unknown>): Promise<unknown> =>
      step.catch(({ message }: Error) => failures.push(message));
    for (const { ifname } of await this.#links())
      if (ifname.startsWith(prefix) && !kept.has(ifname))
        await attempt(this.#unless(/Cannot find device/, 'ip', 'link', 'del', ifname));
    const chains = new Set(valid.map(({ containerID }) => chainName(name, containerID)));
    const saved = (await this.#run('iptables-save', '-t', 'nat')).split('\n');
    for (const line of saved) {
      const [, chain] = /^-A POSTROUTING .*"name: .* -j (CNI-[0-9a-f]{24})$/.exec(line) ?? [];
      if (chain !== undefined && line.includes(`name: \\"${name}\\"`) && !chains.has(chain))
        await attempt(this.#unmasquerade(chain));
    }
    await attempt(this.ask('GC'));
    if (failures.length > 0) throw new Error(failures.join('; '));
  }

  async #beGateway(address: string): Promise<void> {
    const { bridge } = this.#config;
    const [shown] = JSON.parse(await this.#run('ip', '-j', 'addr', 'show', 'dev', bridge)) as [IpAddresses];
    if (isSix(address)) {
      await this.#unless(/already assigned/, 'ip', 'addr', 'add', address, 'dev', bridge);
      await this.#run('sysctl', '-w', 'net.ipv6.conf.all.forwarding=1');
      return;
    }
    const own = shown.addr_info.filter(({ family }) => family === 'inet');
    const other = own.find(({ local, prefixlen }) => `${local}/${prefixlen}` !== address);
    if (other) throw new Error(`"${bridge}" already has an IP address different from ${address}`);
    if (own.length === 0) await this.#unless(/already assigned/, 'ip', 'addr', 'add', address, 'dev', bridge);
    await this.#run('sysctl', '-w', 'net.ipv4.ip_forward=1');
  }

  async #masquerade(ips: readonly { readonly address: string }[]): Promise<void> {
    const { name } = this.#config;
    const { containerID } = this.#request;
    const chain = chainName(name, containerID);
    const comment = `-m comment --comment "name: \\"${name}\\" id: \\"${containerID}\\""`;
    const prefixes = ips.map(({ address }) => parsePrefix(address));
    const lines = [
      `:${chain} - [0:0]`,
      ...prefixes.flatMap((prefix) => [
        `-A POSTROUTING -s ${prefix.ip.text}/32 ${comment} -j ${chain}`,
        `-A ${chain} -d ${formatPrefix({ ...prefix, ip: firstOf(prefix) })} ${comment} -j ACCEPT`,
      ]),
      `-A ${chain} ! -d 224.0.0.0/4 ${comment} -j MASQUERADE`,
    ];
    const input = `*nat\n${lines.join('\n')}\nCOMMIT\n`;
    await this.#request.process.tools.run(['iptables-restore', '-w', '--noflush'], input);
  }

  async #unmasquerade(chain: string): Promise<void> {
    const saved = (await this.#run('iptables-save', '-t', 'nat')).split('\n');
    if (!saved.some((line) => line.startsWith(`:${chain} `))) return;
    const jumps = saved.filter((line) => line.startsWith('-A POSTROUTING') && line.endsWith(` ${chain}`));
    const lines = [`:${chain} - [0:0]`, ...jumps.map((line) => `-D${line.slice(2)}`), `-X ${chain}`];
    const input = `*nat\n${lines.join('\n')}\nCOMMIT\n`;
    await this.#request.process.tools.run(['iptables-restore', '-w', '--noflush'], input);
  }

  async ask(command: string): Promise<string> {
    const { env, stdin, run } = this.#request.process;
    const exit = await run(this.#config.ipam?.type ?? '', { env: { ...env, CNI_COMMAND: command }, stdin });
    if (exit.code === 0) return exit.stdout;
    const { code, msg } = JSON.parse(exit.stdout) as { code: number; msg: string };
    throw new CniError(code, msg);
  }

  async #links(): Promise<readonly IpLink[]> {
    return JSON.parse(await this.#run('ip', '-d', '-j', 'link', 'show'));
  }

  async #link(name: string): Promise<IpLink | undefined> {
    return (await this.#links()).find(({ ifname }) => ifname === name);
  }

  async #inside(name: string): Promise<IpLink | undefined> {
    const all: readonly IpLink[] = JSON.parse(
      await this.#run('ip', '-n', this.#netns, '-d', '-j', 'link', 'show'),
    );
    return all.find(({ ifname }) => ifname === name);
  }

  #run(...argv: readonly string[]): Promise<string> {
    return this.#request.process.tools.run(argv);
  }

  /** Runs a command, and ignores an error with this message. */
  async #unless(said: RegExp, ...argv: readonly string[]): Promise<void> {
    await this.#run(...argv).catch((error: unknown) => {
      if (!(error instanceof ToolError) || !said.test(error.stderr)) throw error;
    });
  }
}

export const bridge: CniPlugin = pluginMain({
  add: (request) => new Wire(request).lay(),
  del: (request) => new Wire(request).cut(),
  check: (request) => new Wire(request).check(),
  gc: (request) => new Wire(request).collect(),
  status: async (request) => void (await new Wire(request).ask('STATUS')),
});

/** Checks everything twice a second, without events. */
export const routeController: NodeComponent = async ({ informers, node, host, clock, signal, log }) => {
  const informer = informers.forResource(nodes);
  informers.start();
  await informers.waitForCacheSync();
  while (!signal.aborted) {
    await look(informer.indexer.list(), { node, host }).catch((error: unknown) => log(String(error)));
    await clock.sleep(500);
  }
};

async function look(
  known: readonly Node[],
  { node, host }: Pick<NodeComponentContext, 'node' | 'host'>,
): Promise<void> {
  const $ = shell(host.tools);
  const own = known.find(({ metadata }) => metadata.name === node)?.spec.podCIDR;
  if (!own) return;
  const tag = '-m comment --comment "flanneld masq"';
  await ensureMasqueradeChain(host.tools, [
    `-m mark --mark 0x4000/0x4000 ${tag} -j RETURN`,
    `-d 10.244.0.0/16 ${tag} -j RETURN`,
    `-s 10.244.0.0/16 ! -d 224.0.0.0/4 ${tag} -j MASQUERADE --random-fully`,
  ]);
  const wanted = new Map<string, string>();
  for (const { metadata, spec, status } of known) {
    const way = status.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    if (metadata.name !== node && spec.podCIDR && spec.podCIDR !== own && way) wanted.set(spec.podCIDR, way);
  }
  const there: readonly IpRoute[] = JSON.parse(await $`ip -j route show proto 17`);
  for (const { dst, gateway, metric } of there) {
    if (metric !== undefined) continue;
    if (wanted.has(dst) && wanted.get(dst) === gateway) wanted.delete(dst);
    else if (!wanted.has(dst)) await $`ip route del ${dst} ${gateway ? ['via', gateway] : []} proto 17`;
  }
  for (const [dst, way] of wanted)
    await $`ip route replace ${dst} via ${way} proto 17`.catch((error: Error) => error);
  await writeConflist(host.files, own);
}
