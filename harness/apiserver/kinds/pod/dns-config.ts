import type * as core from '#api/core/v1';
import { isValidIP } from '../../../api/ip.ts';
import { isDNS1123SubdomainWithUnderscore } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { invalid, invalidEach, required } from '../../validation/field-error.ts';

/**
 * Validates the DNS settings of a pod. The policy None requires settings, because it has no defaults.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodDNSConfig
 */
export function validateDNSConfig({ dnsPolicy, dnsConfig }: core.PodSpec, path: string): Cause[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (nameservers.length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return [required(`${path}.nameservers`, detail)];
    }
  }
  const causes: Cause[] = [];
  if (nameservers.length > NAMESERVERS_MAX) {
    const detail = `must not have more than ${NAMESERVERS_MAX} nameservers`;
    causes.push(invalid(`${path}.nameservers`, nameservers, detail));
  }
  nameservers.forEach((ip, i) => {
    causes.push(...invalidEach(`${path}.nameservers[${i}]`, ip, isValidIP(ip)));
  });
  if (searches.length > SEARCHES_MAX) {
    causes.push(
      invalid(`${path}.searches`, searches, `must not have more than ${SEARCHES_MAX} search paths`),
    );
  }
  if (searches.join(' ').length > SEARCH_CHARS_MAX) {
    const detail = `must not have more than ${SEARCH_CHARS_MAX} characters (including spaces) in the search list`;
    causes.push(invalid(`${path}.searches`, searches, detail));
  }
  searches.forEach((search, i) => {
    // A single dot is the root: names are resolved as they are.
    if (search === '.') return;
    const name = search.replace(/\.$/, '');
    causes.push(...invalidEach(`${path}.searches[${i}]`, name, isDNS1123SubdomainWithUnderscore(name)));
  });
  options.forEach((option, i) => {
    if (!option.name) causes.push(required(`${path}.options[${i}]`, 'must not be empty'));
  });
  return causes;
}

/** Limits of libc's resolver. */
const NAMESERVERS_MAX = 3;
const SEARCHES_MAX = 32;
const SEARCH_CHARS_MAX = 2048;
