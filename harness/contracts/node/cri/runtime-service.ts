import type { ImageSpec } from './image-spec.ts';

/**
 * The container runtime interface: the calls of a kubelet to containerd, CRI-O or cri-dockerd. The runtime is a
 * separate process and outlives the kubelet. After a restart, the kubelet knows its containers only from the runtime.
 *
 * A pod is a *sandbox* (a container that holds its namespaces and its IP address) and the containers in it. The runtime
 * assigns ids and never reuses them. Names are reused: a restarted container is a new container with another `attempt`.
 *
 * Repeated calls are safe: {@link stopPodSandbox}, {@link removePodSandbox}, {@link stopContainer} and
 * {@link removeContainer} succeed if they have nothing left to do. (cri-dockerd fails for an unknown or forgotten id.)
 * Each call may fail with a {@link CriError} after it has taken effect, fully or in part.
 *
 * Times are in ms since 1970.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/services.go RuntimeService, pkg/apis/runtime/v1/api.proto
 */
export interface RuntimeService {
  version(): Promise<RuntimeVersion>;

  /** Returns whether the runtime can run containers, and whether its network is ready. */
  status(): Promise<readonly RuntimeCondition[]>;

  /**
   * Creates a sandbox with its network, and starts it. It is ready when the promise resolves.
   *
   * @returns its id
   * @throws CriError also when the network setup fails; then an incomplete sandbox may remain, which is not ready
   */
  runPodSandbox(config: PodSandboxConfig): Promise<string>;

  /**
   * Kills the processes in the sandbox, stops it, and releases its network. It still exists, not ready, until it is
   * removed. (cri-dockerd does not kill the processes.)
   */
  stopPodSandbox(podSandboxId: string): Promise<void>;

  /** Removes the sandbox and all its containers, by force. */
  removePodSandbox(podSandboxId: string): Promise<void>;

  /** @throws CriError `NotFound` when the sandbox does not exist; cri-dockerd: `Unknown` */
  podSandboxStatus(podSandboxId: string): Promise<PodSandboxStatus>;

  /** Returns the sandboxes in no particular order. */
  listPodSandbox(filter?: PodSandboxFilter): Promise<readonly PodSandbox[]>;

  /**
   * Creates a container in a sandbox without starting it. Its image must be present.
   *
   * @param sandboxConfig the configuration that {@link runPodSandbox} received
   * @returns its id
   */
  createContainer(
    podSandboxId: string,
    config: ContainerConfig,
    sandboxConfig: PodSandboxConfig,
  ): Promise<string>;

  /** Starts a created container. A container can be started only once. */
  startContainer(containerId: string): Promise<void>;

  /**
   * Sends the stop signal, waits for the container to exit, and kills it after `timeoutSeconds`. With 0 it kills at
   * once.
   *
   * @returns a promise that resolves when the container has exited
   */
  stopContainer(containerId: string, timeoutSeconds: number): Promise<void>;

  /** Removes the container, by force if it runs. Its logs stay. */
  removeContainer(containerId: string): Promise<void>;

  /** Returns the containers in no particular order. */
  listContainers(filter?: ContainerFilter): Promise<readonly Container[]>;

  /** @throws CriError `NotFound` when the container does not exist; cri-dockerd: `Unknown` */
  containerStatus(containerId: string): Promise<ContainerStatus>;

  /**
   * Runs a command in a running container, and waits until it exits.
   *
   * @param timeoutSeconds 0: no limit
   * @throws CriError `DeadlineExceeded` when it takes longer; then the command is killed. (CRI-O returns the exit code
   * -1 instead. cri-dockerd lets the command continue.)
   */
  execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecSyncResponse>;

  /** Returns the resource usage of the running containers. */
  listContainerStats(filter?: ContainerFilter): Promise<readonly ContainerStats[]>;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto VersionResponse */
export interface RuntimeVersion {
  /** `containerd`, `cri-o`, `docker`. */
  readonly runtimeName: string;
  readonly runtimeVersion: string;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto RuntimeCondition */
export interface RuntimeCondition {
  readonly type: 'RuntimeReady' | 'NetworkReady';
  readonly status: boolean;
  /** Empty when `status` is true. */
  readonly reason: string;
  readonly message: string;
}

/** Identifies a sandbox: the pod, and the number of its earlier sandboxes. */
export interface PodSandboxMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto PodSandboxConfig */
export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata;
  /** Empty for a pod in the host network. */
  readonly hostname: string;
  /** The directory of the pod's logs: `/var/log/pods/default_web-1_<uid>`. */
  readonly logDirectory: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** `node`: the sandbox uses the host network, without a separate IP address. */
  readonly network: 'pod' | 'node';
  readonly dns?: {
    readonly servers: readonly string[];
    readonly searches: readonly string[];
    readonly options: readonly string[];
  };
  readonly portMappings?: readonly PortMapping[];
}

/** A port of the node that is forwarded to a port of the pod. */
export interface PortMapping {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly containerPort: number;
  readonly hostPort: number;
  readonly hostIP?: string;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto PodSandboxState */
export type PodSandboxState = 'SANDBOX_READY' | 'SANDBOX_NOTREADY';

/** A sandbox in a list. */
export interface PodSandbox {
  readonly id: string;
  readonly metadata: PodSandboxMetadata;
  readonly state: PodSandboxState;
  readonly createdAtMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A sandbox with its network. Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto PodSandboxStatus */
export interface PodSandboxStatus extends PodSandbox {
  readonly network: 'pod' | 'node';
  /**
   * The IP addresses, IPv4 first. Absent in the host network; empty after their release. (CRI-O: the last addresses.)
   */
  readonly ips?: readonly string[];
}

/** Selects sandboxes that match all given fields. */
export interface PodSandboxFilter {
  readonly id?: string;
  readonly state?: PodSandboxState;
  readonly labelSelector?: Readonly<Record<string, string>>;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ContainerConfig */
export interface ContainerConfig {
  /** `attempt`: the number of earlier containers of this name in the pod. */
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly image: ImageSpec;
  /** Replaces the image's entrypoint. */
  readonly command?: readonly string[];
  /** Replaces the image's arguments. */
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly envs: readonly { readonly key: string; readonly value: string }[];
  readonly mounts: readonly Mount[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Relative to the sandbox's `logDirectory`: `web/0.log`. */
  readonly logPath: string;
  /** Whether the first process reads input of attached users. @defaultValue false: it has no input */
  readonly stdin?: boolean;
  /**
   * Whether only the first attached user is connected to the input, which ends when that user detaches. @defaultValue
   * false
   */
  readonly stdinOnce?: boolean;
  /** Whether the first process runs in a terminal. @defaultValue false */
  readonly tty?: boolean;
  /**
   * The processes that its processes see: those of its pod, of the node, or of the container with the given id.
   *
   * @defaultValue its own
   */
  readonly pid?: 'pod' | 'node' | { readonly target: string };
  readonly resources?: ContainerResources;
}

/** A directory or file of the node that is mounted in a container. */
export interface Mount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readonly: boolean;
}

/**
 * The resource limits of a container. Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto
 * LinuxContainerResources
 */
export interface ContainerResources {
  /** Thousandths of a CPU. */
  readonly cpuMilli?: number;
  readonly memoryLimitBytes?: number;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ContainerState */
export type ContainerState =
  | 'CONTAINER_CREATED'
  | 'CONTAINER_RUNNING'
  | 'CONTAINER_EXITED'
  /** The runtime has lost track of the container. */
  | 'CONTAINER_UNKNOWN';

/** A container in a list. */
export interface Container {
  readonly id: string;
  readonly podSandboxId: string;
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly image: ImageSpec;
  /** The runtime's reference to the image, by digest. */
  readonly imageRef: string;
  /** The `id` of that image in the list of images. Garbage collection must not delete it. */
  readonly imageId: string;
  readonly state: ContainerState;
  readonly createdAtMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ContainerStatus */
export interface ContainerStatus extends Omit<Container, 'podSandboxId'> {
  /** 0 before the start. */
  readonly startedAtMs: number;
  /** 0 before the exit. */
  readonly finishedAtMs: number;
  readonly exitCode: number;
  /** The reason of the exit: `Completed`, `Error`, `OOMKilled`, `StartError`, `ContainerCannotRun`. Empty before. */
  readonly reason: string;
  readonly message: string;
  readonly mounts: readonly Mount[];
  /** The absolute path: `/var/log/pods/default_web-1_<uid>/web/0.log`. */
  readonly logPath: string;
}

/** Selects containers that match all given fields. */
export interface ContainerFilter {
  readonly id?: string;
  readonly state?: ContainerState;
  readonly podSandboxId?: string;
  readonly labelSelector?: Readonly<Record<string, string>>;
}

/** The result of a command. */
export interface ExecSyncResponse {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * The current resource usage of a container. Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto
 * ContainerStats
 */
export interface ContainerStats {
  readonly id: string;
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly labels: Readonly<Record<string, string>>;
  readonly atMs: number;
  /** Thousandths of a CPU. */
  readonly cpuUsageMilli: number;
  /** The total CPU time since its creation, in nanoseconds of one CPU. */
  readonly cpuUsageCoreNanoSeconds: number;
  readonly memoryWorkingSetBytes: number;
  /** Bytes that it has written outside its volumes. */
  readonly writableLayerBytes: number;
}
