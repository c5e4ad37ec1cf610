import type { Image, ImageService } from '../../contracts/node/cri/index.ts';

/** An image as it lies on a machine: with all that is needed to run it. */
export interface LocalImage extends Image {
  readonly config: ImageConfig;
  /** The names of the programs in it, without their directories: `nginx`, `sh`. */
  readonly executables: readonly string[];
}

/** How an image is run, if a container does not say otherwise. */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** @defaultValue SIGTERM */
  readonly stopSignal?: string;
}

/** The images of a machine, for its kubelet and for its runtime. */
export interface ImageStore extends ImageService {
  /** The image of a name, a digest or an id, if it is there. */
  resolve(image: string): LocalImage | undefined;
}
