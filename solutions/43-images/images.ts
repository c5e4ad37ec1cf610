/**
 * The images of a node, solved: decisions first, each a pure function, then the pieces that remember something, and then the
 * manager that a kubelet asks. A file for each level, in the order of the levels.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images, pkg/credentialprovider
 */
import { type NewImageManager, PullLimiter, PullRecordStore, parseDockerConfig } from '#harness';
import { PullBackOff } from './backoff.ts';
import { ImageEnsurer } from './ensure-image.ts';
import { ImageGarbageCollector } from './garbage-collector.ts';
import { ParallelPuller } from './parallel-puller.ts';
import { PullManager } from './pull-manager.ts';
import { SerialPuller } from './serial-puller.ts';

export const newImageManager: NewImageManager = (options) => {
  const { clock, files, dockerConfig, configuration = {} } = options;
  const { registryPullQPS: qps = 5, registryBurst: burst = 10 } = configuration;
  const { serializeImagePulls = true, maxParallelImagePulls } = configuration;
  const records = new PullManager({ clock, store: new PullRecordStore(files), configuration });
  const ensurer = new ImageEnsurer({
    ...options,
    node: dockerConfig === undefined ? [] : parseDockerConfig(dockerConfig),
    backOff: new PullBackOff(clock),
    puller: serializeImagePulls ? new SerialPuller() : new ParallelPuller(maxParallelImagePulls),
    limiter: new PullLimiter({ clock, qps, burst }),
    records,
  });
  const collector = new ImageGarbageCollector({ ...options, configuration, records });
  return {
    ensureImageExists: (request) => ensurer.ensureImageExists(request),
    garbageCollect: () => collector.garbageCollect(),
    deleteUnusedImages: () => collector.deleteUnusedImages(),
  };
};

export { PullBackOff } from './backoff.ts';
export { ImageEnsurer } from './ensure-image.ts';
export {
  bytesToFree,
  evictionOrder,
  ImageGarbageCollector,
  type ImageRecord,
  imagesInUse,
  usagePercent,
} from './garbage-collector.ts';
export { type Credential, keyMatches, lookup, pullCredentials, registryKey } from './keyring.ts';
export { ParallelPuller } from './parallel-puller.ts';
export { type PullPolicy, pullPolicyOf, whatToDo } from './policy.ts';
export { pullError, pullWithCredentials, textOf } from './pull.ts';
export { accepts, PullManager, requiresVerification, withCredential } from './pull-manager.ts';
export { type PullRecords, trusting } from './pull-records.ts';
export { applyDefaultTag, type ImageName, parseImageName } from './reference.ts';
export { type Puller, SerialPuller } from './serial-puller.ts';
