/** The facts and abilities of a computer that the doctor examines. Tests replace single ones of them. */
export interface Machine {
  /** The workbook's folder, absolute. */
  readonly root: string;
  /** The version of Node, without `v`: `20.19.0`. */
  readonly nodeVersion: string;
  readonly platform: string;
  readonly arch: string;
  /** The C library of Linux; undefined on other platforms. */
  readonly libc: 'glibc' | 'musl' | undefined;
  /** The release of the kernel. In WSL it contains `microsoft`. */
  readonly kernel: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cores: number;
  readonly memory: { readonly totalBytes: number; readonly freeBytes: number };
  /** The mounted file systems, as `/proc/mounts` or `mount` lists them; empty if unknown. */
  readonly mounts: string;
  /** The number of files that a user can watch in Linux (`fs.inotify.max_user_watches`); undefined elsewhere. */
  readonly watchesMax: number | undefined;
  readonly terminal: { readonly isTTY: boolean; readonly columns: number | undefined };
  readonly files: Files;
  /** Runs a program in the workbook's folder until it ends, or kills it at the limit. */
  run(program: string, args: readonly string[], options?: { readonly limitMs?: number }): Promise<Run>;
  /**
   * Watches the files of a folder.
   *
   * @returns ends the watch
   * @throws Error of the file system when the folder cannot be watched
   */
  watch(folder: string, onChange: () => void): () => void;
  /** Waits, in ms. */
  sleep(ms: number): Promise<void>;
  /**
   * Listens on a port of the loopback interface, and stops.
   *
   * @param port 0 means any free port
   * @returns the error's code, such as `EADDRINUSE`; undefined if the port is free
   */
  listen(port: number): Promise<string | undefined>;
  /** Returns the time, in ms. */
  nowMs(): number;
}

/** The calls that write. Paths are absolute. Each throws an Error of the file system. */
interface Files {
  makeFolder(folder: string): void;
  write(file: string, text: string): void;
  read(file: string): string;
  rename(from: string, to: string): void;
  remove(place: string): void;
}

/** The end of a program. */
export interface Run {
  /** The exit code; null if the program is not installed, or was killed at the limit. */
  readonly status: number | null;
  /** Whether the program is not installed. */
  readonly missing: boolean;
  /** Whether the program was killed at the limit. */
  readonly late: boolean;
  /** The text that it printed to stdout and stderr. */
  readonly out: string;
}

/** The result of one check. */
export interface Finding {
  /** The subject: `packages`. */
  readonly name: string;
  /** `problem` keeps a learner from starting; `warning` costs a feature or speed. */
  readonly state: 'ok' | 'warning' | 'problem';
  /** The observation, as a clause without a full stop. */
  readonly text: string;
  /** The remedy or advice, as a whole sentence or a command. Every warning and problem has one. */
  readonly remedy?: string;
}

/** Examines one subject. It never throws and never waits without a limit. */
export type Check = (machine: Machine) => Finding | Promise<Finding>;
