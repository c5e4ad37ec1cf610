import type { KubeObject } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/** One state of an object, and the revision at which it came to be. */
interface Version<T> {
  readonly revision: number;
  /** Absent from when it was deleted on. */
  readonly object: T | undefined;
}

/** All that the objects of one resource have been. */
export class Past<T extends KubeObject> {
  readonly #versions = new Map<string, Version<T>[]>();

  constructor(entries: readonly JournalEntry<T>[]) {
    for (const { type, revision, object } of entries) {
      const { uid } = object.metadata;
      const known = this.#versions.get(uid) ?? [];
      this.#versions.set(uid, known);
      known.push({ revision, object: type === 'DELETED' ? undefined : object });
    }
  }

  /** Every object that ever was, by its uid. */
  get uids(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /**
   * What somebody may take the object for who has been told of everything up to revision `told`, and at most of what was
   * before revision `before`. Absent stands for: not there.
   */
  between(uid: string, told: number, before: number): readonly (T | undefined)[] {
    const versions = this.#versions.get(uid) ?? [];
    const seen = versions.findLast(({ revision }) => revision <= told)?.object;
    const later = versions.filter(({ revision }) => revision > told && revision < before);
    return [seen, ...later.map(({ object }) => object)];
  }

  /** The object as it was right before a revision. */
  before(uid: string, revision: number): T | undefined {
    return this.#versions.get(uid)?.findLast((version) => version.revision < revision)?.object;
  }

  /** What all objects were right before a revision. */
  allBefore(revision: number): readonly T[] {
    return this.uids.flatMap((uid) => this.before(uid, revision) ?? []);
  }
}
