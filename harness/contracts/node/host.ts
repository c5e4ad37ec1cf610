import type { ImageService } from './cri/image-service.ts';
import type { RuntimeService } from './cri/runtime-service.ts';
import type { CsiNode } from './volume-manager.ts';

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
  /** After so many ms without an end it fails with `ETIMEDOUT`. */
  readonly timeoutMs: number;
}

/** A request as it goes over the wire. */
export interface HttpRequest extends SocketAddress {
  readonly scheme: 'http' | 'https';
  readonly method: 'GET' | 'POST';
  /** With query: `/healthz?full=1`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
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
  readonly code: 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ETIMEDOUT' | 'ECONNRESET' | 'EPROTO' | 'UNIMPLEMENTED';

  /** @param message in Go's words: `dial tcp 10.244.1.2:80: connect: connection refused` */
  constructor(code: NetworkError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The files of a node. Paths are absolute. A symbolic link is followed everywhere, except by the call that says otherwise.
 *
 * @throws FileError from each call, with the code that the kernel has for it
 */
export interface FileSystem {
  /** With all directories above it. Succeeds when it is there. */
  mkdirAll(path: string): Promise<void>;
  /** Replaces what was there. The directory has to be there. */
  writeFile(path: string, content: string, options?: WriteOptions): Promise<void>;
  readFile(path: string): Promise<string>;
  /** The names in a directory, sorted. */
  readdir(path: string): Promise<readonly string[]>;
  /** Links `path` to `target`, which need not be there. Fails when `path` is there. */
  symlink(target: string, path: string): Promise<void>;
  /** What a link says. Does not follow it. */
  readlink(path: string): Promise<string>;
  /** At once: a reader sees the old or the new, never neither. Replaces what was there. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, a link, or a directory with all that is in it. Succeeds when it is not there. @throws FileError `EBUSY` when something is mounted below it */
  removeAll(path: string): Promise<void>;
  /** Undefined when it is not there. Does not follow a link. */
  lstat(path: string): Promise<FileInfo | undefined>;
  /** Mounts `source` over the directory `target`. */
  mount(source: string, target: string, options: MountOptions): Promise<void>;
  /** Succeeds when nothing is mounted there. */
  unmount(target: string): Promise<void>;
  /** All mounts, in the order in which they were made. */
  mounts(): Promise<readonly MountPoint[]>;
  /** How many bytes the files below a path take. */
  usage(path: string): Promise<number>;
}

/** How a file is written. */
export interface WriteOptions {
  /** @defaultValue 0o644 */
  readonly mode?: number;
  /** Fails with `EEXIST` when the file is there. @defaultValue false */
  readonly exclusive?: boolean;
  /** Adds to what is there instead of replacing it. @defaultValue false */
  readonly append?: boolean;
}

/** What is known of a path. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink';
  readonly sizeBytes: number;
  readonly mode: number;
}

/** How something is mounted. */
export interface MountOptions {
  /** `bind`, `tmpfs`, `ext4`. */
  readonly type: string;
  readonly readonly?: boolean;
}

/** Something that is mounted. */
export interface MountPoint extends MountOptions {
  readonly source: string;
  readonly target: string;
}

/** A file operation that failed: `open /var/lib/x: no such file or directory`. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: 'ENOENT' | 'EEXIST' | 'ENOTDIR' | 'EISDIR' | 'EBUSY' | 'ENOSPC' | 'EROFS' | 'EIO' | 'ELOOP';

  constructor(code: FileError['code'], message: string) {
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
  /** Another one after each boot. */
  readonly bootID: string;
  readonly kernelVersion: string;
  readonly osImage: string;
}

/** How much of it is left. */
export interface MachineUsage {
  readonly cpuUsageMilli: number;
  readonly memoryAvailableBytes: number;
  readonly memoryWorkingSetBytes: number;
  readonly diskAvailableBytes: number;
  readonly inodesFree: number;
  readonly pidsFree: number;
}
