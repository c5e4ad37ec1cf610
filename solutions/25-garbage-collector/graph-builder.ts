/**
 * Updates the graph from informer events, and queues the objects that must be examined again. It makes no decisions. An
 * unnecessary examination costs two requests; a missing one leaves the object forever.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go GraphBuilder
 *
 * Differs: it also queues an object that lost a reference or changed the name in one, and a waiting owner that gets
 * another dependent.
 */
import type { EventRecorder, KubeObject, OwnerReference, WorkQueue } from '#harness';
import {
  alternateIdentity,
  type Graph,
  type GraphNode,
  isDeletingDependents,
  isOrphaningDependents,
  naming,
} from './graph.ts';
import { describeReference, type ObjectReference, referenceTo, sameReference } from './object-reference.ts';
import type { ReferenceCache } from './reference-cache.ts';

interface GraphBuilderOptions {
  readonly graph: Graph;
  readonly absentOwners: ReferenceCache;
  /** Uids of objects whose owners may be absent. */
  readonly attemptToDelete: Pick<WorkQueue<string>, 'add'>;
  /** Uids of objects whose dependents must be orphaned. */
  readonly attemptToOrphan: Pick<WorkQueue<string>, 'add'>;
  readonly recorder: EventRecorder;
}

export class GraphBuilder {
  readonly #graph: Graph;
  readonly #absentOwners: ReferenceCache;
  readonly #attemptToDelete: Pick<WorkQueue<string>, 'add'>;
  readonly #attemptToOrphan: Pick<WorkQueue<string>, 'add'>;
  readonly #recorder: EventRecorder;

  constructor({ graph, absentOwners, attemptToDelete, attemptToOrphan, recorder }: GraphBuilderOptions) {
    this.#graph = graph;
    this.#absentOwners = absentOwners;
    this.#attemptToDelete = attemptToDelete;
    this.#attemptToOrphan = attemptToOrphan;
    this.#recorder = recorder;
  }

  /** Handles an added or updated object. Upstream: processGraphChanges, addEvent and updateEvent */
  observe(object: KubeObject): void {
    const known = this.#graph.get(object.metadata.uid);
    const previous = known?.object;
    const node = known ?? this.#graph.addSeen(object);
    node.object = object;
    if (known && !previous) this.#recognise(node, referenceTo(object));
    const before = previous?.metadata.ownerReferences ?? [];
    const removed = without(before, node.owners, sameUid);
    this.#wakeUnblocked(before, node.owners);
    this.#link(node, without(node.owners, before, sameCoordinates));
    this.#unlink(node, removed);
    // The removed owner may have been the only reason to keep the object.
    if (removed.length > 0 && node.owners.length > 0) this.#attemptToDelete.add(node.uid);
    this.#noteDeletion(node, previous);
  }

  /** Handles a deleted object. Upstream: processGraphChanges, deleteEvent */
  forget(object: KubeObject): void {
    const node = this.#graph.get(object.metadata.uid);
    if (!node) return;
    const identity = referenceTo(object);
    if (node.isVirtual) this.#recognise(node, identity);
    this.#remove(node, identity);
  }

  /**
   * Handles a 404 for this identity, and queues each dependent that uses it. Removes the node, unless the object was
   * observed under another identity, or other dependents use another one: it may exist under that name.
   *
   * Upstream: enqueueVirtualDeleteEvent; processGraphChanges, deleteEvent with event.virtual
   */
  presumeAbsent(absent: ObjectReference): void {
    const node = this.#graph.get(absent.uid);
    if (!node) return;
    const dependents = [...node.dependents];
    const elsewhere = node.isVirtual
      ? dependents.some((dependent) => naming(dependent, absent).wrong)
      : !sameReference(node.identity, absent);
    if (!elsewhere) {
      this.#remove(node, absent);
      return;
    }
    const mistaken = dependents.filter((dependent) => naming(dependent, absent).right);
    if (mistaken.length > 0) this.#absentOwners.add(absent);
    for (const { uid } of mistaken) this.#attemptToDelete.add(uid);
    if (sameReference(node.identity, absent)) this.tryAnother(node);
  }

  /**
   * Switches a virtual node to another identity, if there is one, when the collector cannot determine whether the
   * present one exists.
   */
  tryAnother(node: GraphNode): void {
    node.identity = alternateIdentity(node, node.identity) ?? node.identity;
  }

  /**
   * Handles the first observation of a virtual node. A dependent that references it by a wrong name has no such owner.
   */
  #recognise(node: GraphNode, identity: ObjectReference): void {
    node.identity = identity;
    for (const dependent of node.dependents) {
      if (!naming(dependent, identity).wrong) continue;
      this.#reportInvalidNamespace(dependent, node);
      this.#attemptToDelete.add(dependent.uid);
    }
  }

  /** Upstream: addDependentToOwners */
  #link(node: GraphNode, references: readonly OwnerReference[]): void {
    for (const reference of references) {
      const name = this.#graph.mapper.ownerNamedBy(reference, node.identity.namespace);
      const owner = this.#graph.get(reference.uid) ?? this.#addVirtual(name);
      owner.dependents.add(node);
      if (!sameReference(name, owner.identity)) {
        this.#reportInvalidNamespace(node, owner);
        this.#attemptToDelete.add(node.uid);
      }
      // An owner that is being deleted in the foreground waits for one more dependent.
      if (owner.isDeletingDependents) this.#attemptToDelete.add(owner.uid);
    }
  }

  #addVirtual(name: ObjectReference): GraphNode {
    const node = this.#graph.addVirtual(name);
    this.#attemptToDelete.add(node.uid);
    return node;
  }

  #unlink(node: GraphNode, references: readonly OwnerReference[]): void {
    for (const { uid } of references) {
      const owner = this.#graph.get(uid);
      owner?.dependents.delete(node);
      // The node existed only because it was referenced.
      if (owner?.isVirtual && owner.dependents.size === 0) this.#graph.delete(owner);
    }
  }

  #remove(node: GraphNode, absent: ObjectReference): void {
    this.#graph.delete(node);
    this.#unlink(node, node.owners);
    if (node.dependents.size > 0) this.#absentOwners.add(absent);
    for (const { uid } of node.dependents) this.#attemptToDelete.add(uid);
    for (const { uid } of node.owners) this.#wakeIfWaiting(uid);
  }

  /** Queues the owners that a dependent no longer blocks. Upstream: addUnblockedOwnersToDeleteQueue */
  #wakeUnblocked(before: readonly OwnerReference[], now: readonly OwnerReference[]): void {
    for (const { uid, blockOwnerDeletion } of before) {
      const blocks = now.some((reference) => reference.uid === uid && reference.blockOwnerDeletion);
      if (blockOwnerDeletion && !blocks) this.#wakeIfWaiting(uid);
    }
  }

  #wakeIfWaiting(uid: string): void {
    if (this.#graph.get(uid)?.isDeletingDependents) this.#attemptToDelete.add(uid);
  }

  /** Upstream: processTransitions */
  #noteDeletion(node: GraphNode, previous: KubeObject | undefined): void {
    if (node.isOrphaningDependents && !isOrphaningDependents(previous)) this.#attemptToOrphan.add(node.uid);
    if (!node.isDeletingDependents || isDeletingDependents(previous)) return;
    for (const { uid } of node.dependents) this.#attemptToDelete.add(uid);
    this.#attemptToDelete.add(node.uid);
  }

  /**
   * Emits an event about a dependent whose owner is in another namespace: the dependent has no such owner, and will be
   * deleted.
   */
  #reportInvalidNamespace(dependent: GraphNode, owner: GraphNode): void {
    const { namespace } = owner.identity;
    const { object, identity } = dependent;
    const reference = dependent.owners.find(({ uid }) => uid === owner.uid);
    if (owner.isVirtual || namespace === '' || namespace === identity.namespace || !object || !reference)
      return;
    const named = describeReference(this.#graph.mapper.ownerNamedBy(reference, identity.namespace));
    const message = `ownerRef ${named} does not exist in namespace ${JSON.stringify(identity.namespace)}`;
    this.#recorder.event(object, 'Warning', 'OwnerRefInvalidNamespace', message);
  }
}

type Alike = (a: OwnerReference, b: OwnerReference) => boolean;

const sameUid: Alike = (a, b) => a.uid === b.uid;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph.go ownerReferenceMatchesCoordinates */
const sameCoordinates: Alike = (a, b) =>
  sameUid(a, b) && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;

function without(
  references: readonly OwnerReference[],
  others: readonly OwnerReference[],
  alike: Alike,
): OwnerReference[] {
  return references.filter((reference) => !others.some((other) => alike(reference, other)));
}
