import type { Disk } from '../files/index.ts';
import { type Layer, mediaTypes } from '../registry/oci.ts';
import type { Content } from '../registry/registry-client.ts';

interface Kept {
  readonly text: string;
  readonly sizeBytes: number;
}

/** What a {@link ContentStore} needs. */
export interface ContentStoreOptions {
  readonly disk: Disk;
  /** Where it lies, for what the disk says when it is full: `/var/lib/containerd`. */
  readonly root: string;
}

/**
 * The pieces of images on a machine's disk, by digest. A piece is there as a whole or not at all, and it outlives the runtime: a
 * pull that was broken off goes on where it was.
 *
 * Upstream: containerd/containerd@v2.3.3 core/content/content.go Store
 */
export class ContentStore {
  readonly #options: ContentStoreOptions;
  readonly #kept = new Map<string, Kept>();
  /** What is being fetched. Two that want the same fetch it once. */
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #leases = new Set<Set<string>>();

  constructor(options: ContentStoreOptions) {
    this.#options = options;
  }

  /** How many bytes it takes on the disk. */
  get usedBytes(): number {
    let sum = 0;
    for (const { sizeBytes } of this.#kept.values()) sum += sizeBytes;
    return sum;
  }

  /** Holds what a pull fetches, until it has ended. */
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
      // Another pull may fail for a reason of its own, such as its credentials.
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

  /** Puts a piece there. @throws Error when the disk is full */
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

  /** Removes all pieces except these and those that a lease holds. */
  prune(wanted: ReadonlySet<string>): void {
    const held = [wanted, ...this.#leases];
    for (const [digest, { sizeBytes }] of this.#kept) {
      if (held.some((digests) => digests.has(digest))) continue;
      this.#kept.delete(digest);
      this.#options.disk.giveBack(sizeBytes);
    }
  }

  /** How many bytes a piece takes; 0 when it is not there. */
  sizeOf(digest: string): number {
    return this.#kept.get(digest)?.sizeBytes ?? 0;
  }
}

/** The content as one pull sees it: nothing that it has fetched is pruned meanwhile. */
export interface Lease extends Disposable {
  /**
   * The text of a piece; it is fetched if it is not there.
   *
   * @throws what `get` throws; Error when the disk is full
   */
  fetch(digest: string, get: () => Promise<Content>): Promise<string>;
}
