import type { KubeObject } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/** One state of an object, and since when it was in it. */
interface Version<T extends KubeObject> {
  readonly revision: number;
  readonly atMs: number;
  /** The process that wrote it. */
  readonly actor: string;
  readonly verb: string;
  /** Absent from when the object was deleted on. */
  readonly object: T | undefined;
}

/**
 * All that the objects of one resource have been, read off a journal. A law asks it what was true at a revision, and what a
 * component can have taken for true: a component that has been told of everything up to a revision may since have been told
 * of any later one, so a law that convicts must convict in *every* version of {@link ObjectPast.between}.
 */
export class Past<T extends KubeObject> {
  readonly #objects = new Map<string, ObjectPast<T>>();

  /** @param idOf what one object is known by. @defaultValue its uid, which makes each incarnation of a name another object */
  constructor(entries: readonly JournalEntry<T>[], idOf = (object: T): string => object.metadata.uid) {
    const versions = new Map<string, Version<T>[]>();
    for (const { type, revision, object, atMs, actor, verb } of entries) {
      const id = idOf(object);
      const known = versions.get(id) ?? [];
      versions.set(id, known);
      known.push({ revision, atMs, actor, verb, object: type === 'DELETED' ? undefined : object });
    }
    for (const [id, known] of versions) this.#objects.set(id, new ObjectPast(id, known));
  }

  /** Every object that ever was, in order of creation. */
  get all(): readonly ObjectPast<T>[] {
    return [...this.#objects.values()];
  }

  /** One object; absent when there never was one of this id. */
  of(id: string | undefined): ObjectPast<T> | undefined {
    return id === undefined ? undefined : this.#objects.get(id);
  }

  /** {@link ObjectPast.at}; absent, too, when there never was such an object. */
  at(id: string, revision: number): T | undefined {
    return this.of(id)?.at(revision);
  }

  /** {@link ObjectPast.between}; of an object that never was, that it is not there. */
  between(id: string, told: number, now: number): readonly (T | undefined)[] {
    return this.of(id)?.between(told, now) ?? [undefined];
  }

  /** All objects that there were right after a revision. */
  allAt(revision: number): readonly T[] {
    return this.all.flatMap((object) => object.at(revision) ?? []);
  }
}

/** All that one object has been. */
export class ObjectPast<T extends KubeObject> {
  /** Its uid, or what else it is known by. */
  readonly id: string;
  /** Oldest first; at least one. */
  readonly versions: readonly Version<T>[];

  constructor(id: string, versions: readonly Version<T>[]) {
    this.id = id;
    this.versions = versions;
  }

  /** As it was when it was there last. */
  get last(): T {
    return this.versions.findLast(({ object }) => object !== undefined)?.object as T;
  }

  /** From when on it is not there; absent when it is there in the end. */
  get end(): Version<T> | undefined {
    const last = this.versions.at(-1);
    return last?.object === undefined ? last : undefined;
  }

  /** The object right after a revision; absent when it was not there. */
  at(revision: number): T | undefined {
    return this.versions.findLast((version) => version.revision <= revision)?.object;
  }

  /** The object at a moment, in virtual ms; absent when it was not there. */
  atMs(atMs: number): T | undefined {
    return this.versions.findLast((version) => version.atMs <= atMs)?.object;
  }

  /**
   * What a component can take the object for at revision `now`, if it had been told of everything up to revision `told`: as it
   * was then, and each state since. Absent stands for: not there.
   */
  between(told: number, now: number): readonly (T | undefined)[] {
    const later = this.versions.filter(({ revision }) => revision > told && revision <= now);
    return [this.at(told), ...later.map(({ object }) => object)];
  }

  /** The same without those in which it was not there. */
  statesBetween(told: number, now: number): readonly T[] {
    return this.between(told, now).filter((object) => object !== undefined);
  }

  /** All that it was from one moment to another, both included, in virtual ms. Absent stands for: not there. */
  duringMs(fromMs: number, toMs: number): readonly (T | undefined)[] {
    const later = this.versions.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
    return [this.atMs(fromMs), ...later.map(({ object }) => object)];
  }

  /** Was it there, in whatever state, from one revision to another? */
  wasThere(from: number, to: number): boolean {
    return this.between(from, to).every((object) => object !== undefined);
  }
}
