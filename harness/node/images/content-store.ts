import type { Disk } from '../files/index.ts';
import { type Layer, mediaTypes } from '../registry/oci.ts';
import type { Content } from '../registry/registry-client.ts';

interface Kept {
  readonly text: string;
  readonly sizeBytes: number;
}

/** Dependencies of {@link ContentStore}. */
interface ContentStoreOptions {
  readonly disk: Disk;
  /** The directory of the store for error messages: `/var/lib/containerd`. */
  readonly root: string;
}

/**
 * The pieces of images on a machine's disk, by digest. A piece is stored completely or not at all. It survives a
 * restart of the runtime, so that an interrupted pull continues later.
 *
 * Upstream: containerd/containerd@v2.3.3 core/content/content.go Store
 */
export class ContentStore {
  readonly #options: ContentStoreOptions;
  readonly #kept = new Map<string, Kept>();
  /** The downloads in progress. Concurrent requests for a piece share one download. */
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #leases = new Set<Set<string>>();

  constructor(options: ContentStoreOptions) {
    this.#options = options;
  }

  /** The size of the store on disk, in bytes. */
  get usedBytes(): number {
    let sum = 0;
    for (const { sizeBytes } of this.#kept.values()) sum += sizeBytes;
    return sum;
  }

  /** Protects the content of a pull until the pull ends. */
  lease(): Lease {
    const held = new Set<string>();
    this.#leases.add(held);
    return {
      fetch: (digest, get) => {
        held.add(digest);
        return this.#have(digest, get);
      },
      [Symbol.dispose]: () => void this.#leases.delete(held),
    };
  }

  async #have(digest: string, get: () => Promise<Content>): Promise<string> {
    for (;;) {
      const kept = this.#kept.get(digest);
      if (kept) return kept.text;
      const other = this.#underWay.get(digest);
      if (!other) break;
      // Another pull may fail for its own reason, such as its credentials.
      await other.catch(() => {});
    }
    const fetching = this.#fetch(digest, get).finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, fetching);
    return fetching;
  }

  async #fetch(digest: string, get: () => Promise<Content>): Promise<string> {
    const { mediaType, text } = await get();
    this.add(digest, { mediaType, text });
    return text;
  }

  /** Stores a piece. @throws Error when the disk is full */
  add(digest: string, { mediaType, text }: Content): void {
    const sizeBytes =
      mediaType === mediaTypes.layer ? (JSON.parse(text) as Layer).sizeBytes : Buffer.byteLength(text);
    if (this.#kept.has(digest)) return;
    const { disk, root } = this.#options;
    try {
      disk.reserve(sizeBytes);
    } catch {
      const path = `${root}/io.containerd.content.v1.content/ingest/${digest.slice('sha256:'.length)}/data`;
      throw new Error(`failed to copy: failed to send write: write ${path}: no space left on device`);
    }
    this.#kept.set(digest, { text, sizeBytes });
  }

  /** Deletes all pieces except the wanted ones and those in a lease. */
  prune(wanted: ReadonlySet<string>): void {
    const held = [wanted, ...this.#leases];
    for (const [digest, { sizeBytes }] of this.#kept) {
      if (held.some((digests) => digests.has(digest))) continue;
      this.#kept.delete(digest);
      this.#options.disk.giveBack(sizeBytes);
    }
  }

  /** Returns the size of a piece in bytes; 0 if it does not exist. */
  sizeOf(digest: string): number {
    return this.#kept.get(digest)?.sizeBytes ?? 0;
  }
}

/** The content for one pull. Its pieces are not pruned during the pull. */
export interface Lease extends Disposable {
  /**
   * Returns the text of a piece, and fetches it if necessary.
   *
   * @throws the error of `get`; Error when the disk is full
   */
  fetch(digest: string, get: () => Promise<Content>): Promise<string>;
}
