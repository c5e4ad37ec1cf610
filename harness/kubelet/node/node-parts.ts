import type * as core from '#api/core/v1';
import type { New, Node, Pod } from '../../api/objects.ts';
import type { Client } from '../../contracts/client.ts';
import type { NodeComponentContext } from '../../contracts/component.ts';
import type { Clock } from '../../sim/index.ts';
import type { PodRejection } from './node-agent.ts';
import type { NodePressure, NodeSources } from './node-observation.ts';
import type { NodeUsage, PodUsage } from './pod-usage.ts';
import type { EvictionThreshold, SignalObservations } from './thresholds.ts';

/** The conditions of a node, and their transitions. */
export interface NodeConditions {
  /** The conditions of other components first, then the kubelet's; `Ready` is the last. */
  readonly conditions: readonly core.NodeCondition[];
  /** The transitions as reasons of events: `NodeReady`, `NodeHasDiskPressure`. */
  readonly transitions: readonly string[];
}

/** Dependencies of the renewal of a node lease. */
export interface NodeLeaseOptions {
  readonly node: string;
  readonly client: Client;
  readonly clock: Clock;
  /** Aborted when the kubelet stops. */
  readonly signal: AbortSignal;
}

/** The inputs of pod admission. */
export interface AdmissionInput {
  /** The Node with its allocatable resources: `status.allocatable`. */
  readonly node: Pick<New<Node>, 'metadata' | 'status'>;
  /** The pods that the node has already admitted. */
  readonly others: readonly Pod[];
  /** The resource shortages of the node. */
  readonly pressure: ReadonlySet<NodePressure>;
}

/** The inputs of an eviction message. */
export interface EvictionGrounds {
  /** The usage by pod UID. */
  readonly usages: ReadonlyMap<string, PodUsage>;
  /** The thresholds that are met, in their order. */
  readonly thresholds: readonly EvictionThreshold[];
  readonly observations: SignalObservations;
}

/** An eviction of a pod. */
export interface Eviction {
  readonly pod: Pod;
  readonly graceSeconds: number;
  /** The message for the status and for the event. */
  readonly message: string;
  /** Absent if the pod has exceeded its own limits. */
  readonly condition?: core.PodCondition;
}

/** Dependencies of the eviction manager. */
export interface EvictionManagerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** @defaultValue the kubelet's defaults, all hard */
  readonly thresholds?: readonly EvictionThreshold[];
  /** The longest grace period of a pod for soft thresholds, in seconds. @defaultValue 0 */
  readonly maxPodGracePeriodSeconds?: number;
  /** Returns the pods that may run containers. */
  readonly activePods: () => readonly Pod[];
  /** Observes the node and these pods. Rejects when a value cannot be read. */
  readonly observe: (pods: readonly Pod[]) => Promise<NodeUsage>;
  /** Frees disk space that no pod needs: dead containers, unused images. */
  readonly reclaim: () => Promise<void>;
  /** Terminates a pod, and resolves when none of its containers runs. */
  readonly evict: (eviction: Eviction) => Promise<void>;
  /** Records a Warning event about the node, with this reason and message. */
  readonly warn: (reason: string, message: string) => void;
}

/** The parts of a {@link NodeAgent} that a kata implements. */
export interface NodeParts {
  /** Reports the Node to the API until the kubelet stops. */
  readonly runNode: (context: NodeComponentContext, sources: NodeSources) => Promise<void>;
  /** @returns why the node cannot admit the pod; undefined if it can */
  readonly admitPod: (pod: Pod, input: AdmissionInput) => PodRejection | undefined;
  readonly newEvictionManager: (options: EvictionManagerOptions) => {
    /** Undefined before the first observation of the node. */
    readonly pressure: ReadonlySet<NodePressure> | undefined;
    /** Observes the node once, and evicts pods if necessary. @returns the evicted pods */
    synchronize(): Promise<readonly Pod[]>;
  };
}
