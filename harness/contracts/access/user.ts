/**
 * A user: a person, a component, or a service account. Kubernetes stores no users. Each request proves its user anew.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go Info
 */
export interface User {
  /** `jane`, `system:kube-scheduler`, `system:serviceaccount:default:builder` */
  readonly name: string;
  /** Distinguishes users of the same name over time. Absent: the credentials do not contain it. */
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Further facts from the credentials, such as the pod of a service account. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
