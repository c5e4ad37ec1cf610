/**
 * The result of a plugin.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go Status
 *
 * Differs: `Wait` and `Pending` are missing, because only Permit plugins and waiting plugins return them. A failing
 * plugin throws, where upstream's returns the code `Error`.
 */

/**
 * - `Success`: the plugin accepts the pod.
 * - `Unschedulable`: the pod does not fit now, but removing other pods could help.
 * - `UnschedulableAndUnresolvable`: the pod does not fit now, and removing other pods cannot help.
 * - `Skip`: a preFilter or preScore does not apply to this pod; a bind plugin leaves the binding to the next plugin.
 */
export type Code = 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Skip';

/** The result of a plugin for a pod, or for a pod on a node. */
export interface Status {
  readonly code: Code;
  /** Messages for users, shown by `kubectl describe pod`. Empty for `Success` and `Skip`. */
  readonly reasons: readonly string[];
}

/** The plugin accepts the pod. */
export const success: Status = Object.freeze({ code: 'Success', reasons: Object.freeze([]) });

/** The plugin does not apply to this pod. The scheduler does not call it again for this pod in this cycle. */
export const skip: Status = Object.freeze({ code: 'Skip', reasons: Object.freeze([]) });

/** Returns a rejection that removing other pods could resolve. */
export function unschedulable(...reasons: readonly string[]): Status {
  return { code: 'Unschedulable', reasons };
}

/** Returns a rejection that removing other pods cannot resolve. */
export function unresolvable(...reasons: readonly string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons };
}

/**
 * Returns whether the status rejects the pod.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go Status.IsRejected
 */
export function isRejected({ code }: Status): boolean {
  return code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable';
}
