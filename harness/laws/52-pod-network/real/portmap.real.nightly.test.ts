import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CniProcess } from '../../../contracts/node/cni-plugin.ts';
import type { NetworkTools } from '../../../contracts/node/network-tools.ts';
import { portmap } from '../../../node/cni/portmap.ts';
import { createMachineFiles } from '../../../node/files/index.ts';
import { whyNotReal } from '../../../node/network/contract/kernels.ts';
import { MachineNetwork } from '../../../node/network/stack/machine-network.ts';
import { Simulation, seededRandom } from '../../../sim/index.ts';
import { PLUGINS, RealHost } from './host.fixture.ts';

const isMissing = existsSync(`${PLUGINS}/portmap`) ? undefined : `${PLUGINS}/portmap not installed`;
const why = isMissing ?? whyNotReal('ip', 'iptables', 'nsenter', 'sysctl');

const prevResult = {
  cniVersion: '1.0.0',
  interfaces: [{ name: 'cni0' }, { name: 'veth1a2b3c4d' }, { name: 'eth0', sandbox: '/var/run/netns/a' }],
  ips: [{ address: '10.244.1.2/24', gateway: '10.244.1.1', interface: 2 }],
};

const mappings = [
  { hostPort: 8080, containerPort: 80, protocol: 'tcp' },
  { hostPort: 8443, containerPort: 443, protocol: 'tcp', hostIP: '192.168.0.1' },
  { hostPort: 5353, containerPort: 53, protocol: 'udp' },
];

function io(command: string, portMappings: readonly object[]): Pick<CniProcess, 'env' | 'stdin'> {
  const env = {
    CNI_COMMAND: command,
    CNI_CONTAINERID: '4f5c',
    CNI_NETNS: '/var/run/netns/a',
    CNI_IFNAME: 'eth0',
    CNI_PATH: PLUGINS,
  };
  const runtimeConfig = { portMappings };
  const config = { cniVersion: '1.0.0', name: 'cbr0', type: 'portmap', runtimeConfig, prevResult };
  return { env, stdin: JSON.stringify(config) };
}

function processOn(tools: NetworkTools): Omit<CniProcess, 'env' | 'stdin'> {
  const { clock } = new Simulation();
  const run = () => Promise.reject(new Error('it leaves nothing to others'));
  return { files: createMachineFiles(), tools, clock, random: seededRandom(1), run };
}

const bridged = ['ip link add cni0 type bridge', 'ip addr add 10.244.1.1/24 dev cni0', 'ip link set cni0 up'];

async function rulesOf(tools: NetworkTools): Promise<readonly string[]> {
  const printed = await tools.run(['iptables', '-t', 'nat', '-S']);
  return printed.split('\n').filter((line) => line.includes('CNI-'));
}

describe(`portmap on a real Linux, beside Debian's${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(why).each([
    ['some ports', mappings],
    ['no ports', []],
  ])('makes the same rules for %s, and takes the same back', async (_, ports) => {
    using theirs = new RealHost();
    using ours = new RealHost();
    const machine = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
    for (const command of bridged) {
      machine.do(command);
      for (const { tools } of [theirs, ours]) await tools.run(command.split(' '));
    }
    for (const command of ['ADD', 'DEL']) {
      const said = theirs.run('portmap', io(command, ports));
      for (const tools of [ours.tools, machine.tools]) {
        const exit = await portmap({ ...processOn(tools), ...io(command, ports) });
        expect({ command, code: exit.code, said: exit.code === 0 ? '' : exit.stdout }).toEqual({
          command,
          code: said.code,
          said: '',
        });
        // The order of rules in one chain matters; the order of the listed chains does not.
        expect([...(await rulesOf(tools))].sort()).toEqual([...(await rulesOf(theirs.tools))].sort());
        expect(inChains(await rulesOf(tools))).toEqual(inChains(await rulesOf(theirs.tools)));
      }
    }
  });
});

/** Returns the rules of each chain, in order. */
function inChains(rules: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const chains: Record<string, string[]> = {};
  for (const rule of rules) {
    const [, chain = ''] = /^-A (\S+)/.exec(rule) ?? [];
    if (chain !== '') chains[chain] = [...(chains[chain] ?? []), rule];
  }
  return chains;
}
