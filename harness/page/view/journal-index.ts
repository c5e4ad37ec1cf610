import type { KubeObject, Pod } from '../../api/objects.ts';
import { groupResource, pods, type Resource, resources } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { TraceEntry } from '../../sim/index.ts';

/** A write, and its place among the entries of the trace. */
export interface IndexedWrite {
  readonly entry: JournalEntry;
  /** The number of trace entries at the time of the write; 0 for writes from before the observer. */
  readonly traced: number;
}

const PODS = groupResource(pods);

/** The journal of a cluster, indexed for observers. Each write is read once. */
export class JournalIndex {
  readonly #cluster: Pick<Cluster, 'journal' | 'storage' | 'trace'>;
  /** The number of trace entries at each write since the observer began. */
  readonly #traced: number[] = [];
  readonly #before: number;
  #read = 0;
  readonly #byObject = new Map<string, JournalEntry[]>();
  readonly #byUID = new Map<string, JournalEntry>();
  /** The revisions of the writes of each resource; those of pods also by node: `pods node-1`. */
  readonly #revisions = new Map<string, number[]>();
  readonly #resources = new Map<string, Resource>(resources.map((each) => [groupResource(each), each]));
  readonly #ips = new Map<string, string>();
  readonly #podNames = new Map<string, string>();

  constructor(cluster: Pick<Cluster, 'journal' | 'storage' | 'trace'>) {
    this.#cluster = cluster;
    this.#before = cluster.journal.entries.length;
    cluster.storage.follow({ wrote: () => this.#traced.push(cluster.trace.entries.length) });
    this.#catchUp();
  }

  /** Returns the writes since the last call, oldest first; at the first call, those since the observer began. */
  advance(): readonly IndexedWrite[] {
    const from = this.#read;
    this.#catchUp();
    return this.#cluster.journal.entries
      .slice(from)
      .map((entry, i) => ({ entry, traced: this.#traced[from + i - this.#before] ?? 0 }));
  }

  /** Returns the writes of one object, oldest first; also those of earlier objects of its name. */
  of(resource: string, key: string): readonly JournalEntry[] {
    return this.#byObject.get(`${resource} ${key}`) ?? [];
  }

  /** Returns the write with this revision. */
  at(revision: number): JournalEntry | undefined {
    const { entries } = this.#cluster.journal;
    return entries[revision - (entries[0]?.revision ?? 0)];
  }

  /**
   * Returns the write that a request made. The trace names the revision of most writes; a binding has none, but its time,
   * its author and its verb are those of the write.
   */
  writeOf({ actor, verb, object = '', revision, atMs }: TraceEntry): JournalEntry | undefined {
    if (revision !== undefined) {
      const write = this.at(revision);
      return write?.actor === actor && write.verb === verb ? write : undefined;
    }
    const { entries } = this.#cluster.journal;
    for (let i = firstAfter(entries, atMs) - 1; i >= 0; i--) {
      const write = entries[i] as JournalEntry;
      if (write.atMs < atMs) return undefined;
      const isSame = write.actor === actor && write.verb === verb;
      if (isSame && object.startsWith(`${write.resource.plural}/${write.key}`)) return write;
    }
    return undefined;
  }

  /** Returns the last write of the object with this UID. */
  withUID(uid: string): JournalEntry | undefined {
    return this.#byUID.get(uid);
  }

  /** Returns the resource of this name: `replicasets.apps`; also a custom resource, once it has an object. */
  resource(name: string): Resource | undefined {
    return this.#resources.get(name);
  }

  /** Returns the full name of a resource that a trace names by its plural alone: `replicasets.apps` for `replicasets`. */
  fullName(name: string): string {
    if (this.#resources.has(name)) return name;
    const found = [...this.#resources].find(([, { plural }]) => plural === name);
    return found ? found[0] : name;
  }

  /** Returns the number of writes of a resource after a revision. */
  countAfter(resource: string, revision: number): number {
    return this.revisionsAfter(resource, revision).length;
  }

  /** Returns the writes of a resource after a revision, oldest first. @param node only those of pods of this node */
  revisionsAfter(resource: string, revision: number, node?: string): readonly number[] {
    const revisions = this.#revisions.get(node === undefined ? resource : `${resource} ${node}`) ?? [];
    return revisions.slice(search(revisions.length, (i) => (revisions[i] as number) > revision));
  }

  /** Returns the key of the pod that had this address last. Pods in the network of their node do not count. */
  podWithIP(ip: string): string | undefined {
    return this.#ips.get(ip);
  }

  /** Returns the key of the newest pod of this name, in any namespace. */
  podNamed(name: string): string | undefined {
    return this.#podNames.get(name);
  }

  #catchUp(): void {
    const { entries } = this.#cluster.journal;
    for (; this.#read < entries.length; this.#read++) this.#add(entries[this.#read] as JournalEntry);
  }

  #add(entry: JournalEntry): void {
    const { resource, key, object, previous, revision } = entry;
    const name = groupResource(resource);
    if (!this.#resources.has(name)) this.#resources.set(name, resource);
    push(this.#byObject, `${name} ${key}`, entry);
    this.#byUID.set(object.metadata.uid, entry);
    push(this.#revisions, name, revision);
    if (name !== PODS) return;
    const { spec, status } = object as Pod;
    const before = (previous as Pod | undefined)?.spec.nodeName;
    for (const node of new Set([spec.nodeName, before])) {
      if (node !== undefined) push(this.#revisions, `${name} ${node}`, revision);
    }
    if (status.podIP !== undefined && !spec.hostNetwork) this.#ips.set(status.podIP, key);
    this.#podNames.set(object.metadata.name, key);
  }
}

/** Returns the number of the first entry after this time, or their count. */
function firstAfter(entries: readonly { readonly atMs: number }[], atMs: number): number {
  return search(entries.length, (i) => (entries[i]?.atMs ?? 0) > atMs);
}

/** Returns the first index that fulfils the condition, or `count`. All later indexes must fulfil it, too. */
function search(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Returns the stored objects of a resource. */
export function stored<T extends KubeObject>(
  { storage }: Pick<Cluster, 'storage'>,
  resource: Resource<T>,
): readonly T[] {
  return storage.list(resource) as T[];
}
