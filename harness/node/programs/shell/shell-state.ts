import type { Process } from '../program.ts';

/** The output streams of a command. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** The state of a script that runs: builtins change it, and words expand to parts of it. */
export interface ShellState {
  readonly process: Process;
  readonly variables: Map<string, string>;
  readonly args: readonly string[];
  /** The exit code of the last command. */
  status: number;
  /** Whether a command that fails ends the script: `set -e`. */
  errexit: boolean;
  readonly background: ReadonlySet<Promise<number>>;
  /** Scripts for signals that have arrived; they run after the current command. */
  readonly pendingTraps: string[];
  /** Wakes `wait` when a signal arrives. */
  onTrap: () => void;
  /** Runs a script in a child shell with the same variables, and returns its output. */
  capture(script: string, output: Output): Promise<string>;
}
