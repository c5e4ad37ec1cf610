import type * as core from '#api/core/v1';
import type { New, Node, Pod } from '../../api/objects.ts';
import type { Client } from '../../contracts/client.ts';
import type { NodeComponentContext } from '../../contracts/component.ts';
import type { Clock } from '../../sim/index.ts';
import type { PodRejection } from './node-agent.ts';
import type { NodePressure, NodeSources } from './node-observation.ts';
import type { NodeUsage, PodUsage } from './pod-usage.ts';
import type { EvictionThreshold, SignalObservations } from './thresholds.ts';

/** The conditions of a node, and what became otherwise. */
export interface NodeConditions {
  /** Those of others first, then the kubelet's; `Ready` is the last. */
  readonly conditions: readonly core.NodeCondition[];
  /** As the reasons of events: `NodeReady`, `NodeHasDiskPressure`. */
  readonly transitions: readonly string[];
}

/** What the lease of a node is renewed with. */
export interface NodeLeaseOptions {
  readonly node: string;
  readonly client: Client;
  readonly clock: Clock;
  /** Aborted when the kubelet is to stop. */
  readonly signal: AbortSignal;
}

/** What decides whether a node can have a pod. */
export interface AdmissionInput {
  /** With what it has for pods: `status.allocatable`. */
  readonly node: Pick<New<Node>, 'metadata' | 'status'>;
  /** The pods that it has already. */
  readonly others: readonly Pod[];
  /** What it is short of. */
  readonly pressure: ReadonlySet<NodePressure>;
}

/** What a pod is told that is evicted. */
export interface EvictionGrounds {
  /** By the pod's uid. */
  readonly usages: ReadonlyMap<string, PodUsage>;
  /** Those that are met, in their order. */
  readonly thresholds: readonly EvictionThreshold[];
  readonly observations: SignalObservations;
}

/** A pod that is evicted. */
export interface Eviction {
  readonly pod: Pod;
  readonly graceSeconds: number;
  /** For its status, and for the event. */
  readonly message: string;
  /** Absent when the pod has only itself to blame. */
  readonly condition?: core.PodCondition;
}

/** What keeps a node from running short stands on. */
export interface EvictionManagerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** @defaultValue the kubelet's own, all hard */
  readonly thresholds?: readonly EvictionThreshold[];
  /** Of soft thresholds: the longest grace that a pod is given, in seconds. @defaultValue 0 */
  readonly maxPodGracePeriodSeconds?: number;
  /** Those of which something may run. */
  readonly activePods: () => readonly Pod[];
  /** Looks at the node, and at these pods. Rejects when something cannot be read. */
  readonly observe: (pods: readonly Pod[]) => Promise<NodeUsage>;
  /** Frees what of the disk no pod needs: dead containers, unused images. */
  readonly reclaim: () => Promise<void>;
  /** Ends a pod, and resolves when nothing of it runs. */
  readonly evict: (eviction: Eviction) => Promise<void>;
  /** Tells of the node: reason and message of a Warning. */
  readonly warn: (reason: string, message: string) => void;
}

/** What a {@link NodeAgent} is made of: what a kata builds. */
export interface NodeParts {
  /** Tells the API of the node until the kubelet is to stop. */
  readonly runNode: (context: NodeComponentContext, sources: NodeSources) => Promise<void>;
  /** @returns why the node cannot have the pod; undefined when it can */
  readonly admitPod: (pod: Pod, input: AdmissionInput) => PodRejection | undefined;
  readonly newEvictionManager: (options: EvictionManagerOptions) => {
    /** Undefined until the node was looked at. */
    readonly pressure: ReadonlySet<NodePressure> | undefined;
    /** Looks at the node once, and does what has to be done. @returns the pods that were evicted */
    synchronize(): Promise<readonly Pod[]>;
  };
}
