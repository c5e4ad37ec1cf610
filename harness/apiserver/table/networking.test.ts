import { describe, expect, test } from 'vitest';
import type { IPAddress } from '#api/networking/v1';
import { cells, daysAgo, row } from './cells.fixture.ts';
import {
  ingressClassColumns,
  ingressColumns,
  ipAddressColumns,
  networkPolicyColumns,
  serviceCIDRColumns,
} from './networking.ts';

const metadata = { name: 'a', creationTimestamp: daysAgo(3) };

describe('An Ingress', () => {
  test('shows all columns', () => {
    const spec = { ingressClassName: 'nginx', rules: [{ host: 'one.example' }], tls: [{}] };
    const status = { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { hostname: 'a.example' }] } };
    expect(row(ingressColumns, { metadata, spec, status })).toEqual([
      ...['a', 'nginx', 'one.example', '2.2.2.2,a.example', '80, 443', '3d'],
    ]);
    expect(row(ingressColumns, { metadata })).toEqual(['a', '<none>', '*', '', '80', '3d']);
  });

  test.each<[readonly string[], string]>([
    [['', 'a'], 'a'],
    [['a', 'b', 'c'], 'a,b,c'],
    [['a', 'b', 'c', 'd', 'e'], 'a,b,c + 2 more...'],
    [['a', '', 'b', 'c', 'd'], 'a,b,c + 2 more...'],
    [['a', 'b', 'c', ''], 'a,b,c + 1 more...'],
  ])('with the hosts %j shows %s', (hosts, told) => {
    expect(cells(ingressColumns, { spec: { rules: hosts.map((host) => ({ host })) } }).Hosts).toBe(told);
  });
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintIngressClass
test('An IngressClass shows its controller and its parameters', () => {
  const parameters = { kind: 'Settings', name: 'x' };
  const spec = { controller: 'example.com/c' };
  expect(row(ingressClassColumns, { metadata, spec })).toEqual(['a', 'example.com/c', '<none>', '3d']);
  expect(cells(ingressClassColumns, { spec: { parameters } }).Parameters).toBe('Settings/x');
  expect(
    cells(ingressClassColumns, { spec: { parameters: { ...parameters, apiGroup: 'b.c' } } }).Parameters,
  ).toBe('Settings.b.c/x');
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  expect(cells(ingressClassColumns, { metadata: { name: 'a', annotations } }).Name).toBe('a (default)');
});

test('A NetworkPolicy shows the selector of its pods', () => {
  const podSelector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['b', 'a'] }] };
  expect(row(networkPolicyColumns, { metadata, spec: { podSelector } })).toEqual(['a', 'app in (a,b)', '3d']);
  expect(cells(networkPolicyColumns, { spec: { podSelector: {} } })['Pod-Selector']).toBe('<none>');
  const odd = { matchExpressions: [{ key: 'app', operator: 'Like', values: [] }] };
  expect(cells(networkPolicyColumns, { spec: { podSelector: odd } })['Pod-Selector']).toBe('<error>');
});

test('A ServiceCIDR shows its ranges', () => {
  expect(row(serviceCIDRColumns, { metadata, spec: { cidrs: ['10.0.0.0/16', 'fd00::/112'] } })).toEqual([
    ...['a', '10.0.0.0/16,fd00::/112', '3d'],
  ]);
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintIPAddress
test('An IPAddress shows its parent', () => {
  const parentRef = { group: 'mygroup', resource: 'MyResource', namespace: 'ns', name: 'n' };
  expect(row(ipAddressColumns, { metadata, spec: { parentRef } })).toEqual(['a', 'myresource.mygroup/ns/n']);
  expect(
    row(ipAddressColumns, { metadata, spec: { parentRef: { resource: 'services', name: 'n' } } }),
  ).toEqual([...['a', 'services/n']]);
  expect(row(ipAddressColumns, { metadata, spec: {} } as IPAddress)).toEqual(['a', '<none>']);
});
