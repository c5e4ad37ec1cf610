/**
 * What is done about one object. The graph only says which object to look at. Everything here is decided on the live state
 * of the object and of its owners.
 */
import type {
  Client,
  DeleteOptions,
  KubeObject,
  ObjectKey,
  OwnerReference,
  Patch,
  WorkQueue,
} from '#harness';
import { deepEqual, isConflict, isNotFound, isUnsupportedMediaType, type Resource } from '#harness';
import {
  FOREGROUND_DELETION,
  type Graph,
  type GraphNode,
  hasFinalizer,
  isBeingDeleted,
  isDeletingDependents,
  ORPHAN,
  waitsFor,
} from './graph.ts';
import type { GraphBuilder } from './graph-builder.ts';
import { describeReference, type ObjectReference } from './object-reference.ts';
import { asMergePatch, unblocking, withoutFinalizer, withoutOwners } from './patches.ts';
import type { ReferenceCache } from './reference-cache.ts';

/**
 * No resource of this kind is served in this version. Perhaps it will be, so its objects cannot be called absent.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/errors.go restMappingError
 */
export class RestMappingError extends Error {
  override readonly name = 'RestMappingError';

  constructor({ apiVersion, kind }: ObjectReference) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
  }
}

/** It is not known in which namespace the owner is. Upstream: garbagecollector.go namespacedOwnerOfClusterScopedObjectErr */
class NamespacedOwnerOfClusterScopedObject extends Error {
  override readonly name = 'NamespacedOwnerOfClusterScopedObject';

  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
  }
}

/** It was named, and perhaps it is there, but no informer has told of it. It is looked for until one has, or it is gone. */
export class NotObserved extends Error {
  override readonly name = 'NotObserved';

  constructor(reference: ObjectReference) {
    super(`${describeReference(reference)} has not been observed yet`);
  }
}

interface CollectorOptions {
  readonly client: Pick<Client, 'get' | 'delete' | 'patch'>;
  readonly graph: Graph;
  readonly graphBuilder: GraphBuilder;
  readonly absentOwners: ReferenceCache;
  readonly attemptToDelete: Pick<WorkQueue<string>, 'add'>;
}

/** The owners of an object, by what they mean for it. */
interface Owners {
  /** They exist: it stays. */
  readonly solid: readonly OwnerReference[];
  /** They do not. */
  readonly dangling: readonly OwnerReference[];
  /** They exist, and go when it has gone. */
  readonly waiting: readonly OwnerReference[];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go GarbageCollector */
export class Collector {
  readonly #client: Pick<Client, 'get' | 'delete' | 'patch'>;
  readonly #graph: Graph;
  readonly #graphBuilder: GraphBuilder;
  readonly #absentOwners: ReferenceCache;
  readonly #queue: Pick<WorkQueue<string>, 'add'>;

  constructor({ client, graph, graphBuilder, absentOwners, attemptToDelete }: CollectorOptions) {
    this.#client = client;
    this.#graph = graph;
    this.#graphBuilder = graphBuilder;
    this.#absentOwners = absentOwners;
    this.#queue = attemptToDelete;
  }

  /**
   * Deletes the object if it has owners and none of them wants it. If some owners exist, takes away its references to those that
   * do not. If it is being deleted in the foreground, brings that forward. Rejects if it has to be looked at again.
   *
   * @throws StatusError, ConnectionError when a request failed
   * @throws RestMappingError, NotObserved when it is too early to tell
   */
  async attemptToDelete(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (!node) return;
    await this.#attempt(node);
    if (node.isVirtual && this.#graph.get(uid) === node) throw new NotObserved(node.identity);
  }

  /**
   * Takes the references to this object away from its dependents, and then lets it go. Rejects if that has to be done
   * again.
   *
   * Upstream: garbagecollector.go attemptToOrphanWorker, orphanDependents
   */
  async attemptToOrphan(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (!node?.isOrphaningDependents) return;
    const patched = new Map<GraphNode, KubeObject | undefined>();
    // One that has changed since, and still names its owner, may have changed back.
    const left = (): GraphNode[] => [...node.dependents].filter((one) => patched.get(one) !== one.object);
    let latest: KubeObject | undefined;
    do {
      await allOf(
        left().map(async (dependent) => {
          const seen = dependent.object;
          await this.#patchIfThere(dependent, withoutOwners(dependent.uid, [uid]));
          patched.set(dependent, seen);
        }),
      );
      latest = await this.#live(node.identity);
    } while (left().length > 0);
    if (latest) await this.#removeFinalizer(latest, ORPHAN);
  }

  /** Upstream: garbagecollector.go attemptToDeleteItem */
  async #attempt(node: GraphNode): Promise<void> {
    // To be deleted is a one-way trip: what there is to do is done when it ends.
    if (isBeingDeleted(node.object) && !node.isDeletingDependents) return;
    const { identity } = node;
    const latest = await this.#live(identity).catch((error: unknown) => {
      if (node.isVirtual && cannotTell(error)) this.#graphBuilder.tryAnother(node);
      throw error;
    });
    if (!latest) {
      this.#graphBuilder.presumeAbsent(identity);
    } else if (node.isDeletingDependents) {
      await this.#deleteDependents(node, latest);
    } else if (latest.metadata.ownerReferences?.length && !isBeingDeleted(latest)) {
      await this.#deleteIfUnwanted(node, latest, latest.metadata.ownerReferences);
    }
  }

  async #deleteIfUnwanted(
    node: GraphNode,
    latest: KubeObject,
    references: readonly OwnerReference[],
  ): Promise<void> {
    const { identity } = node;
    let owners: Owners;
    try {
      owners = await this.#classify(references, identity.namespace);
    } catch (error) {
      // No later look will tell more.
      if (error instanceof NamespacedOwnerOfClusterScopedObject) return;
      throw error;
    }
    const { solid, dangling, waiting } = owners;
    if (solid.length > 0) {
      // The object stays. An owner that waits for it would wait for ever.
      const unwanted = [...dangling, ...waiting].map(({ uid }) => uid);
      if (unwanted.length > 0) await this.#patch(identity, withoutOwners(identity.uid, unwanted));
      return;
    }
    const propagationPolicy =
      waiting.length > 0 && node.dependents.size > 0 ? 'Foreground' : policyRecordedIn(latest);
    const { uid, resourceVersion } = latest.metadata;
    try {
      // An object that was given another owner in the meantime stays.
      await this.#delete(identity, { preconditions: { uid, resourceVersion }, propagationPolicy });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const changed = await this.#live(identity);
      if (!changed) return this.#graphBuilder.presumeAbsent(identity);
      if (!isLikewiseUnwanted(latest, changed)) throw error;
      // What changes all the time would never be deleted by its version.
      await this.#delete(identity, { preconditions: { uid }, propagationPolicy });
    }
  }

  /** Deletes it. One that is not there counts as seen gone. Upstream: operations.go deleteObject */
  async #delete(identity: ObjectReference, options: DeleteOptions): Promise<void> {
    try {
      await this.#client.delete(this.#served(identity), keyOf(identity), options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#graphBuilder.presumeAbsent(identity);
    }
  }

  /**
   * Upstream: garbagecollector.go processDeletingDependentsItem
   *
   * Differs: circles are looked for here. Upstream looks one step ahead in attemptToDeleteItem, and two objects that
   * block each other wait for ever if people delete both.
   */
  async #deleteDependents(node: GraphNode, latest: KubeObject): Promise<void> {
    const blocking = node.blockingDependents();
    if (blocking.length === 0) {
      await this.#removeFinalizer(latest, FOREGROUND_DELETION);
      return;
    }
    for (const dependent of blocking) {
      if (!dependent.isDeletingDependents) this.#queue.add(dependent.uid);
      // They wait for each other in a circle. One has to go first.
      else if (dependent.object && waitsFor(dependent, node)) {
        await this.#patchIfThere(dependent, unblocking(dependent.object));
      }
    }
  }

  /** Upstream: garbagecollector.go classifyReferences */
  async #classify(references: readonly OwnerReference[], namespace: string): Promise<Owners> {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const owner = await this.#ownerOf(this.#graph.mapper.ownerNamedBy(reference, namespace));
      const alike = !owner ? dangling : isDeletingDependents(owner) ? waiting : solid;
      alike.push(reference);
    }
    return { solid, dangling, waiting };
  }

  /** The owner; `undefined` when there is none of this uid under this name. Upstream: garbagecollector.go isDangling */
  async #ownerOf(reference: ObjectReference): Promise<KubeObject | undefined> {
    if (this.#absentOwners.has(reference)) return undefined;
    const owner = await this.#live(reference);
    if (!owner) this.#absentOwners.add(reference);
    return owner;
  }

  /** The newest state of just this incarnation; `undefined` when it is gone, or never was. */
  async #live(reference: ObjectReference): Promise<KubeObject | undefined> {
    const resource = this.#served(reference);
    if (resource.namespaced && reference.namespace === '') throw new NamespacedOwnerOfClusterScopedObject();
    try {
      const object = await this.#client.get(resource, keyOf(reference));
      return object.metadata.uid === reference.uid ? object : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #removeFinalizer(object: KubeObject, finalizer: string): Promise<void> {
    if (!hasFinalizer(object, finalizer)) return;
    const { apiVersion, kind, metadata } = object;
    const { namespace = '', name, uid } = metadata;
    await this.#patch({ apiVersion, kind, namespace, name, uid }, withoutFinalizer(object, finalizer));
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/patch.go GarbageCollector.patch */
  async #patch(reference: ObjectReference, patch: Patch): Promise<void> {
    const resource = this.#served(reference);
    const key = keyOf(reference);
    try {
      await this.#client.patch(resource, key, patch);
    } catch (error) {
      if (!isUnsupportedMediaType(error)) throw error;
      const latest = await this.#live(reference);
      if (latest) await this.#client.patch(resource, key, asMergePatch(patch, latest));
    }
  }

  #served(reference: ObjectReference): Resource {
    const resource = this.#graph.mapper.resourceFor(reference.apiVersion, reference.kind);
    if (!resource) throw new RestMappingError(reference);
    return resource;
  }

  async #patchIfThere({ identity }: GraphNode, patch: Patch): Promise<void> {
    await this.#patch(identity, patch).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/**
 * Has an object changed since it was read, and in nothing that decides whether and how it is deleted?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go deleteObject
 *
 * Differs: upstream compares the owners alone. What people have begun to delete with its dependents orphaned it then deletes
 * with its dependents.
 */
function isLikewiseUnwanted({ metadata: read }: KubeObject, { metadata: now }: KubeObject): boolean {
  if (read.resourceVersion === now.resourceVersion) return false;
  return (['ownerReferences', 'finalizers', 'deletionTimestamp'] as const).every((field) =>
    deepEqual(read[field], now[field]),
  );
}

/** What its dependents were promised before it had to go. */
function policyRecordedIn(object: KubeObject): NonNullable<DeleteOptions['propagationPolicy']> {
  if (hasFinalizer(object, ORPHAN)) return 'Orphan';
  return hasFinalizer(object, FOREGROUND_DELETION) ? 'Foreground' : 'Background';
}

function cannotTell(error: unknown): boolean {
  return error instanceof RestMappingError || error instanceof NamespacedOwnerOfClusterScopedObject;
}

function keyOf({ namespace, name }: ObjectReference): ObjectKey {
  return namespace ? { namespace, name } : { name };
}

/** Waits for all, also when one fails. @throws whatever the first that failed was rejected with */
async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
