import ipaddr from 'ipaddr.js';

/**
 * Returns the reasons why an IP address cannot receive the traffic of a workload. The list is empty for an ordinary
 * address.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateEndpointIP
 */
export function whySpecialIP(ip: string): string[] {
  const address = ipaddr.process(ip.replace(/(^|\.)0+(?=\d)/g, '$1'));
  const inRange = (...ranges: readonly string[]) =>
    ranges.some((range) => {
      const [network, bits] = ipaddr.parseCIDR(range);
      return network.kind() === address.kind() && address.match(network, bits);
    });
  const reasons: string[] = [];
  if (inRange('0.0.0.0/32', '::/128')) {
    reasons.push(`may not be unspecified (${ip})`);
  }
  if (inRange('127.0.0.0/8', '::1/128')) {
    reasons.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (inRange('169.254.0.0/16', 'fe80::/10')) {
    reasons.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (inRange('224.0.0.0/24', 'ff02::/16')) {
    reasons.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return reasons;
}
