/**
 * The reference image manager: first decisions, as pure functions, then the parts with state, and then the manager that
 * a kubelet uses. Each level has a file, in this order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images, pkg/credentialprovider
 */
import { assembleImageManager, type PullManagerOptions, type PullRecords } from '#given/43-images';
import type { NewImageManager } from '#harness';
import { PullBackOff } from './backoff.ts';
import { ImageEnsurer } from './ensure-image.ts';
import { ImageGarbageCollector } from './garbage-collector.ts';
import { ParallelPuller } from './parallel-puller.ts';
import { PullManager } from './pull-manager.ts';
import { SerialPuller } from './serial-puller.ts';

// Level 1 · A reference

export { applyDefaultTag, parseImageName } from './reference.ts';

// Level 2 · When to pull

export { pullPolicyOf, whatToDo } from './policy.ts';

// Level 3 · Credentials for an image

export { keyMatches, lookup, pullCredentials, registryKey } from './keyring.ts';

// Level 4 · Pull with each of them

export { pullWithCredentials } from './pull.ts';

// Level 5 · Back-off

export { PullBackOff } from './backoff.ts';

// Level 6 · The image of a container

export { ImageEnsurer } from './ensure-image.ts';

// Level 7 · One at a time

export { SerialPuller } from './serial-puller.ts';

// Level 8 · Garbage collection

export { bytesToFree, evictionOrder, ImageGarbageCollector, imagesInUse } from './garbage-collector.ts';

// Level 9 · Present is not enough

export { accepts, PullManager, requiresVerification, withCredential } from './pull-manager.ts';

export const newPullRecords = (options: PullManagerOptions): PullRecords => new PullManager(options);

// Level 10 · Several at once

export { ParallelPuller } from './parallel-puller.ts';

// All of it

export const newImageManager: NewImageManager = (options) =>
  assembleImageManager(options, {
    PullBackOff,
    ImageEnsurer,
    SerialPuller,
    ParallelPuller,
    ImageGarbageCollector,
    newPullRecords,
  });
