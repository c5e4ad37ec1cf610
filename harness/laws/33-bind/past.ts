import type { KubeObject, Node } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/** One state of an object. */
export interface Version<T> {
  readonly revision: number;
  readonly atMs: number;
  readonly actor: string;
  readonly verb: string;
  /** Absent from when it was deleted on. */
  readonly object: T | undefined;
}

/** All that the objects of one resource have been, by what tells them apart. */
export class Past<T extends KubeObject> {
  readonly #versions = new Map<string, Version<T>[]>();

  /** @param idOf what one object is known by: its uid, which makes each incarnation another */
  constructor(entries: readonly JournalEntry<T>[], idOf = (object: T): string => object.metadata.uid) {
    for (const { type, revision, object, atMs, actor, verb } of entries) {
      const id = idOf(object);
      const known = this.#versions.get(id) ?? [];
      this.#versions.set(id, known);
      known.push({ revision, atMs, actor, verb, object: type === 'DELETED' ? undefined : object });
    }
  }

  get ids(): readonly string[] {
    return [...this.#versions.keys()];
  }

  versions(id: string): readonly Version<T>[] {
    return this.#versions.get(id) ?? [];
  }

  /** The object right after a revision. */
  at(id: string, revision: number): T | undefined {
    return this.versions(id).findLast((version) => version.revision <= revision)?.object;
  }

  /** The object at a moment. */
  atMs(id: string, atMs: number): T | undefined {
    return this.versions(id).findLast((version) => version.atMs <= atMs)?.object;
  }

  /** All that the object was from one moment to another, both included. Absent stands for: not there. */
  duringMs(id: string, fromMs: number, toMs: number): readonly (T | undefined)[] {
    const later = this.versions(id).filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
    return [this.atMs(id, fromMs), ...later.map(({ object }) => object)];
  }

  /**
   * What somebody may take the object for who has been told of everything up to revision `told`, when it is at revision `now`.
   * Absent stands for: not there.
   */
  between(id: string, told: number, now: number): readonly (T | undefined)[] {
    const later = this.versions(id).filter(({ revision }) => revision > told && revision <= now);
    return [this.at(id, told), ...later.map(({ object }) => object)];
  }

  /** What all objects were right after a revision. */
  allAt(revision: number): readonly T[] {
    return this.ids.flatMap((id) => this.at(id, revision) ?? []);
  }
}

/** Nodes are known by their names: a pod is bound to a name, whoever bears it. */
export class PastNodes extends Past<Node> {
  constructor(entries: readonly JournalEntry<Node>[]) {
    super(entries, ({ metadata }) => metadata.name);
  }
}
