import type * as core from '#api/core/v1';
import type { Cause } from '../../api/status.ts';
import { withDefaults } from '../copy-on-write.ts';
import { invalid } from '../validation/field-error.ts';
import { ipFamilyOf, validateClusterIPs } from './service-cluster-ips.ts';
import { needsClusterIP } from './service-type.ts';
import { withField } from './with-field.ts';

/** The spec with its IP families, or the reason why the request cannot be fulfilled. */
interface IPFamilies {
  readonly spec: core.ServiceSpec;
  readonly causes: readonly Cause[];
}

/**
 * Sets `ipFamilyPolicy` and `ipFamilies` where the client omits them. A Service gets one family unless the client
 * requests two. Only a headless Service without a selector gets both in any cluster, because its endpoints can have
 * any address. This cluster has IPv4 only.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/alloc.go initIPFamilyFields
 */
export function withIPFamilies(original: core.ServiceSpec, old: core.ServiceSpec | undefined): IPFamilies {
  if (!needsClusterIP(original)) return { spec: original, causes: [] };
  const isFree = original.clusterIP === 'None' && Object.keys(original.selector ?? {}).length === 0;
  const ipFamilyPolicy = old?.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const withPolicy = withDefaults(original, { ipFamilyPolicy });

  const malformed = validateClusterIPs(withPolicy, old);
  if (malformed.length > 0) return { spec: original, causes: malformed };
  const spec = withKnownFamilies(withPolicy);
  const contradictions = [...validatePolicy(spec), ...validateInferable(withPolicy)];
  if (contradictions.length > 0) return { spec: original, causes: contradictions };

  const { ipFamilies = [] } = spec;
  if (!isFree) return { spec: withAtLeast(spec, ['IPv4']), causes: validateAvailable(spec) };
  if (spec.ipFamilyPolicy === 'SingleStack') return { spec: withAtLeast(spec, ['IPv4']), causes: [] };
  const both = ipFamilies[0] === 'IPv6' ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6'];
  return { spec: ipFamilies.length < 2 ? { ...spec, ipFamilies: both } : spec, causes: [] };
}

function withAtLeast(spec: core.ServiceSpec, ipFamilies: string[]): core.ServiceSpec {
  return spec.ipFamilies?.length ? spec : { ...spec, ipFamilies };
}

/** Derives the IP families from the addresses that the client chose. */
function withKnownFamilies(spec: core.ServiceSpec): core.ServiceSpec {
  const { ipFamilies = [], clusterIPs = [] } = spec;
  const known = clusterIPs.filter((ip) => ip !== 'None').map(ipFamilyOf);
  if (known.length <= ipFamilies.length) return spec;
  return withField(spec, 'ipFamilies', [...ipFamilies, ...known.slice(ipFamilies.length)]);
}

function validateInferable({ ipFamilies = [], clusterIPs = [] }: core.ServiceSpec): Cause[] {
  return clusterIPs.flatMap((ip, i) =>
    i >= ipFamilies.length && ipFamilyOf(ip) === 'IPv6'
      ? [invalid(`spec.clusterIPs[${i}]`, clusterIPs, 'IPv6 is not configured on this cluster')]
      : [],
  );
}

function validatePolicy({ ipFamilyPolicy, ipFamilies = [], clusterIPs = [] }: core.ServiceSpec): Cause[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const causes: Cause[] = [];
  const several = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (clusterIPs.length === 2) {
    causes.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, `${several} cluster IPs are specified`));
  }
  if (ipFamilies.length === 2 && clusterIPs.length < 2) {
    causes.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, `${several} IP families are specified`));
  }
  return causes;
}

function validateAvailable({ ipFamilyPolicy, ipFamilies = [] }: core.ServiceSpec): Cause[] {
  const causes: Cause[] = [];
  if (ipFamilyPolicy === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services';
    causes.push(invalid('spec.ipFamilyPolicy', ipFamilyPolicy, detail));
  }
  ipFamilies.forEach((family, i) => {
    if (family === 'IPv4') return;
    causes.push(invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
  });
  return causes;
}
