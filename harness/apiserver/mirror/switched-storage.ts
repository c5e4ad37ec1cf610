import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../api/status.ts';
import type { KeyValueStore } from '../../contracts/store/index.ts';
import type { Eventually } from '../eventually.ts';
import { type ObjectWrites, type StoreWrites, Superseded } from '../storage/object-writes.ts';
import { type Author, Storage } from '../storage/storage.ts';
import { MirroredStorage, type MirrorOptions } from './mirrored-storage.ts';
import { Turns } from './turns.ts';

/**
 * A storage in this process whose objects can move to a key-value store and back, while clients use it. They notice
 * nothing: all objects keep their resourceVersions. Writes wait during a move.
 */
export class SwitchedStorage implements StoreWrites {
  readonly storage = new Storage();
  readonly allocations = new Turns();
  #mirror: MirroredStorage | undefined;
  #ending = new AbortController();
  #moving: Promise<void> | undefined;

  /** Whether the objects are in a key-value store. */
  get isInStore(): boolean {
    return this.#mirror !== undefined;
  }

  /** Moves the objects to a fresh store. @throws any error of the store: then they stay where they are */
  toStore(
    open: (signal: AbortSignal) => Promise<KeyValueStore>,
    options: Pick<MirrorOptions, 'clock' | 'onError'>,
  ): Promise<void> {
    return this.#move(async () => {
      const ending = new AbortController();
      const { signal } = ending;
      try {
        const store = await open(signal);
        this.#mirror = await MirroredStorage.adopt(this.storage, { ...options, store, signal });
        this.#ending = ending;
      } catch (error) {
        ending.abort();
        throw error;
      }
    });
  }

  /** Moves the objects back to this process. */
  toMemory(): Promise<void> {
    return this.#move(async () => {});
  }

  fresh(): Promise<void> | undefined {
    return this.#moving ? this.#moving.then(() => this.#mirror?.fresh()) : this.#mirror?.fresh();
  }

  create<T extends KubeObject>(resource: Resource<T>, object: T, author?: Author): Eventually<T> {
    return this.#write((writes) => writes.create(resource, object, author));
  }

  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    expected: string,
    author?: Author,
  ): Eventually<T> {
    return this.#write((writes) => writes.update(resource, object, expected, author));
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    expected: string,
    author?: Author,
  ): Eventually<T> {
    return this.#write((writes) => writes.delete(resource, key, expected, author));
  }

  /** Takes part in the compaction of the store, if there is one. */
  async compact(): Promise<void> {
    if (!this.#moving) await this.#mirror?.compact();
  }

  /** Ends the store. */
  end(): void {
    this.#ending.abort();
  }

  #write<T>(write: (writes: ObjectWrites) => Eventually<T>): Eventually<T> {
    if (!this.#moving) return write(this.#mirror ?? this.storage);
    return this.#moving.then(async () => {
      try {
        return await write(this.#mirror ?? this.storage);
      } catch (error) {
        // The object may have changed before the move.
        throw isConflict(error) || isNotFound(error) || isAlreadyExists(error) ? new Superseded() : error;
      }
    });
  }

  /** Moves one after the other. Before a move, all objects are in this process. */
  #move(to: () => Promise<void>): Promise<void> {
    const before = this.#moving ?? Promise.resolve();
    const moving = before.then(async () => {
      await this.#mirror?.idle();
      this.#ending.abort();
      this.#mirror = undefined;
      await to();
    });
    const settled = moving
      .catch(() => {})
      .then(() => {
        if (this.#moving === settled) this.#moving = undefined;
      });
    this.#moving = settled;
    return moving;
  }
}
