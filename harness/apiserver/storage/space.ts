import type { KubeObject } from '../../api/objects.ts';
import { failure, StatusError } from '../../api/status.ts';

/** Sizes in bytes. */
export interface SpaceLimits {
  /** The maximum size of an object. */
  readonly objectBytesMax: number;
  /** The maximum size of all objects and of their earlier versions since the last compaction. */
  readonly totalBytesMax: number;
}

/**
 * Upstream: etcd-io/etcd@v3.6.8 server/embed/config.go DefaultMaxRequestBytes
 *
 * Differs: etcd limits the whole request, with its key and its conditions.
 */
export const OBJECT_BYTES_MAX = 1.5 * 1024 * 1024;

/**
 * The space that the objects of a storage take up. Writes fail when it is used up; deletes do not.
 *
 * Upstream: etcd-io/etcd@v3.6.8 server/etcdserver/v3_server.go processInternalRaftRequestOnce, server/storage/quota.go
 *
 * Differs: objects are measured as JSON, but etcd stores most of them in protobuf, which is shorter. Upstream removes the
 * managedFields of an object that is too large, and tries again. A compaction frees space at once, without an alarm that
 * a user has to disarm.
 */
export class Space {
  readonly #limits: SpaceLimits;
  readonly #sizes = new WeakMap<KubeObject, number>();
  #used = 0;

  constructor(limits: SpaceLimits) {
    this.#limits = limits;
  }

  /** Checks that an object can be stored. @returns its size @throws StatusError InternalError */
  measure(object: KubeObject): number {
    const bytes = Buffer.byteLength(JSON.stringify(object));
    const { objectBytesMax, totalBytesMax } = this.#limits;
    if (bytes > objectBytesMax) throw refusal('request is too large');
    if (this.#used + bytes > totalBytesMax) throw refusal('mvcc: database space exceeded');
    return bytes;
  }

  /** Counts a version of an object that is now stored. */
  take(stored: KubeObject, bytes: number): void {
    this.#sizes.set(stored, bytes);
    this.#used += bytes;
  }

  /** Frees the space of a version that is no longer available. */
  free(stored: KubeObject | undefined): void {
    this.#used -= (stored && this.#sizes.get(stored)) ?? 0;
  }
}

/** Differs: upstream's status has no reason. */
const refusal = (why: string): StatusError => new StatusError(failure('InternalError', `etcdserver: ${why}`));
