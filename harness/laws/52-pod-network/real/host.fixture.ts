import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CniExit, CniProcess } from '../../../contracts/node/cni-plugin.ts';
import type { IpAddresses, IpLink, IpRoute } from '../../../contracts/node/ip-json.ts';
import { type NetworkTools, shell, ToolError } from '../../../contracts/node/network-tools.ts';

/** Directory of the plugins of Debian's `containernetworking-plugins`. */
export const PLUGINS = '/usr/lib/cni';

/** A network namespace on the kernel of this machine as a host, and another one, `a`, for a pod. */
export class RealHost implements Disposable {
  readonly #holder: ChildProcess;
  readonly #pid: number;
  /** The data directory of `host-local`. */
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'podnet-'));

  constructor() {
    this.#holder = spawn('unshare', ['--net', '--mount', 'sleep', '300'], { stdio: 'ignore' });
    this.#pid = this.#holder.pid as number;
    while (this.#in(['readlink', '/proc/self/ns/net']).stdout === ownNamespace()) sleepMs(5);
    for (const command of [
      'mkdir -p /run/netns',
      'mount -t tmpfs none /run/netns',
      'ip link set lo up',
      'ip netns add a',
      'ip -n a link set lo up',
    ])
      this.#must(command.split(' '));
  }

  readonly tools: NetworkTools = {
    run: async (argv, stdin) => this.#must(argv, stdin),
  };

  /** Runs one of Debian's plugins. */
  run(type: string, { env, stdin }: Pick<CniProcess, 'env' | 'stdin'>): CniExit {
    const { status, stdout, stderr } = this.#in([`${PLUGINS}/${type}`], stdin, env);
    return { code: status ?? 1, stdout, stderr };
  }

  [Symbol.dispose](): void {
    this.#holder.kill('SIGKILL');
    rmSync(this.dataDir, { recursive: true });
  }

  #must(argv: readonly string[], stdin?: string): string {
    const { status, stdout, stderr } = this.#in(argv, stdin);
    if (status === 0) return stdout;
    throw new ToolError({ command: argv.join(' '), exitCode: status ?? 1, stderr });
  }

  #in(argv: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) {
    const inside = ['-t', `${this.#pid}`, '-n', '-m', '--', ...argv];
    return spawnSync('nsenter', inside, { input, encoding: 'utf8', env: { ...process.env, ...env } });
  }
}

function ownNamespace(): string {
  return spawnSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' }).stdout;
}

function sleepMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Returns the state of a host after an `ADD`, sorted and without random parts. */
export async function stateOf(tools: NetworkTools): Promise<unknown> {
  const $ = shell(tools);
  const parts = async (at: readonly string[]) => {
    const links: readonly IpLink[] = JSON.parse(await $`ip ${at} -d -j link show`);
    const addresses: readonly IpAddresses[] = JSON.parse(await $`ip ${at} -j addr show`);
    const routes: readonly IpRoute[] = JSON.parse(await $`ip ${at} -j route show`);
    return {
      links: links.map(({ ifname, flags, mtu, master, linkinfo }) => ({
        ifname: named(ifname),
        isUp: flags.includes('UP'),
        mtu,
        master,
        kind: linkinfo?.info_kind,
        hairpin: (linkinfo as { info_slave_data?: { hairpin?: boolean } })?.info_slave_data?.hairpin,
      })),
      addresses: addresses.flatMap(({ ifname, addr_info }) =>
        addr_info
          .filter(({ family, scope }) => family === 'inet' && scope === 'global')
          .map(({ local, prefixlen }) => `${named(ifname)} ${local}/${prefixlen}`),
      ),
      routes: routes.map(({ dst, gateway, dev }) => `${dst} via ${gateway} dev ${dev}`),
    };
  };
  return {
    host: await parts([]),
    pod: await parts(['-n', 'a']),
    nat: (await $`iptables -t nat -S`)
      .split('\n')
      .filter((line) => line.includes('CNI-'))
      .sort(),
    forwards: (await $`sysctl -n net.ipv4.ip_forward`).trim(),
    announces: (
      await $`nsenter --net=/run/netns/a sysctl -n net.ipv4.conf.eth0.arp_notify`.catch(() => '')
    ).trim(),
  };
}

/** Replaces the name of the host end, which is random or calculated. */
function named(ifname: string): string {
  return ifname.replace(/^veth[0-9a-f]{8}$/, 'veth…');
}
