import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Client } from '../../contracts/client.ts';

/**
 * The environment of the component under test: users, nodes, other controllers. Their operations take no time, never
 * fail, and appear in the trace, so that a timeline distinguishes them from the component's.
 */
export class Stage {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Returns the stored objects of a resource. */
  list<T extends KubeObject>(resource: Resource<T>): T[] {
    return this.#cluster.storage.list(resource) as KubeObject[] as T[];
  }

  /**
   * Performs an operation, and records it in the trace. An object that was deleted meanwhile is not an error.
   *
   * @param actor the actor in the trace and the journal: `kubelet`
   * @param verb the action, for readers: `scale to 3`
   * @param object the target: `replicasets/web`
   */
  async act(
    actor: string,
    verb: string,
    object: string,
    act: (client: Client) => Promise<unknown>,
  ): Promise<void> {
    const [replica] = this.#cluster.replicas;
    if (!replica) return;
    await act(replica.server.as(actor)).catch((error: unknown) => {
      // Removing the last finalizer deletes the object.
      if (!isNotFound(error)) throw error;
    });
    this.note(actor, verb, object);
  }

  /** Records an action in the trace. */
  note(actor: string, verb: string, object: string, note?: string): void {
    const { trace, storage } = this.#cluster;
    trace.record({
      actor,
      verb,
      object,
      revision: storage.revision,
      ...(note === undefined ? {} : { note }),
    });
  }

  /**
   * Performs an operation on one of several objects; does nothing without candidates.
   *
   * @param index the number of the candidate, modulo their count
   */
  async toOne<T extends KubeObject>(
    actor: string,
    { resource, candidates, index }: { resource: Resource<T>; candidates: readonly T[]; index: number },
    verb: string,
    act: (client: Client, object: T) => Promise<unknown>,
  ): Promise<void> {
    const object = candidates[index % candidates.length];
    if (!object) return;
    const named = `${resource.plural}/${object.metadata.name}`;
    await this.act(actor, verb, named, (client) => act(client, object));
  }
}
