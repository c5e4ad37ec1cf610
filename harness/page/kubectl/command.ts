import type { Cluster } from '../../cluster/cluster.ts';
import type { AskedRequest } from '../../cluster/cluster-user.ts';
import type { Client } from '../../contracts/client.ts';
import type { FlagSet, FlagValues } from './flags.ts';
import type { Kinds } from './kinds.ts';
import type { Observer } from './observer.ts';

/** The streams and files of a command that was typed. */
export interface KubectlIO {
  /** Manifests by name, for `-f`: `-` is the text of the editor. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Lines for an interactive program (`exec -it … sh`), as they are typed, without their newline. Each run needs its own
   * iterable: a program that ends may have asked for the next line.
   */
  readonly input: AsyncIterable<string>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
}

/** A command of kubectl: `get`, `rollout status`. */
export interface Command {
  /** One word, or two: `rollout status`. */
  readonly name: string;
  /** Other names of the same command. */
  readonly aliases?: readonly string[];
  /** The arguments in the first line of its help: `(TYPE[/NAME] | -f FILE) [flags]`. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  /** Whether the command only reads: then `client` in its call is an observer, without latency and without trace. */
  readonly reads: boolean;
  readonly flags: FlagSet;
  /** @throws StatusError, KubectlError; both are printed as kubectl prints them */
  run(call: Call): Promise<number | undefined> | Promise<void>;
}

/** One run of a command. */
export interface Call {
  /** The arguments that are not flags. */
  readonly args: readonly string[];
  /** The arguments after `--`. */
  readonly rest: readonly string[];
  readonly flags: FlagValues;
  readonly io: KubectlIO;
  readonly cluster: Cluster;
  /** For a command that writes, the connection of the run; otherwise an observer. */
  readonly client: Client;
  /**
   * Checks a request that this kubectl sends past the apiserver, such as `exec` to a kubelet.
   *
   * @throws StatusError Forbidden when the user may not send it
   */
  mustBeAllowed(asked: AskedRequest): void;
  /** The metrics API, if a metrics-server runs. */
  readonly metrics: Client | undefined;
  readonly kinds: Kinds;
  readonly observer: Observer;
  /** The namespace of `-n`, or `default`. */
  readonly namespace: string;
  /** Ms since 1970, on the clock of the cluster. */
  readonly nowMs: number;
}

/**
 * The exit code of a command that handles Ctrl-C: the commands that follow a log or changes.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/util/interrupt/interrupt.go Handler.Signal
 */
export const INTERRUPTED = 1;

/** The exit code of a command that Ctrl-C kills: 128 and the number of SIGINT. */
export const KILLED = 130;
