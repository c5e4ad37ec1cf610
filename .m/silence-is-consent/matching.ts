import type { AdmissionAttributes, Hook, Invocation } from '#given/14-admission';
import { type KubeObject, labels } from '#harness';

export type Rule = NonNullable<Hook['rules']>[number];
export type Target = Pick<AdmissionAttributes, 'namespace' | 'operation' | 'subresource'> & Invocation;

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/predicates/rules/rules.go Matcher */
export function ruleMatches(rule: Rule, target: Target): boolean {
  const { resource, namespace, operation, subresource } = target;
  const includes = (list: readonly string[] | undefined, value: string): boolean =>
    list?.some((item) => item === '*' || item === value) ?? false;
  // A request for a namespace has its name as its namespace.
  const isNamespaced = namespace !== '' && !(resource.group === '' && resource.plural === 'namespaces');
  const { scope = '*' } = rule;
  return (
    (scope === '*' || scope === (isNamespaced ? 'Namespaced' : 'Cluster')) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((entry) => {
      const [plural = '', sub = ''] = entry.split(/\/(.*)/s);
      return (plural === '*' || plural === resource.plural) && (sub === '*' || sub === subresource);
    })
  );
}

/** No webhook is called for these kinds: otherwise nobody could remove a webhook that refuses everything. */
const EXEMPT_GROUP = 'admissionregistration.k8s.io';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/generic/webhook.go ShouldCallHook */
export async function invocationOf(
  hook: Hook,
  attributes: AdmissionAttributes,
  namespaceLabels: () => Promise<labels.Labels>,
  equivalents: readonly Invocation['resource'][] = [],
): Promise<Invocation | undefined> {
  const { resource } = attributes;
  if (resource.group === EXEMPT_GROUP) return undefined;
  if (!selectsObject(hook, attributes)) return undefined;
  const others = hook.matchPolicy === 'Exact' ? [] : equivalents;
  const rules = hook.rules ?? [];
  const matches = (of: Invocation['resource']) => (rule: Rule) =>
    ruleMatches(rule, { ...attributes, resource: of });
  // An exact match counts more than an earlier rule.
  const found = rules.some(matches(resource))
    ? resource
    : rules.flatMap((rule) => others.filter((each) => matches(each)(rule)))[0];
  if (!found || !(await selectsNamespace(hook, attributes, namespaceLabels))) return undefined;
  return { resource: found };
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/predicates/object/matcher.go Matcher */
function selectsObject({ objectSelector = {} }: Hook, { object, oldObject }: AdmissionAttributes): boolean {
  const selector = labels.labelSelectorAsSelector(objectSelector);
  const selects = (each: KubeObject | undefined): boolean =>
    each?.metadata !== undefined && selector.matches(each.metadata.labels);
  // The old object counts, too: otherwise an update could remove the label and escape.
  return selector.empty || selects(object) || selects(oldObject);
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/webhook/predicates/namespace/matcher.go Matcher */
async function selectsNamespace(
  { namespaceSelector = {} }: Hook,
  { resource, subresource, namespace, operation, object }: AdmissionAttributes,
  namespaceLabels: () => Promise<labels.Labels>,
): Promise<boolean> {
  const selector = labels.labelSelectorAsSelector(namespaceSelector);
  const isNamespace = resource.plural === 'namespaces';
  if (selector.empty || (namespace === '' && !isNamespace)) return true;
  const isWrite = operation === 'CREATE' || operation === 'UPDATE';
  // The cache does not know the new labels of a namespace yet.
  const hasOwn = isNamespace && subresource === '' && isWrite;
  return selector.matches(hasOwn ? object?.metadata.labels : await namespaceLabels());
}
