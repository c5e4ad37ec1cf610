import type { ImageService } from './cri/image-service.ts';
import type { RuntimeService } from './cri/runtime-service.ts';
import type { CsiNode } from './csi-node.ts';
import type { NetworkTools } from './network-tools.ts';

/**
 * All that a machine offers to the programs on it. Each part is remote: a call takes time, and may fail before or after its
 * effect.
 */
export interface NodeHost {
  /** Its address in the cluster: `192.168.0.1`. */
  readonly ip: string;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly network: NodeNetwork;
  /** Sets its network up. */
  readonly tools: NetworkTools;
  readonly files: FileSystem;
  readonly stats: MachineStats;
  /** The storage drivers that are installed, by name. */
  readonly csi: ReadonlyMap<string, CsiNode>;
}

/** How the programs of a node reach addresses: the pods on it, above all. */
export interface NodeNetwork {
  /**
   * Sends one request over HTTP and waits for the whole answer. Redirects are not followed.
   *
   * @throws NetworkError when there is no answer: refused, unreachable, or too late
   */
  request(request: HttpRequest): Promise<HttpAnswer>;

  /** Opens a connection, and closes it. @throws NetworkError when it cannot be opened */
  connect(address: SocketAddress): Promise<void>;

  /**
   * Calls grpc.health.v1.Health/Check. As long as it finds no connection it tries again, until the time is over.
   *
   * @throws NetworkError `UNIMPLEMENTED` when the server does not know the call, `ETIMEDOUT` when it does not answer; when there
   * was no connection by then, with the code of the last try
   */
  healthCheck(
    check: SocketAddress & { readonly service: string },
  ): Promise<'SERVING' | 'NOT_SERVING' | 'UNKNOWN' | 'SERVICE_UNKNOWN'>;
}

/** Where to, and for how long at most. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  /** How long the call may take, in ms. Then it fails with `ETIMEDOUT`. */
  readonly timeoutMs: number;
}

/** A request as it goes over the wire. */
export interface HttpRequest extends SocketAddress {
  readonly scheme: 'http' | 'https';
  /** In capitals: `GET`. */
  readonly method: string;
  /** With query: `/healthz?full=1`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long it may take to open the connection, in ms. @defaultValue as long as the whole */
  readonly connectTimeoutMs?: number;
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection that did not come about, or did not last. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly code:
    | 'ECONNREFUSED'
    | 'EHOSTUNREACH'
    | 'ENETUNREACH'
    | 'EPERM'
    | 'ETIMEDOUT'
    | 'ECONNRESET'
    | 'EPROTO'
    | 'UNIMPLEMENTED';

  /** @param message in Go's words: `dial tcp 10.244.1.2:80: connect: connection refused` */
  constructor(code: NetworkError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The files of a node, or of a container on it. Paths are absolute. A symbolic link on the way is followed; at the end of a path
 * too, where the call does not say otherwise. What is mounted on a directory is seen through its path.
 *
 * @throws FileError from each call, with the code that the kernel has for it
 */
export interface FileSystem {
  /** Makes a directory, and all directories above it. Succeeds if it exists. @param mode of new directories @defaultValue 0o755 */
  mkdirAll(path: string, mode?: number): Promise<void>;
  /**
   * Replaces what the file said, or appends to it. The directory has to be there.
   *
   * For the kernel that is two calls, one that makes or empties the file and one that writes: a process that dies between
   * the two, or finds the disk full, leaves an empty file.
   */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Reads a file as text: see `byte-text.ts`. */
  readFile(path: string): Promise<string>;
  /** Reads a file as bytes. */
  readBytes(path: string): Promise<Uint8Array>;
  /** The names in a directory, sorted. */
  readdir(path: string): Promise<readonly string[]>;
  /** Links `path` to `target`, which need not be there. Fails when `path` is there. */
  symlink(target: string, path: string): Promise<void>;
  /** Gives a file a second name: a hard link. It is there at once, with all that is in the file. @throws FileError `EEXIST` when `path` is there */
  link(existing: string, path: string): Promise<void>;
  /** The target of a link, as it was written. Does not follow it. */
  readlink(path: string): Promise<string>;
  /** The path without any link in it. Fails when it is not there. */
  realpath(path: string): Promise<string>;
  /**
   * At once: a reader sees the old or the new, never none. Replaces a file, a link or an empty directory. Follows no link at
   * the end of either path. @throws FileError `EXDEV` from one mount to another, `EBUSY` when something is mounted on either, or below
   */
  rename(from: string, to: string): Promise<void>;
  /**
   * Removes a file, a link, or a directory with all that is in it. Succeeds when it is not there. @throws FileError `EBUSY` when
   * something is mounted there or below: then nothing is removed
   */
  removeAll(path: string): Promise<void>;
  /** Makes last, whatever happens to the power, what a file or the names of a directory are now. */
  fsync(path: string): Promise<void>;
  /**
   * Waits for the exclusive lock on a file, and makes the file if it is not there. The lock is on the file, not on its name: after the file
   * is removed, another one of that name has another lock. It binds those alone that ask for it. A process that ends gives up all
   * it has.
   *
   * @returns what gives the lock up
   */
  flock(path: string): Promise<() => Promise<void>>;
  /** What a path leads to; undefined if it does not exist. Follows a link at its end. */
  stat(path: string): Promise<FileInfo | undefined>;
  /** What a path is; undefined if it does not exist. Does not follow a link at its end. */
  lstat(path: string): Promise<FileInfo | undefined>;
  /** Mounts `source` over `target`: a directory over a directory, or a file over a file. */
  mount(source: string, target: string, options: MountOptions): Promise<void>;
  /** Unmounts the last mount at a path. Succeeds if there is none. @throws FileError `EBUSY` if something is mounted below that mount */
  unmount(target: string): Promise<void>;
  /** All mounts except the root, in the order in which they were made. */
  mounts(): Promise<readonly MountPoint[]>;
  /** How many bytes the files below a path take, without what is mounted below it. */
  usage(path: string): Promise<number>;
}

/** How a file is written. */
export interface WriteOptions {
  /** The mode of a new file. An existing file keeps its mode. @defaultValue 0o644 */
  readonly mode?: number;
  /** Fails with `EEXIST` when the file is there. @defaultValue false */
  readonly exclusive?: boolean;
  /** Adds to what is there instead of replacing it. @defaultValue false */
  readonly append?: boolean;
}

/** What is known of a path. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink';
  /** In bytes. The size of a link is the length of its target, that of a directory 0. */
  readonly sizeBytes: number;
  readonly mode: number;
}

/** How something is mounted. */
export interface MountOptions {
  /** `bind` for what the node has already, `tmpfs` for memory, else the type of the file system on the device `source`. */
  readonly type: string;
  readonly readonly?: boolean;
  /** How much a `tmpfs` holds. @defaultValue as much as is written */
  readonly sizeBytes?: number;
}

/** Something that is mounted. */
export interface MountPoint extends MountOptions {
  readonly source: string;
  readonly target: string;
}

/** The codes of the kernel that file operations fail with. */
export type FileErrorCode =
  | 'EBUSY'
  | 'EEXIST'
  | 'EINVAL'
  | 'EIO'
  | 'EISDIR'
  | 'ELOOP'
  | 'ENOENT'
  | 'ENOSPC'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'EPERM'
  | 'EROFS'
  | 'EXDEV';

/** A file operation that failed, in Go's words: `open /var/lib/x: no such file or directory`. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * What there is of a machine, and how much of it is left.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/cadvisor/types.go Interface
 */
export interface MachineStats {
  /** What does not change while the machine runs. */
  info(): Promise<MachineInfo>;
  /** What is left now. */
  usage(): Promise<MachineUsage>;
}

/** Upstream: google/cadvisor@v0.56.2 info/v1/machine.go MachineInfo */
export interface MachineInfo {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly inodes: number;
  readonly pids: number;
  /** A new one after each boot. */
  readonly bootID: string;
  readonly kernelVersion: string;
  readonly osImage: string;
}

/** How much of it is left. */
interface MachineUsage {
  readonly cpuUsageMilli: number;
  /** What was used so far, in nanoseconds of one CPU. */
  readonly cpuUsageCoreNanoSeconds: number;
  readonly memoryAvailableBytes: number;
  readonly memoryWorkingSetBytes: number;
  readonly diskAvailableBytes: number;
  readonly inodesFree: number;
  readonly pidsFree: number;
}
