import type * as core from '#api/core/v1';
import type * as meta from '#api/meta/v1';
import type { Pod } from '../../../api/objects.ts';
import { getOwn } from '../../../api/own.ts';
import type { Cause } from '../../../api/status.ts';
import { mapItems, withChanged } from '../../copy-on-write.ts';
import { forbidden, invalid } from '../../validation/field-error.ts';
import { validateLabelName } from '../../validation/object-meta.ts';

/** Label keys whose values a selector takes from its own pod. */
interface LabelKeys {
  readonly labelSelector?: meta.LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/**
 * Merges the pod's own labels into the selectors that ask for them: `matchLabelKeys` of spread constraints and
 * affinity terms as `In`, `mismatchLabelKeys` as `NotIn`. The apiserver does this once, on create, so that the
 * scheduler reads an ordinary selector. Templates stay unchanged, because they do not have the labels of a pod yet.
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
  const requirement = (operator: string) => (key: string) => {
    const value = getOwn(labels, key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  };
  const added = [
    ...matchLabelKeys.flatMap(requirement('In')),
    ...mismatchLabelKeys.flatMap(requirement('NotIn')),
  ];
  if (added.length === 0) return item;
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
  return { ...item, labelSelector: { ...labelSelector, matchExpressions } };
}

/**
 * Validates label keys: they are label names, need a selector, and do not occur in the selector. The selector
 * includes the merged requirements, so a key can occur there once; upstream omits the field from the path of that
 * error.
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
