/** Level 8 · Garbage collection. */
import {
  errorText,
  freeDiskSpaceFailed,
  type ImageCollectorOptions,
  type ImageRecord,
  usagePercent,
} from '#given/43-images';
import type { cri, ImageConfiguration } from '#harness';

export function imagesInUse(containers: readonly cri.Container[]): ReadonlySet<string> {
  // Containers count in every state: a user may inspect an exited one, and its pod may restart it.
  return new Set(containers.map(({ imageId }) => imageId));
}

export function evictionOrder(
  records: readonly ImageRecord[],
  { inUse, olderThanMs }: { readonly inUse: ReadonlySet<string>; readonly olderThanMs: number },
): readonly ImageRecord[] {
  return records
    .filter(({ image }) => !inUse.has(image.id) && !image.pinned)
    .filter(({ firstDetectedMs }) => firstDetectedMs <= olderThanMs)
    .sort((a, b) => a.lastUsedMs - b.lastUsedMs || a.firstDetectedMs - b.firstDetectedMs);
}

export function bytesToFree(
  usage: cri.FilesystemUsage,
  { imageGCHighThresholdPercent: high = 85, imageGCLowThresholdPercent: low = 80 }: ImageConfiguration,
): number {
  if (usagePercent(usage) < high) return 0;
  return Math.trunc((usage.capacityBytes * (100 - low)) / 100) - usage.availableBytes;
}

/**
 * Differs: it lists images only when it collects; upstream also every five minutes. No image is removed because of its
 * age. The records of the images that remain stay; upstream deletes them.
 */
export class ImageGarbageCollector {
  readonly #options: ImageCollectorOptions;
  /** By the image's id. */
  #known: ReadonlyMap<string, ImageRecord> = new Map();

  constructor(options: ImageCollectorOptions) {
    this.#options = options;
  }

  async garbageCollect(): Promise<void> {
    const { clock, configuration, images } = this.#options;
    const beganMs = clock.now();
    const candidates = await this.#candidates(beganMs);
    const usage = await images.imageFsInfo();
    if (usage.capacityBytes === 0) {
      this.#warn('InvalidDiskCapacity', 'invalid capacity 0 on image filesystem');
      throw new Error('invalid capacity 0 on image filesystem');
    }
    const wantedBytes = bytesToFree(usage, configuration);
    if (wantedBytes <= 0) return;
    const freedBytes = await this.#free(candidates, { bytes: wantedBytes, beganMs });
    if (freedBytes >= wantedBytes) return;
    const message = freeDiskSpaceFailed({
      usagePercent: usagePercent(usage),
      capacityBytes: usage.capacityBytes,
      freedBytes,
    });
    this.#warn('FreeDiskSpaceFailed', message);
    throw new Error(message);
  }

  async deleteUnusedImages(): Promise<void> {
    const beganMs = this.#options.clock.now();
    const candidates = await this.#candidates(beganMs);
    await this.#free(candidates, { bytes: Number.POSITIVE_INFINITY, beganMs });
  }

  /** Updates the known images, and returns the removable ones, in the order of removal. */
  async #candidates(nowMs: number): Promise<readonly ImageRecord[]> {
    const { images, runtime, configuration } = this.#options;
    const present = await images.listImages();
    const inUse = imagesInUse(await runtime.listContainers());
    this.#known = new Map(
      present.map((image) => {
        const { firstDetectedMs = nowMs, lastUsedMs = 0 } = this.#known.get(image.id) ?? {};
        return [image.id, { image, firstDetectedMs, lastUsedMs: inUse.has(image.id) ? nowMs : lastUsedMs }];
      }),
    );
    const olderThanMs = nowMs - (configuration.imageMinimumGCAgeMs ?? 120_000);
    return evictionOrder([...this.#known.values()], { inUse, olderThanMs });
  }

  /** Removes images until this number of bytes is free. @returns the number of freed bytes */
  async #free(
    candidates: readonly ImageRecord[],
    { bytes, beganMs }: { readonly bytes: number; readonly beganMs: number },
  ): Promise<number> {
    const removed = new Set<string>();
    const failures: string[] = [];
    let freedBytes = 0;
    for (const { image } of candidates) {
      if (freedBytes >= bytes) break;
      try {
        await this.#options.images.removeImage({ image: image.id });
        removed.add(image.id);
        freedBytes += image.sizeBytes;
      } catch (error) {
        failures.push(errorText(error));
      }
    }
    this.#known = new Map([...this.#known].filter(([id]) => !removed.has(id)));
    await this.#options.records.prune([...this.#known.keys()], beganMs);
    if (failures.length === 0) return freedBytes;
    throw new Error(
      `wanted to free ${bytes} bytes, but freed ${freedBytes} bytes space with errors in image deletion: ${failures.join(', ')}`,
    );
  }

  #warn(reason: string, message: string): void {
    const { recorder, node } = this.#options;
    recorder.event({ apiVersion: 'v1', kind: 'Node', name: node, uid: node }, 'Warning', reason, message);
  }
}
