import { didYouMean } from '../../cli/did-you-mean.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { ClusterUser } from '../../cluster/cluster-user.ts';
import type { Impersonation } from '../../contracts/access/index.ts';
import type { Client } from '../../contracts/client.ts';
import { type Call, type Command, KILLED, type KubectlIO } from './command.ts';
import { commandNamed, commandNames } from './commands.ts';
import { completions } from './complete.ts';
import { exitCodeOf, message } from './errors.ts';
import { pipe } from './filters.ts';
import { parseFlags } from './flags.ts';
import { helpOf, overview } from './help.ts';
import { IMPERSONATING, impersonationOf } from './impersonation.ts';
import { Kinds } from './kinds.ts';
import { KubectlError } from './kubectl-error.ts';
import { Observer } from './observer.ts';
import { refuse } from './refused.ts';
import { SELECTING } from './targets.ts';
import { warnedClient } from './warned-client.ts';
import { commandsOf } from './words.ts';

export type { KubectlIO } from './command.ts';

/** kubectl in a prompt. */
export interface Kubectl {
  /**
   * Runs a line, with or without the word `kubectl`. Resolves with the exit code when the command has ended. Time must
   * pass in the cluster meanwhile, or a command that waits never ends. Never rejects because of the line.
   */
  run(line: string, io: KubectlIO): Promise<number>;
  /** Returns whether the line only reads: then it uses no connection of the run, and leaves no trace in it. */
  onlyReads(line: string): boolean;
  /** Returns completions of the last word: commands, kinds, names, namespaces, flags. */
  complete(line: string): readonly string[];
}

interface KubectlOptions {
  readonly cluster: Cluster;
  /** Returns the clients of the user, who may act as another one. Their name is the author of the writes. */
  readonly userOf: (impersonates?: Impersonation) => ClusterUser;
  /** The metrics API of a metrics-server, for `top`. @defaultValue `top` reports that no metrics-server runs */
  readonly metrics?: Client;
}

/**
 * Creates a kubectl beside a cluster. It needs no HTTP: commands that read use a client without latency and trace, so a
 * run is the same with them and without them; commands that write use a connection.
 */
export function newKubectl({ cluster, userOf, metrics }: KubectlOptions): Kubectl {
  const observer = new Observer(cluster);
  const run = async (words: readonly string[], io: KubectlIO): Promise<number> => {
    const { command, words: own } = commandIn(words);
    if (!command) {
      io.out(overview(own));
      return 0;
    }
    if (asksForHelp(own)) {
      io.out(helpOf(command));
      return 0;
    }
    const flags = { ...command.flags, ...IMPERSONATING, namespace: SELECTING.namespace };
    const parsed = parseFlags(own, flags, `kubectl ${command.name}`);
    if (!cluster.replicas.some(({ up }) => up)) throw new KubectlError(REFUSED, { isPlain: true });
    const kinds = new Kinds(cluster.admin);
    const user = userOf(impersonationOf(parsed.flags));
    const chosen = command.reads ? user.undisturbed : user.connected;
    const call: Call = {
      ...parsed,
      io,
      cluster,
      client: warnedClient(chosen, (text) => io.err(`Warning: ${text}\n`)),
      mustBeAllowed: (asked) => user.mustBeAllowed(asked),
      metrics,
      kinds,
      observer,
      namespace: parsed.flags.text('namespace') ?? 'default',
      nowMs: cluster.clock.now(),
    };
    return (await command.run(call)) ?? 0;
  };
  return {
    async run(line, io) {
      try {
        const [words = [], ...programs] = commandsOf(line);
        if (words.length === 0 && programs.length === 0) return 0;
        const { write, end } = pipe(programs, (text) => io.out(text));
        try {
          return end(await run(words, { ...io, out: write }));
        } catch (error) {
          if (io.signal.aborted) return KILLED;
          io.err(`${message(error)}\n`);
          end(1);
          return exitCodeOf(error);
        }
      } catch (error) {
        io.err(`${message(error)}\n`);
        return exitCodeOf(error);
      }
    },
    onlyReads(line) {
      try {
        const { command, words } = commandIn(commandsOf(line)[0] ?? []);
        return command === undefined || command.reads || asksForHelp(words);
      } catch {
        return true;
      }
    },
    complete: (line) => completions(line, { cluster, kinds: new Kinds(cluster.admin) }),
  };
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/helpers.go StandardErrorMessage */
const REFUSED =
  'The connection to the server 10.96.0.1:443 was refused - did you specify the right host or port?';

/** The flags with a value that can stand before a command. */
const GLOBAL = ['namespace', ...Object.keys(IMPERSONATING)].map((flag) => `--${flag}`);

/** Returns whether flags ask for help; after `--` they belong to another program. */
function asksForHelp(words: readonly string[]): boolean {
  const dashes = words.indexOf('--');
  return words
    .slice(0, dashes < 0 ? words.length : dashes)
    .some((word) => word === '--help' || word === '-h');
}

/**
 * Finds the command of a line, and the words after its name. Flags can stand before the name: `-n a get pods`.
 *
 * @throws KubectlError for an unknown command
 */
function commandIn(all: readonly string[]): {
  readonly command: Command | undefined;
  readonly words: readonly string[];
} {
  const words = all[0] === 'kubectl' || all[0] === 'k' ? all.slice(1) : [...all];
  const before: string[] = [];
  let at = 0;
  while (words[at]?.startsWith('-')) {
    const flag = words[at++] as string;
    before.push(flag);
    if ((flag === '-n' || GLOBAL.includes(flag)) && words[at] !== undefined)
      before.push(words[at++] as string);
  }
  const [first, second = ''] = words.slice(at);
  if (first === undefined || first === 'help') {
    const topic = words.slice(at + 1);
    const named = topic.length > 0 ? commandIn(topic).command : undefined;
    return named ? { command: named, words: ['--help'] } : { command: undefined, words: topic };
  }
  refuse([first, second]);
  const long = commandNamed(`${first} ${second}`);
  if (long) return { command: long, words: [...before, ...words.slice(at + 2)] };
  const short = commandNamed(first);
  if (short) return { command: short, words: [...before, ...words.slice(at + 1)] };
  const under = commandNames
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  if (under.length > 0) {
    const meant = second === '' ? '' : ` ${didYouMean(second, under)}`;
    throw new KubectlError(
      `"kubectl ${first}" needs one of these after it: ${under.join(', ')}.${meant}`.trimEnd(),
    );
  }
  const meant = didYouMean(first, [...new Set(commandNames.map((name) => name.split(' ')[0] as string))]);
  throw new KubectlError(`unknown command "${first}" for "kubectl". ${meant || '"help" lists the commands'}`);
}
