import type { ImageService } from './cri/image-service.ts';
import type { RuntimeService } from './cri/runtime-service.ts';
import type { CsiNode } from './csi-node.ts';
import type { NetworkTools } from './network-tools.ts';

/**
 * The interfaces of a machine to its programs. Each part is remote: a call takes time, and may fail before or after its
 * effect.
 */
export interface NodeHost {
  /** The node's IP address in the cluster: `192.168.0.1`. */
  readonly ip: string;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly network: NodeNetwork;
  /** Configures the network. */
  readonly tools: NetworkTools;
  readonly files: FileSystem;
  readonly stats: MachineStats;
  /** The installed storage drivers, by name. */
  readonly csi: ReadonlyMap<string, CsiNode>;
}

/** Connects the programs of a node to addresses, mostly to the pods on it. */
export interface NodeNetwork {
  /**
   * Sends an HTTP request and waits for the whole response. It does not follow redirects.
   *
   * @throws NetworkError when no response arrives: the connection is refused, the address is unreachable, or the call
   * times out
   */
  request(request: HttpRequest): Promise<HttpAnswer>;

  /** Opens a connection and closes it. @throws NetworkError when the connection fails */
  connect(address: SocketAddress): Promise<void>;

  /**
   * Calls grpc.health.v1.Health/Check. It retries failed connections until the timeout.
   *
   * @throws NetworkError `UNIMPLEMENTED` when the server does not know the call; `ETIMEDOUT` when the server does not
   * answer; the code of the last attempt when no connection succeeded
   */
  healthCheck(
    check: SocketAddress & { readonly service: string },
  ): Promise<'SERVING' | 'NOT_SERVING' | 'UNKNOWN' | 'SERVICE_UNKNOWN'>;
}

/** The destination of a call, and its timeout. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  /** The time limit of the call, in ms. After it the call fails with `ETIMEDOUT`. */
  readonly timeoutMs: number;
}

/** An HTTP request. */
export interface HttpRequest extends SocketAddress {
  readonly scheme: 'http' | 'https';
  /** In upper case: `GET`. */
  readonly method: string;
  /** With the query: `/healthz?full=1`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as text: see `byte-text.ts`. @defaultValue no body */
  readonly body?: string;
  /** The time limit for opening the connection, in ms. @defaultValue `timeoutMs` */
  readonly connectTimeoutMs?: number;
}

/** An HTTP response. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection that failed or broke. */
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

  /** @param message in Go's format: `dial tcp 10.244.1.2:80: connect: connection refused` */
  constructor(code: NetworkError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The files of a node, or of a container on it. Paths are absolute. Symbolic links in a path are followed. A link at
 * the end of a path is also followed, except where a method says otherwise. A path below a mount leads to the mounted
 * files.
 *
 * @throws FileError from each call, with the kernel's error code
 */
export interface FileSystem {
  /** Creates a directory and its parents. Succeeds if it exists. @param mode of new directories @defaultValue 0o755 */
  mkdirAll(path: string, mode?: number): Promise<void>;
  /**
   * Replaces the content of the file, or appends to it. The directory must exist.
   *
   * These are two system calls: one creates or truncates the file, and one writes. A process that crashes between the
   * two, or finds the disk full, leaves an empty file.
   */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Reads a file as text: see `byte-text.ts`. */
  readFile(path: string): Promise<string>;
  /** Reads a file as bytes. */
  readBytes(path: string): Promise<Uint8Array>;
  /** Returns the names in a directory, sorted. */
  readdir(path: string): Promise<readonly string[]>;
  /** Creates a symbolic link at `path` to `target`, which may be missing. Fails when `path` exists. */
  symlink(target: string, path: string): Promise<void>;
  /**
   * Creates a hard link, a second name of a file. The new name refers to the complete content at once. @throws
   * FileError `EEXIST` when `path` exists
   */
  link(existing: string, path: string): Promise<void>;
  /** Returns the target of a symbolic link as it was created, without following it. */
  readlink(path: string): Promise<string>;
  /** Returns the path with all links resolved. Fails when it does not exist. */
  realpath(path: string): Promise<string>;
  /**
   * Renames atomically: a reader sees the old or the new file, never a missing one. Replaces a file, a link or an empty
   * directory. Does not follow a link at the end of either path.
   *
   * @throws FileError `EXDEV` from one mount to another, `EBUSY` when either path has a mount on it or below
   */
  rename(from: string, to: string): Promise<void>;
  /**
   * Removes a file, a link, or a directory with its content. Succeeds when it does not exist.
   *
   * @throws FileError `EBUSY` when the path has a mount on it or below; then it removes nothing
   */
  removeAll(path: string): Promise<void>;
  /** Writes a file, or the names in a directory, to disk, so that they survive a power loss. */
  fsync(path: string): Promise<void>;
  /**
   * Waits for the exclusive lock on a file, and creates the file if it does not exist. The lock belongs to the file,
   * not to its name: after the file is removed, a new file of that name has another lock. The lock is advisory: it
   * stops only processes that call `flock`. A process that ends releases all its locks.
   *
   * @returns a function that releases the lock
   *
   * @example
   * const unlock = await files.flock('/run/cni/lock');
   * try {
   *   await files.writeFile('/run/cni/state', '10.244.1.2');
   * } finally {
   *   await unlock();
   * }
   */
  flock(path: string): Promise<() => Promise<void>>;
  /** Returns the type, the size and the mode of a path; undefined if it does not exist. Follows a link at the end. */
  stat(path: string): Promise<FileInfo | undefined>;
  /** Like {@link stat}, but does not follow a link at the end. */
  lstat(path: string): Promise<FileInfo | undefined>;
  /** Mounts `source` over `target`: a directory over a directory, or a file over a file. */
  mount(source: string, target: string, options: MountOptions): Promise<void>;
  /**
   * Unmounts the last mount at a path. Succeeds without a mount. @throws FileError `EBUSY` if that mount has another
   * mount below it
   */
  unmount(target: string): Promise<void>;
  /** Returns all mounts except the root, in mount order. */
  mounts(): Promise<readonly MountPoint[]>;
  /** Returns the total size of the files below a path in bytes, without other mounts below it. */
  usage(path: string): Promise<number>;
}

/** Options of a write. */
export interface WriteOptions {
  /** The mode of a new file. An existing file keeps its mode. @defaultValue 0o644 */
  readonly mode?: number;
  /** Fails with `EEXIST` when the file exists. @defaultValue false */
  readonly exclusive?: boolean;
  /** Appends instead of replacing the content. @defaultValue false */
  readonly append?: boolean;
}

/** The type, the size and the mode of a file. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink';
  /** In bytes. The size of a link is the length of its target; a directory has size 0. */
  readonly sizeBytes: number;
  readonly mode: number;
}

/** Options of a mount. */
export interface MountOptions {
  /**
   * `bind` for an existing path of the node, `tmpfs` for memory, otherwise the file system type of the device `source`.
   */
  readonly type: string;
  readonly readonly?: boolean;
  /** The capacity of a `tmpfs`. @defaultValue unlimited */
  readonly sizeBytes?: number;
}

/** A mount. */
export interface MountPoint extends MountOptions {
  readonly source: string;
  readonly target: string;
}

/** The kernel's error codes of file operations. */
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

/** A failed file operation, with a message in Go's format: `open /var/lib/x: no such file or directory`. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The resources of a machine, and their usage.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/cadvisor/types.go Interface
 */
export interface MachineStats {
  /** Returns the properties that stay constant while the machine runs. */
  info(): Promise<MachineInfo>;
  /** Returns the current usage. */
  usage(): Promise<MachineUsage>;
}

/** Upstream: google/cadvisor@v0.56.2 info/v1/machine.go MachineInfo */
export interface MachineInfo {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly inodes: number;
  readonly pids: number;
  /** Changes with each boot. */
  readonly bootID: string;
  readonly kernelVersion: string;
  readonly osImage: string;
}

/** The current usage and the free resources of a machine. */
interface MachineUsage {
  readonly cpuUsageMilli: number;
  /** The total CPU time, in nanoseconds of one CPU. */
  readonly cpuUsageCoreNanoSeconds: number;
  readonly memoryAvailableBytes: number;
  readonly memoryWorkingSetBytes: number;
  readonly diskAvailableBytes: number;
  readonly inodesFree: number;
  readonly pidsFree: number;
  /** The times at which the machine ran out of memory since its boot, oldest first. */
  readonly oomKills: readonly OomKill[];
}

/** The process that the kernel killed because the machine had no memory left. */
export interface OomKill {
  /** The name of its executable, of at most 15 characters. */
  readonly process: string;
  readonly pid: number;
}
