import type { KubeObject, ObjectKey, OwnerReference } from '../../api/objects.ts';
import { groupVersion, resources } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';

import { Stage } from '../../testing/rig/stage.ts';
import type { Obligation } from './history.ts';
import type { Operation, Ownership } from './operations.ts';
import { ObjectHistories } from './oracle/object-histories.ts';
import { obligations } from './oracle/obligations.ts';
import { keyAt, type Place, type PlaceName, placeNames, placeOf } from './scenario/places.ts';

/** The users. They create objects that own each other, and delete them. */
export class Owners {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  /** By place: the UIDs of its objects, oldest first. */
  readonly #uids = new Map<PlaceName, string[]>();
  readonly #traps = new Set<Trap>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#stage = new Stage(cluster);
  }

  /** Performs an operation immediately and without faults. Deleting an absent object does nothing. */
  async do(operation: Operation): Promise<void> {
    if ('strike' in operation) this.#cluster.nemesis.strike(operation.strike);
    else if ('whenRead' in operation) this.#traps.add(operation);
    else if ('touch' in operation) await this.#touch(operation.touch);
    else if ('put' in operation) await this.#put(operation);
    else if ('release' in operation) await this.#release(operation.release);
    else await this.#delete(operation);
  }

  /** Performs the operations that wait for the collector's read of this object. */
  async wasRead(resource: string, { namespace, name }: Partial<ObjectKey>): Promise<void> {
    for (const trap of this.#traps) {
      const place = placeOf(trap.whenRead);
      if (place.resource.plural !== resource || place.namespace !== namespace || place.name !== name)
        continue;
      if (!trap.always) this.#traps.delete(trap);
      for (const operation of trap.operations) await this.do(operation);
    }
  }

  /** Cancels all operations that wait for a read. */
  calmDown(): void {
    this.#traps.clear();
  }

  async #touch(name: PlaceName): Promise<void> {
    const place = placeOf(name);
    if (!this.#at(place)) return;
    const body = { metadata: { annotations: { touched: String(this.#cluster.storage.revision) } } };
    await this.#cluster.admin.patch(place.resource, keyAt(place), { type: 'merge', body });
    this.#wrote('touch', name, '');
  }

  async #put({ put, owners, finalizers }: Extract<Operation, { put: PlaceName }>): Promise<void> {
    const { admin } = this.#cluster;
    const place = placeOf(put);
    const { resource, rest } = place;
    const ownerReferences = owners.map((owner) => this.#reference(owner));
    const named = ownerReferences.map(({ kind, name, blockOwnerDeletion }) => ({
      owner: `${kind} ${name}`,
      blocks: blockOwnerDeletion,
    }));
    if (this.#at(place)) {
      const body = { metadata: { ownerReferences } };
      await admin.patch(resource, keyAt(place), { type: 'merge', body });
      this.#wrote('patch', put, JSON.stringify(named));
      return;
    }
    const metadata = { ...keyAt(place), ownerReferences, finalizers: [...finalizers] };
    const { metadata: created } = await admin.create<KubeObject>(resource, { ...rest, metadata });
    this.#uids.set(put, [...(this.#uids.get(put) ?? []), created.uid]);
    this.#wrote('create', put, JSON.stringify(named));
  }

  async #delete({ delete: name, policy }: Extract<Operation, { delete: PlaceName }>): Promise<void> {
    const place = placeOf(name);
    if (!this.#at(place)) return;
    await this.#cluster.admin.delete(place.resource, keyAt(place), { propagationPolicy: policy });
    this.#wrote('delete', name, policy);
  }

  async #release(name: PlaceName): Promise<void> {
    const place = placeOf(name);
    const { finalizers } = this.#at(place)?.metadata ?? {};
    if (!finalizers?.includes(HOLD)) return;
    const body = { metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== HOLD) } };
    await this.#cluster.admin.patch(place.resource, keyAt(place), { type: 'merge', body });
    this.#wrote('release', name, HOLD);
  }

  #reference({ to, blocks, wrong }: Ownership): OwnerReference {
    const place = placeOf(to);
    const uids = this.#uids.get(to) ?? [];
    const uid = uids.at(wrong === 'former' ? -2 : -1) ?? neverThere(to);
    const { resource, name } = place;
    const { kind } = resource;
    const other = resources.find(
      (each) => each.namespaced === resource.namespaced && each.kind !== kind && KINDS.has(each.kind),
    );
    return {
      apiVersion: groupVersion(resource),
      kind,
      name,
      uid,
      ...(blocks ? { blockOwnerDeletion: true } : {}),
      ...(wrong === 'name' ? { name: `${name}-2` } : {}),
      ...(wrong === 'kind' && other ? { apiVersion: groupVersion(other), kind: other.kind } : {}),
      ...(wrong === 'version' ? { apiVersion: 'extensions/v1beta1' } : {}),
    };
  }

  #at(place: Place): KubeObject | undefined {
    return this.#cluster.storage.get(place.resource, keyAt(place));
  }

  /** Records a user's write in the timeline. */
  #wrote(verb: string, name: PlaceName, note: string): void {
    this.#stage.note('kubectl', verb, name, note);
  }

  /** Returns the current obligations of the garbage collector. */
  obligations(): readonly Obligation[] {
    return obligations(new ObjectHistories(placeNames.flatMap((name) => this.#at(placeOf(name)) ?? [])));
  }
}

const HOLD = 'example.com/hold';

type Trap = Extract<Operation, { readonly whenRead: PlaceName }>;

/** Returns the UID of an owner that never existed. */
function neverThere(at: PlaceName): string {
  return `00000000-0000-4000-8000-00000000000${placeNames.indexOf(at)}`;
}

const KINDS = new Set(placeNames.map((name) => placeOf(name).resource.kind));
