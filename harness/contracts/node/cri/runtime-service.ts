import type { ImageSpec } from './image-spec.ts';

/**
 * The container runtime interface: what a kubelet asks of containerd, CRI-O or cri-dockerd. The runtime is a process of its
 * own, and outlives the kubelet: all that a kubelet knows of its containers after a restart, it knows from here.
 *
 * A pod is a *sandbox* (a container that holds its namespaces and its address) and the containers in it. Ids are the
 * runtime's, and never used twice. Names are not: a container is started again as another container, with another `attempt`.
 *
 * What is asked twice does no harm: {@link stopPodSandbox}, {@link removePodSandbox}, {@link stopContainer} and
 * {@link removeContainer} succeed if there is nothing left to do. (cri-dockerd fails for an id that it has never heard of, or
 * has forgotten.) Each call may fail with a {@link CriError} after it was carried out, or halfway.
 *
 * Times are in ms since 1970.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/services.go RuntimeService, pkg/apis/runtime/v1/api.proto
 */
export interface RuntimeService {
  version(): Promise<RuntimeVersion>;

  /** Whether the runtime can run containers, and whether it can give them a network. */
  status(): Promise<readonly RuntimeCondition[]>;

  /**
   * Makes a sandbox, with its network, and starts it. It is ready when this resolves.
   *
   * @returns its id
   * @throws CriError also when the network cannot be set up: then what there is of the sandbox may be left, not ready
   */
  runPodSandbox(config: PodSandboxConfig): Promise<string>;

  /**
   * Kills what runs in the sandbox, stops it, and gives its network back. It is there, not ready, until it is removed.
   * (cri-dockerd leaves alone what runs in it.)
   */
  stopPodSandbox(podSandboxId: string): Promise<void>;

  /** Removes the sandbox and every container in it, by force. */
  removePodSandbox(podSandboxId: string): Promise<void>;

  /** @throws CriError `NotFound` when there is none; cri-dockerd: `Unknown` */
  podSandboxStatus(podSandboxId: string): Promise<PodSandboxStatus>;

  /** In no order that one may count on. */
  listPodSandbox(filter?: PodSandboxFilter): Promise<readonly PodSandbox[]>;

  /**
   * Makes a container in a sandbox; it does not run yet. The image has to be there.
   *
   * @param sandboxConfig what {@link runPodSandbox} was given
   * @returns its id
   */
  createContainer(
    podSandboxId: string,
    config: ContainerConfig,
    sandboxConfig: PodSandboxConfig,
  ): Promise<string>;

  /** Starts a container that was created. A container is started once in its life. */
  startContainer(containerId: string): Promise<void>;

  /**
   * Sends the stop signal, waits for the container to exit, and kills it after `timeoutSeconds`. With 0 it kills at once.
   *
   * @returns when it has exited
   */
  stopContainer(containerId: string, timeoutSeconds: number): Promise<void>;

  /** Removes the container, by force if it runs. Its logs stay. */
  removeContainer(containerId: string): Promise<void>;

  /** In no order that one may count on. */
  listContainers(filter?: ContainerFilter): Promise<readonly Container[]>;

  /** @throws CriError `NotFound` when there is none; cri-dockerd: `Unknown` */
  containerStatus(containerId: string): Promise<ContainerStatus>;

  /**
   * Runs a command in a running container, and waits for its end.
   *
   * @param timeoutSeconds 0: however long it takes
   * @throws CriError `DeadlineExceeded` when it takes longer: the command is killed. (CRI-O does not throw: it gives the exit code
   * -1. cri-dockerd lets the command go on.)
   */
  execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecSyncResponse>;

  /** What running containers use. One that does not run is not in it. */
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

/** What names a sandbox: the pod, and how many sandboxes that has had before. */
export interface PodSandboxMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto PodSandboxConfig */
export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata;
  /** Empty for a pod in the host's network. */
  readonly hostname: string;
  /** Of the pod's logs: `/var/log/pods/default_web-1_<uid>`. */
  readonly logDirectory: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** `node`: it has the host's network, and no address of its own. */
  readonly network: 'pod' | 'node';
  readonly dns?: {
    readonly servers: readonly string[];
    readonly searches: readonly string[];
    readonly options: readonly string[];
  };
  readonly portMappings?: readonly PortMapping[];
}

/** A port of the node that leads to a port of the pod. */
export interface PortMapping {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly containerPort: number;
  readonly hostPort: number;
  readonly hostIP?: string;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto PodSandboxState */
export type PodSandboxState = 'SANDBOX_READY' | 'SANDBOX_NOTREADY';

/** A sandbox as lists have it. */
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
  /** Its addresses, IPv4 first. Absent for the host's network; empty when it has been given back. (CRI-O: those that it had last.) */
  readonly ips?: readonly string[];
}

/** Which sandboxes: those for which all holds. */
export interface PodSandboxFilter {
  readonly id?: string;
  readonly state?: PodSandboxState;
  readonly labelSelector?: Readonly<Record<string, string>>;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ContainerConfig */
export interface ContainerConfig {
  /** `attempt`: how many containers of this name the pod has had before. */
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly image: ImageSpec;
  /** In place of the image's entrypoint. */
  readonly command?: readonly string[];
  /** In place of the image's arguments. */
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly envs: readonly { readonly key: string; readonly value: string }[];
  readonly mounts: readonly Mount[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Below the sandbox's `logDirectory`: `web/0.log`. */
  readonly logPath: string;
  /** Its first process reads what attached users send. @defaultValue false: it reads nothing */
  readonly stdin?: boolean;
  /** Only the first of them is heard: what it reads ends when that one stops. @defaultValue false */
  readonly stdinOnce?: boolean;
  /** Its first process is on a terminal. @defaultValue false */
  readonly tty?: boolean;
  readonly resources?: ContainerResources;
}

/** A directory or file of the node that a container sees. */
export interface Mount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readonly: boolean;
}

/** What a container may use. Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto LinuxContainerResources */
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
  /** The runtime has lost track of it. */
  | 'CONTAINER_UNKNOWN';

/** A container as lists have it. */
export interface Container {
  readonly id: string;
  readonly podSandboxId: string;
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly image: ImageSpec;
  /** The image as the runtime knows it, by digest. */
  readonly imageRef: string;
  /** The `id` of that image in the list of images: what garbage collection must not remove. */
  readonly imageId: string;
  readonly state: ContainerState;
  readonly createdAtMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ContainerStatus */
export interface ContainerStatus extends Omit<Container, 'podSandboxId'> {
  /** 0 until it was started. */
  readonly startedAtMs: number;
  /** 0 until it has exited. */
  readonly finishedAtMs: number;
  readonly exitCode: number;
  /** Of an exited one: `Completed`, `Error`, `OOMKilled`, `StartError`, `ContainerCannotRun`. Else empty. */
  readonly reason: string;
  readonly message: string;
  readonly mounts: readonly Mount[];
  /** The whole path: `/var/log/pods/default_web-1_<uid>/web/0.log`. */
  readonly logPath: string;
}

/** Which containers: those for which all holds. */
export interface ContainerFilter {
  readonly id?: string;
  readonly state?: ContainerState;
  readonly podSandboxId?: string;
  readonly labelSelector?: Readonly<Record<string, string>>;
}

/** What a command said. */
export interface ExecSyncResponse {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What a container uses now. Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto ContainerStats */
export interface ContainerStats {
  readonly id: string;
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly labels: Readonly<Record<string, string>>;
  readonly atMs: number;
  /** Thousandths of a CPU. */
  readonly cpuUsageMilli: number;
  /** What it has used since it was created, in nanoseconds of one CPU. */
  readonly cpuUsageCoreNanoSeconds: number;
  readonly memoryWorkingSetBytes: number;
  /** What it wrote outside of its volumes. */
  readonly writableLayerBytes: number;
}
