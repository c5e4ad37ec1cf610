import type { WebhookClientConfig } from '#api/admissionregistration/v1';
import { isDNS1123Subdomain, isValidPortNum } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { invalid, required } from './field-error.ts';
import { parseUrl } from './go-url.ts';

/**
 * Returns the violations in the address of a webhook, which is a URL or a Service.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/validation/validation.go validateValidatingWebhook
 */
export function validateWebhookClient({ url, service }: WebhookClientConfig, path: string): Cause[] {
  if (isAbsent(url) === isAbsent(service)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  if (!isAbsent(url)) return validateWebhookUrl(url, `${path}.url`);
  const { name, namespace, path: urlPath, port = 0 } = service ?? {};
  // Upstream exchanges the two arguments, so an error about the name has the path of the namespace.
  const exchanged = { name: namespace ?? '', namespace: name ?? '', path: urlPath, port };
  return validateWebhookService(exchanged, `${path}.service`);
}

const isAbsent = <T>(value: T | undefined | null): value is undefined | null =>
  value === undefined || value === null;

const FORM = '; desired format: https://host[/path]';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/util/webhook/validation.go ValidateWebhookURL, with forceHttps */
export function validateWebhookUrl(text: string, path: string): Cause[] {
  const url = parseUrl(text);
  if (typeof url === 'string') return [required(path, `url must be a valid URL: ${url}${FORM}`)];
  const causes: Cause[] = [];
  if (url.scheme !== 'https') {
    causes.push(invalid(path, url.scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (!url.host) causes.push(invalid(path, url.host, `host must be specified${FORM}`));
  if (url.user !== undefined) {
    causes.push(invalid(path, url.user, 'user information is not permitted in the URL'));
  }
  if (url.fragment) causes.push(invalid(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.query) causes.push(invalid(path, url.query, 'query parameters are not permitted in the URL'));
  return causes;
}

/** The Service of a webhook. */
interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string | null | undefined;
  readonly port: number;
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/util/webhook/validation.go ValidateWebhookService */
export function validateWebhookService(service: WebhookService, path: string): Cause[] {
  const { namespace, name, port, path: urlPath } = service;
  const causes: Cause[] = [];
  if (!name) causes.push(required(`${path}.name`));
  if (!namespace) causes.push(required(`${path}.namespace`));
  const reasons = isValidPortNum(port);
  if (reasons.length > 0) {
    causes.push(invalid(`${path}.port`, port, `port is not valid: ${reasons.join(', ')}`));
  }
  return [...causes, ...validateUrlPath(urlPath ?? '', `${path}.path`)];
}

function validateUrlPath(urlPath: string, path: string): Cause[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const causes = urlPath.startsWith('/') ? [] : [invalid(path, urlPath, "must start with a '/'")];
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, i) => {
    const reasons = segment ? isDNS1123Subdomain(segment) : undefined;
    if (!reasons) causes.push(invalid(path, urlPath, `segment[${i}] may not be empty`));
    for (const reason of reasons ?? []) causes.push(invalid(path, urlPath, `segment[${i}]: ${reason}`));
  });
  return causes;
}
