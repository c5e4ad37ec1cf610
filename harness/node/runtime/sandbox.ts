import type * as cri from '../../contracts/node/cri/index.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import type { ContainerFiles } from '../files/index.ts';
import type { LocalImage } from '../images/index.ts';
import type { Input } from '../programs/input.ts';
import type { Task, TaskStreams } from '../programs/task.ts';
import type { Cgroup } from './cgroup.ts';

/** A sandbox as the runtime stores it on disk, and its first process. */
export class Sandbox {
  readonly id: string;
  readonly config: cri.PodSandboxConfig;
  readonly createdAtMs: number;
  state: cri.PodSandboxState = 'SANDBOX_NOTREADY';
  /** Whether {@link cri.RuntimeService.runPodSandbox} has progressed far enough for lists to show it. */
  listed = false;
  /** The path of its network namespace; empty if it has none. */
  netns = '';
  /** The result of the network plugin; undefined before ADD and after DEL. */
  network: CniResult | undefined;
  /** Whether the runtime has asked the plugin to release the network. */
  networkStopped = false;
  /** Its current or last addresses. */
  lastIPs: readonly string[] = [];
  /** Its first process, which holds its namespaces. */
  pause: Task | undefined;
  readonly containers = new Set<Container>();

  constructor(id: string, config: cri.PodSandboxConfig, createdAtMs: number) {
    this.id = id;
    this.config = config;
    this.createdAtMs = createdAtMs;
  }

  /** Its current addresses. */
  get ips(): readonly string[] {
    return (this.network?.ips ?? []).map(({ address }) => address.replace(/\/\d+$/, ''));
  }
}

/** The exit of a container's first process. */
interface Exit {
  readonly code: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly oomKilled: boolean;
}

/** A container as the runtime stores it on disk, its processes, and the exit that its shim has recorded. */
export class Container {
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly config: cri.ContainerConfig;
  readonly image: LocalImage;
  readonly createdAtMs: number;
  readonly cgroup: Cgroup;
  state: cri.ContainerState = 'CONTAINER_CREATED';
  startedAtMs = 0;
  finishedAtMs = 0;
  exitCode = 0;
  reason = '';
  message = '';
  task: Task | undefined;
  /** The input of its first process; undefined if it has none. */
  input: Input | undefined;
  /** Receivers of its first process's output, in addition to the log. */
  readonly attached = new Set<Pick<TaskStreams, 'stdout' | 'stderr'>>();
  /** Its root file system with its mounts; undefined until it is started. */
  files: ContainerFiles | undefined;
  /** Its actual exit, also if the runtime was down at that time. */
  exit: Exit | undefined;
  /** Resolves when the runtime has noticed the exit. */
  readonly stopped: Promise<void>;
  /** Resolves {@link stopped}. */
  readonly noteStopped: () => void;

  constructor(options: {
    readonly id: string;
    readonly sandbox: Sandbox;
    readonly config: cri.ContainerConfig;
    readonly image: LocalImage;
    readonly createdAtMs: number;
    readonly cgroup: Cgroup;
  }) {
    this.id = options.id;
    this.sandbox = options.sandbox;
    this.config = options.config;
    this.image = options.image;
    this.createdAtMs = options.createdAtMs;
    this.cgroup = options.cgroup;
    let note: () => void = () => {};
    this.stopped = new Promise((resolve) => {
      note = resolve;
    });
    this.noteStopped = note;
  }

  get logPath(): string {
    return `${this.sandbox.config.logDirectory}/${this.config.logPath}`;
  }
}
