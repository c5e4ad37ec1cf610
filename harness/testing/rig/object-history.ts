import type { KubeObject } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/** One version of an object, and its start. */
interface Version<T extends KubeObject> {
  readonly revision: number;
  readonly atMs: number;
  /** The process that wrote it. */
  readonly actor: string;
  readonly verb: string;
  /** Absent once the object is deleted. */
  readonly object: T | undefined;
}

/**
 * The history of all objects of one resource, from a journal. A law asks for the true state at a revision, and for the
 * states that a component may have observed. A component that is synced to a revision may also have observed any later
 * one. So a law may report a violation only if *every* version in {@link ObjectPast.between} violates it.
 */
export class ObjectHistories<T extends KubeObject> {
  readonly #objects = new Map<string, ObjectHistory<T>>();

  /**
   * @param idOf returns the identity of an object. @defaultValue its uid, so that each incarnation of a name is a
   * separate object
   */
  constructor(entries: readonly JournalEntry<T>[], idOf = (object: T): string => object.metadata.uid) {
    const versions = new Map<string, Version<T>[]>();
    for (const { type, revision, object, atMs, actor, verb } of entries) {
      const id = idOf(object);
      const known = versions.get(id) ?? [];
      versions.set(id, known);
      known.push({ revision, atMs, actor, verb, object: type === 'DELETED' ? undefined : object });
    }
    for (const [id, known] of versions) this.#objects.set(id, new ObjectHistory(id, known));
  }

  /** Every object that ever existed, in order of creation. */
  get all(): readonly ObjectHistory<T>[] {
    return [...this.#objects.values()];
  }

  /** Returns one object; undefined if no object ever had this id. */
  of(id: string | undefined): ObjectHistory<T> | undefined {
    return id === undefined ? undefined : this.#objects.get(id);
  }

  /** As {@link ObjectPast.at}; also undefined if no object ever had this id. */
  at(id: string, revision: number): T | undefined {
    return this.of(id)?.at(revision);
  }

  /** As {@link ObjectPast.between}; a single `undefined` if no object ever had this id. */
  between(id: string, told: number, now: number): readonly (T | undefined)[] {
    return this.of(id)?.between(told, now) ?? [undefined];
  }

  /** Returns all objects that existed right after a revision. */
  allAt(revision: number): readonly T[] {
    return this.all.flatMap((object) => object.at(revision) ?? []);
  }
}

/** The history of one object. */
export class ObjectHistory<T extends KubeObject> {
  /** Its uid, or another identity. */
  readonly id: string;
  /** Oldest first; at least one. */
  readonly versions: readonly Version<T>[];

  constructor(id: string, versions: readonly Version<T>[]) {
    this.id = id;
    this.versions = versions;
  }

  /** The last state of the object before its deletion, if it was deleted. */
  get last(): T {
    return this.versions.findLast(({ object }) => object !== undefined)?.object as T;
  }

  /** The version of its deletion; undefined if it exists in the end. */
  get end(): Version<T> | undefined {
    const last = this.versions.at(-1);
    return last?.object === undefined ? last : undefined;
  }

  /** Returns the object right after a revision; undefined if it did not exist. */
  at(revision: number): T | undefined {
    return this.versions.findLast((version) => version.revision <= revision)?.object;
  }

  /** Returns the object at a time in virtual ms; undefined if it did not exist. */
  atMs(atMs: number): T | undefined {
    return this.versions.findLast((version) => version.atMs <= atMs)?.object;
  }

  /**
   * Returns every state that a component synced to revision `told` may have observed at revision `now`: the state at
   * `told`, and each later one. `undefined` stands for: does not exist.
   */
  between(told: number, now: number): readonly (T | undefined)[] {
    const later = this.versions.filter(({ revision }) => revision > told && revision <= now);
    return [this.at(told), ...later.map(({ object }) => object)];
  }

  /** As {@link between}, without the times when the object did not exist. */
  statesBetween(told: number, now: number): readonly T[] {
    return this.between(told, now).filter((object) => object !== undefined);
  }

  /** Returns every state between two times in virtual ms, both included. `undefined` stands for: does not exist. */
  duringMs(fromMs: number, toMs: number): readonly (T | undefined)[] {
    const later = this.versions.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
    return [this.atMs(fromMs), ...later.map(({ object }) => object)];
  }

  /** Returns whether the object existed the whole time between two revisions. */
  wasThere(from: number, to: number): boolean {
    return this.between(from, to).every((object) => object !== undefined);
  }
}
