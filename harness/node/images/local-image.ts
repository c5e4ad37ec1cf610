import type { Image, ImageService } from '../../contracts/node/cri/index.ts';

/** An image on a machine, with everything that is needed to run it. */
export interface LocalImage extends Image {
  readonly config: ImageConfig;
  /** The names of its programs, without directories: `nginx`, `sh`. */
  readonly executables: readonly string[];
}

/** The defaults for containers of an image. */
interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** @defaultValue SIGTERM */
  readonly stopSignal?: string;
}

/** The images of a machine, for its kubelet and its runtime. */
export interface ImageStore extends ImageService {
  /** Finds an image by name, digest or id. */
  resolve(image: string): LocalImage | undefined;
}
