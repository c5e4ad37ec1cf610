import type * as core from '#api/core/v1';

/** One of a pod's `spec.tolerations`. */
export type Toleration = core.Toleration;

/** One of a node's `spec.taints`. */
export type Taint = core.Taint;

/** One of the terms of a pod's required node affinity. */
export type NodeSelectorTerm = core.NodeSelectorTerm;

/** What there is not enough of. Amounts are those of `Resources`: cpu in thousandths of a core. */
export interface InsufficientResource {
  /** `pods`, `cpu`, `memory`, `ephemeral-storage`, or the name of another. */
  readonly resourceName: string;
  /** `Too many pods`, or `Insufficient <resourceName>`. */
  readonly reason: string;
  /** What the pod asks for; 1 of `pods`. */
  readonly requested: number;
  /** What the pods on the node ask for; of `pods`, how many there are. */
  readonly used: number;
  /** What the node has for pods (`allocatable`), also if they have it already. */
  readonly capacity: number;
  /** True if the pod asks for more than the node has at all, so that it would not help if other pods went. Never for `pods`. */
  readonly unresolvable: boolean;
}

/**
 * Do the names of nodes that the terms ask for exclude each other, so that no node could ever match?
 *
 * @returns true if there are terms, every one of them has a `matchFields` requirement `metadata.name` `In`, and in each of them
 * no name is in the values of all of those
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go NodeAffinity.PreFilter
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
