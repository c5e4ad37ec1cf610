import { describe, expect, test } from 'vitest';
import type { EndpointSubset } from '#api/core/v1';
import { cells } from './cells.fixture.ts';
import { endpointSliceColumns, endpointsColumns } from './endpoints.ts';

const addresses = (...ips: readonly string[]) => ips.map((ip) => ({ ip }));

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintEndpoint
test.each<[EndpointSubset[], string]>([
  [[], '<none>'],
  [[{ ports: [{ port: 80 }] }], ''],
  [[{ addresses: addresses('1.2.3.4', '5.6.7.8') }], '1.2.3.4,5.6.7.8'],
  [
    [{ addresses: addresses('1.2.3.4', '2001:db8::1'), ports: [{ port: 80 }] }],
    '1.2.3.4:80,[2001:db8::1]:80',
  ],
  [
    [
      { addresses: addresses('1.1.1.1', '2.2.2.2'), ports: [{ port: 80 }, { port: 81 }] },
      { addresses: addresses('3.3.3.3') },
    ],
    '1.1.1.1:80,2.2.2.2:80,1.1.1.1:81 + 2 more...',
  ],
])('Endpoints of %j show %s', (subsets, told) => {
  expect(cells(endpointsColumns, { subsets }).Endpoints).toBe(told);
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintEndpointSlice
describe('An EndpointSlice', () => {
  test('shows the first three ports and addresses', () => {
    const slice = {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'web' }, {}, { port: 3000 }],
      endpoints: [{ addresses: ['1.1.1.1', '2.2.2.2'] }, { addresses: ['3.3.3.3', '4.4.4.4'] }],
    };
    expect(cells(endpointSliceColumns, slice)).toMatchObject({
      AddressType: 'IPv4',
      Ports: '80,web,* + 1 more...',
      Endpoints: '1.1.1.1,2.2.2.2,3.3.3.3 + 1 more...',
    });
  });

  test('shows unset fields', () => {
    expect(cells(endpointSliceColumns, { addressType: 'IPv6' })).toMatchObject({
      Ports: '<unset>',
      Endpoints: '<unset>',
    });
  });
});
