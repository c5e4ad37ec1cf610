/**
 * What a plugin says.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go Status
 *
 * Differs: there is neither `Wait` nor `Pending`, which only plugins give that permit or wait. A plugin that goes wrong
 * throws, where upstream's gives the code `Error`.
 */

/**
 * - `Success`: nothing against it.
 * - `Unschedulable`: not as things are, but it would help if other pods went.
 * - `UnschedulableAndUnresolvable`: not as things are, and it would not help if other pods went.
 * - `Skip`: of a preFilter or preScore, that its plugin has nothing to say of this pod; of a bind plugin, that another
 *   one is to bind it.
 */
export type Code = 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Skip';

/** What a plugin answers about a pod, or about a pod on a node. */
export interface Status {
  readonly code: Code;
  /** In words, what a user is to read in `kubectl describe pod`. Empty for `Success` and `Skip`. */
  readonly reasons: readonly string[];
}

/** Nothing against it. */
export const success: Status = Object.freeze({ code: 'Success', reasons: Object.freeze([]) });

/** Nothing to say here: do not ask this plugin again about this pod in this cycle. */
export const skip: Status = Object.freeze({ code: 'Skip', reasons: Object.freeze([]) });

/** Not as things are; if other pods went, perhaps. */
export function unschedulable(...reasons: readonly string[]): Status {
  return { code: 'Unschedulable', reasons };
}

/** Not as things are, whichever pods went. */
export function unresolvable(...reasons: readonly string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons };
}

/**
 * Does the status turn the pod away?
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go Status.IsRejected
 */
export function isRejected({ code }: Status): boolean {
  return code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable';
}
