import { describe, expect, test } from 'vitest';
import { refused, refusedUpdate } from './declared.fixture.ts';
import { serviceCIDR } from './service-cidr.ts';

const TWO_OF_A_FAMILY =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/networking/validation/validation_test.go TestValidateServiceCIDR
describe('ServiceCIDR', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['10.0.0.0/16'], []],
    [['10.0.0.0/16', 'fd00::/112'], []],
    [[], ['spec.cidrs: Required value: at least one CIDR required']],
    [
      ['10.0.0.0/16', 'fd00::/112', '10.1.0.0/16'],
      [
        'spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/16","fd00::/112","10.1.0.0/16"]}: may only hold up to 2 values',
      ],
    ],
    [
      ['10.0.0.0/16', '10.1.0.0/16'],
      [`spec.cidrs: Invalid value: ["10.0.0.0/16","10.1.0.0/16"]: ${TWO_OF_A_FAMILY}`],
    ],
    [
      ['10.0.0.1/16'],
      ['spec.cidrs[0]: Invalid value: "10.0.0.1/16": must not have bits set beyond the prefix length'],
    ],
    [
      ['FD00:0::/112'],
      ['spec.cidrs[0]: Invalid value: "FD00:0::/112": must be in canonical form ("fd00::/112")'],
    ],
  ])('with the ranges %j reports %j', (cidrs, why) => {
    expect(refused(serviceCIDR, { 'spec.cidrs': cidrs })).toEqual(why);
  });

  // Upstream: TestValidateServiceCIDRUpdate
  test.each<[readonly string[], readonly string[], readonly string[]]>([
    [['10.0.0.0/16'], ['10.0.0.0/16', 'fd00::/112'], []],
    [['10.0.0.0/16'], ['10.1.0.0/16'], ['spec.cidrs[0]: Invalid value: "10.1.0.0/16": field is immutable']],
    [
      ['10.0.0.0/16'],
      ['10.0.0.0/16', '10.1.0.0/16'],
      [`spec.cidrs: Invalid value: ["10.0.0.0/16","10.1.0.0/16"]: ${TWO_OF_A_FAMILY}`],
    ],
    [
      ['10.0.0.0/16', 'fd00::/112'],
      ['10.0.0.0/16'],
      ['spec.cidrs: Invalid value: ["10.0.0.0/16"]: field is immutable'],
    ],
  ])('rejects the change of %j to %j: %j', (old, cidrs, why) => {
    expect(refusedUpdate(serviceCIDR, { 'spec.cidrs': cidrs }, { 'spec.cidrs': old })).toEqual(why);
  });
});
