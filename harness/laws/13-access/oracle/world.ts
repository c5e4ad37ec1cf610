import { type KubeObject, keyToString, type ObjectKey } from '../../../api/objects.ts';
import { groupResource, type Resource } from '../../../api/resource.ts';
import type { LoggedWrite } from '../history.ts';

/** The revisions that an answer may be based on: from the position of the cache to the newest. */
export interface Window {
  readonly position: number;
  readonly revision: number;
}

/** A state of an object, from a revision on; undefined if it does not exist. */
interface Version {
  readonly from: number;
  readonly object: KubeObject | undefined;
}

/** All objects of a run at all revisions. */
export class World {
  readonly #tables = new Map<string, Map<string, Version[]>>();

  constructor(log: readonly LoggedWrite[]) {
    for (const { resource, key, type, object, revision } of log) {
      const name = groupResource(resource);
      const table = this.#tables.get(name) ?? new Map<string, Version[]>();
      this.#tables.set(name, table);
      const versions = table.get(key) ?? [];
      table.set(key, versions);
      versions.push({ from: revision, object: type === 'DELETED' ? undefined : object });
    }
  }

  /** Returns the object at a revision. */
  at<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, revision: number): T | undefined {
    return last(this.#versions(resource, keyToString(key)), revision)?.object as T | undefined;
  }

  /** Returns all objects of a resource at a revision. */
  allAt<T extends KubeObject>(resource: Resource<T>, revision: number): readonly T[] {
    const table = this.#tables.get(groupResource(resource as Resource));
    return [...(table?.values() ?? [])].flatMap((versions) => (last(versions, revision)?.object as T) ?? []);
  }

  /** Returns the states of an object in a window. */
  states<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    window: Window,
  ): readonly (T | undefined)[] {
    return statesOf(this.#versions(resource, keyToString(key)), window) as readonly (T | undefined)[];
  }

  /** Returns the states of each object of a resource that exists at some time in a window. */
  allStates<T extends KubeObject>(
    resource: Resource<T>,
    window: Window,
  ): readonly (readonly (T | undefined)[])[] {
    const table = this.#tables.get(groupResource(resource as Resource));
    const all = [...(table?.values() ?? [])].map((versions) => statesOf(versions, window));
    return all.filter((states) => states.some(Boolean)) as (T | undefined)[][];
  }

  #versions(resource: Pick<Resource, 'group' | 'plural'>, key: string): readonly Version[] {
    return this.#tables.get(groupResource(resource))?.get(key) ?? [];
  }
}

function last(versions: readonly Version[], revision: number): Version | undefined {
  return versions.findLast(({ from }) => from <= revision);
}

function statesOf(versions: readonly Version[], { position, revision }: Window): (KubeObject | undefined)[] {
  const later = versions.filter(({ from }) => from > position && from <= revision);
  return [last(versions, position)?.object, ...later.map(({ object }) => object)];
}
