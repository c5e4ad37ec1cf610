import { labelSelectorAsSelector } from '../../../api/label-selector.ts';
import type { KubeObject } from '../../../api/objects.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../../api/plain-resources.ts';
import type { Resource } from '../../../api/resource.ts';
import type { AdmissionHistory, Snapshot } from '../history.ts';
import type { HookPlan, RulePlan } from '../scenario/hooks.ts';
import type { Labels, Selector } from '../scenario/index.ts';

/** The kinds that webhooks must never be called for, so that a broken webhook can be removed. */
const OWN_KINDS = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/** Returns the webhooks of a phase at a revision, in the order of their calls, as indexes of the scenario. */
export function hooksAt(
  { scenario, read }: AdmissionHistory,
  phase: HookPlan['phase'],
  revision: number,
): readonly number[] {
  const resource = (phase === 'mutating'
    ? mutatingWebhookConfigurations
    : validatingWebhookConfigurations) as unknown as Resource;
  return scenario.facts.hooks
    .map((hook, i) => ({ i, hook }))
    .filter(({ hook }) => hook.phase === phase && read(resource, { name: hook.config }, revision))
    .toSorted((a, b) => (a.hook.config < b.hook.config ? -1 : a.hook.config > b.hook.config ? 1 : a.i - b.i))
    .map(({ i }) => i);
}

/**
 * Returns whether a webhook must be called.
 *
 * @param object - the object as the webhook would see it
 * @param namespaceLabels - of the stored namespace; undefined if there is none
 */
export function isCalled(
  { rules, namespaceSelector, objectSelector }: HookPlan,
  attributes: Snapshot,
  object: KubeObject | undefined,
  namespaceLabels: Labels | undefined,
): boolean {
  const { resource, oldObject } = attributes;
  if (resource.group === 'admissionregistration.k8s.io' && OWN_KINDS.has(resource.plural)) return false;
  if (!rules.some((rule) => isRuled(rule, attributes))) return false;
  if (!isInNamespace(namespaceSelector, attributes, object, namespaceLabels)) return false;
  if (isEmpty(objectSelector)) return true;
  return [object, oldObject].some(
    // The options of a connection have no metadata, and no selector selects them.
    (each) => each?.metadata !== undefined && selects(objectSelector, each.metadata.labels ?? {}),
  );
}

/** Returns whether a webhook selects by the labels of a namespace that does not exist. */
export function isLost(
  { namespaceSelector, ...hook }: HookPlan,
  attributes: Snapshot,
  object: KubeObject | undefined,
  namespaceLabels: Labels | undefined,
): boolean {
  const { namespace, resource } = attributes;
  const isInside = namespace !== '' && !isNamespaces(resource);
  return (
    namespaceLabels === undefined &&
    isInside &&
    !isEmpty(namespaceSelector) &&
    isCalled(hook, attributes, object, undefined)
  );
}

function isRuled(
  { operations, resources, groups, versions, scope }: RulePlan,
  attributes: Snapshot,
): boolean {
  const { operation, resource, subresource } = attributes;
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    list === undefined || list.includes('*') || list.includes(value);
  return (
    has(operations, operation) &&
    has(groups, resource.group) &&
    has(versions, resource.version) &&
    isInScope(scope, attributes) &&
    resources.some((each) => {
      const slash = each.indexOf('/');
      const plural = slash < 0 ? each : each.slice(0, slash);
      const sub = slash < 0 ? '' : each.slice(slash + 1);
      return (plural === '*' || plural === resource.plural) && (sub === '*' || sub === subresource);
    })
  );
}

function isInScope(scope: RulePlan['scope'], { namespace, resource }: Snapshot): boolean {
  if (scope === undefined || scope === '*') return true;
  const isNamespaced = namespace !== '' && !isNamespaces(resource);
  return isNamespaced === (scope === 'Namespaced');
}

const isNamespaces = ({ group, plural }: Resource): boolean => group === '' && plural === 'namespaces';

function isInNamespace(
  selector: Selector | undefined,
  { namespace, resource, operation, subresource }: Snapshot,
  object: KubeObject | undefined,
  stored: Labels | undefined,
): boolean {
  if (isEmpty(selector)) return true;
  const isItself = isNamespaces(resource);
  if (namespace === '' && !isItself) return true;
  if (isItself && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return selects(selector, object?.metadata.labels ?? {});
  }
  return selects(selector, stored ?? {});
}

const isEmpty = (selector: Selector | undefined): boolean =>
  !selector || (!selector.matchLabels && !selector.matchExpressions);

const selects = (selector: Selector | undefined, labels: Labels): boolean =>
  labelSelectorAsSelector(selector ?? {}).matches(labels);
