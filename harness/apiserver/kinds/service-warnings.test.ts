import { expect, test } from 'vitest';
import { addressed, web } from './service.fixture.ts';
import { service } from './service.ts';

const told = (spec: object) => service.warningsOnCreate?.(web({ ...addressed, ...spec }));
const headless = { clusterIP: 'None', clusterIPs: ['None'] };

test('A plain Service causes no warnings', () => {
  expect(told({})).toEqual([]);
});

test.each([
  [
    { externalIPs: ['8.8.8.8'] },
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
  ],
  [{ ...headless, externalIPs: ['8.8.8.8'] }, 'spec.externalIPs is ignored for headless services'],
  [{ ...headless, loadBalancerIP: '8.8.8.8' }, 'spec.loadBalancerIP is ignored for headless services'],
  [{ ...headless, sessionAffinity: 'ClientIP' }, 'spec.SessionAffinity is ignored for headless services'],
  [
    { type: 'ExternalName', externalName: 'db', externalIPs: ['8.8.8.8'] },
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  ],
  [{ externalName: 'db' }, 'spec.externalName is ignored when spec.type is not "ExternalName"'],
  [
    { trafficDistribution: 'PreferClose' },
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ],
  [
    { loadBalancerSourceRanges: ['2001:DB8::/32'] },
    'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
  ],
])('%j causes the warning %s', (spec, warning) => {
  expect(told(spec)).toEqual([warning]);
});
