import type { Step } from '../../testing/rig/play.ts';
import type { Operation } from './operations.ts';

/** The namespace of all workloads. */
export const NAMESPACE = 'default';

/** A workload of a user. Its name is also the label `app` of its pods, and the name of its Service. */
export type Workload =
  | {
      readonly kind: 'deployment';
      readonly name: string;
      readonly replicas: number;
      readonly strategy: 'Recreate' | 'RollingUpdate';
      /** Whether its pods have a readiness probe. */
      readonly isProbed: boolean;
      /** Whether a client always reaches the same pod of its Service. */
      readonly isSticky: boolean;
      /** The smallest number of its pods that a drain leaves running. Absent without a PodDisruptionBudget. */
      readonly minAvailable?: number;
    }
  | {
      readonly kind: 'stateful-set';
      readonly name: string;
      readonly replicas: number;
      readonly hasVolume: boolean;
    }
  | { readonly kind: 'daemon-set'; readonly name: string }
  | {
      readonly kind: 'job';
      readonly name: string;
      readonly completions: number;
      readonly parallelism: number;
      /** The run time of each pod, in seconds. */
      readonly seconds: number;
      /** Whether each pod fails. */
      readonly fails: boolean;
      /** Whether each pod has an index. @defaultValue false */
      readonly isIndexed?: boolean;
      /** The seconds after its end until the Job is deleted. @defaultValue it stays */
      readonly ttlSeconds?: number;
    }
  | {
      readonly kind: 'cron-job';
      readonly name: string;
      /** The handling of a Job that still runs when the next one is due. @defaultValue `Allow` */
      readonly policy?: 'Allow' | 'Forbid' | 'Replace';
      /** The run time of each Job, in seconds. @defaultValue 5 */
      readonly seconds?: number;
    }
  /**
   * A namespace with a pod, a token, a ConfigMap, and a Service whose Endpoints the user writes. Only a secured cluster
   * has the controllers of namespaces.
   */
  | { readonly kind: 'namespace'; readonly name: string }
  /** A pod without a controller. */
  | { readonly kind: 'pod'; readonly name: string };

/** The life of a whole cluster: its machines, its users, and the faults. */
export interface ClusterScenario {
  readonly seed: number;
  /** Choices among events of the same instant: see `ClusterOptions.schedule`. */
  readonly schedule: readonly number[];
  /** The number of machines. */
  readonly nodes: number;
  /** The number of apiservers. */
  readonly replicas: number;
  /** The highest latency of a message, in ms. */
  readonly latencyMs: number;
  /** Whether every request is authorized and admitted. */
  readonly secured: boolean;
  /** Created when all nodes are ready. */
  readonly workloads: readonly Workload[];
  readonly steps: readonly Step<Operation>[];
}
