import type { CniExit, CniPlugin, CniProcess } from '../../contracts/node/cni-plugin.ts';
import { CniError } from '../../contracts/node/network-plugin.ts';
import type { NetworkTools } from '../../contracts/node/network-tools.ts';
import { type Line, type LocalClock, type Random, throughLine } from '../../sim/index.ts';
import type { MachineFiles } from '../files/index.ts';
import { Life } from '../runtime/life.ts';
import { whileAlive } from '../while-alive.ts';
import { cniCodes } from './skel.ts';

/** The directory of installed plugins. */
const PLUGIN_DIRECTORY = '/opt/cni/bin';

/** Options of {@link PluginProcesses}. */
interface PluginProcessesOptions {
  /** The plugins by type, which is their file name. */
  readonly plugins: Readonly<Record<string, CniPlugin>>;
  readonly files: Pick<MachineFiles, 'forProcess'>;
  readonly tools: NetworkTools;
  readonly newClock: () => LocalClock;
  readonly random: Random;
  /** Creates the line of a new process. @defaultValue no line: calls take no time, and no faults occur */
  readonly newLine?: NewPluginLine;
}

/**
 * Creates the line of a plugin's process. The line carries its system calls for files (`fs`) and its tools (`tools`).
 *
 * @param onCrash - called when a call kills the process
 */
export type NewPluginLine = (onCrash: (crash: Crash) => void) => Line;

/** The call that kills a process, and whether the call takes effect. */
export interface Crash {
  readonly port: string;
  readonly performed: boolean;
}

/** One run of a plugin. */
interface Run {
  readonly life: Life;
  /** Whether the process dies as soon as its current call has taken effect. */
  isDying: boolean;
}

/** The network plugins of a machine. Each runs as a separate process that can be killed at any moment. */
export class PluginProcesses {
  readonly #options: PluginProcessesOptions;
  readonly #running = new Set<Life>();
  #started = 0;

  constructor(options: PluginProcessesOptions) {
    this.#options = options;
  }

  /** The types of the installed plugins. */
  get installed(): readonly string[] {
    return Object.keys(this.#options.plugins);
  }

  /**
   * Starts a plugin, and waits for its exit.
   *
   * @throws CniError when the plugin does not exist or is killed
   */
  async exec(type: string, io: Pick<CniProcess, 'env' | 'stdin'>): Promise<CniExit> {
    const plugin = this.#find(type);
    const life = new Life(this.#options.newClock());
    const run: Run = { life, isDying: false };
    const { process, exit } = this.#process(run, io);
    this.#running.add(life);
    try {
      const outcome = await life.orEnd(plugin(process), killed);
      if (run.isDying) throw killed();
      return outcome;
    } finally {
      life.end();
      exit();
      this.#running.delete(life);
    }
  }

  /** Kills all running plugins. */
  killAll(): void {
    for (const life of this.#running) life.end();
  }

  #process(
    run: Run,
    io: Pick<CniProcess, 'env' | 'stdin'>,
  ): { readonly process: CniProcess; readonly exit: () => void } {
    const { newLine, random, tools, files } = this.#options;
    const { life } = run;
    const line = newLine?.(({ port, performed }) => {
      if (port === 'fs' && performed) run.isDying = true;
      else life.end();
    });
    const own = files.forProcess((call, path) => gate(run, line, call, path));
    const isAlive = (): boolean => {
      if (run.isDying) life.end();
      return !life.over;
    };
    const process: CniProcess = {
      ...io,
      clock: life.clock,
      random: random.fork(`process ${++this.#started}`),
      files: whileAlive(own, isAlive),
      tools: whileAlive(
        line ? throughLine(tools, line, { port: 'tools', objectOf: commandOf }) : tools,
        isAlive,
      ),
      run: async (type, of) => this.#find(type)({ ...process, ...of }),
    };
    return { process, exit: () => own.exit() };
  }

  /** Upstream: containernetworking/cni@v1.3.0 pkg/invoke/find.go FindInPath */
  #find(type: string): CniPlugin {
    const { plugins } = this.#options;
    const plugin = Object.hasOwn(plugins, type) ? plugins[type] : undefined;
    if (plugin) return plugin;
    throw new CniError(cniCodes.internal, `failed to find plugin "${type}" in path [${PLUGIN_DIRECTORY}]`);
  }
}

const READS = new Set(['read', 'readdir', 'readlink', 'realpath', 'stat', 'lstat', 'mounts', 'usage']);

/**
 * Lets a system call pass at its time, or never if the process has died by then. A call that fails because of a fault
 * has no effect.
 */
function gate(run: Run, line: Line | undefined, verb: string, object: string): Promise<void> {
  const { life } = run;
  if (run.isDying) life.end();
  if (!line || life.over) return life.while(Promise.resolve());
  const passed = new Promise<void>((resolve, reject) => {
    // A process never gets the answer to its last call, but the call may take effect.
    const perform = async (): Promise<void> => void (run.isDying && resolve());
    line.call({ port: 'fs', verb, object, mutates: !READS.has(verb), perform }).then(resolve, reject);
  });
  return life.while(passed);
}

function commandOf(_: string, [argv]: readonly unknown[]): string {
  return (argv as readonly string[]).join(' ');
}

/** Upstream: containernetworking/cni@v1.3.0 pkg/invoke/raw_exec.go pluginErr */
function killed(): CniError {
  return new CniError(0, 'netplugin failed with no error message: signal: killed');
}
