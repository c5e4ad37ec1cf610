import { trusting } from '#given/43-images';
import type { cri } from '#harness';
import { Simulation } from '#harness/testing';
import { ImageGarbageCollector } from '#kata/43-images/images';
import { fakeImages } from './images.fixture.ts';

/** A container that was made from an image. */
export function containerOf(imageId: string, state: cri.ContainerState = 'CONTAINER_RUNNING'): cri.Container {
  return {
    id: `container of ${imageId}`,
    podSandboxId: 'sandbox',
    metadata: { name: 'main', attempt: 0 },
    image: { image: imageId },
    imageRef: imageId,
    imageId,
    state,
    createdAtMs: 0,
    labels: {},
    annotations: {},
  };
}

interface CollectorParts {
  readonly images: readonly cri.Image[];
  readonly containers?: readonly cri.Container[];
  readonly availableBytes: number;
  readonly capacityBytes?: number;
  /** The IDs of images that cannot be removed. */
  readonly stuck?: readonly string[];
}

/** A collector on a disk, with a record of its removals, events and calls of `prune`. */
export function collectorOver(parts: CollectorParts) {
  const sim = new Simulation();
  const there = [...parts.images];
  const containers = [...(parts.containers ?? [])];
  const { availableBytes, capacityBytes = 1_000, stuck = [] } = parts;
  const usage = { mountpoint: '/', capacityBytes, availableBytes, usedBytes: 0 };
  const [removed, told, pruned] = [[] as string[], [] as string[], [] as (readonly string[])[]];
  const collector = new ImageGarbageCollector({
    clock: sim.clock,
    recorder: {
      event: (about, type, reason, message) => {
        const { name, metadata } = about as { name?: string; metadata?: { name: string } };
        told.push(`${name ?? metadata?.name}: ${type} ${reason} ${message}`);
      },
    },
    node: 'node-1',
    configuration: {},
    records: { ...trusting, prune: async (present) => void pruned.push(present) },
    runtime: { listContainers: async () => containers },
    images: {
      ...fakeImages(),
      listImages: async () => [...there],
      imageFsInfo: async () => ({ ...usage }),
      async removeImage({ image }) {
        if (stuck.includes(image)) throw new Error(`${image} is busy`);
        const at = there.findIndex(({ id }) => id === image);
        if (at >= 0) usage.availableBytes += there.splice(at, 1)[0]?.sizeBytes ?? 0;
        removed.push(image);
      },
    },
  });
  const after = async (ms: number, work: () => Promise<void>): Promise<void> => {
    await sim.run({ forMs: ms });
    await sim.settle(work());
  };
  return {
    usage,
    containers,
    removed,
    told,
    pruned,
    collect: (afterMs = 0) => after(afterMs, () => collector.garbageCollect()),
    deleteUnused: (afterMs = 0) => after(afterMs, () => collector.deleteUnusedImages()),
  };
}
