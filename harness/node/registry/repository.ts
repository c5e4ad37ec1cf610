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

/** What an image is made from. */
export interface ImageSource {
  readonly config: ConfigFile['config'];
  /** From the lowest up. */
  readonly layers: readonly Layer[];
}

/** An image as a registry stores it. */
export interface BuiltImage {
  readonly index: Blob;
  readonly config: Blob;
  /** All of it: index, manifest, configuration and layers. */
  readonly blobs: readonly Blob[];
}

/** What was built before: each simulation begins with the same catalogue. */
const built = new WeakMap<ImageSource, BuiltImage>();

/** Makes an image of its parts, for one kind of machine. */
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

/** A repository of a registry: images by digest, and tags that stand for some of them. */
export class Repository {
  readonly #blobs = new Map<string, Blob>();
  readonly #tags = new Map<string, string>();

  /**
   * Puts an image here under a tag, if there is one. A tag that stood for another image stands for this one.
   *
   * @returns the digest of its index
   */
  push(source: ImageSource, tag?: string): string {
    const { index, blobs } = buildImage(source);
    for (const blob of blobs) this.#blobs.set(blob.digest, blob);
    if (tag !== undefined) this.#tags.set(tag, index.digest);
    return index.digest;
  }

  /** Takes a tag away. What it stood for can still be had by its digest. */
  untag(tag: string): void {
    this.#tags.delete(tag);
  }

  /** The index or manifest of a tag or a digest. */
  manifest(reference: string): Blob | undefined {
    const blob = this.#blobs.get(this.#tags.get(reference) ?? reference);
    return blob && isManifest(blob) ? blob : undefined;
  }

  /** A configuration or a layer. */
  blob(digest: string): Blob | undefined {
    const blob = this.#blobs.get(digest);
    return blob && !isManifest(blob) ? blob : undefined;
  }
}

function isManifest({ mediaType }: Blob): boolean {
  return mediaType === mediaTypes.index || mediaType === mediaTypes.manifest;
}
