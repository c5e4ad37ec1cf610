/** Level 6 ★ · Images that are there already. */
import { framework } from '#harness';

const { MAX_NODE_SCORE, stateKey, success } = framework;

export function normalizedImageName(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

export function scaledImageScore(sizeBytes: number, numNodes: number, totalNumNodes: number): number {
  return Math.trunc(sizeBytes * (numNodes / totalNumNodes));
}

/** The size in bytes below which an image counts 0: 23 MiB. */
export const MIN_THRESHOLD_BYTES = 23 * 1024 * 1024;

/** The maximum size in bytes that counts for each container: 1000 MiB. */
export const MAX_CONTAINER_THRESHOLD_BYTES = 1000 * 1024 * 1024;

export function calculatePriority(sumScores: number, numContainers: number): number {
  const max = MAX_CONTAINER_THRESHOLD_BYTES * numContainers;
  const saved = Math.min(Math.max(sumScores, MIN_THRESHOLD_BYTES), max) - MIN_THRESHOLD_BYTES;
  return Math.trunc((MAX_NODE_SCORE * saved) / (max - MIN_THRESHOLD_BYTES));
}

/** The data of ImageLocality about a pod. */
interface WantedImages {
  /** An entry for each container whose image is on at least one node. */
  readonly images: readonly { readonly name: string; readonly numNodes: number }[];
  readonly numContainers: number;
  readonly totalNumNodes: number;
}

const wantedImages = stateKey<WantedImages>('PreScoreImageLocality');

export const imageLocality: framework.ScorePlugin = {
  name: 'ImageLocality',
  preScore(state, { spec }, _feasible, snapshot) {
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    state.write(wantedImages, {
      images: containers.flatMap(({ image = '' }) => {
        const name = normalizedImageName(image);
        const numNodes = snapshot.imageNodes.get(name);
        return numNodes === undefined ? [] : [{ name, numNodes }];
      }),
      numContainers: containers.length,
      totalNumNodes: snapshot.nodeInfos.length,
    });
    return success;
  },
  score(state, _pod, nodeInfo) {
    const { images, numContainers, totalNumNodes } = state.read(wantedImages);
    let sum = 0;
    for (const { name, numNodes } of images) {
      const sizeBytes = nodeInfo.images.get(name);
      if (sizeBytes !== undefined) sum += scaledImageScore(sizeBytes, numNodes, totalNumNodes);
    }
    return calculatePriority(sum, numContainers);
  },
};
