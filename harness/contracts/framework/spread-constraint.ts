import {
  labelSelectorAsSelector,
  newRequirement,
  type Requirement,
  type Selector,
} from '../../api/label-selector.ts';
import type { Pod } from '../../api/objects.ts';
import { labelOf } from './label-of.ts';

/**
 * A parsed topology spread constraint of a pod.
 *
 * Nodes with the same value for the label {@link topologyKey} are one *domain*: a zone, or a single node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * topologySpreadConstraint
 */
export interface SpreadConstraint {
  /** The maximum difference in pods between the fullest and the emptiest domain. */
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** Selects the counted pods by their labels. */
  readonly selector: Selector;
  /** If fewer domains exist, the minimum count is 0. Defaults to 1. */
  readonly minDomains: number;
  /**
   * Whether nodes that do not match the pod's node affinity or selector are excluded. Defaults to `Honor`, which
   * excludes them.
   */
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  /**
   * Whether nodes with taints that the pod does not tolerate are excluded. Defaults to `Ignore`, which includes them.
   */
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

/**
 * Returns the constraints of `spec.topologySpreadConstraints` with `whenUnsatisfiable: DoNotSchedule`, in their order.
 * The others are preferences.
 *
 * `selector` is the `labelSelector`, extended by `matchLabelKeys`. For each of these keys that the pod has as a label,
 * the counted pods must have the same value. Without a `labelSelector` it matches no pods.
 *
 * @throws SelectorError for an invalid `labelSelector`; the server rejects those
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * filterTopologySpreadConstraints
 */
export function hardConstraints(pod: Pod): readonly SpreadConstraint[] {
  return constraintsOf(pod, 'DoNotSchedule');
}

/** Returns the preferences, with `whenUnsatisfiable: ScheduleAnyway`; otherwise like {@link hardConstraints}. */
export function softConstraints(pod: Pod): readonly SpreadConstraint[] {
  return constraintsOf(pod, 'ScheduleAnyway');
}

function constraintsOf(pod: Pod, whenUnsatisfiable: string): readonly SpreadConstraint[] {
  const all = pod.spec.topologySpreadConstraints?.filter(
    (each) => each.whenUnsatisfiable === whenUnsatisfiable,
  );
  return (all ?? []).map((constraint) => ({
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    selector: labelSelectorAsSelector(constraint.labelSelector).add(
      ...sameLabels(pod, constraint.matchLabelKeys ?? []),
    ),
    minDomains: constraint.minDomains ?? 1,
    nodeAffinityPolicy: constraint.nodeAffinityPolicy === 'Ignore' ? 'Ignore' : 'Honor',
    nodeTaintsPolicy: constraint.nodeTaintsPolicy === 'Honor' ? 'Honor' : 'Ignore',
  }));
}

/** Requires the pod's value for each of these labels that the pod has. */
function sameLabels(pod: Pod, keys: readonly string[]): Requirement[] {
  return keys.flatMap((key) => {
    const value = labelOf(pod, key);
    return value === undefined ? [] : [newRequirement(key, '=', [value])];
  });
}
