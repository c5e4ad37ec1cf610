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

/** The parts of an image manager. */
interface ImageManagerParts {
  readonly PullBackOff: new (clock: Clock) => PullWaits;
  readonly ImageEnsurer: new (options: ImageEnsurerOptions) => Pick<ImageManager, 'ensureImageExists'>;
  /** Runs one pull at a time. */
  readonly SerialPuller: new () => Puller;
  /** Runs up to `max` pulls at a time. */
  readonly ParallelPuller: new (
    max?: number,
  ) => Puller;
  readonly ImageGarbageCollector: new (
    options: ImageCollectorOptions,
  ) => Pick<ImageManager, 'garbageCollect' | 'deleteUnusedImages'>;
  readonly newPullRecords: (options: PullManagerOptions) => PullRecords;
}

/**
 * Assembles an image manager from its parts according to the configuration.
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
