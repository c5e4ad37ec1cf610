import type {
  FileSystem,
  HttpAnswer,
  HttpRequest,
  NodeNetwork,
  SocketAddress,
} from '../../contracts/node/index.ts';
import type { Clock, Random } from '../../sim/index.ts';

/**
 * What an executable does: it runs until it returns its exit code. One that throws exits with 1, and says why on stderr.
 *
 * It is cut off at its death: its clock stops, nothing that it still does has an effect.
 */
export type Program = (process: Process) => Promise<number>;

/** A process as its own program sees it. What it reads and writes are bytes as text: see `contracts/node/byte-text.ts`. */
export interface Process {
  /** The words of its command, the executable's name first. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The files of its container: the image's, and what is mounted. Paths are absolute. */
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
  /** What it reads. */
  readonly stdin: Stdin;
  /** Whether it reads and writes on a terminal: a shell prompts there. */
  readonly tty: boolean;
  /** Writes to standard output; a line ends with `\n`. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** Ends now. For what cannot return an exit code: the handler of a signal. */
  exit(code: number): void;
  /**
   * Handles a signal. Without it a signal ends the process; but the first process of a container, which has pid 1, ignores what
   * it does not handle.
   */
  onSignal(signal: Signal, handle: () => void): void;
  /** Calls back when it has ended, in whatever way: what it held elsewhere is let go of then. */
  onEnd(callback: () => void): void;
  /**
   * Takes connections on a port of its pod, until it ends.
   *
   * @returns what closes the port
   * @throws Error `EADDRINUSE` in its text, when another process of the pod has the port
   */
  listen(port: number, server: Server): () => void;
  /**
   * Takes datagrams on a port of its pod, over UDP, until it ends.
   *
   * @returns what closes the port
   * @throws Error `EADDRINUSE` in its text, when another process of the pod has the port
   */
  listenUdp(port: number, receive: Receive): () => void;
  /**
   * Sends a datagram from a port of its own, over UDP, and waits for an answer. It is sent once: what is lost stays lost.
   *
   * @returns what the answer says
   * @throws NetworkError `ETIMEDOUT` when none comes in time; `ECONNREFUSED` when nothing has the port
   */
  sendDatagram(payload: string, to: SocketAddress): Promise<string>;
  /** How it reaches addresses. `127.0.0.1` is its own pod. */
  readonly network: NodeNetwork;
  /** How much memory it uses from now on. Beyond the container's limit the container dies of it. */
  useMemory(bytes: number): void;
  /** How much CPU it uses from now on, in thousandths. */
  useCpu(milli: number): void;
  /** It has just used a CPU for so many ms, besides {@link useCpu}. It takes no time. */
  spendCpu(ms: number): void;
  /** Becomes another program of the container: the same process goes on as that one. 127 when there is none of that name. */
  exec(argv: readonly string[], options?: Pick<RunOptions, 'env' | 'stdin'>): Promise<number>;
  /** Runs another program of the container, and waits for its exit code: 127 when there is none of that name. */
  run(argv: readonly string[], options?: RunOptions): Promise<number>;
}

/** Standard input. */
export interface Stdin {
  /** Waits for more. @returns undefined at the end, and from then on */
  read(): Promise<string | undefined>;
}

/** Nothing to read: `/dev/null`. */
export const noInput: Stdin = { read: async () => undefined };

/** How a process runs another one. */
export interface RunOptions {
  /** @defaultValue its own */
  readonly env?: Readonly<Record<string, string>>;
  /** @defaultValue its own */
  readonly stdin?: Stdin;
  /** Takes its output. @defaultValue its own output */
  readonly stdout?: (text: string) => void;
  readonly stderr?: (text: string) => void;
}

/** A request as a server has it. */
export interface ServedRequest extends Pick<HttpRequest, 'method' | 'path' | 'headers'> {
  /** The address that it comes from, as it is seen here. */
  readonly from: string;
}

/** Answers a datagram; undefined for no answer. */
export type Receive = (datagram: Datagram) => string | undefined | Promise<string | undefined>;

/** A datagram as it arrives. */
export interface Datagram {
  readonly payload: string;
  /** The address that it comes from, as it is seen here. */
  readonly from: string;
  readonly port: number;
}

/** What answers at a port. With nothing in it, it takes connections and says nothing. */
export interface Server {
  /** Answers a request. One that throws breaks the connection. */
  http?(request: ServedRequest): HttpAnswer | Promise<HttpAnswer>;
  /** It speaks TLS only. */
  readonly tls?: boolean;
  /** Answers grpc.health.v1.Health/Check. */
  health?(service: string): HealthStatus | Promise<HealthStatus>;
  /** Answers datagrams: of a port of UDP. */
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

/** `SIGTERM`. */
export type Signal = keyof typeof signals;

/** Programs by the name of their executable, without its directory. */
export type Programs = Readonly<Record<string, Program>>;
