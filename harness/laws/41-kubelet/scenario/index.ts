import type { Fault } from '../../../faults/index.ts';

/** Name of the only node. */
export const NODE = 'node-1';

/** Name of the kubelet's process in faults, trace and journal. */
export const PROCESS = `kubelet-${NODE}`;

/** A condition of another client. */
export const FOREIGN = 'example.com/Checked';

/** Namespace of all pods. */
export const NAMESPACE = 'default';

/** An image in a private registry, which is not on the machine. */
export const PRIVATE_IMAGE = 'registry.example.com/team/program:1';

/** The container runtimes that a machine may have. */
export const PROFILES = ['containerd', 'cri-o', 'cri-dockerd'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** Restart policy of a pod or a container. */
export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

/** One run of a program, if nothing interrupts it. */
export interface RunPlan {
  /** Time until it exits by itself; absent if never. */
  readonly lastsMs?: number;
  /** Exit code when it exits by itself. */
  readonly code: number;
}

/** Reaction to SIGTERM. `ignores`: the program must be killed. */
export type OnTerm = 'ignores' | { readonly afterMs: number; readonly code: number };

/** A restart rule of a container. Upstream: kubernetes/api@v0.36.3 core/v1/types.go ContainerRestartRule */
export interface RestartRule {
  readonly operator: 'In' | 'NotIn';
  readonly values: readonly number[];
}

/** The plan of a container and of its program. */
export interface ContainerPlan {
  readonly name: string;
  /**
   * `program:1` is on the machine; `absent:1` does not exist; {@link PRIVATE_IMAGE} needs a pull secret. Another tag is another image
   * with the same program.
   */
  readonly image: string;
  /** Its first runs, in order. Later ones succeed: see {@link ContainerPlan.init}. */
  readonly runs: readonly RunPlan[];
  readonly onTerm: OnTerm;
  /** Whether a successful run exits with 0 soon; otherwise it runs until SIGTERM. */
  readonly init?: boolean;
  /** Its own policy, instead of the pod's. */
  readonly restartPolicy?: RestartPolicy;
  /** Exit codes that cause a restart, whatever its policy. */
  readonly rules?: readonly RestartRule[];
  /** Seconds that its preStop hook sleeps. */
  readonly preStopSeconds?: number;
  /** Whether its preStop hook is a command that exits at once. */
  readonly hasStopCommand?: boolean;
  /** Whether its environment has the pod's address. */
  readonly knowsAddress?: boolean;
  /** Its probes. */
  readonly probes?: ProbePlan;
}

/** The probes of a container, and the answers of its program. */
export interface ProbePlan {
  readonly liveness?: boolean;
  readonly readiness?: boolean;
  readonly startup?: boolean;
  /** Time from each start until it answers. */
  readonly answersAfterMs: number;
  /** Time until it stops answering, only in planned runs; absent if never. */
  readonly failsAfterMs?: number;
}

/** Index of a pod name: one pod of each name exists at a time. */
export type PodIndex = 0 | 1 | 2;

/** The plan of a pod. */
export interface PodPlan {
  readonly restartPolicy: RestartPolicy;
  readonly inits: readonly ContainerPlan[];
  readonly containers: readonly ContainerPlan[];
  /** @defaultValue 30 */
  readonly graceSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  /** Whether it has an emptyDir volume. */
  readonly volume?: boolean;
  /** Whether it has a readiness gate: the condition {@link FOREIGN} of another client. */
  readonly gate?: boolean;
  /** Whether it is in the host network. */
  readonly hostNetwork?: boolean;
  /** Whether it names the pull secret of {@link PRIVATE_IMAGE}. */
  readonly hasPullSecret?: boolean;
}

/** An operation of the environment. */
export type Operation =
  /** A user creates a pod that is bound to this node, unless a pod of this name exists. */
  | { readonly do: 'create'; readonly pod: PodIndex; readonly as: PodPlan }
  /** A user deletes a pod, perhaps with another grace period; 0 removes it from the API at once. */
  | { readonly do: 'delete'; readonly pod: PodIndex; readonly graceSeconds?: number }
  /** A user deletes a pod with grace period 0, and creates one of the same name at once. */
  | { readonly do: 'replace'; readonly pod: PodIndex; readonly as: PodPlan }
  /** A user changes the image of a container. */
  | { readonly do: 'set-image'; readonly pod: PodIndex; readonly container: number; readonly image: string }
  /** Another client writes the pod's status: Ready False, a foreign condition, or inverted `ready` fields. */
  | { readonly do: 'meddle'; readonly pod: PodIndex; readonly with: 'ready' | 'condition' | 'restarts' }
  /** The kubelet crashes, and restarts after a while. */
  | { readonly do: 'restart-kubelet'; readonly downMs: number }
  /** The runtime restarts: its calls fail for a while. */
  | { readonly do: 'restart-runtime'; readonly forMs: number }
  /** The node's network loses its configuration for a while: no pod can get an address. */
  | { readonly do: 'lose-network'; readonly forMs: number }
  /** The first process of the pod's sandbox dies, and all its containers with it. */
  | { readonly do: 'kill-sandbox'; readonly pod: PodIndex }
  /** The kernel OOM-kills a container. */
  | { readonly do: 'oom'; readonly pod: PodIndex; readonly container: number }
  /** The machine loses its power for a while: all processes on it end. */
  | { readonly do: 'reboot'; readonly downMs: number }
  | { readonly do: 'nothing' };

/** An operation or a fault, some time after the previous step. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** A scenario of a kubelet, which fast-check generates and shrinks. */
export interface KubeletScenario {
  readonly seed: number;
  /** Choices among events of the same instant. */
  readonly schedule: readonly number[];
  readonly profile: ProfileName;
  /** Longest latency of a message to the API or to the machine. */
  readonly latencyMs: number;
  /** Time that each list of the runtime takes to arrive there, besides the latency. @defaultValue 0 */
  readonly listsAfterMs?: number;
  /** Steps before the kubelet starts. */
  readonly before: readonly Step[];
  /** Steps with faults. */
  readonly steps: readonly Step[];
  /** Steps after all faults have ended. */
  readonly calm: readonly Step[];
  /** Length of the last quiet period. @defaultValue longer than the periodic work of a kubelet, once a minute */
  readonly quietMs?: number;
}
