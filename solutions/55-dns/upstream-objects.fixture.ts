import type { Pod } from '#harness';
import { type Objects, service, slice } from './view.fixture.ts';

const http = [{ name: 'http', protocol: 'tcp', port: 80 }];
const testns = 'testns';

/**
 * The objects of upstream's tests.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/handler_test.go APIConnServeTest
 */
export const served: Objects = {
  namespaces: ['testns', 'podns', 'svcns', 'kube-system'],
  services: [
    service('svc1', { clusterIPs: ['10.0.0.1'], ports: http }, testns),
    service('svcempty', { clusterIPs: ['10.0.0.1'], ports: http }, testns),
    service('svc6', { clusterIPs: ['1234:abcd::1'], ports: http }, testns),
    service('hdls1', { clusterIPs: ['None'] }, testns),
    service('external', { type: 'ExternalName', externalName: 'ext.interwebs.test', ports: http }, testns),
    service(
      'external-to-service',
      { type: 'ExternalName', externalName: 'svc1.testns.svc.cluster.local.', ports: http },
      testns,
    ),
    service('hdlsprtls', { clusterIPs: ['None'] }, testns),
    service('svc-dual-stack', { clusterIPs: ['10.0.0.3', '10::3'], ports: http }, testns),
  ],
  slices: [
    slice('svc1', {
      namespace: testns,
      endpoints: [{ addresses: ['172.0.0.1'], hostname: 'ep1a' }],
      ports: http,
    }),
    slice('svcempty', { namespace: testns, endpoints: [], ports: http }),
    slice('hdls1', {
      namespace: testns,
      endpoints: [
        { addresses: ['172.0.0.2'] },
        { addresses: ['172.0.0.3'] },
        { addresses: ['172.0.0.4'], hostname: 'dup-name' },
        { addresses: ['172.0.0.5'], hostname: 'dup-name' },
        { addresses: ['5678:abcd::1'] },
        { addresses: ['5678:abcd::2'] },
      ],
      ports: http,
    }),
    slice('hdlsprtls', { namespace: testns, endpoints: [{ addresses: ['172.0.0.20'] }] }),
  ],
  pods: [{ metadata: { name: 'foo', namespace: 'podns' }, status: { podIP: '10.240.0.1' } } as Pod],
};

/** Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/reverse_test.go APIConnReverseTest */
export const reversed: Objects = {
  services: [service('svc1', { clusterIPs: ['192.168.1.100'], ports: http }, testns)],
  slices: [
    slice('svc1', {
      namespace: testns,
      endpoints: [
        { addresses: ['10.0.0.100'], hostname: 'ep1a' },
        { addresses: ['10.0.0.99'], hostname: 'double-ep' },
      ],
      ports: http,
    }),
    slice('svc1', {
      namespace: testns,
      endpoints: [
        { addresses: ['1234:abcd::1'], hostname: 'ep1b' },
        { addresses: ['fd00:77:30::a'], hostname: 'ip6svc1ex' },
        { addresses: ['fd00:77:30::2:9ba6'], hostname: 'ip6svc1in' },
      ],
      ports: http,
    }),
    slice('svc1', {
      namespace: testns,
      endpoints: [{ addresses: ['10.0.0.100'], hostname: 'ep1a' }],
      ports: http,
    }),
    slice('svc2', {
      namespace: testns,
      endpoints: [{ addresses: ['10.0.0.99'], hostname: 'double-ep' }],
      ports: http,
    }),
  ],
};

/** The zones of upstream's tests of reverse lookups. */
export const reverseZones = [
  'cluster.local.',
  '0.10.in-addr.arpa.',
  '168.192.in-addr.arpa.',
  '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.c.b.a.4.3.2.1.ip6.arpa.',
  '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.3.0.0.7.7.0.0.0.0.d.f.ip6.arpa.',
];
