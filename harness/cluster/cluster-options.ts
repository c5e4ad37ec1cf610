import type { ApiServerOptions } from '../apiserver/apiserver.ts';
import type { SpaceLimits } from '../apiserver/storage/space.ts';
import type { Client } from '../contracts/client.ts';
import type { Components } from '../contracts/component.ts';
import type { KubeletConfiguration } from '../contracts/node/index.ts';
import type { NewRegistry } from '../node/registry/index.ts';
import type { Simulation } from '../sim/index.ts';
import type { ClusterStore } from './component-store.ts';
import type { StoredObject } from './saved-state.ts';

/** The process whose client is intercepted. */
interface InterceptedProcess {
  readonly name: string;
  readonly sim: Simulation;
}

/** Options of a {@link Cluster}. */
export interface ClusterOptions
  extends Pick<ApiServerOptions, 'access' | 'accessConfiguration' | 'tokenKey' | 'admission' | 'observe'> {
  /** Seed of all randomness in the run. @defaultValue 1 */
  readonly seed?: number;
  /** Choices among events of the same instant; then first come, first served. @defaultValue random, by the seed */
  readonly schedule?: readonly number[];
  /** Number of apiservers that share the storage. @defaultValue 1 */
  readonly replicas?: number;
  /** Whether each apiserver serves streaming lists: the feature gate WatchList. @defaultValue all do */
  readonly streamingLists?: readonly boolean[];
  /** Latency of a message, one way: a number of ms, or a range. @defaultValue 1 */
  readonly latencyMs?: number | { readonly min: number; readonly max: number };
  /** Time that a worker needs per item, in virtual ms. Events meanwhile lead to one further sync. @defaultValue 0 */
  readonly syncMs?: number;
  /** The CA certificate of the apiserver, in PEM. @defaultValue the certificate of a simulation */
  readonly ca?: string | undefined;
  /** The components of the cluster. Components that do not run can be missing. */
  readonly components?: Partial<Components>;
  /** Whether objects have managedFields from their creation. @defaultValue false: from their first apply */
  readonly trackOnCreate?: boolean;
  /** Configuration of the kubelets. @defaultValue each kubelet's default */
  readonly kubeletConfiguration?: KubeletConfiguration;
  /** The image registries of all machines. @defaultValue the public registries, with well-known images */
  readonly registry?: NewRegistry | undefined;
  /**
   * Compaction interval in ms: each compaction removes the revisions from before the previous one. 0 turns it off.
   * Upstream: kubernetes/kubernetes@v1.36.3 kube-apiserver --etcd-compaction-interval
   *
   * @defaultValue 300,000
   */
  readonly compactionIntervalMs?: number;
  /**
   * The initial objects, from a saved cluster. The contents of its machines are lost, as if all of them had been
   * reinstalled.
   *
   * @defaultValue the objects of every new cluster
   */
  readonly saved?: readonly StoredObject[];
  /** Start time of the cluster, in ms since 1970. @defaultValue the default of {@link Simulation} */
  readonly startMs?: number;
  /**
   * Whether journal and trace forget entries of compacted revisions: for a cluster that runs until it is stopped.
   *
   * @defaultValue false: laws read the whole history
   */
  readonly forgetsHistory?: boolean;
  /** The store of the objects, which may have a cluster's objects already. @defaultValue the memory of the apiservers */
  readonly store?: ClusterStore | undefined;
  /** Whether the objects can move to a store, and back, while the cluster runs. @defaultValue false */
  readonly canMove?: boolean;
  /** The space for objects, without {@link store}. @defaultValue no limits */
  readonly spaceLimits?: SpaceLimits;
  /** Endpoint of the Service `default/kubernetes`. Upstream: kube-apiserver --advertise-address. @defaultValue none */
  readonly advertiseAddress?: string;
  /**
   * Whether the apiserver writes roles and priority classes once it serves, as upstream's does. Upstream:
   * kubernetes/apiserver@v0.36.3 pkg/server/hooks.go PostStartHookFunc
   *
   * @defaultValue false: a simulation does not need them, and starts faster
   */
  readonly postStartHooks?: boolean;
  /** Whether custom resources can exist, so that components must discover them. @defaultValue false */
  readonly servesCustomResources?: boolean;
  /**
   * Returns the client that a process uses from a start on. A law records its requests there.
   *
   * @defaultValue its own client
   */
  readonly intercept?: (client: Client, process: InterceptedProcess) => Client;
  /** Called with each error that a component survives, such as a failed sync. @defaultValue only the trace shows it */
  readonly onError?: (process: string, error: unknown) => void;
}
