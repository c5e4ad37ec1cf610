import { RegistryError, RegistryUnreachable } from '../registry/registry-client.ts';

/** Which container runtime keeps the images. */
export type ImageProfileName = 'containerd' | 'cri-o' | 'cri-dockerd';

/** How the runtimes differ, as far as images go. */
export interface ImageProfile {
  /** Where images lie on the disk. */
  readonly root: string;
  /** What {@link ImageService.imageFsInfo} calls that. */
  readonly mountpoint: string;
  readonly socket: string;
  /** What a pull returns: the image's id, or its first digest in the repository. */
  readonly pullReturns: 'id' | 'repoDigest';
  /** Of which failures of a pull it says that the registry is unavailable: the kubelet tells those apart. */
  readonly registryUnavailable: (error: Error) => boolean;
  /** Names of Docker Hub are shown as people write them: `nginx:1.27`. */
  readonly familiarNames: boolean;
}

/**
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/images/image_pull.go PullImage; cri-o/cri-o@v1.36.3
 * server/image_pull.go PullImage; Mirantis/cri-dockerd@v0.4.3 core/image.go PullImage
 */
export const imageProfiles: Readonly<Record<ImageProfileName, ImageProfile>> = {
  containerd: {
    root: '/var/lib/containerd',
    mountpoint: '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs',
    socket: '/run/containerd/containerd.sock',
    pullReturns: 'id',
    registryUnavailable: () => false,
    familiarNames: false,
  },
  'cri-o': {
    root: '/var/lib/containers/storage',
    mountpoint: '/var/lib/containers/storage/overlay-images',
    socket: '/var/run/crio/crio.sock',
    pullReturns: 'id',
    registryUnavailable: (error) => error instanceof RegistryUnreachable,
    familiarNames: false,
  },
  'cri-dockerd': {
    root: '/var/lib/docker',
    mountpoint: '/var/lib/docker',
    socket: '/run/cri-dockerd.sock',
    pullReturns: 'repoDigest',
    registryUnavailable: (error) => error instanceof RegistryError && [502, 503, 504].includes(error.status),
    familiarNames: true,
  },
};
