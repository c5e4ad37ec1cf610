import type { KubeObject } from '../api/objects.ts';
import { groupResource, type Resource } from '../api/resource.ts';
import { type Author, type LogEntry, type Storage, sameResource } from '../apiserver/storage/storage.ts';

/** One write. */
export interface JournalEntry<T extends KubeObject = KubeObject> {
  /** Virtual ms since the cluster began. */
  readonly atMs: number;
  /**
   * Who asked for it: the name of the process or connection, `admin`, or `system:anonymous` who came by a mount.
   * Also when the answer was lost or timed out, or when the process died of the request.
   */
  readonly actor: string;
  /** What was asked for: `create`, `updateStatus`, `bind`, `delete`. `write` where storage was written to directly. */
  readonly verb: Author['verb'] | 'write';
  /** Each write has the next one. */
  readonly revision: number;
  readonly resource: Resource<T>;
  /** `namespace/name`, or `name` without a namespace. */
  readonly key: string;
  /** What it was for who sees everything. A delete that only marks the object is a `MODIFIED`. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the write; of a delete as it was before, but at this revision. Shared and frozen. */
  readonly object: T;
  /** The object before the write; absent when it was created. */
  readonly previous?: T;
}

/** The objects of one resource right after a write. */
interface State<T extends KubeObject> {
  readonly entry: JournalEntry<T>;
  /** By `namespace/name`, in order of creation. It is the same map each time, brought up to date: copy what you keep. */
  readonly objects: ReadonlyMap<string, T>;
}

/** Everything in the cluster right after a write. */
interface Moment {
  readonly entry: JournalEntry;
  /** As in {@link State.objects}. */
  objects<T extends KubeObject>(resource: Resource<T>): ReadonlyMap<string, T>;
}

/**
 * The journal of a cluster: every write that reached storage, and who asked for it. It begins with the cluster and
 * survives compaction, crashes and the cluster itself, so that laws can be read off it afterwards; unless it is told to {@link forget}.
 *
 *     for (const { entry, objects } of cluster.journal.states(pods)) …
 */
export class Journal {
  #entries: JournalEntry[] = [];

  /** It records what is written to `storage` from now on; `nowMs` gives virtual ms since the cluster began. */
  constructor(storage: Storage, nowMs: () => number) {
    storage.follow({ wrote: (entry) => this.#entries.push(recorded(entry, nowMs())) });
  }

  /** Every write, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The writes of one resource, oldest first. */
  of<T extends KubeObject>(resource: Resource<T>): readonly JournalEntry<T>[] {
    return this.#entries.filter((entry): entry is JournalEntry<never> =>
      sameResource(entry.resource, resource),
    );
  }

  /** Forgets the writes before and of `revision`. */
  forget(revision: number): void {
    const first = this.#entries.findIndex((entry) => entry.revision > revision);
    this.#entries = first < 0 ? [] : this.#entries.slice(first);
  }

  /** Replays one resource: its objects after each of its writes. Each step costs the same, however many there are. */
  *states<T extends KubeObject>(resource: Resource<T>): Generator<State<T>> {
    const objects = new Map<string, T>();
    for (const entry of this.of(resource)) {
      apply(objects, entry);
      yield { entry, objects };
    }
  }

  /** Replays the whole cluster: everything after each write. For laws on several resources at once. */
  moments(): Generator<Moment> {
    return momentsOf(this.#entries);
  }
}

/** Replays writes, oldest first: everything that there is after each of them. */
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
  const { user: actor, verb } = author ?? NOBODY;
  return { atMs, actor, verb, revision, resource, key, type, object, ...(previous ? { previous } : {}) };
}

const NOBODY = { user: 'storage', verb: 'write' } as const;

function apply<T extends KubeObject>(objects: Map<string, T>, { type, key, object }: JournalEntry<T>): void {
  if (type === 'DELETED') objects.delete(key);
  else objects.set(key, object);
}
