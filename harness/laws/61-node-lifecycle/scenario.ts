import type { AskedPod, Step } from './operations.ts';

/** A machine and its Node. */
export interface AskedNode {
  /** The zone, as in the label `topology.kubernetes.io/zone`. */
  readonly zone: string;
  /** The error of its clock. All times that its kubelet writes have this error. @defaultValue 0 */
  readonly skewMs?: number;
  /** Whether it has the label that excludes it from the shares of its zone. @defaultValue false */
  readonly isExcluded?: boolean;
  /** Whether its kubelet renews no lease, and writes its whole status each time instead. @defaultValue false */
  readonly hasNoLease?: boolean;
  /** Whether its kubelet never runs: its Node has no conditions and no lease. @defaultValue false */
  readonly isMute?: boolean;
}

/** A scenario of the node controllers, as a value: nodes, pods, operations, faults and time. */
export interface NodeScenario {
  readonly seed: number;
  /** The order of simultaneous events. */
  readonly schedule: readonly number[];
  /** Number of apiservers. */
  readonly replicas: number;
  /** The longest latency of a message. */
  readonly latencyMs: number;
  /** The time between two renewals of a lease. */
  readonly renewMs: number;
  readonly nodes: readonly AskedNode[];
  /** The pods that exist before the controllers start. */
  readonly present: readonly AskedPod[];
  readonly steps: readonly Step[];
}

/** Returns the name of a machine and its Node. */
export function nodeName(index: number): string {
  return `node-${index + 1}`;
}

/** Returns the name of a pod. */
export function podName(number: number): string {
  return `pod-${number}`;
}
