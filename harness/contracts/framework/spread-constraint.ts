import {
  labelSelectorAsSelector,
  newRequirement,
  type Requirement,
  type Selector,
} from '../../api/label-selector.ts';
import type { Pod } from '../../api/objects.ts';
import { labelOf } from './label-of.ts';

/**
 * A constraint on how pods are spread, read once.
 *
 * Nodes that have the same value for the label {@link topologyKey} are one *domain*: a zone, or a single node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go topologySpreadConstraint
 */
export interface SpreadConstraint {
  /** By how many pods the fullest domain may be ahead of the emptiest. */
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** Which pods are counted, by their labels. */
  readonly selector: Selector;
  /** With fewer domains than that, the emptiest counts as empty. 1 if the pod does not say. */
  readonly minDomains: number;
  /** Whether a node that the pod does not ask for is left out of the count. `Honor` if the pod does not say. */
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  /** Whether a node whose taints keep the pod away is left out of the count. `Ignore` if the pod does not say. */
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

/**
 * @returns those of `spec.topologySpreadConstraints` that say `whenUnsatisfiable: DoNotSchedule`, in their order; the others
 * are wishes. `selector` is the `labelSelector`, and in addition, for each of `matchLabelKeys` that the pod has as a label, that
 * label with the pod's value. Without a `labelSelector` it matches no pod
 * @throws SelectorError for a `labelSelector` that cannot be understood; the server accepts none
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * filterTopologySpreadConstraints
 */
export function hardConstraints(pod: Pod): readonly SpreadConstraint[] {
  return constraintsOf(pod, 'DoNotSchedule');
}

/** @returns those that are only wishes: they say `whenUnsatisfiable: ScheduleAnyway`. Otherwise as {@link hardConstraints} */
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

/** Of those labels that the pod has: the same value. */
function sameLabels(pod: Pod, keys: readonly string[]): Requirement[] {
  return keys.flatMap((key) => {
    const value = labelOf(pod, key);
    return value === undefined ? [] : [newRequirement(key, '=', [value])];
  });
}
