import type { MutatingWebhook, ValidatingWebhook, WebhookClientConfig } from '#api/admissionregistration/v1';
import { isDNS1035Label, isDNS1123Subdomain } from '../../../api/names.ts';
import type {
  KubeObject,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../api/objects.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../../api/plain-resources.ts';
import type { Cause } from '../../../api/status.ts';
import { mapItems, withChanged, withDefaults } from '../../copy-on-write.ts';
import { declareKind, type KindDeclaration } from '../../declare/declare-kind.ts';
import { each, fields, labelSelector, oneOf, type Rule } from '../../declare/rules.ts';
import { duplicate, invalid, required as missing, notSupported } from '../../validation/field-error.ts';
import { validateWebhookClient } from '../../validation/webhook-client.ts';
import { matchConditions, reservedNameWarnings } from './expressions.ts';
import { operationRule, withScopes } from './operation-rules.ts';

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsFullyQualifiedName */
const fullyQualifiedName: Rule<string> = (name, path) => {
  if (!name) return [missing(path)];
  const reasons = isDNS1123Subdomain(name);
  if (reasons.length > 0) return [invalid(path, name, reasons.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
};

const sideEffects: Rule<string> = (value, path) => {
  if (value === undefined) return [missing(path, `must specify one of ${SIDE_EFFECTS.join(', ')}`)];
  return SIDE_EFFECTS.includes(value) ? [] : [notSupported(path, value, SIDE_EFFECTS)];
};

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

const timeoutSeconds: Rule<number> = (seconds = 10, path) =>
  seconds >= 1 && seconds <= 30
    ? []
    : [invalid(path, seconds, 'the timeout value must be between 1 and 30 seconds')];

const clientConfig: Rule<WebhookClientConfig> = (config = {}, path) => validateWebhookClient(config, path);

/** Upstream: validateAdmissionReviewVersions */
const reviewVersions: Rule<readonly string[]> = (versions = [], path) => {
  const accepted = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [missing(path, `must specify one of ${accepted}`)];
  const causes = versions.flatMap((version, i): Cause[] => {
    const refuse = (why: string) => invalid(`${path}[${i}]`, version, why);
    if (versions.indexOf(version) < i) return [refuse('duplicate version')];
    return isDNS1035Label(version).map(refuse);
  });
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return causes;
  return [...causes, invalid(path, versions, `must include at least one of ${accepted}`)];
};

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

const webhook = fields<MutatingWebhook>({
  name: fullyQualifiedName,
  rules: each(operationRule),
  failurePolicy: oneOf('Fail', 'Ignore'),
  matchPolicy: oneOf('Equivalent', 'Exact'),
  sideEffects,
  timeoutSeconds,
  namespaceSelector: labelSelector,
  objectSelector: labelSelector,
  reinvocationPolicy: oneOf('IfNeeded', 'Never'),
  clientConfig,
  matchConditions,
  admissionReviewVersions: reviewVersions,
});

const webhooks: Rule<readonly MutatingWebhook[]> = (list = [], path) =>
  list.flatMap((hook, i) => {
    const isSeen = hook.name && list.slice(0, i).some(({ name }) => name === hook.name);
    return [
      ...webhook(hook, `${path}[${i}]`),
      ...(isSeen ? [duplicate(`${path}[${i}].name`, hook.name)] : []),
    ];
  });

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/v1/defaults.go SetDefaults_ValidatingWebhook */
function withHookDefaults<H extends ValidatingWebhook>(hook: H): H {
  const result = withDefaults<ValidatingWebhook>(hook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  const scoped = withChanged(result, 'rules', withScopes);
  return withChanged(scoped, 'clientConfig', (config) =>
    withChanged(config, 'service', (service) => withDefaults(service, { port: 443 })),
  ) as H;
}

/**
 * The parts that both kinds share.
 *
 * Differs: upstream accepts an invalid value that was stored before its rule existed; no stored object here has one.
 */
function configuration<H extends ValidatingWebhook, T extends KubeObject & { webhooks?: H[] }>(
  withOwnDefaults: (hook: H) => H,
): Omit<KindDeclaration<T>, 'resource'> {
  return {
    hasPlainFinalizers: true,
    allowUnconditionalUpdate: false,
    revalidates: 'after metadata',
    generationOf: ({ webhooks }) => webhooks,
    setDefaults: (object) =>
      withChanged(
        object,
        'webhooks',
        (list) =>
          mapItems(list as H[], (hook) => withOwnDefaults(withHookDefaults(hook))) as NonNullable<
            T['webhooks']
          >,
      ),
    rules: [({ webhooks: list }) => webhooks((list ?? []) as readonly MutatingWebhook[], 'webhooks')],
    warningsOnCreate: reservedNameWarnings,
    warningsOnUpdate: reservedNameWarnings,
  };
}

/**
 * The kind ValidatingWebhookConfiguration.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/admissionregistration/validatingwebhookconfiguration/strategy.go,
 * pkg/apis/admissionregistration/validation/validation.go ValidateValidatingWebhookConfiguration
 */
export const validatingWebhookConfiguration = declareKind<ValidatingWebhookConfiguration>({
  ...configuration<ValidatingWebhook, ValidatingWebhookConfiguration>((hook) => hook),
  resource: validatingWebhookConfigurations,
});

/**
 * The kind MutatingWebhookConfiguration.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/admissionregistration/mutatingwebhookconfiguration/strategy.go,
 * pkg/apis/admissionregistration/validation/validation.go ValidateMutatingWebhookConfiguration
 */
export const mutatingWebhookConfiguration = declareKind<MutatingWebhookConfiguration>({
  ...configuration<MutatingWebhook, MutatingWebhookConfiguration>((hook) =>
    withDefaults(hook, { reinvocationPolicy: 'Never' }),
  ),
  resource: mutatingWebhookConfigurations,
});
