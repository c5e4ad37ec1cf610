import { type KubeObject, keyOf, keyToString, type ObjectKey } from '../../api/objects.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { ExactLabel } from './label-index.ts';
import { type Author, atRevision, Entry, type LogEntry } from './log-entry.ts';
import { Space, type SpaceLimits } from './space.ts';
import { Table } from './table.ts';

export type { Author, LogEntry } from './log-entry.ts';

/** A write that has its revision already, because another store has decided about it. */
export interface TakenWrite {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** The object after the write; undefined for a delete. */
  readonly object: KubeObject | undefined;
  /** The revision of the object. @defaultValue that of the {@link Storage.take} */
  readonly revision?: number;
  readonly author?: Author | undefined;
}

/** A reader with a position on the log that it moves forward: an apiserver's watch cache. */
interface Follower {
  /** The last revision that it has seen. Undefined for a follower that handles each write at once. */
  readonly position?: number;
  /** Called after each write. */
  wrote(entry: LogEntry): void;
  /** Called when the revision has moved without a write. */
  moved?(revision: number): void;
  /** Called before the log continues after a {@link Storage.skip}. */
  skipped?(): void;
}

/** The reads of a {@link Storage}. */
export type StoredObjects = Pick<
  Storage,
  'revision' | 'compactedRevision' | 'follow' | 'get' | 'list' | 'everything' | 'entriesSince'
>;

interface ReadOptions {
  readonly namespace?: string | undefined;
  /** The revision whose state to read. @defaultValue the newest */
  readonly revision?: number;
  /** The first key to read, whether or not it exists. @defaultValue the first existing key */
  readonly from?: string;
  /** Labels of the wanted objects. The result has all of these, and perhaps others. @defaultValue none */
  readonly labels?: readonly ExactLabel[];
}

/** The error of a failed compare-and-swap: the object has another version than expected. */
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

const TOO_OLD = 'The resourceVersion for the provided list is too old.';

/**
 * etcd as Kubernetes uses it: one revision counter for all objects, one append-only log, and compare-and-swap.
 *
 * The log is the source of truth. The current state is kept next to it for speed, and a past state is the current one
 * with the end of the log undone. A watch is a position on the log, and so is a lagging apiserver replica. Compaction
 * drops the beginning of the log, and with it all earlier positions.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store
 *
 * Differs: every write gets the next revision. Revisions of etcd have gaps, from leases and from transactions. An
 * apiserver on another store takes the writes of that store, and so has its revisions.
 */
export class Storage {
  /** Entries of the revisions after `#trimmed`. Unless it `#hasGaps`, revision r is at index r - #trimmed - 1. */
  #log: LogEntry[] = [];
  #hasGaps = false;
  /** At most `#compacted`: a follower behind the compaction still needs its entries. */
  #trimmed = 0;
  #compacted = 0;
  #revision = 0;
  readonly #tables = new Map<string, Table>();
  /** Replaced on each change: a follower may end while it is notified. */
  #followers: readonly Follower[] = [];
  readonly #space: Space | undefined;

  /** @param limits @defaultValue no limits, because it takes time to measure each object */
  constructor(limits?: SpaceLimits) {
    this.#space = limits && new Space(limits);
  }

  /** The revision of the last write; 0 before the first. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest available revision: exact reads and watches cannot start before it. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /**
   * Notifies `follower` of each write, and keeps the log from its position on. Returns a function that ends it.
   */
  follow(follower: Follower): () => void {
    this.#followers = [...this.#followers, follower];
    return () => {
      this.#followers = this.#followers.filter((each) => each !== follower);
    };
  }

  /** Returns the object, or `undefined` if it does not exist at that revision. @throws StatusError Expired */
  get(resource: Resource, key: ObjectKey, revision = this.#revision): KubeObject | undefined {
    const text = keyToString(key);
    const current = this.#table(resource).get(text);
    if (revision === this.#revision) return current;
    this.#mustReach(revision);
    if (current && Number(current.metadata.resourceVersion) <= revision) return current;
    const undone = this.#undo(resource, revision);
    return undone.has(text) ? undone.get(text) : current;
  }

  /** Returns the objects in the order of their keys. @throws StatusError Expired when `revision` is compacted */
  list(
    resource: Resource,
    { namespace, revision = this.#revision, from = '', labels = [] }: ReadOptions = {},
  ): KubeObject[] {
    const table = this.#table(resource);
    const prefix = namespace ? `${namespace}/` : '';
    if (revision === this.#revision) {
      const keys = labels.length > 0 ? table.keysWith(labels, prefix) : table.keysIn(prefix, from);
      return keys.map((key) => table.get(key) as KubeObject);
    }
    const wanted = table.keysIn(prefix, from);
    const undone = this.#undo(resource, revision);
    const gone = [...undone.keys()].filter(
      (key) => key.startsWith(prefix) && key >= from && undone.get(key) && !table.has(key),
    );
    const all = gone.length > 0 ? [...wanted, ...gone].sort() : wanted;
    return all.flatMap((key) => (undone.has(key) ? (undone.get(key) ?? []) : (table.get(key) as KubeObject)));
  }

  /** Returns all objects, by resource. */
  everything(): { readonly resource: Resource; readonly object: KubeObject }[] {
    return [...this.#tables.values()].flatMap((table) =>
      [...table.all()].map((object) => ({ resource: table.resource, object })),
    );
  }

  /**
   * Stores a new object. Returns it with its resourceVersion, frozen.
   *
   * @throws StatusError AlreadyExists, InternalError (no space)
   */
  create<T extends KubeObject>(resource: Resource<T>, object: T, author?: Author): T {
    const table = this.#table(resource);
    const key = keyToString(keyOf(object));
    if (table.has(key)) throw errors.alreadyExists(resource, object.metadata.name);
    const stored = this.#stored(object);
    table.set(key, stored);
    this.#append({ revision: this.#revision, resource, key, type: 'ADDED', object: stored }, author);
    return stored;
  }

  /**
   * Replaces an object if its version is still `expected`.
   *
   * @param expected - the resourceVersion that the change is based on
   * @throws StatusError NotFound, Conflict, InternalError (no space)
   */
  update<T extends KubeObject>(resource: Resource<T>, object: T, expected: string, author?: Author): T {
    const key = keyToString(keyOf(object));
    const previous = this.#compare(resource, key, object.metadata.name, expected);
    const stored = this.#stored(object);
    this.#table(resource).set(key, stored);
    this.#append(
      { revision: this.#revision, resource, key, type: 'MODIFIED', object: stored, previous },
      author,
    );
    return stored;
  }

  /**
   * Removes an object if its version is still `expected`. Returns, and sends to watchers, the last stored state at the
   * revision of the deletion.
   *
   * @throws StatusError NotFound, Conflict
   */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    { namespace, name }: ObjectKey,
    expected: string,
    author?: Author,
  ): T {
    const key = keyToString(namespace ? { namespace, name } : { name });
    const previous = this.#compare(resource, key, name, expected) as T;
    const last = this.#atNextRevision(previous);
    this.#table(resource).delete(key);
    this.#append(
      { revision: this.#revision, resource, key, type: 'DELETED', object: last, previous },
      author,
    );
    return last;
  }

  /** Returns the writes after `revision` up to and including `to`, oldest first. @throws StatusError Expired */
  entriesSince(revision: number, to = this.#revision): readonly LogEntry[] {
    this.#mustReach(revision);
    return this.#log.slice(this.#indexAfter(revision), this.#indexAfter(to));
  }

  /**
   * Takes the state that another store has at `revision`. The storage must be empty. Its log begins there.
   */
  load(revision: number, objects: readonly (TakenWrite & { readonly object: KubeObject })[]): void {
    for (const { resource, key, object, revision: at = revision } of objects) {
      this.#table(resource).set(keyToString(key), atRevision(object, at));
    }
    this.#revision = revision;
    this.#trimmed = revision;
    this.#compacted = revision;
  }

  /**
   * Takes the writes of one revision of another store. Without a write, only the revision moves. A delete of a missing
   * object is ignored.
   *
   * @param revision - greater than {@link revision}
   */
  take(revision: number, writes: readonly TakenWrite[]): void {
    this.#hasGaps ||= revision !== this.#revision + 1 || writes.length !== 1;
    this.#revision = revision;
    const entries = writes.flatMap((write) => this.#taken(revision, write) ?? []);
    this.#hasGaps ||= entries.length !== writes.length;
    this.#log.push(...entries);
    for (const entry of entries) for (const follower of this.#followers) follower.wrote(entry);
    if (entries.length === 0) for (const follower of this.#followers) follower.moved?.(revision);
  }

  /** Like {@link take}, for all changes since the last revision together: watches cannot continue across it. */
  skip(revision: number, writes: readonly TakenWrite[]): void {
    for (const follower of this.#followers) follower.skipped?.();
    this.take(revision, writes);
    this.compact(revision);
  }

  /** Drops the history before `revision`, as etcd does every five minutes. This cannot be undone. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision));
    const needed = Math.min(
      this.#compacted,
      ...this.#followers.map(({ position = this.#revision }) => position),
    );
    if (needed <= this.#trimmed) return;
    const kept = this.#indexAfter(needed);
    for (const { previous } of this.#log.slice(0, kept)) this.#space?.free(previous);
    this.#log = this.#log.slice(kept);
    this.#trimmed = needed;
  }

  /** Returns the index of the first entry after `revision`. */
  #indexAfter(revision: number): number {
    if (!this.#hasGaps) return revision - this.#trimmed;
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#log[middle] as LogEntry).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #taken(
    revision: number,
    { resource, key, object, revision: at = revision, author }: TakenWrite,
  ): Entry | undefined {
    const table = this.#table(resource);
    const text = keyToString(key);
    const previous = table.get(text);
    if (object) {
      const stored = atRevision(object, at);
      table.set(text, stored);
      const type = previous ? 'MODIFIED' : 'ADDED';
      return new Entry(
        { revision, resource, key: text, type, object: stored, ...(previous && { previous }) },
        author,
      );
    }
    if (!previous) return undefined;
    table.delete(text);
    const last = atRevision(previous, at);
    return new Entry({ revision, resource, key: text, type: 'DELETED', object: last, previous }, author);
  }

  #table(resource: Resource): Table {
    const name = groupResource(resource);
    let table = this.#tables.get(name);
    if (!table) {
      table = new Table(resource);
      this.#tables.set(name, table);
    }
    return table;
  }

  #compare(resource: Resource, key: string, name: string, expected: string): KubeObject {
    const current = this.#table(resource).get(key);
    if (!current) throw errors.notFound(resource, name);
    if (current.metadata.resourceVersion !== expected) throw errors.conflict(resource, name, MODIFIED);
    return current;
  }

  #stored<T extends KubeObject>(object: T): T {
    const bytes = this.#space?.measure(object) ?? 0;
    const stored = this.#atNextRevision(object);
    this.#space?.take(stored, bytes);
    return stored;
  }

  #atNextRevision<T extends KubeObject>(object: T): T {
    this.#revision++;
    return atRevision(object, this.#revision);
  }

  #append(write: Omit<LogEntry, 'last' | 'author'>, author: Author | undefined): void {
    const entry = new Entry(write, author);
    this.#log.push(entry);
    for (const follower of this.#followers) follower.wrote(entry);
  }

  /**
   * Returns the difference between `revision` and now: the object of each changed key at that revision, or `undefined`
   * if it did not exist.
   */
  #undo(resource: Resource, revision: number): Map<string, KubeObject | undefined> {
    this.#mustReach(revision);
    const before = new Map<string, KubeObject | undefined>();
    const first = this.#indexAfter(revision);
    for (let i = this.#log.length - 1; i >= first; i--) {
      const entry = this.#log[i] as LogEntry;
      if (sameResource(entry.resource, resource)) before.set(entry.key, entry.previous);
    }
    return before;
  }

  #mustReach(revision: number): void {
    if (revision < this.#trimmed) throw errors.expired(TOO_OLD);
  }
}

/** Reports whether both resources have one table. Descriptors are usually shared, but need not be. */
export function sameResource(a: Resource, b: Resource): boolean {
  return a === b || (a.plural === b.plural && a.group === b.group);
}
