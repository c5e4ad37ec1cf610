import type { KubeObject, OwnerReference } from '#harness';
import {
  compareReferences,
  type ObjectReference,
  RestMapper,
  referenceTo,
  sameReference,
} from './object-reference.ts';

/** Finalizers that the collector answers to. Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go */
export const FOREGROUND_DELETION = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/**
 * An object, and its dependents. Everything about it is read off its last seen state, so that nothing can
 * get out of step. One that was never seen, only named, is *virtual*.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph.go node
 */
export class GraphNode {
  /** Of a virtual node: what one of its dependents calls it, which may be wrong. */
  identity: ObjectReference;
  /** As it was seen last; absent for a virtual node. */
  object: KubeObject | undefined;
  /** The objects that name its uid, rightly or wrongly. Each of them was seen. */
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

  /** What it calls the owner with this uid. */
  namesFor(uid: string): ObjectReference[] {
    const { namespace } = this.identity;
    return this.owners
      .filter((owner) => owner.uid === uid)
      .map((owner) => this.#mapper.ownerNamedBy(owner, namespace));
  }

  /** Is it being deleted, and waits for its dependents to go first? */
  get isDeletingDependents(): boolean {
    return isDeletingDependents(this.object);
  }

  /** Is it being deleted, and waits for its dependents to be let go? */
  get isOrphaningDependents(): boolean {
    return isOrphaningDependents(this.object);
  }

  /** The dependents that block it: it goes after them. */
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
 * Does `waiting`, which is being deleted in the foreground, wait for `other`, directly or not? It waits for the dependents that
 * block it. Where these are being deleted in the foreground themselves, it waits for those that block them, too.
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

/** Does this dependent name the owner as `identity` has it, or otherwise? With several references it may do both. */
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
 * Another identity by which dependents of a virtual node call it: the one after `tried`, or, after the last, the first,
 * so that by and by all of them are tried. `undefined` when there is no other.
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
 * Owners and dependents, by uid.
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

  /** A node for an object that was seen for the first time. */
  addSeen(object: KubeObject): GraphNode {
    return this.#add(new GraphNode(referenceTo(object), this.mapper, object));
  }

  /** A node for an object that was named and not seen. */
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
