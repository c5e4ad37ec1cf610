import type { ImageManager, ImageManagerOptions } from '../../contracts/node/image-manager.ts';
import type { Clock } from '../../sim/index.ts';
import { parseDockerConfig } from './docker-config.ts';
import type {
  ImageCollectorOptions,
  ImageEnsurerOptions,
  PullManagerOptions,
  PullWaits,
} from './image-parts.ts';
import { PullLimiter } from './pull-limiter.ts';
import { PullRecordStore } from './pull-record-store.ts';
import type { PullRecords } from './pull-records.ts';
import type { Puller } from './puller.ts';

/** The parts that an image manager is made of. */
export interface ImageManagerParts {
  readonly PullBackOff: new (clock: Clock) => PullWaits;
  readonly ImageEnsurer: new (options: ImageEnsurerOptions) => Pick<ImageManager, 'ensureImageExists'>;
  /** One pull at a time. */
  readonly SerialPuller: new () => Puller;
  /** As many at a time as it is told. */
  readonly ParallelPuller: new (
    max?: number,
  ) => Puller;
  readonly ImageGarbageCollector: new (
    options: ImageCollectorOptions,
  ) => Pick<ImageManager, 'garbageCollect' | 'deleteUnusedImages'>;
  readonly newPullRecords: (options: PullManagerOptions) => PullRecords;
}

/**
 * Makes an image manager of its parts, as the configuration says.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go NewImageManager
 */
export function assembleImageManager(options: ImageManagerOptions, parts: ImageManagerParts): ImageManager {
  const { clock, files, dockerConfig, configuration = {} } = options;
  const { registryPullQPS: qps = 5, registryBurst: burst = 10 } = configuration;
  const { serializeImagePulls = true, maxParallelImagePulls } = configuration;
  const records = parts.newPullRecords({ clock, store: new PullRecordStore(files), configuration });
  const ensurer = new parts.ImageEnsurer({
    ...options,
    node: dockerConfig === undefined ? [] : parseDockerConfig(dockerConfig),
    backOff: new parts.PullBackOff(clock),
    puller: serializeImagePulls ? new parts.SerialPuller() : new parts.ParallelPuller(maxParallelImagePulls),
    limiter: new PullLimiter({ clock, qps, burst }),
    records,
  });
  const collector = new parts.ImageGarbageCollector({ ...options, configuration, records });
  return {
    ensureImageExists: (request) => ensurer.ensureImageExists(request),
    garbageCollect: () => collector.garbageCollect(),
    deleteUnusedImages: () => collector.deleteUnusedImages(),
  };
}
