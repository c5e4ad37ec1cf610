import type { CniExit, CniPlugin, CniProcess } from '../../contracts/node/cni-plugin.ts';
import type { FileSystem } from '../../contracts/node/host.ts';
import { CniError } from '../../contracts/node/network-plugin.ts';
import type { NetworkTools } from '../../contracts/node/network-tools.ts';
import { type Line, type LocalClock, type Random, throughLine } from '../../sim/index.ts';
import { Life } from '../runtime/life.ts';
import { whileAlive } from '../while-alive.ts';
import { cniCodes } from './skel.ts';

/** Where plugins are installed. */
export const PLUGIN_DIRECTORY = '/opt/cni/bin';

/** The plugins of a machine, and what they run on. */
export interface PluginProcessesOptions {
  /** By their type, which is the name of their file. */
  readonly plugins: Readonly<Record<string, CniPlugin>>;
  readonly files: FileSystem;
  readonly tools: NetworkTools;
  readonly newClock: () => LocalClock;
  readonly random: Random;
  /**
   * The line of a process that starts: over it go its calls of files (`fs`) and tools (`tools`).
   *
   * @param die ends the process
   * @defaultValue none: its calls take no time, and nothing strikes
   */
  readonly newLine?: (die: () => void) => Line;
}

/** The network plugins that run on a machine, each a process of its own that can be killed at any moment. */
export class PluginProcesses {
  readonly #options: PluginProcessesOptions;
  readonly #running = new Set<Life>();
  #started = 0;

  constructor(options: PluginProcessesOptions) {
    this.#options = options;
  }

  /** The types of the plugins that are installed. */
  get installed(): readonly string[] {
    return Object.keys(this.#options.plugins);
  }

  /**
   * Starts a plugin, and waits for its end.
   *
   * @throws CniError when there is none of this type, or it is killed
   */
  async exec(type: string, io: Pick<CniProcess, 'env' | 'stdin'>): Promise<CniExit> {
    const plugin = this.#find(type);
    const life = new Life(this.#options.newClock());
    this.#running.add(life);
    try {
      return await life.orEnd(plugin(this.#process(life, io)), killed);
    } finally {
      life.end();
      this.#running.delete(life);
    }
  }

  /** All that run die at once. */
  killAll(): void {
    for (const life of this.#running) life.end();
  }

  #process(life: Life, io: Pick<CniProcess, 'env' | 'stdin'>): CniProcess {
    const { newLine, random } = this.#options;
    const line = newLine?.(() => life.end());
    const isAlive = (): boolean => !life.over;
    const { files, tools } = this.#options;
    const process: CniProcess = {
      ...io,
      clock: life.clock,
      random: random.fork(`process ${++this.#started}`),
      files: whileAlive(line ? throughLine(files, line, { port: 'fs', reads: READS }) : files, isAlive),
      tools: whileAlive(
        line ? throughLine(tools, line, { port: 'tools', objectOf: commandOf }) : tools,
        isAlive,
      ),
      run: async (type, of) => this.#find(type)({ ...process, ...of }),
    };
    return process;
  }

  /** Upstream: containernetworking/cni@v1.3.0 pkg/invoke/find.go FindInPath */
  #find(type: string): CniPlugin {
    const { plugins } = this.#options;
    const plugin = Object.hasOwn(plugins, type) ? plugins[type] : undefined;
    if (plugin) return plugin;
    throw new CniError(cniCodes.internal, `failed to find plugin "${type}" in path [${PLUGIN_DIRECTORY}]`);
  }
}

const READS = [
  'readFile',
  'readBytes',
  'readdir',
  'readlink',
  'realpath',
  'stat',
  'lstat',
  'mounts',
  'usage',
];

function commandOf(_: string, [argv]: readonly unknown[]): string {
  return (argv as readonly string[]).join(' ');
}

/** Upstream: containernetworking/cni@v1.3.0 pkg/invoke/raw_exec.go pluginErr */
function killed(): CniError {
  return new CniError(0, 'netplugin failed with no error message: signal: killed');
}
