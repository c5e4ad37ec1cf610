import type * as core from '#api/core/v1';
import type * as meta from '#api/meta/v1';
import type { Pod } from '../../../api/objects.ts';
import type { Cause } from '../../../api/status.ts';
import { mapItems, withChanged } from '../../copy-on-write.ts';
import { forbidden, invalid } from '../../validation/field-error.ts';
import { validateLabelName } from '../../validation/object-meta.ts';

/** Keys of labels whose values a selector takes from the pod that it stands in. */
interface LabelKeys {
  readonly labelSelector?: meta.LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/**
 * The spec with the values of the pod's own labels in the selectors that ask for them: `matchLabelKeys` of spread
 * constraints and affinity terms as `In`, `mismatchLabelKeys` as `NotIn`. Done once, when the pod is created: what a
 * scheduler reads is an ordinary selector. In templates nothing is replaced, as they have no labels of a pod yet.
 *
 * Selectors that depend on the pod's own labels.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go mutatePodAffinity,
 * mutateTopologySpreadConstraints
 */
export function withLabelKeysMerged({ spec, metadata }: Pod): Pod['spec'] {
  const { labels = {} } = metadata;
  const merged = <T extends LabelKeys>(item: T): T => mergeLabelKeys(item, labels);
  const spread = withChanged(spec, 'topologySpreadConstraints', (list) => mapItems(list, merged));
  const inTerms = <T extends core.PodAffinity | core.PodAntiAffinity>(affinity: T): T => {
    const required = withChanged(affinity, REQUIRED, (terms) => mapItems(terms ?? [], merged));
    return withChanged(required, PREFERRED, (terms) =>
      mapItems(terms ?? [], (weighted) => withChanged(weighted, 'podAffinityTerm', merged)),
    );
  };
  return withChanged(spread, 'affinity', (affinity) =>
    withChanged(withChanged(affinity, 'podAffinity', inTerms), 'podAntiAffinity', inTerms),
  );
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Without a selector nothing is selected, whatever the keys are. */
function mergeLabelKeys<T extends LabelKeys>(item: T, labels: Readonly<Record<string, string>>): T {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = item;
  if (!labelSelector) return item;
  const requirement = (operator: string) => (key: string) =>
    labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }];
  const added = [
    ...matchLabelKeys.flatMap(requirement('In')),
    ...mismatchLabelKeys.flatMap(requirement('NotIn')),
  ];
  if (added.length === 0) return item;
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
  return { ...item, labelSelector: { ...labelSelector, matchExpressions } };
}

/**
 * Keys are label names, need a selector, and are not among what the selector says itself. The selector holds what was merged
 * into it, so a key may stand there once, as a requirement; in the paths of that error upstream leaves out the field.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * ValidateMatchLabelKeysAndMismatchLabelKeys
 *
 * @param path of the constraint or the term
 */
export function validateLabelKeys(item: LabelKeys, path: string): Cause[] {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = item;
  const causes = Object.entries({ matchLabelKeys, mismatchLabelKeys }).flatMap(([field, keys]) => {
    if (keys.length === 0) return [];
    const at = `${path}.${field}`;
    if (!labelSelector) return [forbidden(at, 'must not be specified when labelSelector is not set')];
    return keys.flatMap((key, i) => validateLabelName(key, `${at}[${i}]`));
  });
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index >= 0 && selected.has(key)) {
      causes.push(invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    selected.add(key);
  }
  matchLabelKeys.forEach((key, i) => {
    if (!mismatchLabelKeys.includes(key)) return;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    causes.push(invalid(`${path}.matchLabelKeys[${i}]`, key, detail));
  });
  return causes;
}
