import type { KubeObject } from './objects.ts';

/**
 * Describes one resource. The type parameter is the TypeScript type of its objects, so that
 * `client.get(pods, …)` gives a `Pod`.
 *
 * Resource descriptors: what the URL `/apis/apps/v1/deployments` and the nouns `Deployment` and `deploy` have to
 * do with each other. One descriptor a resource; discovery, URLs, the typed {@link Client} and error messages
 * all read it.
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
  /** Groups of resources that kubectl knows by one word: `kubectl get all`. */
  readonly categories: readonly string[];
  /** What can be addressed below an object of this resource: `status`, `scale`, `log`. */
  readonly subresources: readonly Subresource[];
  /** What can be done with it. @defaultValue all that there is */
  readonly verbs?: readonly Verb[];
  /** The kind of its lists. @defaultValue its kind, with `List` behind it */
  readonly listKind?: string;
  /** Never set; carries `T`. */
  readonly __object?: T;
}

/** A part of an object with a URL of its own: `…/pods/web-1/status`. */
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
  | 'finalize';

/** The verbs of the API, as RBAC rules name them. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * Makes the descriptor of a resource that is in a namespace and has nothing below it, unless `rest` says otherwise.
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
