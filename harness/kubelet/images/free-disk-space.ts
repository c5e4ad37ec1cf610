import type * as cri from '../../contracts/node/cri/index.ts';

/** Returns the usage of a disk in whole percent, rounded up. */
export function usagePercent({
  capacityBytes,
  availableBytes,
}: Pick<cri.FilesystemUsage, 'capacityBytes' | 'availableBytes'>): number {
  return 100 - Math.trunc((Math.min(availableBytes, capacityBytes) * 100) / capacityBytes);
}

/**
 * Returns the message of the node's event `FreeDiskSpaceFailed`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.GarbageCollect, formatSize
 */
export function freeDiskSpaceFailed(options: {
  readonly usagePercent: number;
  readonly capacityBytes: number;
  readonly freedBytes: number;
}): string {
  const { usagePercent, capacityBytes, freedBytes } = options;
  return [
    `Insufficient free disk space on the node's image filesystem (${usagePercent}% of ${formatSize(capacityBytes)} used).`,
    `Failed to free sufficient space by deleting unused images (freed ${freedBytes} bytes).`,
    'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.',
  ].join(' ');
}

/** Formats a size: `1.5 GiB`. */
function formatSize(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  if (bytes < 1_024) return `${Math.trunc(bytes)} B`;
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1_024 ** power).toFixed(1)} ${units[power - 1]}`;
}
