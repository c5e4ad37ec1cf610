import type { PolicyRule } from '#api/rbac/v1';

/**
 * Returns equal rights in fewer rules: one for each resource and name, with all its verbs, and one for each verb of a
 * path. They have the order in which kubectl prints them.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/util/rbac/rbac.go BreakdownRule, CompactRules, SortableRuleSlice
 */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const simple = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  const others: PolicyRule[] = [];
  for (const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs } of rules) {
    const names = resourceNames.length > 0 ? resourceNames.map((name) => [name]) : [[]];
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const resourceName of names) {
          const rule = { apiGroups: [group], resources: [resource], resourceNames: resourceName };
          const key = JSON.stringify(rule);
          const known = simple.get(key) ?? { ...rule, verbs: [] };
          simple.set(key, known);
          for (const verb of verbs) if (!known.verbs.includes(verb)) known.verbs.push(verb);
        }
      }
    }
    for (const url of nonResourceURLs) {
      for (const verb of verbs) others.push({ verbs: [verb], nonResourceURLs: [url] });
    }
  }
  return [...others, ...simple.values()]
    .map((rule) => ({ rule, text: textOf(rule) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ rule }) => rule);
}

/** Returns the rule as Go prints it. */
function textOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const list = (values: readonly string[] = []): string => `[${values.join(' ')}]`;
  return `&PolicyRule{Verbs:${list(verbs)},APIGroups:${list(apiGroups)},Resources:${list(resources)},ResourceNames:${list(resourceNames)},NonResourceURLs:${list(nonResourceURLs)},}`;
}
