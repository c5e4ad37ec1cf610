import type {
  MutatingWebhookConfiguration,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '#api/admissionregistration/v1';
import type { LabelSelector } from '#api/meta/v1';
import { age, type Column, integer, name, text, UNSET } from './column.ts';

/** The columns of a ValidatingWebhookConfiguration and a MutatingWebhookConfiguration. */
export const webhookConfigurationColumns: readonly Column<MutatingWebhookConfiguration>[] = [
  name,
  integer('Webhooks', 'The number of its webhooks.', ({ webhooks }) => webhooks?.length ?? 0),
  age,
];

/** The columns of a ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyColumns: readonly Column<ValidatingAdmissionPolicy>[] = [
  name,
  integer('Validations', 'The number of its validations.', ({ spec }) => spec?.validations?.length ?? 0),
  text('ParamKind', 'The kind of its parameters.', ({ spec }) =>
    spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : UNSET,
  ),
  age,
];

/** The columns of a ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingColumns: readonly Column<ValidatingAdmissionPolicyBinding>[] = [
  name,
  text('PolicyName', 'The policy that it binds.', ({ spec }) => spec?.policyName ?? ''),
  text('ParamRef', 'The parameters of the policy.', ({ spec }) => paramsOf(spec?.paramRef ?? {})),
  age,
];

function paramsOf({ name, namespace, selector }: ParamRef): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goText(selector) : UNSET;
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go LabelSelector.String */
function goText({ matchLabels, matchExpressions }: LabelSelector): string {
  const labels = Object.entries(matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (matchExpressions ?? []).map(
    (one) =>
      `LabelSelectorRequirement{Key:${one?.key ?? ''},Operator:${one?.operator ?? ''},Values:[${(one?.values ?? []).join(' ')}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${value ?? ''},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
