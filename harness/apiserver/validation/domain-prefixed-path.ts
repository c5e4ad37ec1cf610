import { isDNS1123Subdomain, isHTTPPath } from '../../api/names.ts';
import type { Rule } from '../declare/rules.ts';
import { invalid, invalidEach, required } from './field-error.ts';

/**
 * Validates the name of a controller, which consists of a domain and a path: `example.com/controller`
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsDomainPrefixedPath
 */
export const domainPrefixedPath: Rule<string> = (value, path) => {
  if (!value) return [required(path)];
  const slash = value.indexOf('/');
  const [domain, rest] = [value.slice(0, Math.max(0, slash)), value.slice(slash + 1)];
  if (!domain || !rest) {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...invalidEach(path, domain, isDNS1123Subdomain(domain)),
    ...invalidEach(path, rest, isHTTPPath(rest)),
  ];
};
