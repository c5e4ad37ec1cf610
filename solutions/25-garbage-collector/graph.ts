import type { KubeObject, OwnerReference } from '#harness';
import {
  compareReferences,
  type ObjectReference,
  RestMapper,
  referenceTo,
  sameReference,
} from './object-reference.ts';

/** The finalizers that the collector handles. Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go */
export const FOREGROUND_DELETION = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/**
 * An object and its dependents. All properties are computed from the last observed state, so that they cannot
 * contradict each other. A node whose object was never observed, only referenced, is *virtual*.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph.go node
 */
export class GraphNode {
  /** For a virtual node: the identity that one of its dependents uses, which may be wrong. */
  identity: ObjectReference;
  /** The last observed state; undefined for a virtual node. */
  object: KubeObject | undefined;
  /** The observed objects that reference this uid, even with a wrong name. */
  readonly dependents = new Set<GraphNode>();
  readonly #mapper: RestMapper;

  constructor(identity: ObjectReference, mapper: RestMapper, object?: KubeObject) {
    this.identity = identity;
    this.#mapper = mapper;
    this.object = object;
  }

  get uid(): string {
    return this.identity.uid;
  }

  get isVirtual(): boolean {
    return this.object === undefined;
  }

  get owners(): readonly OwnerReference[] {
    return this.object?.metadata.ownerReferences ?? [];
  }

  /** Returns the identities that this object uses for the owner with this uid. */
  namesFor(uid: string): ObjectReference[] {
    const { namespace } = this.identity;
    return this.owners
      .filter((owner) => owner.uid === uid)
      .map((owner) => this.#mapper.ownerNamedBy(owner, namespace));
  }

  /** Whether the object is being deleted in the foreground, and waits for its dependents to be deleted first. */
  get isDeletingDependents(): boolean {
    return isDeletingDependents(this.object);
  }

  /** Whether the object is being deleted, and waits until its dependents are orphaned. */
  get isOrphaningDependents(): boolean {
    return isOrphaningDependents(this.object);
  }

  /** Returns the dependents that block the deletion of this object. */
  blockingDependents(): GraphNode[] {
    return [...this.dependents].filter(({ owners }) =>
      owners.some(({ uid, blockOwnerDeletion }) => uid === this.uid && blockOwnerDeletion),
    );
  }
}

export function isBeingDeleted(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}

export function isDeletingDependents(object: KubeObject | undefined): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, FOREGROUND_DELETION);
}

export function isOrphaningDependents(object: KubeObject | undefined): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, ORPHAN);
}

export function hasFinalizer(object: KubeObject | undefined, finalizer: string): boolean {
  return object?.metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Reports whether `waiting`, which is being deleted in the foreground, waits for `other`, directly or indirectly. It
 * waits for the dependents that block it. If one of them is being deleted in the foreground too, it also waits for the
 * dependents that block that one.
 */
export function waitsFor(waiting: GraphNode, other: GraphNode): boolean {
  const seen = new Set<GraphNode>();
  const reaches = (node: GraphNode): boolean => {
    if (node === other) return true;
    if (seen.has(node) || !node.isDeletingDependents) return false;
    seen.add(node);
    return node.blockingDependents().some(reaches);
  };
  return reaches(waiting);
}

/**
 * Reports whether the dependent references the owner by this identity (`right`), or by another one (`wrong`). With
 * several references, both can be true.
 */
export function naming(
  dependent: GraphNode,
  identity: ObjectReference,
): { readonly right: boolean; readonly wrong: boolean } {
  const names = dependent.namesFor(identity.uid);
  return {
    right: names.some((name) => sameReference(name, identity)),
    wrong: names.some((name) => !sameReference(name, identity)),
  };
}

/**
 * Returns the identity after `tried` that dependents use for a virtual node. The first identity follows the last, so
 * that repeated calls try them all. `undefined` if there is no other identity.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go getAlternateOwnerIdentity
 */
export function alternateIdentity(
  { dependents }: GraphNode,
  tried: ObjectReference,
): ObjectReference | undefined {
  const others = [...dependents]
    .flatMap((dependent) => dependent.namesFor(tried.uid))
    .filter((name) => !sameReference(name, tried))
    .sort(compareReferences);
  return others.find((name) => compareReferences(name, tried) > 0) ?? others[0];
}

/**
 * The nodes of all owners and dependents, by uid.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph.go concurrentUIDToNode
 */
export class Graph {
  readonly mapper: RestMapper;
  readonly #nodes = new Map<string, GraphNode>();

  constructor(mapper = new RestMapper()) {
    this.mapper = mapper;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Adds a node for an object at its first observation. */
  addSeen(object: KubeObject): GraphNode {
    return this.#add(new GraphNode(referenceTo(object), this.mapper, object));
  }

  /** Adds a node for an object that is referenced but was never observed. */
  addVirtual(name: ObjectReference): GraphNode {
    return this.#add(new GraphNode(name, this.mapper));
  }

  #add(node: GraphNode): GraphNode {
    this.#nodes.set(node.uid, node);
    return node;
  }

  delete(node: GraphNode): void {
    this.#nodes.delete(node.uid);
  }

  nodes(): readonly GraphNode[] {
    return [...this.#nodes.values()];
  }
}
