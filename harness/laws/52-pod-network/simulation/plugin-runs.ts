import type { CniExit, CniPlugin, CniProcess } from '../../../contracts/node/cni-plugin.ts';
import { type NetworkTools, ToolError } from '../../../contracts/node/network-tools.ts';
import { portmap } from '../../../node/cni/portmap.ts';
import { Line, type Simulation } from '../../../sim/index.ts';
import type { CallFault } from '../scenario/index.ts';
import type { SimNode } from './node.ts';
import { scriptedIpam } from './scripted-ipam.ts';

/** Observer of a program's calls. */
export interface Watched {
  /** Returns the fault of the next call, if any. */
  strike(): Pick<CallFault, 'how' | 'performed'> | undefined;
  /** Crashes the program. */
  die(): void;
  /** Runs before each call that may change something. */
  attempted?(argv: readonly string[]): void;
  /** Runs right after each call that may have changed something. */
  changed(argv: readonly string[]): void;
}

/** Exit of a program that SIGKILL has ended, as a shell reports it. */
const KILLED: CniExit = { code: 137, stdout: '', stderr: '' };

/** Returns the tools of a machine for one program. */
export function toolsOver(line: Line, node: SimNode, watched: Watched): NetworkTools {
  const { machine } = node;
  return {
    run: (argv, stdin) => {
      const mutates = isMutating(argv);
      const perform = async (): Promise<string> => {
        if (mutates) watched.attempted?.(argv);
        const printed = await machine.tools.run(argv, stdin);
        if (mutates) watched.changed(argv);
        return printed;
      };
      return line.call({
        port: 'net',
        verb: argv[0] ?? '',
        object: argv.slice(1).join(' '),
        mutates,
        perform: () => struck(line, watched, () => busy(argv), perform),
      });
    },
  };
}

/** Words of commands that change nothing. */
const READING = new Set(['show', 'list', 'get', 'iptables-save', '-C', '-S']);

/** Returns whether a command may change something. */
export function isMutating(argv: readonly string[]): boolean {
  return !argv.some((word) => READING.has(word));
}

/** Returns the error of a tool that fails for the moment. */
function busy(argv: readonly string[]): Error {
  const isRules = argv.some((word) => word.startsWith('iptables'));
  return new ToolError({
    command: argv.join(' '),
    exitCode: isRules ? 4 : 2,
    stderr: isRules
      ? 'Another app is currently holding the xtables lock.\n'
      : 'RTNETLINK answers: Cannot allocate memory\n',
  });
}

/**
 * Carries out a call, with a fault before or after it.
 *
 * @param refusal - creates the error of a call that fails; called only then, because an error records its stack
 */
export async function struck<R>(
  line: Line,
  watched: Watched,
  refusal: () => Error,
  perform: () => Promise<R>,
): Promise<R> {
  const fault = watched.strike();
  const befall = (): Promise<never> => {
    if (fault?.how === 'fails') throw refusal();
    watched.die();
    line.sever();
    return new Promise(() => {});
  };
  if (fault && !fault.performed) return befall();
  const result = await perform();
  return fault ? befall() : result;
}

/** Runs plugins on a machine, each as a process. */
export class PluginRuns {
  readonly #sim: Simulation;
  readonly #plugins: ReadonlyMap<string, CniPlugin>;

  constructor(sim: Simulation, bridge: CniPlugin) {
    this.#sim = sim;
    this.#plugins = new Map([
      ['bridge', bridge],
      ['portmap', portmap],
    ]);
  }

  /** @param pod - for the timeline */
  async run(
    node: SimNode,
    type: string,
    io: Pick<CniProcess, 'env' | 'stdin'>,
    watched: Watched & { readonly pod: string; caught(error: unknown): void },
  ): Promise<CniExit> {
    const plugin = this.#plugins.get(type);
    if (!plugin) return failure(`failed to find plugin "${type}" in path [/opt/cni/bin]`);
    const sim = this.#sim;
    const command = io.env.CNI_COMMAND ?? '';
    const actor = `${node.name} ${type} ${command} ${watched.pod}`.trim();
    const line = new Line(sim, { actor, latencyMs: () => 1 });
    node.lines.add(line);
    const tools = toolsOver(line, node, watched);
    const { clock } = sim;
    const random = sim.random.fork(`plugin ${sim.elapsedMs}`);
    const process: CniProcess = {
      ...io,
      files: node.files,
      tools,
      clock,
      random,
      run: (delegated, theirs) =>
        line.call({
          port: 'cni',
          verb: delegated,
          object: theirs.env.CNI_COMMAND ?? '',
          mutates: true,
          perform: async () => {
            try {
              return await struck(
                line,
                watched,
                () => new Error('try again later'),
                () => scriptedIpam({ ...process, ...theirs, tools: node.machine.tools }),
              );
            } catch (error) {
              return failure((error as Error).message);
            }
          },
        }),
    };
    const killed = new Promise<CniExit>((resolve) => {
      line.onSever(() => void sim.schedule(1, actor, 'dies', () => resolve(KILLED)));
    });
    const exited = plugin(process).catch((error: unknown): CniExit => {
      watched.caught(error);
      return failure(String(error));
    });
    try {
      const exit = await Promise.race([exited, killed]);
      if (type === 'bridge')
        sim.trace.record({ actor, verb: 'ends', outcome: exit.code === 0 ? 'ok' : `exit code ${exit.code}` });
      return exit;
    } finally {
      node.lines.delete(line);
    }
  }
}

function failure(msg: string): CniExit {
  return { code: 1, stdout: JSON.stringify({ code: 999, msg }), stderr: '' };
}
