import type { KubeObject } from '../api/objects.ts';
import { groupResource, type Resource } from '../api/resource.ts';
import { type Author, type LogEntry, type Storage, sameResource } from '../apiserver/storage/storage.ts';

/** One write. */
export interface JournalEntry<T extends KubeObject = KubeObject> {
  /** Virtual ms since the cluster began. */
  readonly atMs: number;
  /**
   * The author: the name of the process or connection, `admin`, or `system:anonymous` for a request through a mount.
   * Known even if the answer was lost or timed out, or the process crashed during the request.
   */
  readonly actor: string;
  /** The verb: `create`, `updateStatus`, `bind`, `delete`. `write` for a direct write to storage. */
  readonly verb: Author['verb'] | 'write';
  /** Increases by one with each write. */
  readonly revision: number;
  readonly resource: Resource<T>;
  /** `namespace/name`, or `name` without a namespace. */
  readonly key: string;
  /** The type of the event for a watch of all objects. A delete that only marks the object is a `MODIFIED`. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /**
   * The object after the write; for a deletion the last object, with the revision of the deletion. Shared and frozen.
   */
  readonly object: T;
  /** The object before the write; absent for a creation. */
  readonly previous?: T;
}

/** The objects of one resource right after a write. */
interface State<T extends KubeObject> {
  readonly entry: JournalEntry<T>;
  /**
   * By `namespace/name`, in order of creation. The same map each time, updated in place: copy the entries that you
   * keep.
   */
  readonly objects: ReadonlyMap<string, T>;
}

/** All objects of the cluster right after a write. */
interface Moment {
  readonly entry: JournalEntry;
  /** As in {@link State.objects}. */
  objects<T extends KubeObject>(resource: Resource<T>): ReadonlyMap<string, T>;
}

/**
 * The journal of a cluster: every write that reached storage, with its author. It starts with the cluster and survives
 * compaction, crashes and the cluster itself, so that laws can read it afterwards. Only {@link forget} removes entries.
 *
 *     for (const { entry, objects } of cluster.journal.states(pods)) …
 */
export class Journal {
  #entries: JournalEntry[] = [];

  /**
   * @param storage its writes are recorded from now on
   * @param nowMs returns virtual ms since the cluster began
   */
  constructor(storage: Storage, nowMs: () => number) {
    storage.follow({ wrote: (entry) => this.#entries.push(recorded(entry, nowMs())) });
  }

  /** Every write, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The writes of one resource, oldest first. */
  of<T extends KubeObject>(resource: Resource<T>): readonly JournalEntry<T>[] {
    return entriesOf(this.#entries, resource);
  }

  /** Forgets the writes up to and including `revision`. */
  forget(revision: number): void {
    const first = this.#entries.findIndex((entry) => entry.revision > revision);
    this.#entries = first < 0 ? [] : this.#entries.slice(first);
  }

  /** Replays one resource: yields its objects after each of its writes. Each step has a constant cost. */
  *states<T extends KubeObject>(resource: Resource<T>): Generator<State<T>> {
    const objects = new Map<string, T>();
    for (const entry of this.of(resource)) {
      apply(objects, entry);
      yield { entry, objects };
    }
  }

  /** Replays the whole cluster: yields all objects after each write. For laws about several resources. */
  moments(): Generator<Moment> {
    return momentsOf(this.#entries);
  }
}

/** Returns the writes of one resource. */
export function entriesOf<T extends KubeObject>(
  entries: readonly JournalEntry[],
  resource: Resource<T>,
): readonly JournalEntry<T>[] {
  return entries.filter((entry): entry is JournalEntry<never> => sameResource(entry.resource, resource));
}

/** Replays writes, oldest first: yields all objects after each of them. */
export function* momentsOf(entries: readonly JournalEntry[]): Generator<Moment> {
  const tables = new Map<string, Map<string, KubeObject>>();
  const table = (resource: Resource): Map<string, KubeObject> => {
    const name = groupResource(resource);
    const known = tables.get(name) ?? new Map<string, KubeObject>();
    tables.set(name, known);
    return known;
  };
  const objects = <T extends KubeObject>(resource: Resource<T>) =>
    table(resource as Resource) as unknown as ReadonlyMap<string, T>;
  for (const entry of entries) {
    apply(table(entry.resource), entry);
    yield { entry, objects };
  }
}

function recorded({ author, revision, resource, key, type, object, previous }: LogEntry, atMs: number) {
  const { actor, verb } = author ?? NOBODY;
  return { atMs, actor, verb, revision, resource, key, type, object, ...(previous ? { previous } : {}) };
}

const NOBODY = { actor: 'storage', verb: 'write' } as const;

function apply<T extends KubeObject>(objects: Map<string, T>, { type, key, object }: JournalEntry<T>): void {
  if (type === 'DELETED') objects.delete(key);
  else objects.set(key, object);
}
