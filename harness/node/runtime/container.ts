import type * as cri from '../../contracts/node/cri/index.ts';
import type { ContainerFiles } from '../files/index.ts';
import type { LocalImage } from '../images/index.ts';
import type { Input } from '../programs/input.ts';
import type { Task, TaskStreams } from '../programs/task.ts';
import type { Cgroup } from './cgroup.ts';
import type { Sandbox } from './sandbox.ts';

/** How the first process of a container ended. */
export interface Exit {
  readonly code: number;
  /** In ms since 1970. */
  readonly atMs: number;
  readonly oomKilled: boolean;
}

/** A container as the runtime has it on disk, its processes, and what its shim has seen of their end. */
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
  /** What its first process reads; undefined if that is nothing. */
  input: Input | undefined;
  /** What is told, besides the log, of all that its first process writes. */
  readonly attached = new Set<Pick<TaskStreams, 'stdout' | 'stderr'>>();
  /** Its tree, with what is mounted; undefined until it is started. */
  files: ContainerFiles | undefined;
  /** What really became of it, also while the runtime was away. */
  exit: Exit | undefined;
  /** Resolves when the runtime knows that it has exited. */
  readonly stopped: Promise<void>;
  /** Says that the runtime knows. */
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
