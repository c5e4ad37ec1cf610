import { describe, expect, test } from 'vitest';
import type { ServiceSpec } from '#api/core/v1';
import { cells, daysAgo, row } from './cells.fixture.ts';
import { serviceColumns } from './service.ts';

const ingress = [{ ip: '3.4.5.6' }, { ip: '2.3.4.5', hostname: 'two' }, { hostname: 'one.example' }];

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintService
describe('A Service', () => {
  test('shows all columns', () => {
    const spec = {
      type: 'NodePort',
      clusterIPs: ['10.9.8.7', '2001:db8::1'],
      ports: [
        { port: 80, protocol: 'TCP', nodePort: 30080 },
        { port: 53, protocol: 'UDP' },
      ],
      selector: { b: '2', a: '1' },
    };
    const metadata = { name: 'web', creationTimestamp: daysAgo(3) };
    expect(row(serviceColumns, { metadata, spec })).toEqual([
      ...['web', 'NodePort', '10.9.8.7', '<none>', '80:30080/TCP,53/UDP', '3d', 'a=1,b=2'],
    ]);
  });

  test('shows missing values', () => {
    expect(cells(serviceColumns, { spec: { type: 'ClusterIP' } })).toMatchObject({
      'Cluster-IP': '<none>',
      'Port(s)': '<none>',
      Selector: '<none>',
    });
  });

  // Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintServiceLoadBalancer
  test.each<[ServiceSpec, typeof ingress, string]>([
    [{ type: 'ClusterIP', externalIPs: ['1.1.1.1', '1.1.1.2'] }, [], '1.1.1.1,1.1.1.2'],
    [{ type: 'NodePort' }, ingress, '<none>'],
    [{ type: 'LoadBalancer' }, [], '<pending>'],
    [{ type: 'LoadBalancer' }, ingress, '2.3.4.5,3.4.5.6,one.example'],
    [{ type: 'LoadBalancer', externalIPs: ['1.1.1.1'] }, [], '1.1.1.1'],
    [{ type: 'LoadBalancer', externalIPs: ['1.1.1.1'] }, ingress, '2.3.4.5,3.4.5.6,one.example,1.1.1.1'],
    [{ type: 'ExternalName', externalName: 'db.example' }, [], 'db.example'],
    [{}, [], '<unknown>'],
  ])('with %j and the load balancer %j has the external address %s', (spec, given, told) => {
    const service = { spec, status: { loadBalancer: { ingress: given } } };
    expect(cells(serviceColumns, service)['External-IP']).toBe(told);
  });
});
