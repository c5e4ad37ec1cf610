import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Client } from '../../contracts/client.ts';

/**
 * All that acts in a cluster besides the component under test: users, nodes, other controllers. What they do takes no time and
 * never fails, and stands in the trace, so that a timeline shows what the component was not asked for.
 */
export class Stage {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** What there is of a resource, as storage has it. */
  list<T extends KubeObject>(resource: Resource<T>): T[] {
    return this.#cluster.storage.list(resource) as KubeObject[] as T[];
  }

  /**
   * Does something, and writes it into the trace. An object that went meanwhile is no error.
   *
   * @param actor under which it stands in the trace and the journal: `kubelet`
   * @param verb what it does, as a reader would say it: `scale to 3`
   * @param object what it does it to: `replicasets/web`
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
      // An object goes with its last finalizer, under the hands of what removes it.
      if (!isNotFound(error)) throw error;
    });
    this.note(actor, verb, object);
  }

  /** Writes into the trace what was done. */
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
   * Does something to one of several objects; nothing when there is none.
   *
   * @param index which of the candidates; any number will do
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
