/**
 * The decision about one object. The graph only selects the objects to process. Every decision is based on the live
 * state of the object and of its owners.
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
 * The error for a kind that is not served in this version. The version may be served later, so its objects do not count
 * as absent.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/errors.go restMappingError
 */
export class RestMappingError extends Error {
  override readonly name = 'RestMappingError';

  constructor({ apiVersion, kind }: ObjectReference) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
  }
}

/**
 * The error for an owner whose namespace is unknown.
 *
 * Upstream: garbagecollector.go namespacedOwnerOfClusterScopedObjectErr
 */
class NamespacedOwnerOfClusterScopedObject extends Error {
  override readonly name = 'NamespacedOwnerOfClusterScopedObject';

  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
  }
}

/**
 * The error for an object that is referenced and may exist, but that no informer has reported. The collector retries
 * until an informer reports it, or until it is absent.
 */
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

/** The owner references of an object, by their effect on it. */
interface Owners {
  /** References to existing owners, which keep the object. */
  readonly solid: readonly OwnerReference[];
  /** References to owners that do not exist. */
  readonly dangling: readonly OwnerReference[];
  /** References to owners that are being deleted in the foreground, and wait for their dependents. */
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
   * Deletes the object if it has owners and none of them keeps it. If some owners keep it, removes the references to
   * all others. If the object is being deleted in the foreground, processes its dependents.
   *
   * @throws StatusError, ConnectionError when a request failed
   * @throws RestMappingError, NotObserved when the state is still unknown; the caller must retry
   */
  async attemptToDelete(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (!node) return;
    await this.#attempt(node);
    if (node.isVirtual && this.#graph.get(uid) === node) throw new NotObserved(node.identity);
  }

  /**
   * Removes the references to this object from its dependents, and then its `orphan` finalizer. Rejects if it must be
   * retried.
   *
   * Upstream: garbagecollector.go attemptToOrphanWorker, orphanDependents
   */
  async attemptToOrphan(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (!node?.isOrphaningDependents) return;
    const patched = new Map<GraphNode, KubeObject | undefined>();
    // If a dependent has changed since its patch and still references the owner, the reference may have been added
    // again.
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
    // A deletion cannot be undone. The remaining work follows when the object disappears.
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
      // A retry cannot resolve this error.
      if (error instanceof NamespacedOwnerOfClusterScopedObject) return;
      throw error;
    }
    const { solid, dangling, waiting } = owners;
    if (solid.length > 0) {
      // The object stays. An owner that waits for its deletion would wait forever.
      const unwanted = [...dangling, ...waiting].map(({ uid }) => uid);
      if (unwanted.length > 0) await this.#patch(identity, withoutOwners(identity.uid, unwanted));
      return;
    }
    const propagationPolicy =
      waiting.length > 0 && node.dependents.size > 0 ? 'Foreground' : policyRecordedIn(latest);
    const { uid, resourceVersion } = latest.metadata;
    try {
      // The precondition keeps an object that has received another owner in the meantime.
      await this.#delete(identity, { preconditions: { uid, resourceVersion }, propagationPolicy });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const changed = await this.#live(identity);
      if (!changed) return this.#graphBuilder.presumeAbsent(identity);
      if (!isLikewiseUnwanted(latest, changed)) throw error;
      // An object that changes all the time could never be deleted with a precondition on its version.
      await this.#delete(identity, { preconditions: { uid }, propagationPolicy });
    }
  }

  /**
   * Deletes the object. If it does not exist, updates the graph as if its deletion had been observed.
   *
   * Upstream: operations.go deleteObject
   */
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
   * Differs: cycles are detected here. Upstream looks one step ahead in attemptToDeleteItem; if a user deletes two
   * objects that block each other, both wait forever.
   */
  async #deleteDependents(node: GraphNode, latest: KubeObject): Promise<void> {
    const blocking = node.blockingDependents();
    if (blocking.length === 0) {
      await this.#removeFinalizer(latest, FOREGROUND_DELETION);
      return;
    }
    for (const dependent of blocking) {
      if (!dependent.isDeletingDependents) this.#queue.add(dependent.uid);
      // They wait for each other in a cycle. One of them must go first.
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

  /** Returns the owner; `undefined` if no object has this name and uid. Upstream: garbagecollector.go isDangling */
  async #ownerOf(reference: ObjectReference): Promise<KubeObject | undefined> {
    if (this.#absentOwners.has(reference)) return undefined;
    const owner = await this.#live(reference);
    if (!owner) this.#absentOwners.add(reference);
    return owner;
  }

  /** Returns the latest state of exactly this incarnation; `undefined` if it does not exist. */
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
 * Reports whether an object has changed since it was read, but in no field that affects whether and how it is deleted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go deleteObject
 *
 * Differs: upstream compares only the owners. If a user has meanwhile deleted the object and orphaned its dependents,
 * upstream deletes it together with its dependents.
 */
function isLikewiseUnwanted({ metadata: read }: KubeObject, { metadata: now }: KubeObject): boolean {
  if (read.resourceVersion === now.resourceVersion) return false;
  return (['ownerReferences', 'finalizers', 'deletionTimestamp'] as const).every((field) =>
    deepEqual(read[field], now[field]),
  );
}

/** Returns the policy for its dependents that the object's finalizers record. */
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

/** Waits for all promises, even if one rejects. @throws the reason of the first rejected promise */
async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
