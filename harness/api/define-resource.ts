import type { KubeObject } from './objects.ts';

/**
 * The descriptor of a resource. The type parameter is the TypeScript type of its objects, so that `client.get(pods, …)`
 * returns a `Pod`.
 *
 * A descriptor connects the URL `/apis/apps/v1/deployments` with the names `Deployment` and `deploy`. Discovery, URLs,
 * the typed {@link Client} and error messages all use it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go APIResource
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The name in URLs: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: T['kind'];
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** Groups of resources with a common name in kubectl: `kubectl get all`. */
  readonly categories: readonly string[];
  /** The subresources of an object of this resource: `status`, `scale`, `log`. */
  readonly subresources: readonly Subresource[];
  /** The supported verbs. @defaultValue all verbs */
  readonly verbs?: readonly Verb[];
  /** The kind of its lists. @defaultValue the kind with the suffix `List` */
  readonly listKind?: string;
  /** Never set; carries `T`. */
  readonly __object?: T;
}

/** A part of an object with its own URL: `…/pods/web-1/status`. */
export type Subresource =
  | 'status'
  | 'scale'
  | 'binding'
  | 'eviction'
  | 'ephemeralcontainers'
  | 'approval'
  | 'token'
  | 'log'
  | 'exec'
  | 'attach'
  | 'portforward'
  | 'proxy'
  | 'finalize';

/** The verbs of the API, with their names in RBAC rules. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * Creates the descriptor of a resource. By default it is namespaced and has no subresources; `rest` overrides the
 * defaults.
 *
 * @param gv the group and the version, as in `apiVersion`
 */
export function defineResource<T extends KubeObject>(
  gv: string,
  kind: T['kind'],
  plural: string,
  rest: Partial<
    Pick<
      Resource,
      'singular' | 'namespaced' | 'shortNames' | 'categories' | 'subresources' | 'verbs' | 'listKind'
    >
  > = {},
): Resource<T> {
  const [version = '', group = ''] = gv.split('/').reverse();
  return Object.freeze({
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    shortNames: [],
    categories: [],
    subresources: [],
    ...rest,
  });
}
