import { describe, expect, test } from 'vitest';
import type { Service } from '../api/objects.ts';
import { serviceVariables } from './service-environment.ts';

function service(name: string, spec: Service['spec'], namespace = 'shop'): Service {
  return { metadata: { name, namespace }, spec } as Service;
}

const apiserver = service(
  'kubernetes',
  { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
  'default',
);
const web = service('my-web', {
  clusterIP: '10.96.3.4',
  ports: [
    { name: 'http', port: 80, protocol: 'TCP' },
    { name: 'dns-udp', port: 53, protocol: 'UDP' },
  ],
});
const own = { namespace: 'shop', enableServiceLinks: true };

describe('The environment variables of Services', () => {
  test('have the address and each port, and the format of Docker links', () => {
    expect(serviceVariables([web], own)).toEqual({
      MY_WEB_SERVICE_HOST: '10.96.3.4',
      MY_WEB_SERVICE_PORT: '80',
      MY_WEB_SERVICE_PORT_HTTP: '80',
      MY_WEB_SERVICE_PORT_DNS_UDP: '53',
      MY_WEB_PORT: 'tcp://10.96.3.4:80',
      MY_WEB_PORT_80_TCP: 'tcp://10.96.3.4:80',
      MY_WEB_PORT_80_TCP_PROTO: 'tcp',
      MY_WEB_PORT_80_TCP_PORT: '80',
      MY_WEB_PORT_80_TCP_ADDR: '10.96.3.4',
      MY_WEB_PORT_53_UDP: 'udp://10.96.3.4:53',
      MY_WEB_PORT_53_UDP_PROTO: 'udp',
      MY_WEB_PORT_53_UDP_PORT: '53',
      MY_WEB_PORT_53_UDP_ADDR: '10.96.3.4',
    });
  });

  test.each([
    ['the apiserver in every namespace', [apiserver], own, '10.96.0.1'],
    [
      'the apiserver even without service links',
      [apiserver],
      { ...own, enableServiceLinks: false },
      '10.96.0.1',
    ],
    [
      'the apiserver, but no other Service of its namespace',
      [apiserver, service('other', { clusterIP: '10.96.0.2', ports: [] }, 'default')],
      own,
      '10.96.0.1',
    ],
  ])('include %s', (_, services, of, host) => {
    const { KUBERNETES_SERVICE_HOST, OTHER_SERVICE_HOST } = serviceVariables(services, of);
    expect([KUBERNETES_SERVICE_HOST, OTHER_SERVICE_HOST]).toEqual([host, undefined]);
  });

  test.each([
    ['a headless Service', service('db', { clusterIP: 'None', ports: [{ port: 80 }] }), own],
    ['an ExternalName Service', service('db', { type: 'ExternalName', externalName: 'db.example' }), own],
    [
      'a Service of another namespace',
      service('db', { clusterIP: '10.96.0.9', ports: [{ port: 80 }] }, 'other'),
      own,
    ],
    ['a Service of a pod without service links', web, { ...own, enableServiceLinks: false }],
  ])('omit %s', (_, one, of) => {
    expect(serviceVariables([one], of)).toEqual({});
  });

  test('have an IPv6 address in brackets', () => {
    const six = service('six', { clusterIP: '2001:db8::1', ports: [{ port: 80, protocol: 'TCP' }] });
    expect(serviceVariables([six], own)).toMatchObject({
      SIX_SERVICE_HOST: '2001:db8::1',
      SIX_PORT: 'tcp://[2001:db8::1]:80',
    });
  });
});
