import type {
  CustomResourceDefinitionSpec,
  ServiceReference,
  WebhookClientConfig,
} from '#api/apiextensions/v1';
import { isDNS1035Label } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, notSupported, required } from '../validation/field-error.ts';
import { validateWebhookClient, validateWebhookUrl } from '../validation/webhook-client.ts';

/**
 * Validates how a definition converts its objects between versions.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation/validation.go
 * validateCustomResourceConversion
 *
 * Differs: the CA of the webhook is not checked.
 */
export function conversionCauses(conversion: CustomResourceDefinitionSpec['conversion']): Cause[] {
  if (!conversion) return [];
  const { strategy, webhook } = conversion;
  const path = 'spec.conversion';
  if (strategy === 'Webhook') {
    return [
      ...conversionClientCauses(webhook?.clientConfig, `${path}.webhookClientConfig`),
      ...reviewVersionCauses(webhook?.conversionReviewVersions ?? [], `${path}.conversionReviewVersions`),
    ];
  }
  const causes: Cause[] = [];
  if (!strategy) causes.push(required(`${path}.strategy`));
  else if (strategy !== 'None') {
    causes.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) causes.push(forbidden(`${path}.webhookClientConfig`, why));
  if (webhook?.conversionReviewVersions?.length) {
    causes.push(forbidden(`${path}.conversionReviewVersions`, why));
  }
  return causes;
}

function conversionClientCauses(config: WebhookClientConfig | undefined | null, path: string): Cause[] {
  if (!config) return [required(path, 'required when strategy is set to Webhook')];
  const { url, service } = config;
  if (!url === !service) return [required(path, 'exactly one of url or service is required')];
  if (url) return validateWebhookUrl(url, `${path}.url`);
  return validateWebhookClient({ service: service as ServiceReference }, path);
}

/** Upstream: validateConversionReviewVersions */
function reviewVersionCauses(versions: readonly string[], path: string): Cause[] {
  if (versions.length === 0) return [required(path)];
  const causes = versions.flatMap((version, i): Cause[] => {
    if (versions.indexOf(version) < i) return [invalid(`${path}[${i}]`, version, 'duplicate version')];
    return isDNS1035Label(version).map((why) => invalid(`${path}[${i}]`, version, why));
  });
  if (versions.some((version) => version === 'v1' || version === 'v1beta1')) return causes;
  return [...causes, invalid(path, versions, 'must include at least one of v1, v1beta1')];
}
