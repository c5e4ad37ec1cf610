import type { KubeObject } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Clock, Random } from '../sim/index.ts';
import type { Client } from './client.ts';
import type { ClusterKeys } from './cluster-keys.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { Profile } from './framework/index.ts';
import type { Indexers, SharedInformer } from './informer.ts';
import type {
  ImageManager,
  ImageManagerOptions,
  KubeletConfiguration,
  NodeHost,
  ProbeManager,
  ProbeManagerOptions,
  VolumeManager,
  VolumeManagerOptions,
} from './node/index.ts';
import type { RateLimitingWorkQueue, WorkersOptions, WorkQueueOptions } from './work-queue.ts';

/**
 * A component of a cluster, such as a controller, a scheduler or a kubelet. It runs until `context.signal` is aborted,
 * and rejects only on an error from which it cannot recover. It may be stopped at any point without warning and
 * restarted with empty memory: all state that must survive is in the API.
 */
export type Component = (context: ComponentContext) => Promise<void>;

/** The dependencies of a component. It uses nothing else. */
export interface ComponentContext {
  /** The name in traces: `deployment-controller`. */
  readonly name: string;
  readonly client: Client;
  readonly informers: SharedInformerFactory;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted to stop the component. */
  readonly signal: AbortSignal;
  /** Creates a queue that uses this component's clock. */
  newWorkQueue<T>(options?: Omit<WorkQueueOptions<T>, 'clock'>): RateLimitingWorkQueue<T>;
  /** Runs the workers of a queue until this component is stopped: {@link RunWorkers}. */
  runWorkers<T>(options: Omit<WorkersOptions<T>, 'signal'>): Promise<void>;
  /** Returns the filters and scores of this cluster. A scheduler decides with them. */
  profile(): Profile;
  /**
   * Returns the resources that the server currently serves: the built-in ones, and custom resources in their preferred
   * version. Absent in a cluster without custom resources, where the served resources never change.
   *
   * Upstream: kubernetes/client-go@v0.36.3 discovery/discovery_client.go ServerPreferredResources
   *
   * @throws GroupDiscoveryFailed when the server does not describe all of them
   */
  readonly discoverResources?: () => Promise<readonly Resource[]>;
  readonly keys: ClusterKeys;
  /** Writes a line into the trace. */
  log(message: string): void;
}

/**
 * Informers that all components share, at most one per resource.
 *
 * Upstream: kubernetes/client-go@v0.36.3 informers/factory.go SharedInformerFactory
 */
export interface SharedInformerFactory {
  /**
   * Returns the informer of a resource, the same one for every caller. It runs after {@link start}. Every informer has
   * the index `namespace`.
   *
   * @param indexers further indexes of its objects
   * @throws Error when the informer already exists without one of these indexes
   *
   * @example
   * const informer = informers.forResource(pods, { node: (pod) => [pod.spec.nodeName ?? ''] });
   * informer.indexer.byIndex('node', 'node-1'); // the pods of node-1
   */
  forResource<T extends KubeObject>(resource: Resource<T>, indexers?: Indexers<T>): SharedInformer<T>;
  /** Runs every requested informer that does not run yet. */
  start(): void;
  /** Resolves when all informers have synced. Rejects when the component is stopped before that. */
  waitForCacheSync(): Promise<void>;
  /** Stops and removes the informer of a resource that is no longer served. */
  stop(resource: Resource): void;
}

/**
 * A component that runs once on each node. Otherwise it is like a {@link Component}; the state of its node outlives it.
 */
export type NodeComponent = (context: NodeComponentContext) => Promise<void>;

/** The dependencies of a component of a node. */
export interface NodeComponentContext extends ComponentContext {
  /** The node that it runs on: `node-1`. */
  readonly node: string;
  /** The machine that the component runs on. It outlives the component. */
  readonly host: NodeHost;
  /** The configuration of the cluster's kubelets. @defaultValue the default of each kubelet */
  readonly kubeletConfiguration?: KubeletConfiguration;
  /** Creates the probe manager of a starting kubelet. */
  newProbeManager(options: Pick<ProbeManagerOptions, 'statusOf' | 'onUpdate'>): ProbeManager;
  /** Creates the image manager of a starting kubelet. */
  newImageManager(options?: Pick<ImageManagerOptions, 'dockerConfig' | 'configuration'>): ImageManager;
  /** Creates the volume manager of a starting kubelet. */
  newVolumeManager(
    options: Pick<VolumeManagerOptions, 'desiredPods' | 'couldHaveRunningContainers' | 'statusOf'>,
  ): VolumeManager;
}
