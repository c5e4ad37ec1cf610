import type { CniExit, CniPlugin } from '../../contracts/node/index.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { createMachineFiles } from '../files/index.ts';
import { MachineNetwork } from '../network/stack/machine-network.ts';
import { PluginProcesses } from './plugin-processes.ts';

/** Creates a machine with only these plugins. */
export function pluginsAlone(plugins: Readonly<Record<string, CniPlugin>>) {
  const sim = new Simulation();
  const files = createMachineFiles();
  const network = new MachineNetwork({ node: 'node-1', now: () => sim.elapsedMs, random: seededRandom(1) });
  const processes = new PluginProcesses({
    plugins,
    files,
    tools: network.tools,
    newClock: () => sim.clockFor('cni'),
    random: seededRandom(1),
  });
  return { sim, files, network, processes };
}

/** Runs one plugin once. */
export function runOnce(
  plugin: CniPlugin,
  env: Readonly<Record<string, string>>,
  config: unknown,
): Promise<CniExit> {
  const stdin = typeof config === 'string' ? config : JSON.stringify(config);
  return pluginsAlone({ plugin }).processes.exec('plugin', { env, stdin });
}
