/** Compares ADD and DEL with the host-local of Debian: as a process for each call, and within this process. */
import { existsSync } from 'node:fs';
import { sideBySide } from '../../testing/side-by-side.ts';
import {
  asProgram,
  type Caller,
  HOST_LOCAL,
  inProcess,
  OUR_PROGRAM,
  withDirectory,
} from './simulation/host-local.ts';

const { components } = await import('#components');
const plugin = components.ipam;
const config = { ipam: { subnet: '10.1.0.0/16' } };

/** Adds a number of pods, and then deletes them, one after the other. */
const comeAndGo = (pods: number) => (call: Caller) => () =>
  withDirectory(async (directory) => {
    for (const command of ['ADD', 'DEL'] as const)
      for (let i = 0; i < pods; i++) {
        const { code, stdout } = await call({ command, container: `pod-${i}`, config }, directory);
        if (code !== 0) throw new Error(`Failed to ${command}: ${stdout}`);
      }
    return 2 * pods;
  });

/** The host-local of Debian, if it is installed. */
const theirs: Readonly<Record<string, () => Caller>> = existsSync(HOST_LOCAL)
  ? { 'host-local': () => asProgram(HOST_LOCAL) }
  : {};

sideBySide('ADD and DEL on a real directory, a process each', {
  unit: 'calls',
  contenders: { ...theirs, ours: () => asProgram('node', ['--import=tsx', OUR_PROGRAM]) },
  rounds: 3,
  measures: { '2 pods': comeAndGo(2) },
});

sideBySide('ADD and DEL on a real directory, ours in process', {
  unit: 'calls',
  contenders: { ...theirs, ours: () => inProcess(plugin) },
  measures: { '20 pods': comeAndGo(20) },
});
