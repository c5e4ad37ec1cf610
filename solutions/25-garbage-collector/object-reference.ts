import { groupVersion, type KubeObject, type OwnerReference, type Resource, resources } from '#harness';

/**
 * Names one incarnation of one object, as an owner reference names it: what it is, where it is, which one it is. Two
 * that differ in any of these name different objects, or at least one of them names nothing.
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

/** The reference to an object that was seen. */
export function referenceTo({ apiVersion, kind, metadata }: KubeObject): ObjectReference {
  const { namespace = '', name, uid } = metadata;
  return { apiVersion, kind, namespace, name, uid };
}

/** Are they the same in all that identifies an object? */
export function sameReference(a: ObjectReference, b: ObjectReference): boolean {
  return compareReferences(a, b) === 0;
}

/**
 * An order, so that of several names always the same one is taken.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go referenceLessThan
 */
export function compareReferences(a: ObjectReference, b: ObjectReference): number {
  for (const field of ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const) {
    if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  }
  return 0;
}

/** As upstream writes it: `[v1/Pod, namespace: default, name: web-1, uid: …]` */
export function describeReference({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

/**
 * Knows which resource has the objects of a kind.
 *
 * Upstream: kubernetes/client-go@v0.36.3 restmapper/discovery.go DeferredDiscoveryRESTMapper
 */
export class RestMapper {
  #served: readonly Resource[] = resources;

  /** Tells it what is served now. */
  reset(served: readonly Resource[]): void {
    this.#served = served;
  }

  /** The resource of this kind in just this version; `undefined` when it is not served. */
  resourceFor(apiVersion: string, kind: string): Resource | undefined {
    return this.#served.find((resource) => resource.kind === kind && groupVersion(resource) === apiVersion);
  }

  /**
   * What an owner reference means in a dependent that lives in `namespace`: a namespaced owner is always looked for in
   * the namespace of its dependent. What kind is namespaced the API tells; of one that is not served we know nothing.
   */
  ownerNamedBy(reference: OwnerReference, namespace: string): ObjectReference {
    const { apiVersion, kind, name, uid } = reference;
    const scoped = this.resourceFor(apiVersion, kind)?.namespaced ?? true;
    return { apiVersion, kind, namespace: scoped ? namespace : '', name, uid };
  }
}
