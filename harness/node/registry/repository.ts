import {
  type Blob,
  blobOf,
  type ConfigFile,
  descriptorOf,
  type Index,
  type Layer,
  type Manifest,
  mediaTypes,
} from './oci.ts';

/** The source of an image. */
export interface ImageSource {
  readonly config: ConfigFile['config'];
  /** The layers, from the lowest to the highest. */
  readonly layers: readonly Layer[];
}

/** An image as a registry stores it. */
interface BuiltImage {
  readonly index: Blob;
  readonly config: Blob;
  /** All its parts: index, manifest, configuration and layers. */
  readonly blobs: readonly Blob[];
}

/** A cache, because each simulation starts with the same catalogue. */
const built = new WeakMap<ImageSource, BuiltImage>();

/** Builds an image from its source, for one platform. */
export function buildImage(source: ImageSource): BuiltImage {
  const image = built.get(source) ?? build(source);
  built.set(source, image);
  return image;
}

function build(source: ImageSource): BuiltImage {
  const platform = { architecture: 'amd64', os: 'linux' };
  const layers = source.layers.map((layer) => blobOf(mediaTypes.layer, layer));
  const config = blobOf(mediaTypes.config, {
    ...platform,
    config: source.config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
  } satisfies ConfigFile);
  const manifest = blobOf(mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: descriptorOf(config),
    layers: layers.map(descriptorOf),
  } satisfies Manifest);
  const index = blobOf(mediaTypes.index, {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...descriptorOf(manifest), platform }],
  } satisfies Index);
  return { index, config, blobs: [index, manifest, config, ...layers] };
}

/** A repository of a registry: images by digest, and tags for some of them. */
export class Repository {
  readonly #blobs = new Map<string, Blob>();
  readonly #tags = new Map<string, string>();

  /**
   * Pushes an image, and moves the tag to it if there is one.
   *
   * @returns the digest of the image's index
   */
  push(source: ImageSource, tag?: string): string {
    const { index, blobs } = buildImage(source);
    for (const blob of blobs) this.#blobs.set(blob.digest, blob);
    if (tag !== undefined) this.#tags.set(tag, index.digest);
    return index.digest;
  }

  /** Deletes a tag. Its image stays available by digest. */
  untag(tag: string): void {
    this.#tags.delete(tag);
  }

  /** Returns the index or manifest of a tag or digest. */
  manifest(reference: string): Blob | undefined {
    const blob = this.#blobs.get(this.#tags.get(reference) ?? reference);
    return blob && isManifest(blob) ? blob : undefined;
  }

  /** Returns a configuration or a layer. */
  blob(digest: string): Blob | undefined {
    const blob = this.#blobs.get(digest);
    return blob && !isManifest(blob) ? blob : undefined;
  }
}

function isManifest({ mediaType }: Blob): boolean {
  return mediaType === mediaTypes.index || mediaType === mediaTypes.manifest;
}
