import type * as core from '#api/core/v1';
import { isValidIP } from '../../api/ip.ts';
import type { Cause } from '../../api/status.ts';
import { duplicate, invalid, invalidEach, notSupported, required } from '../validation/field-error.ts';
import { isHeadless, needsClusterIP } from './service-type.ts';

/** Returns the IP family of an address. It checks only for a colon; the rest is validated elsewhere. */
export function ipFamilyOf(ip: string): 'IPv4' | 'IPv6' {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}

/**
 * Returns the violations of the fields `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`, which must be
 * consistent. The allocator also calls it before it adds addresses. Addresses of `old` can stay in a non-canonical
 * form.
 *
 * Upstream: ValidateServiceClusterIPsRelatedFields
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 */
export function validateClusterIPs(spec: core.ServiceSpec, old?: core.ServiceSpec): Cause[] {
  if (!needsClusterIP(spec)) return [];
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const path = 'spec.clusterIPs';
  const causes: Cause[] = [];
  if (clusterIP) {
    if (clusterIPs.length === 0) causes.push(required(path));
    else if (clusterIPs[0] !== clusterIP) {
      causes.push(invalid(path, clusterIPs, 'first value must match `clusterIP`'));
    }
  } else if (clusterIPs.length > 0) {
    causes.push(invalid(path, clusterIPs, 'must be empty when `clusterIP` is not specified'));
  }
  causes.push(...validateFamilies(ipFamilies));
  if (ipFamilyPolicy !== undefined && !POLICIES.includes(ipFamilyPolicy)) {
    causes.push(notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, POLICIES));
  }

  const malformed = validateEachIP(clusterIPs, old?.clusterIPs);
  causes.push(...malformed);
  if (clusterIPs.length > 2) causes.push(invalid(path, clusterIPs, 'may only hold up to 2 values'));
  // The checks below would misjudge invalid addresses.
  if (malformed.length > 0) return causes;
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(ipFamilyOf)).size < 2) {
    causes.push(invalid(path, clusterIPs, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(spec)) return causes;
  clusterIPs.forEach((ip, i) => {
    const family = ipFamilies[i];
    if (!family || !FAMILIES.includes(family) || ipFamilyOf(ip) === family) return;
    causes.push(
      invalid(`${path}[${i}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``),
    );
  });
  return causes;
}

/**
 * Returns the violations of an address change. The first address stays for the life of the Service, because clients
 * cache it and keep connections to it. A second address can be added and removed; an ExternalName starts without
 * addresses.
 *
 * Upstream: validateUpgradeDowngradeClusterIPs, validateUpgradeDowngradeIPFamilies
 */
export function validateClusterIPsUpdate(spec: core.ServiceSpec, old: core.ServiceSpec): Cause[] {
  if (!needsClusterIP(spec) || !needsClusterIP(old)) return [];
  if (isHeadless(spec) && isHeadless(old)) return [];
  const causes = validateListUpdate(spec, old, {
    field: 'clusterIPs',
    unset: 'primary clusterIP can not be unset',
    released: "must be set to 'SingleStack' when releasing the secondary clusterIP",
  });
  if (isHeadless(spec) === isHeadless(old)) {
    causes.push(
      ...validateListUpdate(spec, old, {
        field: 'ipFamilies',
        unset: 'primary ipFamily can not be unset',
        released: "must be set to 'SingleStack' when releasing the secondary ipFamily",
      }),
    );
  }
  return causes;
}

interface ListRules {
  readonly field: 'clusterIPs' | 'ipFamilies';
  readonly unset: string;
  readonly released: string;
}

function validateListUpdate(spec: core.ServiceSpec, old: core.ServiceSpec, rules: ListRules): Cause[] {
  const [now, before] = [spec[rules.field] ?? [], old[rules.field] ?? []];
  const path = `spec.${rules.field}`;
  const causes: Cause[] = [];
  const kept = now.length === before.length ? before.length : Math.min(1, now.length, before.length);
  for (let i = 0; i < kept; i++) {
    if (now[i] !== before[i]) causes.push(invalid(`${path}[${i}]`, now, 'may not change once set'));
  }
  if (now.length >= before.length) return causes;
  if (now.length === 0) causes.push(invalid(`${path}[0]`, spec[rules.field], rules.unset));
  if (now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    causes.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, rules.released));
  }
  return causes;
}

function validateFamilies(families: readonly string[]): Cause[] {
  return families.flatMap((family, i) => {
    const path = `spec.ipFamilies[${i}]`;
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(path, family, FAMILIES)]),
      ...(families.indexOf(family) < i ? [duplicate(path, family)] : []),
    ];
  });
}

function validateEachIP(ips: readonly string[], old: readonly string[] = []): Cause[] {
  return ips.flatMap((ip, i) => {
    if (i > 0 || ip !== 'None') return invalidEach(`spec.clusterIPs[${i}]`, ip, isValidIP(ip, old));
    return ips.length > 1 ? [invalid('spec.clusterIPs', ips, "'None' must be the first and only value")] : [];
  });
}

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
