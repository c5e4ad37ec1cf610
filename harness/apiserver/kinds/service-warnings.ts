import { warnOfCIDR, warnOfIP } from '../../api/ip.ts';
import { quote } from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import { isHeadless } from './service-type.ts';

/**
 * Returns warnings about a valid Service for the client that wrote it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/service/warnings.go GetWarningsForService, without the annotation
 */
export function serviceWarnings({ spec }: Service): readonly string[] {
  const { externalIPs = [], loadBalancerIP = '', loadBalancerSourceRanges = [], clusterIPs = [] } = spec;
  const isExternalName = spec.type === 'ExternalName';
  const warnings: string[] = [];
  if (isHeadless(spec)) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs.length > 0) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None')
      warnings.push('spec.SessionAffinity is ignored for headless services');
  } else {
    warnings.push(...clusterIPs.flatMap((ip, i) => warnOfIP(ip, `spec.clusterIPs[${i}]`)));
  }
  warnings.push(...externalIPs.flatMap((ip, i) => warnOfIP(ip, `spec.externalIPs[${i}]`)));
  if (externalIPs.length > 0 && !isHeadless(spec) && !isExternalName) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (loadBalancerIP) warnings.push(...warnOfIP(loadBalancerIP, 'spec.loadBalancerIP'));
  warnings.push(
    ...loadBalancerSourceRanges.flatMap((range, i) =>
      warnOfCIDR(range, `spec.loadBalancerSourceRanges[${i}]`),
    ),
  );
  if (isExternalName && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!isExternalName && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push(
      `spec.trafficDistribution: ${quote('PreferClose')} is deprecated; use ${quote('PreferSameZone')}`,
    );
  }
  return warnings;
}
