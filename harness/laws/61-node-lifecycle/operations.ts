import type * as core from '#api/core/v1';
import type { Step as StepOf } from '../../testing/rig/play.ts';

/** The processes of the three controllers, by their names in faults, trace and journal. */
export const LIFECYCLE = 'node-lifecycle-controller';
export const EVICTION = 'taint-eviction-controller';
export const GARBAGE = 'pod-garbage-collector-controller';

/** The namespace of a pod that names none. */
export const NAMESPACE = 'default';
/** The other namespace of a scenario. Its pods may have the same names. */
export const OTHER_NAMESPACE = 'other';

/** The conditions that a kubelet reports besides `Ready`. */
export const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** A pressure of a node. */
export type Pressure = (typeof PRESSURES)[number];

/** A pod that a user creates. */
export interface AskedPod {
  /** The number in its name: `pod-2`. */
  readonly pod: number;
  /** @defaultValue {@link NAMESPACE}: the later operations on a pod, such as `delete-pod`, are about that namespace */
  readonly namespace?: string;
  /** The number of its node, or `none` for a pod that waits for a scheduler. */
  readonly node: number | 'none';
  readonly tolerations: readonly core.Toleration[];
  /** Whether a finalizer holds the pod after its deletion. @defaultValue false */
  readonly isHeld?: boolean;
  /** The phase of a pod whose containers have ended. @defaultValue the pod runs */
  readonly ended?: 'Succeeded' | 'Failed';
  /** Its `terminationGracePeriodSeconds`. @defaultValue 30, as upstream */
  readonly graceSeconds?: number;
}

/** An operation of the environment: of machines and their kubelets, of users, of other controllers. */
export type Operation =
  /** The machine stops. It renews no lease, and its kubelet does nothing. */
  | { readonly do: 'die'; readonly node: number }
  /** The machine runs again, and its kubelet reports what it sees. */
  | { readonly do: 'return'; readonly node: number }
  /** The kubelet sees a change: whether its runtime works, and the pressures. */
  | {
      readonly do: 'report';
      readonly node: number;
      readonly isReady: boolean;
      readonly pressures: readonly Pressure[];
    }
  /** The network controller of the cloud reports whether the node has its routes. */
  | { readonly do: 'routes'; readonly node: number; readonly areThere: boolean }
  /** The clock of the machine moves forward. */
  | { readonly do: 'clock'; readonly node: number; readonly byMs: number }
  | { readonly do: 'cordon'; readonly node: number; readonly isCordoned: boolean }
  /** A user adds a taint, or replaces that of the same key and effect. */
  | { readonly do: 'taint'; readonly node: number; readonly taint: core.Taint }
  /** A user removes the taints of a key: all, or those of one effect. */
  | {
      readonly do: 'untaint';
      readonly node: number;
      readonly key: string;
      readonly effect?: core.Taint['effect'];
    }
  | { readonly do: 'label'; readonly node: number; readonly value: string }
  /** The node controller finds that the machine is silent. For runs without that controller. */
  | { readonly do: 'judge'; readonly node: number }
  | { readonly do: 'delete-node'; readonly node: number }
  /** The kubelet of a deleted node registers again. */
  | { readonly do: 'create-node'; readonly node: number }
  | ({ readonly do: 'create-pod' } & AskedPod)
  /** A user adds a toleration, or changes the seconds of one. */
  | { readonly do: 'tolerate'; readonly pod: number; readonly tolerations: readonly core.Toleration[] }
  | { readonly do: 'delete-pod'; readonly pod: number }
  /** A user deletes the pod by force, and creates another of the same name. */
  | ({ readonly do: 'replace-pod' } & AskedPod)
  /** A user removes the finalizer of the pod. */
  | { readonly do: 'release-pod'; readonly pod: number }
  /**
   * The operation happens between two requests: right before the next request of a controller for the pod, or right after
   * a controller has read or written the pod.
   */
  | {
      readonly do: 'trap';
      readonly pod: number;
      readonly when: Moment;
      readonly then: Operation;
    }
  /** From now on another client changes the pod right before each write of its status by the lifecycle controller. */
  | { readonly do: 'contest'; readonly pod: number }
  /** The operation happens right before a controller writes the Node, after its last read. */
  | { readonly do: 'trap-node'; readonly trapped: number; readonly then: Operation }
  /** The same happens to several nodes at once. */
  | { readonly do: 'each'; readonly nodes: readonly number[]; readonly then: OfNode }
  /** Nothing but time. */
  | { readonly do: 'wait' };

/** A moment between the requests of a controller for a pod. */
export type Moment = 'decided' | 'read' | 'written';

/** An operation on one node. */
export type OfNode = Extract<Operation, { readonly node: number; readonly pod?: never }>;

/** A step of a scenario. */
export type Step = StepOf<Operation>;
