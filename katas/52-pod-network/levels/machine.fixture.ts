import {
  type BridgeConfiguration,
  CniError,
  type CniExit,
  type CniRequest,
  type CniResult,
  type IpAddresses,
  type IpLink,
  type IpRoute,
  type NetworkTools,
  shell,
  ToolError,
} from '#harness';
import { MachineNetwork, Simulation, seededRandom } from '#harness/testing';

/** Creates an empty machine, with functions that read its state. */
export function newMachine(...commands: readonly string[]) {
  const machine = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(52) });
  const { tools } = machine;
  const $ = shell(tools);
  for (const command of commands) machine.do(command);
  const json = async <T>(argv: readonly string[]): Promise<readonly T[]> => JSON.parse(await tools.run(argv));
  return {
    machine,
    tools,
    $,
    links: (at: readonly string[] = []) => json<IpLink>(['ip', ...at, '-d', '-j', 'link', 'show']),
    link: async (name: string, at: readonly string[] = []) =>
      (await json<IpLink>(['ip', ...at, '-d', '-j', 'link', 'show'])).find(({ ifname }) => ifname === name),
    addresses: async (name: string, at: readonly string[] = []) =>
      (await json<IpAddresses>(['ip', ...at, '-j', 'addr', 'show', 'dev', name]))
        .flatMap(({ addr_info }) => addr_info)
        .map(({ local, prefixlen }) => `${local}/${prefixlen}`),
    routes: async (at: readonly string[] = []) =>
      (await json<IpRoute>(['ip', ...at, '-j', 'route', 'show'])).map(
        ({ dst, gateway, dev }) => `${dst}${gateway ? ` via ${gateway}` : ''} dev ${dev}`,
      ),
    /** Returns the rules of the table nat. */
    rules: async () =>
      (await tools.run(['iptables-save', '-t', 'nat'])).split('\n').filter((line) => line.startsWith('-A')),
    chains: async () =>
      (await tools.run(['iptables-save', '-t', 'nat']))
        .split('\n')
        .filter((line) => line.startsWith(':CNI-') || line.startsWith(':FLANNEL-')),
  };
}

export type TestMachine = ReturnType<typeof newMachine>;

/** Returns the whole state of a machine, for comparison. */
export async function everything({ links, routes, rules, chains, tools, addresses }: TestMachine) {
  const all = await links();
  return {
    links: all.map(({ ifname, master, flags }) => ({ ifname, master, flags })),
    addresses: await Promise.all(all.map(({ ifname }) => addresses(ifname))),
    routes: await routes(),
    rules: await rules(),
    chains: await chains(),
    forwards: await tools.run(['sysctl', '-n', 'net.ipv4.ip_forward']),
  };
}

/** Returns tools that fail for commands that match a pattern. */
export function failing(tools: NetworkTools, pattern: RegExp, stderr = 'out of memory'): NetworkTools {
  return {
    run: (argv, stdin) => {
      const command = argv.join(' ');
      if (!pattern.test(command)) return tools.run(argv, stdin);
      return Promise.reject(new ToolError({ command, exitCode: 2, stderr }));
    },
  };
}

/** Creates an address manager that allocates one address after the other, and can fail. */
export function fakeIpam(subnet = '10.244.1', first = 2) {
  const held = new Map<string, string>();
  const calls: string[] = [];
  let next = first;
  return {
    held,
    calls,
    /** Result of the next ADD. */
    result: undefined as Partial<CniResult> | undefined,
    /** Commands that fail. */
    fails: new Set<string>(),
    async run(type: string, { env }: { readonly env: Readonly<Record<string, string>> }): Promise<CniExit> {
      if (type !== 'host-local')
        throw new CniError(2, `failed to find plugin "${type}" in path [/opt/cni/bin]`);
      const { CNI_COMMAND = '', CNI_CONTAINERID = '', CNI_IFNAME = '' } = env;
      calls.push(CNI_COMMAND);
      const owner = `${CNI_CONTAINERID} ${CNI_IFNAME}`;
      const failure = (msg: string): CniExit => {
        return { code: 1, stdout: JSON.stringify({ code: 999, msg }), stderr: '' };
      };
      if (this.fails.has(CNI_COMMAND)) return failure(`${CNI_COMMAND} fails`);
      if (CNI_COMMAND === 'DEL') held.delete(owner);
      if (CNI_COMMAND !== 'ADD') return { code: 0, stdout: '', stderr: '' };
      if (held.has(owner)) return failure('duplicate allocation is not allowed');
      const address = `${subnet}.${next++}/24`;
      held.set(owner, address);
      const result = this.result ?? { ips: [{ address, gateway: `${subnet}.1` }] };
      return { code: 0, stdout: JSON.stringify({ cniVersion: '1.1.0', ...result }), stderr: '' };
    },
  };
}

export type FakeIpam = ReturnType<typeof fakeIpam>;

const CONFIG = { cniVersion: '1.1.0', name: 'cbr0', type: 'bridge', ipam: { type: 'host-local' } };

/** Creates a request; by default for the sandbox `4f5c` with the namespace `a`. */
export function requestFor(
  { tools }: { readonly tools: NetworkTools },
  ipam: FakeIpam,
  options: {
    readonly config?: Partial<BridgeConfiguration>;
    readonly containerID?: string;
    readonly netns?: string;
    readonly command?: string;
  } = {},
): CniRequest {
  const { containerID = '4f5c', netns = '/var/run/netns/a', command = 'ADD' } = options;
  const config = { ...CONFIG, isDefaultGateway: true, hairpinMode: true, ...options.config };
  const { clock } = new Simulation();
  const env = {
    CNI_COMMAND: command,
    CNI_CONTAINERID: containerID,
    CNI_NETNS: netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: '/opt/cni/bin',
  };
  return {
    containerID,
    netns,
    ifname: 'eth0',
    args: {},
    config,
    process: {
      env,
      stdin: JSON.stringify(config),
      files: {} as CniRequest['process']['files'],
      tools,
      clock,
      random: seededRandom(1),
      run: (type, io) => ipam.run(type, io),
    },
  };
}
