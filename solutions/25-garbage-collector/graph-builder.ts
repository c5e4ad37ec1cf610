/**
 * Keeps the graph in step with what informers tell, and notes which objects have to be looked at again. It decides nothing.
 * An object that is looked at once too often costs two requests; one that is not looked at stays for ever.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go GraphBuilder
 *
 * Differs: it also notes an object that lost a reference, or changed the name in one, and an owner that waits and gets
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
  /** Uids of objects whose owners may be gone. */
  readonly attemptToDelete: Pick<WorkQueue<string>, 'add'>;
  /** Uids of objects whose dependents are to be let go. */
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

  /** An object is there, or has changed. Upstream: processGraphChanges, addEvent and updateEvent */
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
    // It may have been this one for whose sake it was left alone.
    if (removed.length > 0 && node.owners.length > 0) this.#attemptToDelete.add(node.uid);
    this.#noteDeletion(node, previous);
  }

  /** An object is gone. Upstream: processGraphChanges, deleteEvent */
  forget(object: KubeObject): void {
    const node = this.#graph.get(object.metadata.uid);
    if (!node) return;
    const identity = referenceTo(object);
    if (node.isVirtual) this.#recognise(node, identity);
    this.#remove(node, identity);
  }

  /**
   * The server has no such object. Each dependent that named it so is to be looked at. It goes from the graph, unless it was seen
   * elsewhere, or other dependents call it otherwise: it may exist under that name.
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

  /** It cannot be known whether a virtual node exists under its present name. It takes another, if it has one. */
  tryAnother(node: GraphNode): void {
    node.identity = alternateIdentity(node, node.identity) ?? node.identity;
  }

  /** An object that was only named is seen. A dependent that called it by a wrong name has no such owner. */
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
      // An owner that waits has one more dependent to wait for.
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
      // It was there only because it was named.
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

  /** Owners that a dependent blocked and does not block any more. Upstream: addUnblockedOwnersToDeleteQueue */
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

  /** Tells people of a dependent whose owner lives in another namespace: it has none, and will be deleted. */
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
