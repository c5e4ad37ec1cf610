import type {
  FileSystem,
  HttpAnswer,
  HttpRequest,
  NodeNetwork,
  SocketAddress,
} from '../../contracts/node/index.ts';
import type { Clock, Random } from '../../sim/index.ts';

/**
 * An executable: it runs until it returns its exit code. If it throws, it exits with 1 and prints the error on stderr.
 *
 * A killed program is cut off: its clock stops, and its further actions have no effect.
 */
export type Program = (process: Process) => Promise<number>;

/** A process, for its own program. Its input and output are bytes as text: see `contracts/node/byte-text.ts`. */
export interface Process {
  /** The command line, with the name of the executable first. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hostname: string;
  /** Its container. A real process finds the uid and an id in `/proc/self/cgroup`. */
  readonly container?: ContainerName | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The files of its container: the image and the mounts. Paths are absolute. */
  readonly files: Pick<
    FileSystem,
    | 'readFile'
    | 'readBytes'
    | 'writeFile'
    | 'readdir'
    | 'stat'
    | 'lstat'
    | 'mkdirAll'
    | 'removeAll'
    | 'symlink'
    | 'link'
    | 'readlink'
  >;
  /** Its standard input. */
  readonly stdin: Stdin;
  /** Whether its input and output are connected to a terminal: then a shell prints a prompt. */
  readonly tty: boolean;
  /** Writes to standard output; a line ends with `\n`. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** Exits at once. For code that cannot return an exit code, such as a signal handler. */
  exit(code: number): void;
  /**
   * Handles a signal. An unhandled signal ends the process. Only the first process of a container, with pid 1, ignores
   * unhandled signals.
   */
  onSignal(signal: Signal, handle: () => void): void;
  /** Calls back after any exit, so that the program can release outside resources. */
  onEnd(callback: () => void): void;
  /**
   * Accepts connections on a port of its pod until it exits.
   *
   * @returns a function that closes the port
   * @throws Error with `EADDRINUSE` in its message when another process of the pod uses the port
   */
  listen(port: number, server: Server): () => void;
  /**
   * Receives UDP datagrams on a port of its pod until it exits.
   *
   * @returns a function that closes the port
   * @throws Error with `EADDRINUSE` in its message when another process of the pod uses the port
   */
  listenUdp(port: number, receive: Receive): () => void;
  /**
   * Sends a UDP datagram from an ephemeral port, and waits for an answer. It does not retry.
   *
   * @returns the payload of the answer
   * @throws NetworkError `ETIMEDOUT` when no answer arrives in time; `ECONNREFUSED` when no process listens on the port
   */
  sendDatagram(payload: string, to: SocketAddress): Promise<string>;
  /** Its network access. `127.0.0.1` is its own pod. */
  readonly network: NodeNetwork;
  /** Sets its memory usage. If the container exceeds its limit, it is OOM-killed. */
  useMemory(bytes: number): void;
  /** Sets its CPU usage, in thousandths of a CPU. */
  useCpu(milli: number): void;
  /** Adds CPU time in ms on top of {@link useCpu}. The call takes no virtual time. */
  spendCpu(ms: number): void;
  /** Replaces the program of this process by another one of its container. Returns 127 if it does not exist. */
  exec(argv: readonly string[], options?: Pick<RunOptions, 'env' | 'stdin'>): Promise<number>;
  /**
   * Changes its root directory, and replaces its program by another one from there.
   *
   * @returns its exit code; undefined if the directory has no such program: then nothing changes
   */
  chroot(root: string, argv: readonly string[]): Promise<number | undefined>;
  /** Returns the processes that it sees: those of its container, of its pod or of the machine. */
  processes(): readonly ProcessEntry[];
  /** Runs another program of its container. Returns its exit code, or 127 if it does not exist. */
  run(argv: readonly string[], options?: RunOptions): Promise<number>;
}

/** A process as another one sees it. */
export interface ProcessEntry {
  readonly pid: number;
  /** Its command line. */
  readonly argv: readonly string[];
}

/** A container that has started: each start has another object. */
export interface ContainerName {
  readonly podUid: string;
  readonly name: string;
}

/** Standard input. */
export interface Stdin {
  /** Waits for more input. @returns undefined at the end of the input */
  read(): Promise<string | undefined>;
}

/** An empty input, like `/dev/null`. */
export const noInput: Stdin = { read: async () => undefined };

/** Options for running another program. */
export interface RunOptions {
  /** @defaultValue the caller's */
  readonly env?: Readonly<Record<string, string>>;
  /** @defaultValue the caller's */
  readonly stdin?: Stdin;
  /** Receives its output. @defaultValue the caller's output */
  readonly stdout?: (text: string) => void;
  readonly stderr?: (text: string) => void;
}

/** A request, for a server. */
export interface ServedRequest extends Pick<HttpRequest, 'method' | 'path' | 'headers'> {
  /** Bytes as text: see `contracts/node/byte-text.ts`. Empty without a body. */
  readonly body: string;
  /** The source address, seen from the server. */
  readonly from: string;
}

/** Answers a datagram; undefined for no answer. */
type Receive = (datagram: Datagram) => string | undefined | Promise<string | undefined>;

/** A datagram, for its receiver. */
interface Datagram {
  readonly payload: string;
  /** The source address, seen from the receiver. */
  readonly from: string;
  readonly port: number;
}

/** The server behind a port. An empty object accepts connections and never answers. */
export interface Server {
  /** Answers a request. If it throws, the connection is reset. */
  http?(request: ServedRequest): HttpAnswer | Promise<HttpAnswer>;
  /** Whether it accepts only TLS. */
  readonly tls?: boolean;
  /** Answers grpc.health.v1.Health/Check. */
  health?(service: string): HealthStatus | Promise<HealthStatus>;
  /** Answers datagrams, on a UDP port. */
  readonly receive?: Receive;
}

/** Upstream: grpc/grpc-go@v1.72.2 health/grpc_health_v1/health.pb.go HealthCheckResponse_ServingStatus */
export type HealthStatus = 'SERVING' | 'NOT_SERVING' | 'UNKNOWN' | 'SERVICE_UNKNOWN';

/** The number of each signal that runtimes send. */
export const signals = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGTERM: 15,
  SIGWINCH: 28,
} as const;

/** The name of a signal, such as `SIGTERM`. */
export type Signal = keyof typeof signals;

/** Programs by the name of their executable, without its directory. */
export type Programs = Readonly<Record<string, Program>>;
