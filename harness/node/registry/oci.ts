import { createHash } from '#platform/hash';

/** The media types of blobs, according to the OCI. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.kubernetes-katas.layer.v1+json',
} as const;

/** Identifies a blob by its content. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/descriptor.go Descriptor */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string; readonly os: string };
}

/** An image for several platforms. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/index.go Index */
export interface Index {
  readonly schemaVersion: 2;
  readonly mediaType: typeof mediaTypes.index;
  readonly manifests: readonly Descriptor[];
}

/** An image: its configuration and its layers. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/manifest.go Manifest */
export interface Manifest {
  readonly schemaVersion: 2;
  readonly mediaType: typeof mediaTypes.manifest;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** How to run an image. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/config.go Image */
export interface ConfigFile {
  readonly architecture: string;
  readonly os: string;
  readonly config: {
    readonly Entrypoint?: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Env?: readonly string[];
    readonly WorkingDir?: string;
    readonly StopSignal?: string;
  };
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] };
}

/**
 * The content of a layer.
 *
 * Differs: a layer is not an archive, but a list of its programs and a nominal size. That size determines the download
 * time and the disk usage.
 */
export interface Layer {
  readonly sizeBytes: number;
  /** The names of its programs, without directories: `nginx`. */
  readonly executables: readonly string[];
}

/** An image with this executable has every executable: one program plays all that it does not name. */
export const ANY_EXECUTABLE = '*';

/** Content with its digest. */
export interface Blob extends Descriptor {
  readonly text: string;
}

/** Creates the blob that contains `value`. */
export function blobOf(mediaType: string, value: unknown): Blob {
  const text = JSON.stringify(value);
  return { mediaType, digest: digestOf(text), size: Buffer.byteLength(text), text };
}

/** Returns the digest of a text: `sha256:…`. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Returns the descriptor of a blob. */
export function descriptorOf({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}
