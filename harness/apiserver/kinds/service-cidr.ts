import type * as networking from '#api/networking/v1';
import { isCanonicalCIDR } from '../../api/ip.ts';
import type { ServiceCIDR } from '../../api/objects.ts';
import { serviceCIDRs } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, type Rule } from '../declare/rules.ts';
import { invalid, invalidEach, required } from '../validation/field-error.ts';
import { ipFamilyOf } from './service-cluster-ips.ts';

/** Requires one range, or one of each family. Upstream: validateServiceCIDRSpec */
const cidrs: Rule<readonly string[]> = (ranges = [], path) => {
  if (ranges.length === 0) return [required(path, 'at least one CIDR required')];
  // Upstream's message shows the spec with its Go field name.
  if (ranges.length > 2) return [invalid(path, { CIDRs: ranges }, 'may only hold up to 2 values')];
  const causes = ranges.flatMap((range, i) => invalidEach(`${path}[${i}]`, range, isCanonicalCIDR(range)));
  if (causes.length === 0 && new Set(ranges.map(ipFamilyOf)).size < ranges.length) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    causes.push(invalid(path, ranges, detail));
  }
  return causes;
};

const IMMUTABLE = 'field is immutable';

/** Rejects changed ranges; a second range can be added. Upstream: ValidateServiceCIDRUpdate */
function changesOfRanges(ranges: readonly string[], old: readonly string[]): readonly Cause[] {
  const isExtended = old.length === 1 && ranges.length === 2;
  if (ranges.length !== old.length && !isExtended) return [invalid('spec.cidrs', ranges, IMMUTABLE)];
  const changed = old.flatMap((range, i) =>
    range === ranges[i] ? [] : [invalid(`spec.cidrs[${i}]`, ranges[i], IMMUTABLE)],
  );
  return isExtended ? [...changed, ...cidrs(ranges, 'spec.cidrs')] : changed;
}

/**
 * The kind ServiceCIDR.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/networking/servicecidr/strategy.go,
 * pkg/apis/networking/validation/validation.go ValidateServiceCIDR
 *
 * Differs: Services get their addresses from the range of the apiserver's configuration, whatever objects exist.
 */
export const serviceCIDR = declareKind<ServiceCIDR>({
  resource: serviceCIDRs,
  statusHasMetadata: false,
  createRules: [fields<ServiceCIDR>({ spec: fields<networking.ServiceCIDRSpec>({ cidrs }) })],
  updateRules: ({ spec }, old) => changesOfRanges(spec.cidrs ?? [], old.spec.cidrs ?? []),
});
