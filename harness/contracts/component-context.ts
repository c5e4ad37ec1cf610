import type { KubeObject } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Clock, Random } from '../sim/index.ts';
import type { Client } from './client.ts';
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
 * A component of a cluster: a controller, a scheduler, a kubelet. It works until `context.signal` is aborted, and
 * rejects only if it cannot go on. It may be stopped at any point without warning and started again with empty
 * memory: everything that must survive is in the API.
 */
export type Component = (context: ComponentContext) => Promise<void>;

/** All that a component is given. It reaches for nothing else. */
export interface ComponentContext {
  /** Under which it appears in traces: `deployment-controller`. */
  readonly name: string;
  readonly client: Client;
  readonly informers: SharedInformerFactory;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the component is asked to stop. */
  readonly signal: AbortSignal;
  /** Makes a queue that keeps this component's time. */
  newWorkQueue<T>(options?: Omit<WorkQueueOptions<T>, 'clock'>): RateLimitingWorkQueue<T>;
  /** Works a queue off until this component is asked to stop: {@link RunWorkers}. */
  runWorkers<T>(options: Omit<WorkersOptions<T>, 'signal'>): Promise<void>;
  /** How it decides, if it is a scheduler: the filters and scores of this cluster, put together. */
  profile(): Profile;
  /**
   * Asks the server what it serves at this moment: what is built in, and custom resources in the preferred of their versions.
   * Absent where there are no custom resources, and what is served never changes.
   *
   * Upstream: kubernetes/client-go@v0.36.3 discovery/discovery_client.go ServerPreferredResources
   *
   * @throws StatusError, ConnectionError when it could not be asked
   */
  readonly discoverResources?: () => Promise<readonly Resource[]>;
  /** Writes a line into the trace. */
  log(message: string): void;
}

/**
 * Informers, one a resource, shared by all components that ask.
 *
 * Upstream: kubernetes/client-go@v0.36.3 informers/factory.go SharedInformerFactory
 */
export interface SharedInformerFactory {
  /**
   * The informer of a resource; the same one for all. It runs after {@link start}. Every informer has the index
   * `namespace`.
   *
   * @param indexers what else to find its objects by
   * @throws Error when the informer is there already and lacks one of these indexes
   */
  forResource<T extends KubeObject>(resource: Resource<T>, indexers?: Indexers<T>): SharedInformer<T>;
  /** Runs every informer that was asked for and does not run yet. */
  start(): void;
  /** Resolves when all of them have synced. Rejects when the component is stopped before. */
  waitForCacheSync(): Promise<void>;
  /** Stops the informer of a resource, which is not served any more, and forgets it. */
  stop(resource: Resource): void;
}

/**
 * A component that runs once on each node. It is a {@link Component} in everything else: what is on its node outlives it.
 */
export type NodeComponent = (context: NodeComponentContext) => Promise<void>;

/** All that a component of a node is given. */
export interface NodeComponentContext extends ComponentContext {
  /** The node that it runs on: `node-1`. */
  readonly node: string;
  /** The machine that it runs on. It outlives the component. */
  readonly host: NodeHost;
  /** How the kubelets of the cluster are set up. @defaultValue as each of them is by default */
  readonly kubeletConfiguration?: KubeletConfiguration;
  /** Makes the probe manager of a kubelet that starts now. */
  newProbeManager(options: Pick<ProbeManagerOptions, 'statusOf' | 'onUpdate'>): ProbeManager;
  /** Makes the image manager of a kubelet that starts now. */
  newImageManager(options?: Pick<ImageManagerOptions, 'dockerConfig' | 'configuration'>): ImageManager;
  /** Makes the volume manager of a kubelet that starts now. */
  newVolumeManager(
    options: Pick<VolumeManagerOptions, 'desiredPods' | 'couldHaveRunningContainers' | 'statusOf'>,
  ): VolumeManager;
}
