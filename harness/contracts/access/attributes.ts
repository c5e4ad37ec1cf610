import type { User } from './user.ts';

/**
 * The request as authorizers see it: a user, and what that user wants to do. It contains nothing of the body.
 *
 * Fields that a request does not have are empty.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authorization/authorizer/interfaces.go Attributes
 */
export interface Attributes {
  readonly user: User;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for a path, the method in lower case. */
  readonly verb: string;
  /** Whether the request is for a resource. If not, only `user`, `verb` and `path` are meaningful. */
  readonly isResourceRequest: boolean;
  /** `/healthz` */
  readonly path: string;
  /** `''` for the core group. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** Empty across all namespaces and for cluster-scoped resources. A request for one namespace has its name here, too. */
  readonly namespace: string;
  /** The plural: `pods` */
  readonly resource: string;
  /** `log` in `pods/log` */
  readonly subresource: string;
  /**
   * Empty for a create, and for a list or a watch of several objects. A list or a watch with the field selector
   * `metadata.name=web` has the name `web`.
   */
  readonly name: string;
  /** The field selector of a list, a watch or a deletecollection, as sent. */
  readonly fieldSelector?: string;
}
