/** Connects and disconnects pods, one after the other: on the simulated kernel, and on a real one beside Debian's bridge. */
import { existsSync } from 'node:fs';
import type { CniExit, CniPlugin, CniProcess } from '../../contracts/node/cni-plugin.ts';
import { createMachineFiles } from '../../node/files/index.ts';
import { whyNotReal } from '../../node/network/contract/kernels.ts';
import { MachineNetwork } from '../../node/network/stack/machine-network.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { sideBySide } from '../../testing/side-by-side.ts';
import { PLUGINS, RealHost } from './real/host.fixture.ts';
import { scriptedIpam } from './simulation/scripted-ipam.ts';

const { components } = await import('#components');
const bridge = components.podNetwork as CniPlugin;

/** Runs a command for a container. */
type Caller = (command: 'ADD' | 'DEL', container: string) => CniExit | Promise<CniExit>;

function asked(command: string, container: string, dataDir = '') {
  const ipam = { type: 'host-local', dataDir, ranges: [[{ subnet: '10.244.0.0/16' }]] };
  const config = {
    cniVersion: '1.0.0',
    name: 'cbr0',
    type: 'bridge',
    isDefaultGateway: true,
    ipMasq: true,
    ipam,
  };
  const env = {
    CNI_COMMAND: command,
    CNI_CONTAINERID: container,
    CNI_NETNS: '/var/run/netns/a',
    CNI_IFNAME: 'eth0',
    CNI_PATH: PLUGINS,
  };
  return { env, stdin: JSON.stringify(config) };
}

const common = (): Pick<CniProcess, 'files' | 'clock' | 'random'> => {
  const { clock } = new Simulation();
  return { files: createMachineFiles(), clock, random: seededRandom(1) };
};

/** Creates a node with this number of pods. */
const onTheKernelHere = (pods: number) => async (): Promise<Caller> => {
  const machine = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
  const process: Omit<CniProcess, 'env' | 'stdin'> = {
    ...common(),
    tools: machine.tools,
    run: (_, io) => scriptedIpam({ ...process, ...io }),
  };
  for (let i = 0; i < pods; i++) {
    machine.add(`there-${i}`);
    const { env, stdin } = asked('ADD', `there-${i}`);
    await bridge({ ...process, env: { ...env, CNI_NETNS: `/var/run/netns/there-${i}` }, stdin });
  }
  machine.add('a');
  return (command, container) => bridge({ ...process, ...asked(command, container) });
};

const onAReal = (plugin: 'ours' | 'theirs') => (): Caller => {
  const host = new RealHost();
  process.once('exit', () => host[Symbol.dispose]());
  const ours = {
    ...common(),
    tools: host.tools,
    run: async (type: string, io: Pick<CniProcess, 'env' | 'stdin'>) => host.run(type, io),
  };
  return (command, container) => {
    const io = asked(command, container, host.dataDir);
    return plugin === 'ours' ? bridge({ ...ours, ...io }) : host.run('bridge', io);
  };
};

/** Connects and disconnects this number of pods. */
const comeAndGo = (pods: number) => (call: Caller) => async () => {
  for (let i = 0; i < pods; i++)
    for (const command of ['ADD', 'DEL'] as const) {
      const { code, stdout } = await call(command, `pod-${i}`);
      if (code !== 0) throw new Error(`Failed to ${command}: ${stdout}`);
    }
  return pods;
};

sideBySide('Pods that come and go on one node', {
  unit: 'pods',
  contenders: {
    'an empty node': onTheKernelHere(0),
    '50 pods': onTheKernelHere(50),
    '200 pods': onTheKernelHere(200),
  },
  measures: { 'ADD and DEL': comeAndGo(50) },
});

const isReal =
  existsSync(`${PLUGINS}/bridge`) &&
  whyNotReal('ip', 'bridge', 'iptables', 'nsenter', 'sysctl') === undefined;

if (isReal) {
  sideBySide('Pods that come and go on a real Linux', {
    unit: 'pods',
    contenders: {
      'bridge of Debian': onAReal('theirs'),
      'the reference, by ip and iptables': onAReal('ours'),
    },
    rounds: 3,
    measures: { 'ADD and DEL': comeAndGo(5) },
  });
}
