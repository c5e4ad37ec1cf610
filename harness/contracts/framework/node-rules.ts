import type * as core from '#api/core/v1';

/** A toleration of a pod. */
export type Toleration = core.Toleration;

/** A taint of a node. */
export type Taint = core.Taint;

/** A term of a pod's required node affinity. */
export type NodeSelectorTerm = core.NodeSelectorTerm;

/**
 * A resource that the node does not have enough of. The amounts have the units of `Resources`: cpu in thousandths of a
 * core.
 */
export interface InsufficientResource {
  /** `pods`, `cpu`, `memory`, `ephemeral-storage`, or the name of another resource. */
  readonly resourceName: string;
  /** `Too many pods`, or `Insufficient <resourceName>`. */
  readonly reason: string;
  /** The pod's request; 1 for `pods`. */
  readonly requested: number;
  /** The sum of the requests of the pods on the node; for `pods`, the number of pods. */
  readonly used: number;
  /** The `allocatable` of the node, including the part that is in use. */
  readonly capacity: number;
  /**
   * Whether the pod requests more than the whole node has, so that removing other pods cannot help. Never true for
   * `pods`.
   */
  readonly unresolvable: boolean;
}

/**
 * Returns whether the node names that each term requires contradict each other, so that no node can match.
 * `metadata.name In [a]` and `metadata.name In [b]` in one term do.
 *
 * @returns true if terms exist, every term has a `matchFields` requirement `metadata.name` `In`, and no name is in all
 * such requirements of any term
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go
 * NodeAffinity.PreFilter
 */
export function namesConflict(terms: readonly core.NodeSelectorTerm[]): boolean {
  return (
    terms.length > 0 &&
    terms.every(({ matchFields = [] }) => {
      const [first, ...others] = matchFields.flatMap(({ key, operator, values = [] }) =>
        key === 'metadata.name' && operator === 'In' ? [values] : [],
      );
      return first !== undefined && !first.some((name) => others.every((names) => names.includes(name)));
    })
  );
}
