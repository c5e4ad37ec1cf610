import type * as cri from '../../contracts/node/cri/index.ts';

/** The images of a machine, as its runtime uses them besides what a kubelet asks. */
export interface ImageStore extends cri.ImageService {
  /** Finds an image that is there, by any of its names: a tag, a digest, an id. */
  resolve(image: string): LocalImage | undefined;
}

/** An image that is there, with what a container is made from. */
export interface LocalImage extends cri.Image {
  readonly config: ImageConfig;
  /** The names of what can be run from it: `nginx`, `sh`. */
  readonly executables: readonly string[];
}

/** Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/config.go ImageConfig */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** @defaultValue SIGTERM */
  readonly stopSignal?: string;
}
