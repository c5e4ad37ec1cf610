import { RegistryError, RegistryUnreachable } from '../registry/registry-client.ts';

/** The container runtime that stores the images. */
export type ImageProfileName = 'containerd' | 'cri-o' | 'cri-dockerd';

/** The differences between runtimes in their image services. */
export interface ImageProfile {
  /** The directory of images on the disk. */
  readonly root: string;
  /** The mount point in {@link ImageService.imageFsInfo}. */
  readonly mountpoint: string;
  readonly socket: string;
  /** The result of a pull: the image's id, or its first digest in the repository. */
  readonly pullReturns: 'id' | 'repoDigest';
  /** Whether a failed pull reports that the registry is unavailable, a case that the kubelet handles separately. */
  readonly registryUnavailable: (error: Error) => boolean;
  /** Whether names of Docker Hub are shortened: `nginx:1.27`. */
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
