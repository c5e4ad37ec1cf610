import { freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf, keyToString, type ObjectKey } from '../../api/objects.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Who asked for a write. */
export interface Author {
  readonly user: string;
  /** What they asked for: `create`, `updateStatus`, `bind`; several writes may come of one `deleteCollection`. */
  readonly verb: keyof Client;
}

/** One write. */
export interface LogEntry {
  /** The write's revision; each write has the next one. */
  readonly revision: number;
  readonly resource: Resource;
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the write; for a delete as it was before. Its resourceVersion is `revision` in any case. */
  readonly object: KubeObject;
  /** The object before the write; absent when it was created. */
  readonly previous?: KubeObject;
  /**
   * What a watcher is shown whose selection the object left by this write: the state before, but with this
   * revision. All watchers are shown the same object.
   */
  readonly last: KubeObject;
  /**
   * Absent if it was not said.
   *
   * Differs: etcd does not know. It is here for those who look on: a test, an audit.
   */
  readonly author?: Author;
}

/** A reader that stands at a position on the log and moves along it: an apiserver's watch cache. */
interface Follower {
  /** It has seen everything up to this revision. Absent for one that keeps up with every write. */
  readonly position?: number;
  /** Called after each write. */
  wrote(entry: LogEntry): void;
}

interface ReadOptions {
  readonly namespace?: string | undefined;
  /** Read the state at this revision. @defaultValue the newest */
  readonly revision?: number;
  /** The first key to read, whether or not there is such an object. @defaultValue the first one that there is */
  readonly from?: string;
}

/** Why a compare-and-swap failed: the object is not what it was thought to be. */
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

const TOO_OLD = 'The resourceVersion for the provided list is too old.';

interface Table {
  readonly resource: Resource;
  readonly objects: Map<string, KubeObject>;
  readonly keys: SortedKeys;
}

/**
 * etcd, as Kubernetes uses it: one revision counter for everything, one append-only log, compare-and-swap.
 *
 * The log is the only truth. The present is kept beside it for speed; the past is the present with the log's tail
 * undone; a watch is a position on the log; so is an apiserver replica that lags behind; and compaction forgets
 * the log's head, so that positions before it are gone.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store
 */
export class Storage {
  /** Entries of the revisions after `#trimmed`, without gaps: revision r is at index r - #trimmed - 1. */
  #log: LogEntry[] = [];
  /** At most `#compacted`: a follower that lags behind the compaction still has its own past. */
  #trimmed = 0;
  #compacted = 0;
  #revision = 0;
  readonly #tables = new Map<string, Table>();
  readonly #followers: Follower[] = [];

  /** The revision of the last write; 0 before the first. */
  get revision(): number {
    return this.#revision;
  }

  /** Everything before this revision is forgotten: exact reads and watches can begin here, not earlier. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /** Tells `follower` of each write, and keeps the log from where it stands. */
  follow(follower: Follower): void {
    this.#followers.push(follower);
  }

  /** The object, or `undefined` if there is none at that revision. @throws StatusError Expired */
  get(resource: Resource, key: ObjectKey, revision = this.#revision): KubeObject | undefined {
    const text = keyToString(key);
    const current = this.#table(resource).objects.get(text);
    if (revision === this.#revision) return current;
    this.#mustReach(revision);
    if (current && Number(current.metadata.resourceVersion) <= revision) return current;
    const undone = this.#undo(resource, revision);
    return undone.has(text) ? undone.get(text) : current;
  }

  /** The objects, in the order of their keys. @throws StatusError Expired when `revision` is compacted */
  list(
    resource: Resource,
    { namespace, revision = this.#revision, from = '' }: ReadOptions = {},
  ): KubeObject[] {
    const { objects, keys } = this.#table(resource);
    const prefix = namespace ? `${namespace}/` : '';
    const wanted = inRange(keys.all(), prefix, from);
    if (revision === this.#revision) return wanted.map((key) => objects.get(key) as KubeObject);
    const undone = this.#undo(resource, revision);
    const gone = [...undone.keys()].filter(
      (key) => key.startsWith(prefix) && key >= from && undone.get(key) && !objects.has(key),
    );
    const all = gone.length > 0 ? [...wanted, ...gone].sort() : wanted;
    return all.flatMap((key) =>
      undone.has(key) ? (undone.get(key) ?? []) : (objects.get(key) as KubeObject),
    );
  }

  /** All objects that there are, resource by resource. */
  everything(): { readonly resource: Resource; readonly object: KubeObject }[] {
    return [...this.#tables.values()].flatMap(({ resource, objects }) =>
      [...objects.values()].map((object) => ({ resource, object })),
    );
  }

  /** Stores a new object. Gives it back with its resourceVersion, frozen. @throws StatusError AlreadyExists */
  create<T extends KubeObject>(resource: Resource<T>, object: T, author?: Author): T {
    const { objects, keys } = this.#table(resource);
    const key = keyToString(keyOf(object));
    if (objects.has(key)) throw errors.alreadyExists(resource, object.metadata.name);
    const stored = this.#atNextRevision(object);
    objects.set(key, stored);
    keys.add(key);
    this.#append({ revision: this.#revision, resource, key, type: 'ADDED', object: stored }, author);
    return stored;
  }

  /**
   * Replaces an object, if it is still at `expected`.
   *
   * @param expected the resourceVersion that the change was made from
   * @throws StatusError NotFound, Conflict
   */
  update<T extends KubeObject>(resource: Resource<T>, object: T, expected: string, author?: Author): T {
    const key = keyToString(keyOf(object));
    const previous = this.#compare(resource, key, object.metadata.name, expected);
    const stored = this.#atNextRevision(object);
    this.#table(resource).objects.set(key, stored);
    this.#append(
      { revision: this.#revision, resource, key, type: 'MODIFIED', object: stored, previous },
      author,
    );
    return stored;
  }

  /**
   * Removes an object, if it is still at `expected`. Gives back, and shows to watchers, what was stored last, at
   * the revision of the deletion.
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
    const { objects, keys } = this.#table(resource);
    objects.delete(key);
    keys.delete(key);
    this.#append(
      { revision: this.#revision, resource, key, type: 'DELETED', object: last, previous },
      author,
    );
    return last;
  }

  /** The writes after `revision`, oldest first, up to and with `to`. @throws StatusError Expired */
  entriesSince(revision: number, to = this.#revision): readonly LogEntry[] {
    this.#mustReach(revision);
    return this.#log.slice(revision - this.#trimmed, to - this.#trimmed);
  }

  /** Forgets what was before `revision`, as etcd does every five minutes. What is forgotten stays forgotten. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision));
    const needed = Math.min(
      this.#compacted,
      ...this.#followers.map(({ position = this.#revision }) => position),
    );
    if (needed <= this.#trimmed) return;
    this.#log = this.#log.slice(needed - this.#trimmed);
    this.#trimmed = needed;
  }

  #table(resource: Resource): Table {
    const name = groupResource(resource);
    let table = this.#tables.get(name);
    if (!table) {
      table = { resource, objects: new Map(), keys: new SortedKeys() };
      this.#tables.set(name, table);
    }
    return table;
  }

  #compare(resource: Resource, key: string, name: string, expected: string): KubeObject {
    const current = this.#table(resource).objects.get(key);
    if (!current) throw errors.notFound(resource, name);
    if (current.metadata.resourceVersion !== expected) throw errors.conflict(resource, name, MODIFIED);
    return current;
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

  /** What differs between `revision` and now: each key's object at that revision, `undefined` where it was none. */
  #undo(resource: Resource, revision: number): Map<string, KubeObject | undefined> {
    this.#mustReach(revision);
    const before = new Map<string, KubeObject | undefined>();
    for (let i = this.#log.length - 1; i >= revision - this.#trimmed; i--) {
      const entry = this.#log[i] as LogEntry;
      if (sameResource(entry.resource, resource)) before.set(entry.key, entry.previous);
    }
    return before;
  }

  #mustReach(revision: number): void {
    if (revision < this.#trimmed) throw errors.expired(TOO_OLD);
  }
}

class Entry implements LogEntry {
  readonly revision: number;
  readonly resource: Resource;
  readonly key: string;
  readonly type: LogEntry['type'];
  readonly object: KubeObject;
  declare readonly previous?: KubeObject;
  declare readonly author?: Author;
  #last: KubeObject | undefined;

  constructor(write: Omit<LogEntry, 'last' | 'author'>, author: Author | undefined) {
    this.revision = write.revision;
    this.resource = write.resource;
    this.key = write.key;
    this.type = write.type;
    this.object = write.object;
    if (write.previous) this.previous = write.previous;
    if (author) this.author = author;
  }

  get last(): KubeObject {
    if (this.type === 'DELETED' || !this.previous) return this.object;
    this.#last ??= atRevision(this.previous, this.revision);
    return this.#last;
  }
}

/** Of one table? Descriptors are shared, as a rule, but need not be. */
export function sameResource(a: Resource, b: Resource): boolean {
  return a === b || (a.plural === b.plural && a.group === b.group);
}

function atRevision<T extends KubeObject>(object: T, revision: number): T {
  return freezeObject({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

/** The keys that begin with `prefix`, from `from` on; `keys` are sorted. */
function inRange(keys: readonly string[], prefix: string, from: string): readonly string[] {
  if (!prefix && !from) return keys;
  const first = lowerBound(keys, from > prefix ? from : prefix);
  let end = first;
  while (end < keys.length && (keys[end] as string).startsWith(prefix)) end++;
  return keys.slice(first, end);
}

function lowerBound(keys: readonly string[], wanted: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
