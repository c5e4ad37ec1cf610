/** ADD and DEL beside the host-local of Debian: as a process for each call, and within this process. */
import { existsSync } from 'node:fs';
import { sideBySide } from '../../testing/side-by-side.ts';
import { asProgram, type Caller, HOST_LOCAL, inProcess, withDirectory } from './host-local.ts';

const { components } = await import('#components');
const plugin = components.ipam as NonNullable<typeof components.ipam>;
const program = new URL('../../../solutions/51-ipam/host-local.ts', import.meta.url).pathname;

const config = { ipam: { subnet: '10.1.0.0/16' } };

/** So many pods come, and then go again, one after the other. */
const comeAndGo = (pods: number) => (call: Caller) => () =>
  withDirectory(async (directory) => {
    for (const command of ['ADD', 'DEL'] as const)
      for (let i = 0; i < pods; i++) {
        const { code, stdout } = await call({ command, container: `pod-${i}`, config }, directory);
        if (code !== 0) throw new Error(`Failed to ${command}: ${stdout}`);
      }
    return 2 * pods;
  });

const contenders: Readonly<Record<string, () => Caller>> = {
  ...(existsSync(HOST_LOCAL) && { 'host-local': () => asProgram(HOST_LOCAL) }),
  'a process each': () => asProgram('node', ['--conditions=solution', '--import=tsx', program]),
  'in process': () => inProcess(plugin),
};

sideBySide('ADD and DEL on a real directory', {
  unit: 'calls',
  contenders,
  rounds: 3,
  measures: { '2 pods': comeAndGo(2), '10 pods': comeAndGo(10) },
});
