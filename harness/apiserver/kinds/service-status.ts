import type * as core from '#api/core/v1';
import { isIP, isValidIP } from '../../api/ip.ts';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../validation/field-error.ts';

/**
 * Returns the violations of the load balancer status of a Service with this `spec`. Addresses of `old` can stay in a
 * non-canonical form.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateLoadBalancerStatus
 */
export function validateServiceStatus(
  status: core.ServiceStatus,
  old: core.ServiceStatus,
  spec: core.ServiceSpec,
): Cause[] {
  const path = 'status.loadBalancer.ingress';
  const ingress = status.loadBalancer?.ingress ?? [];
  if (ingress.length > 0 && spec.type !== 'LoadBalancer') {
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const known = old.loadBalancer?.ingress?.flatMap(({ ip }) => ip || []) ?? [];
  return ingress.flatMap((point, i) => validateIngress(point, `${path}[${i}]`, known));
}

function validateIngress(
  { ip, ipMode, hostname }: core.LoadBalancerIngress,
  path: string,
  known: readonly string[],
): Cause[] {
  const causes: Cause[] = [];
  if (ip) causes.push(...invalidEach(`${path}.ip`, ip, isValidIP(ip, known)));
  if (ipMode === undefined) {
    if (ip) causes.push(required(`${path}.ipMode`, 'must be specified when `ip` is set'));
  } else if (!ip) {
    causes.push(forbidden(`${path}.ipMode`, 'may not be specified when `ip` is not set'));
  } else if (!IP_MODES.includes(ipMode)) {
    causes.push(notSupported(`${path}.ipMode`, ipMode, IP_MODES));
  }
  if (hostname) {
    causes.push(...invalidEach(`${path}.hostname`, hostname, isDNS1123Subdomain(hostname)));
    if (isIP(hostname)) {
      causes.push(invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    }
  }
  return causes;
}

const IP_MODES = ['Proxy', 'VIP'];
