import type { Fault } from '../../faults/index.ts';

/** The node on which everything happens. */
export const NODE = 'node-1';

/** The process that the kubelet runs in, as faults, trace and journal know it. */
export const PROCESS = `kubelet-${NODE}`;

/** A condition that is no kubelet's business. */
export const FOREIGN = 'example.com/Checked';

/** Where all pods are. */
export const NAMESPACE = 'default';

/** The container runtimes that a machine may have. */
export const PROFILES = ['containerd', 'cri-o', 'cri-dockerd'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** When a container is started again, by its pod or by itself. */
export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

/** How one run of a program goes if it is let alone. */
export interface RunPlan {
  /** When it exits by itself; absent: never. */
  readonly lastsMs?: number;
  /** With what it exits by itself. */
  readonly code: number;
}

/** What a program does when it is asked to stop. `ignores`: nothing, so that it has to be killed. */
export type OnTerm = 'ignores' | { readonly afterMs: number; readonly code: number };

/** Whether another restart than the pod's policy says. Upstream: kubernetes/api@v0.36.3 core/v1/types.go ContainerRestartRule */
export interface RestartRule {
  readonly operator: 'In' | 'NotIn';
  readonly values: readonly number[];
}

/** What a container is made like, and what the program in it does. */
export interface ContainerPlan {
  readonly name: string;
  /** `program:1` is on the machine; `absent:1` is nowhere. Another tag is another image, with the same program. */
  readonly image: string;
  /** How its first runs go, in the order in which they begin. Later ones go well: see {@link ContainerPlan.init}. */
  readonly runs: readonly RunPlan[];
  readonly onTerm: OnTerm;
  /** An init container goes well when it exits with 0 soon; another, when it runs until it is asked to stop. */
  readonly init?: boolean;
  /** Its own policy, in place of the pod's. */
  readonly restartPolicy?: RestartPolicy;
  /** Exit codes with which it is restarted whatever its policy says. */
  readonly rules?: readonly RestartRule[];
  /** Before it is asked to stop, the kubelet waits for so many seconds. */
  readonly preStopSeconds?: number;
  /** Its probes. */
  readonly probes?: ProbePlan;
}

/** How a container's health is seen, and what there is to see of it. */
export interface ProbePlan {
  readonly liveness?: boolean;
  readonly readiness?: boolean;
  readonly startup?: boolean;
  /** So long after each start it begins to answer. */
  readonly answersAfterMs: number;
  /** So long after each start it stops answering; absent: never. Only in the runs that are planned. */
  readonly failsAfterMs?: number;
}

/** One of the names under which pods are made: there is one pod of a name at a time. */
export type PodIndex = 0 | 1 | 2;

/** What a pod is made like. */
export interface PodPlan {
  readonly restartPolicy: RestartPolicy;
  readonly inits: readonly ContainerPlan[];
  readonly containers: readonly ContainerPlan[];
  /** @defaultValue 30 */
  readonly graceSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  /** It has a directory of its own. */
  readonly volume?: boolean;
  /** It is ready only when another client says so, too: by the condition {@link FOREIGN}. */
  readonly gate?: boolean;
  /** It is in the network of the node. */
  readonly hostNetwork?: boolean;
}

/** What happens besides what the kubelet does. */
export type Operation =
  /** A user makes a pod that is bound to this node, unless there is one of this name. */
  | { readonly do: 'create'; readonly pod: PodIndex; readonly as: PodPlan }
  /** A user deletes a pod, perhaps with a grace period of their own; with 0 it is gone from the API at once. */
  | { readonly do: 'delete'; readonly pod: PodIndex; readonly graceSeconds?: number }
  /** A user deletes a pod by force, and makes one of the same name in the same breath. */
  | { readonly do: 'replace'; readonly pod: PodIndex; readonly as: PodPlan }
  /** A user gives a container another image. */
  | { readonly do: 'set-image'; readonly pod: PodIndex; readonly container: number; readonly image: string }
  /** Another client writes the pod's status: a node controller says that it is not ready, a condition is made up. */
  | { readonly do: 'meddle'; readonly pod: PodIndex; readonly with: 'ready' | 'condition' | 'restarts' }
  /** The kubelet dies, and comes back after a while. */
  | { readonly do: 'restart-kubelet'; readonly afterMs: number }
  /** The runtime restarts: for a while each call of it fails. */
  | { readonly do: 'restart-runtime'; readonly forMs: number }
  /** The first process of the pod's sandbox dies, and all that is in the sandbox with it. */
  | { readonly do: 'kill-sandbox'; readonly pod: PodIndex }
  /** The kernel kills what runs in a container, for want of memory. */
  | { readonly do: 'oom'; readonly pod: PodIndex; readonly container: number }
  /** The machine loses its power, and gets it back: nothing runs on it any more. */
  | { readonly do: 'reboot'; readonly afterMs: number }
  | { readonly do: 'nothing' };

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** One life of a kubelet, as a value that fast-check makes and shrinks. */
export interface KubeletScenario {
  readonly seed: number;
  /** Which goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly profile: ProfileName;
  /** How long a message to the API or to the machine travels at most. */
  readonly latencyMs: number;
  /** What is there before the kubelet starts. */
  readonly before: readonly Step[];
  /** What happens then, with whatever goes wrong. */
  readonly steps: readonly Step[];
  /** What is done when all faults are over and everything is as it should be. */
  readonly calm: readonly Step[];
  /** How long nothing is done in the end. @defaultValue longer than what a kubelet does once a minute */
  readonly quietMs?: number;
}
