import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CniPlugin, CniProcess } from '../../../contracts/node/cni-plugin.ts';
import type { NetworkTools } from '../../../contracts/node/network-tools.ts';
import { createMachineFiles } from '../../../node/files/index.ts';
import { whyNotReal } from '../../../node/network/contract/kernels.ts';
import { MachineNetwork } from '../../../node/network/stack/machine-network.ts';
import { Simulation, seededRandom } from '../../../sim/index.ts';
import { scriptedIpam } from '../simulation/scripted-ipam.ts';
import { PLUGINS, RealHost, stateOf } from './host.fixture.ts';

const isMissing = existsSync(`${PLUGINS}/bridge`) ? undefined : `${PLUGINS}/bridge not installed`;
const why = isMissing ?? whyNotReal('ip', 'bridge', 'iptables', 'nsenter', 'sysctl');

const { components } = await import('#components');
const bridge = components.podNetwork as CniPlugin;

const configurations: readonly (readonly [string, object])[] = [
  ['as the agent writes it', { isDefaultGateway: true, hairpinMode: true }],
  ['that masquerades', { isDefaultGateway: true, ipMasq: true }],
  ['of a bridge that is no gateway', { bridge: 'br7', mtu: 1_400 }],
];

/** Returns the standard input. Debian's plugins support 1.0.0. */
function stdinFor(config: object, dataDir: string): string {
  const ipam = {
    type: 'host-local',
    dataDir,
    ranges: [[{ subnet: '10.244.1.0/24' }]],
    routes: [{ dst: '10.244.0.0/16' }],
  };
  return JSON.stringify({ cniVersion: '1.0.0', name: 'cbr0', type: 'bridge', ...config, ipam });
}

function envFor(command: string): Record<string, string> {
  return {
    CNI_COMMAND: command,
    CNI_CONTAINERID: '4f5c',
    CNI_NETNS: '/var/run/netns/a',
    CNI_IFNAME: 'eth0',
    CNI_PATH: PLUGINS,
  };
}

function processOn(
  tools: NetworkTools,
  run: CniProcess['run'],
): Pick<CniProcess, 'files' | 'tools' | 'clock' | 'random' | 'run'> {
  const { clock } = new Simulation();
  return { files: createMachineFiles(), tools, clock, random: seededRandom(1), run };
}

/** Parses a result, without random MACs and names. */
function plain(stdout: string): unknown {
  return JSON.parse(stdout.replace(/"mac": *"[^"]*"/g, '"mac": "…"').replace(/veth[0-9a-f]{8}/g, 'veth…'));
}

describe(`The plugin on a real Linux, beside Debian's bridge${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(why).each(configurations)(
    'a configuration %s leaves the same, and says the same',
    async (_, config) => {
      using theirs = new RealHost();
      const before = await stateOf(theirs.tools);
      const said = theirs.run('bridge', { env: envFor('ADD'), stdin: stdinFor(config, theirs.dataDir) });
      const left = await stateOf(theirs.tools);

      using ours = new RealHost();
      const stdin = stdinFor(config, ours.dataDir);
      const real = processOn(ours.tools, async (type, io) => ours.run(type, io));
      const added = await bridge({ ...real, env: envFor('ADD'), stdin });
      expect(added.stderr + said.stderr).toBe('');
      expect(plain(added.stdout)).toEqual(plain(said.stdout));
      expect(await stateOf(ours.tools)).toEqual(left);

      // Only here: the same commands on the simulated kernel.
      const machine = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
      machine.do('ip netns add a');
      machine.do('ip -n a link set lo up');
      const fake = processOn(machine.tools, (type, io) =>
        scriptedIpam({ ...fake, ...io, run: () => Promise.reject(type) }),
      );
      await bridge({ ...fake, env: envFor('ADD'), stdin });
      expect(await stateOf(machine.tools)).toEqual(left);

      await bridge({ ...real, env: envFor('DEL'), stdin });
      theirs.run('bridge', { env: envFor('DEL'), stdin: stdinFor(config, theirs.dataDir) });
      expect(await stateOf(ours.tools)).toEqual(await stateOf(theirs.tools));
      expect(before).toMatchObject({
        pod: await stateOf(ours.tools).then((state) => (state as { pod: unknown }).pod),
      });
    },
  );

  test.skipIf(why)('checks and collects there', async () => {
    using host = new RealHost();
    const config = { isDefaultGateway: true, ipMasq: true };
    const real = processOn(host.tools, async (type, io) => host.run(type, io));
    const stdin = stdinFor(config, host.dataDir);
    const { stdout } = await bridge({ ...real, env: envFor('ADD'), stdin });
    const prevResult = JSON.parse(stdout);
    const asked = { ...JSON.parse(stdin), prevResult };
    expect(await bridge({ ...real, env: envFor('CHECK'), stdin: JSON.stringify(asked) })).toMatchObject({
      code: 0,
    });
    // The host-local of Debian does not support GC.
    const own = processOn(host.tools, async () => ({ code: 0, stdout: '', stderr: '' }));
    const collected = await bridge({
      ...own,
      env: envFor('GC'),
      stdin: JSON.stringify({ ...JSON.parse(stdin), cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] }),
    });
    expect(collected).toMatchObject({ code: 0 });
    expect(await stateOf(host.tools)).toMatchObject({ nat: [], pod: { addresses: [], routes: [] } });
  });
});
