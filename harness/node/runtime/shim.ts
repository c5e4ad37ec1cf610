import type { ContainerConfig, Mount, PodSandboxConfig } from '../../contracts/node/cri/index.ts';
import type { Clock, LocalClock, Random } from '../../sim/index.ts';
import type { ContainerFiles, MachineFiles } from '../files/index.ts';
import type { MachineHistory, PodName } from '../history.ts';
import type { LocalImage } from '../images/index.ts';
import type { MachineResources } from '../machine-resources.ts';
import type { MachineNetwork } from '../network/stack/machine-network.ts';
import type { NetworkNamespace } from '../network/stack/namespace.ts';
import { Pipe } from '../programs/input.ts';
import { pause } from '../programs/pause.ts';
import type { ContainerName, Program, Programs } from '../programs/program.ts';
import { type Space, Task, type TaskStreams } from '../programs/task.ts';
import { MACHINE_EXECUTABLES } from '../registry/catalogue.ts';
import { ANY_EXECUTABLE } from '../registry/oci.ts';
import type { Cgroup } from './cgroup.ts';
import { CriLog } from './cri-log.ts';
import { PidNamespace } from './pid-namespace.ts';
import type { Container, Sandbox } from './sandbox.ts';
import { addNamespace, namespaceAt } from './sandbox-network.ts';
import { Terminal } from './terminal.ts';

/** Dependencies of {@link Shim}. */
interface ShimOptions {
  readonly clockFor: (actor: string) => LocalClock;
  /** The actual time, from the machine's kernel. */
  readonly clock: Clock;
  readonly random: Random;
  readonly network: MachineNetwork;
  readonly files: MachineFiles;
  readonly programs: Programs;
  readonly history: MachineHistory;
  /** Receives each change of the resource usage, with its cgroup. */
  readonly resources: Pick<MachineResources, 'newCgroup' | 'newPid' | 'charge'>;
}

/** The result of a command in a container. */
interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Keeps containers: starts their processes, writes their logs, and records their exits. A shim outlives its runtime,
 * but not the machine.
 *
 * Upstream: containerd/containerd@v2.3.3 core/runtime/v2/README.md
 */
export class Shim {
  readonly #options: ShimOptions;
  /** The environments of running containers. */
  readonly #spaces = new Map<Container, Space>();
  /** All processes of the machine that run in containers. */
  readonly #processes = new PidNamespace();
  /** The processes of each pod and of each container, as far as they have their own namespace. */
  readonly #namespaces = new WeakMap<Sandbox | Container, PidNamespace>();

  constructor(options: ShimOptions) {
    this.#options = options;
  }

  /**
   * Writes the files that the containers of a sandbox share to the machine's disk.
   * @throws FileError when the disk is full
   */
  async prepare(sandbox: Sandbox): Promise<void> {
    const { files } = this.#options;
    const { hostname, dns } = sandbox.config;
    await files.mkdirAll(directoryOf(sandbox));
    await files.writeFile(`${directoryOf(sandbox)}/hostname`, `${hostname}\n`);
    await files.writeFile(`${directoryOf(sandbox)}/resolv.conf`, resolvConf(dns));
  }

  /** Starts the first process of a sandbox. */
  startPause(sandbox: Sandbox): void {
    const task = new Task(
      this.#space(sandbox, `${sandbox.config.metadata.name}/POD`, {
        cgroup: this.#options.resources.newCgroup(),
        processes: this.#processes,
      }),
      {
        program: pause,
        argv: ['/pause'],
        env: {},
        stdout: () => {},
        stderr: () => {},
        init: true,
      },
    );
    sandbox.pause = task;
    void task.ended.then(() =>
      this.#options.history.record({ event: 'sandbox-stopped', ...sandboxOf(sandbox) }),
    );
  }

  /**
   * Starts the first process of a container.
   *
   * Upstream: containerd/containerd@v2.3.3 internal/cri/server/container_start.go criService.StartContainer (ioCreation);
   * Mirantis/cri-dockerd@v0.4.3 core/container_start.go dockerService.StartContainer
   *
   * @returns the error message of the OCI runtime; undefined on success
   */
  async start(container: Container): Promise<string | undefined> {
    const { config, image, cgroup, sandbox } = container;
    const { clock, history, files } = this.#options;
    const argv = argvOf(container);
    const [command = ''] = argv;
    for (const { hostPath } of config.mounts) {
      if (!(await files.lstat(hostPath))) await files.mkdirAll(hostPath);
    }
    const own = [...config.mounts, ...sandboxMounts(sandbox)];
    container.files = files.view(own.filter((mount, at) => own.findIndex(sameTarget(mount)) === at));
    for (const path of [...DIRECTORIES, image.config.workingDir]) await container.files.mkdirAll(path || '/');
    const actor = `${sandbox.config.metadata.name}/${config.metadata.name}`;
    const name = { podUid: sandbox.config.metadata.uid, name: config.metadata.name };
    const processes = this.#processesFor(container);
    if (!processes) return `invalid target container: no container ${targetOf(config)} runs`;
    const of = { image, files: container.files, name, mounts: config.mounts };
    const space = this.#space(sandbox, actor, { cgroup, processes, of });
    const program = space.lookUp(command);
    // The log exists even if the program does not.
    const log = new CriLog(files, container.logPath, clock);
    if (!program) return notFound(command);
    history.record({ event: 'container-started', ...containerOf(container) });
    const say = (stream: 'stdout' | 'stderr') => (text: string) => {
      log.write(stream, text);
      for (const attached of container.attached) attached[stream](text);
    };
    const { stdin = false, tty = false } = config;
    const interrupt = (): void => container.task?.interrupt();
    const terminal = tty ? new Terminal({ show: say('stdout'), interrupt }) : undefined;
    container.input = terminal ?? (stdin ? new Pipe() : undefined);
    const task = new Task(space, {
      program,
      argv,
      env: environmentOf(container),
      ...(container.input ? { stdin: container.input } : {}),
      tty,
      stdout: terminal ? (text) => terminal.write(text) : say('stdout'),
      stderr: terminal ? (text) => terminal.write(text) : say('stderr'),
      init: true,
    });
    container.task = task;
    this.#spaces.set(container, space);
    void task.ended.then((code) => {
      container.exit ??= { code, atMs: clock.now(), oomKilled: cgroup.oomKilled };
      this.#spaces.delete(container);
      log.flush();
      history.record({ event: 'container-exited', ...containerOf(container), exitCode: code });
    });
    return undefined;
  }

  /** Returns the command of a container whose executable does not exist; undefined if it exists. */
  refusal(config: ContainerConfig, image: LocalImage): string | undefined {
    const [command = ''] = argvOf({ config, image });
    return programOf(this.#options.programs, image, command) ? undefined : command;
  }

  /** Starts a command in a running container, and collects its output. */
  exec(container: Container, argv: readonly string[]): Exec | string {
    const out = { stdout: '', stderr: '' };
    const task = this.execStreaming(container, argv, {
      stdout: (text) => {
        out.stdout += text;
      },
      stderr: (text) => {
        out.stderr += text;
      },
    });
    if (typeof task === 'string') return task;
    return { task, result: task.ended.then((exitCode) => ({ ...out, exitCode })) };
  }

  /** Starts a command in a running container. @returns the task, or the error message of the OCI runtime */
  execStreaming(container: Container, argv: readonly string[], streams: TaskStreams): Task | string {
    const space = this.#spaces.get(container);
    const [command = ''] = argv;
    const program = space?.lookUp(command);
    if (!space || !program) return notFound(command);
    return new Task(space, { ...streams, program, argv, env: environmentOf(container), init: false });
  }

  /** Returns the network namespace of a sandbox; undefined if it does not exist. */
  namespaceOf({ config, netns }: Sandbox): NetworkNamespace | undefined {
    const { network } = this.#options;
    return config.network === 'node' ? network.host : namespaceAt(network, netns);
  }

  /** Returns the processes that those of a container see; undefined if its target does not run. */
  #processesFor(container: Container): PidNamespace | undefined {
    const { config, sandbox } = container;
    if (config.pid === 'node') return this.#processes;
    const target = targetOf(config);
    if (target !== undefined) {
      const other = [...sandbox.containers].find(({ id, task }) => id === target && task?.alive);
      return other && this.#namespaces.get(other);
    }
    const owner = config.pid === 'pod' ? sandbox : container;
    const known = config.pid === 'pod' ? this.#namespaces.get(sandbox) : undefined;
    const namespace = known ?? new PidNamespace(this.#processes);
    if (!known && owner === sandbox && sandbox.pause) namespace.include(sandbox.pause);
    this.#namespaces.set(owner, namespace);
    this.#namespaces.set(container, namespace);
    return namespace;
  }

  #space(sandbox: Sandbox, actor: string, { cgroup, processes, of }: SpaceOptions): Space {
    const { clockFor, random, network, files, programs, resources } = this.#options;
    return {
      newClock: () => clockFor(actor),
      hostname: sandbox.config.hostname,
      container: of?.name,
      random: random.fork(actor),
      namespace: this.namespaceOf(sandbox) ?? addNamespace(network, sandbox),
      files: of?.files ?? files,
      tasks: cgroup.tasks,
      processes,
      newPid: () => resources.newPid(),
      lookUp: (command) => (of ? programOf(programs, of.image, command) : undefined),
      lookUpIn: (root, command) =>
        of && isMachine(of.mounts, root)
          ? programOf(programs, { executables: MACHINE_EXECUTABLES }, command)
          : undefined,
      charge: (more) => resources.charge(more, cgroup),
    };
  }
}

/** Options of the environment of processes. */
interface SpaceOptions {
  readonly cgroup: Cgroup;
  readonly processes: PidNamespace;
  /** Its container; absent for the first process of a sandbox. */
  readonly of?: {
    readonly image: LocalImage;
    readonly files: ContainerFiles;
    readonly name: ContainerName;
    readonly mounts: readonly Mount[];
  };
}

/** Returns whether a directory of a container has the files of the machine: then it also has its programs. */
function isMachine(mounts: readonly Mount[], directory: string): boolean {
  const path = directory.replace(/(?<=.)\/+$/, '');
  return mounts.some(({ hostPath, containerPath }) => hostPath === '/' && containerPath === path);
}

const targetOf = ({ pid }: ContainerConfig): string | undefined =>
  typeof pid === 'object' ? pid.target : undefined;

/** A command that runs in a container. */
interface Exec {
  readonly task: Task;
  readonly result: Promise<ExecResult>;
}

/** Directories that every image has. */
const DIRECTORIES = ['/etc', '/home', '/root', '/run', '/tmp', '/usr', '/var/log', '/var/run'];

/**
 * Returns the directory of a sandbox or a container on the machine's disk. Upstream: containerd/containerd@v2.3.3
 * internal/cri/server/helpers.go sandboxesDir
 */
export function directoryOf(of: Sandbox | Container): string {
  const kind = 'containers' in of ? 'sandboxes' : 'containers';
  return `/var/lib/containerd/io.containerd.grpc.v1.cri/${kind}/${of.id}`;
}

/** Returns the mounts that a runtime adds to each container of a sandbox, unless the kubelet has them. */
function sandboxMounts(sandbox: Sandbox): readonly Mount[] {
  return ['hostname', 'resolv.conf'].map((file) => ({
    containerPath: `/etc/${file}`,
    hostPath: `${directoryOf(sandbox)}/${file}`,
    readonly: false,
  }));
}

function sameTarget({ containerPath }: Mount): (other: Mount) => boolean {
  return (other) => other.containerPath === containerPath;
}

/** Upstream: containerd/containerd@v2.3.3 internal/cri/server/podsandbox/sandbox_run_linux.go parseDNSOptions */
function resolvConf({ servers, searches, options }: NonNullable<PodSandboxConfig['dns']> = noDns): string {
  const lines = [
    ...(searches.length > 0 ? [`search ${searches.join(' ')}`] : []),
    ...servers.map((server) => `nameserver ${server}`),
    ...(options.length > 0 ? [`options ${options.join(' ')}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const noDns = { servers: [], searches: [], options: [] };

/** Returns the fields of a sandbox for the machine's history. */
export function sandboxOf(sandbox: Sandbox): {
  readonly pod: PodName;
  readonly sandboxId: string;
  readonly attempt: number;
} {
  const { namespace, name, uid, attempt } = sandbox.config.metadata;
  return { pod: { namespace, name, uid }, sandboxId: sandbox.id, attempt };
}

/** Returns the fields of a container for the machine's history. */
export function containerOf(container: Container): {
  readonly pod: PodName;
  readonly sandboxId: string;
  readonly container: string;
  readonly containerId: string;
  readonly attempt: number;
  readonly image: string;
} {
  const { name, attempt } = container.config.metadata;
  return {
    ...sandboxOf(container.sandbox),
    container: name,
    containerId: container.id,
    attempt,
    image: container.config.image.image,
  };
}

/**
 * Returns the command line. Kubernetes' `command` is the entrypoint and its `args` the cmd; a `command` without `args`
 * ignores the image's cmd.
 */
function argvOf({
  config: { command = [], args = [] },
  image,
}: Pick<Container, 'config' | 'image'>): readonly string[] {
  if (command.length > 0) return [...command, ...args];
  return [...image.config.entrypoint, ...(args.length > 0 ? args : image.config.cmd)];
}

/**
 * Returns the environment. The OCI runtime adds the home directory of the user.
 *
 * Upstream: opencontainers/runc@v1.4.0 libcontainer/init_linux.go setupUser
 *
 * Differs: every process runs as root, whatever the security context says.
 */
function environmentOf({ config, image, sandbox }: Container): Readonly<Record<string, string>> {
  const environment: Readonly<Record<string, string>> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...image.config.env,
    HOSTNAME: sandbox.config.hostname,
    ...Object.fromEntries(config.envs.map(({ key, value }) => [key, value])),
  };
  return Object.hasOwn(environment, 'HOME') ? environment : { ...environment, HOME: '/root' };
}

function programOf(
  programs: Programs,
  image: Pick<LocalImage, 'executables'>,
  command: string,
): Program | undefined {
  const has = (name: string): boolean =>
    image.executables.some((each) => baseName(each) === name) && Object.hasOwn(programs, name);
  return programs[[baseName(command), ANY_EXECUTABLE].find(has) ?? ''];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Upstream: golang/go@go1.26 src/os/exec/exec.go Error; opencontainers/runc@v1.4.0 libcontainer/init_linux.go */
function notFound(command: string): string {
  return command.includes('/')
    ? `exec: "${command}": stat ${command}: no such file or directory`
    : `exec: "${command}": executable file not found in $PATH`;
}
