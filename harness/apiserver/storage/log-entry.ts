import { freezeObject } from '../../api/freeze.ts';
import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';

/** The author of a write. */
export interface Author {
  /** The process or the user that sent the request: `replicaset-controller`, `jane`. */
  readonly actor: string;
  /** The requested verb: `create`, `updateStatus`, `bind`. One `deleteCollection` can cause several writes. */
  readonly verb: keyof Client;
}

/** One write. */
export interface LogEntry {
  /** The revision of the write. Only a {@link Storage.take} leaves gaps, or gives several writes one revision. */
  readonly revision: number;
  readonly resource: Resource;
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the write, or before it for a delete. Its resourceVersion is always `revision`. */
  readonly object: KubeObject;
  /** The object before the write; undefined for a create. */
  readonly previous?: KubeObject;
  /**
   * The object for a watcher whose selection the object leaves with this write: the previous state with this revision.
   * All watchers get the same object.
   */
  readonly last: KubeObject;
  /**
   * Undefined if the caller did not name an author.
   *
   * Differs: etcd does not record it. Observers such as tests and audits use it.
   */
  readonly author?: Author;
}

/** A {@link LogEntry} whose `last` is computed when a watcher needs it. */
export class Entry implements LogEntry {
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

/** Returns the frozen object with this resourceVersion. */
export function atRevision<T extends KubeObject>(object: T, revision: number): T {
  return freezeObject({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}
