import { createHash } from 'node:crypto';

/** What the blobs of a registry are, as the OCI names them. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.kubernetes-katas.layer.v1+json',
} as const;

/** Names a blob by its content. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/descriptor.go Descriptor */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string; readonly os: string };
}

/** One image for several kinds of machine. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/index.go Index */
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

/** How an image is run. Upstream: opencontainers/image-spec@v1.1.1 specs-go/v1/config.go Image */
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
 * What a layer brings.
 *
 * Differs: a layer is a list, not an archive: the names of its programs, and for how many bytes it stands. So long a download
 * takes, and so much of the disk.
 */
export interface Layer {
  readonly sizeBytes: number;
  /** The names of its programs, without their directories: `nginx`. */
  readonly executables: readonly string[];
}

/** A piece of content with its digest. */
export interface Blob extends Descriptor {
  readonly text: string;
}

/** The blob that holds `value`. */
export function blobOf(mediaType: string, value: unknown): Blob {
  const text = JSON.stringify(value);
  return { mediaType, digest: digestOf(text), size: Buffer.byteLength(text), text };
}

/** `sha256:…` of a text. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The blob's name, without its content. */
export function descriptorOf({ mediaType, digest, size }: Descriptor): Descriptor {
  return { mediaType, digest, size };
}
