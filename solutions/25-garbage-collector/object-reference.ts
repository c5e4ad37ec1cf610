import { groupVersion, type KubeObject, type OwnerReference, type Resource, resources } from '#harness';

/**
 * The identity of one incarnation of one object, as an owner reference gives it. If two references differ in any field,
 * they refer to different objects, or at least one of them refers to no object.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph.go objectReference
 */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** `''` for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Returns the reference to an observed object. */
export function referenceTo({ apiVersion, kind, metadata }: KubeObject): ObjectReference {
  const { namespace = '', name, uid } = metadata;
  return { apiVersion, kind, namespace, name, uid };
}

/** Reports whether two references agree in every field. */
export function sameReference(a: ObjectReference, b: ObjectReference): boolean {
  return compareReferences(a, b) === 0;
}

/**
 * Compares two references. The order makes the choice between several names deterministic.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go referenceLessThan
 */
export function compareReferences(a: ObjectReference, b: ObjectReference): number {
  for (const field of ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const) {
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  }
  return 0;
}

/** Formats a reference like upstream: `[v1/Pod, namespace: default, name: web-1, uid: …]` */
export function describeReference({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

/**
 * Maps a kind and version to its resource.
 *
 * Upstream: kubernetes/client-go@v0.36.3 restmapper/discovery.go DeferredDiscoveryRESTMapper
 */
export class RestMapper {
  #served: readonly Resource[] = resources;

  /** Replaces the list of served resources. */
  reset(served: readonly Resource[]): void {
    this.#served = served;
  }

  /** Returns the resource of this kind in exactly this version; `undefined` if it is not served. */
  resourceFor(apiVersion: string, kind: string): Resource | undefined {
    return this.#served.find((resource) => resource.kind === kind && groupVersion(resource) === apiVersion);
  }

  /**
   * Resolves an owner reference of a dependent in `namespace`. A namespaced owner must be in the namespace of its
   * dependent. Discovery says which kinds are namespaced; a kind that is not served counts as namespaced.
   */
  ownerNamedBy(reference: OwnerReference, namespace: string): ObjectReference {
    const { apiVersion, kind, name, uid } = reference;
    const scoped = this.resourceFor(apiVersion, kind)?.namespaced ?? true;
    return { apiVersion, kind, namespace: scoped ? namespace : '', name, uid };
  }
}
