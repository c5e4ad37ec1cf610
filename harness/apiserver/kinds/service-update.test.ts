import { describe, expect, test } from 'vitest';
import { said } from './kind-laws.ts';
import { addressed, web } from './service.fixture.ts';
import { service } from './service.ts';

describe('Service update', () => {
  const updated = (spec: object, old: object) =>
    said(service.validateUpdate(service.prepareForUpdate(web(spec), web(old)), web(old)));

  test('rejects a changed cluster IP', () => {
    expect(updated({ ...addressed, clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] }, addressed)).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.8"]: may not change once set',
    ]);
  });

  test('rejects a removed cluster IP', () => {
    expect(updated({}, addressed)).toContain(
      'spec.clusterIPs[0]: Invalid value: null: primary clusterIP can not be unset',
    );
  });

  test('removes a second address only together with its policy', () => {
    const both = { ...addressed, clusterIPs: ['10.96.0.7', 'fd00::7'], ipFamilies: ['IPv4', 'IPv6'] };
    expect(updated({ ...both, clusterIPs: ['10.96.0.7'] }, both)).toEqual([
      "spec.ipFamilyPolicy: Invalid value: null: must be set to 'SingleStack' when releasing the secondary clusterIP",
    ]);
    expect(updated({ ...addressed, ipFamilyPolicy: 'SingleStack' }, both)).toEqual([]);
  });

  test('keeps stored addresses in a non-canonical form', () => {
    const old = {
      ...addressed,
      type: 'LoadBalancer',
      clusterIP: '010.96.0.7',
      clusterIPs: ['010.96.0.7'],
      externalIPs: ['8.8.8.08'],
      loadBalancerSourceRanges: ['10.9.8.7/24'],
    };
    expect(updated(old, old)).toEqual([]);
    expect(updated({ ...old, externalIPs: ['8.8.8.08', '8.8.8.009'] }, old)).toEqual([
      'spec.externalIPs[1]: Invalid value: "8.8.8.009": must not have leading 0s',
    ]);
  });

  test('can change the IP families of a headless Service', () => {
    const headless = { clusterIP: 'None', clusterIPs: ['None'] };
    expect(updated({ ...headless, ipFamilies: ['IPv6'] }, { ...headless, ipFamilies: ['IPv4'] })).toEqual([]);
  });

  test('to ExternalName removes the address, and from ExternalName accepts any address', () => {
    const external = { type: 'ExternalName', externalName: 'db.example.com' };
    expect(updated({ ...addressed, ...external }, addressed)).toEqual([]);
    expect(updated(addressed, external)).toEqual([]);
    expect(
      service.prepareForUpdate(web({ ...addressed, ...external }), web(addressed)).spec,
    ).not.toHaveProperty('clusterIPs');
  });

  test('from NodePort removes the fields of that type if they did not change', () => {
    const ports = [{ port: 80, nodePort: 30080 }];
    const old = { ...addressed, type: 'NodePort', ports };
    const same = { ...addressed, ports, externalTrafficPolicy: 'Cluster', type: 'ClusterIP' };
    expect(updated(same, old)).toEqual([]);
    expect(updated({ ...same, ports: [{ port: 80, nodePort: 30081 }] }, old)).toEqual([
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ]);
    expect(updated({ ...same, externalTrafficPolicy: 'Local' }, old)).toEqual([
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ]);
  });

  test('from LoadBalancer removes its class and its health check port', () => {
    const old = {
      ...addressed,
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30100,
      loadBalancerClass: 'example.com/a',
      allocateLoadBalancerNodePorts: false,
    };
    const { spec } = service.prepareForUpdate(web({ ...old, type: 'ClusterIP' }), web(old));
    expect(spec).toEqual(web(addressed).spec);
  });

  test('keeps the class and the health check port of a load balancer', () => {
    const old = {
      ...addressed,
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30100,
      loadBalancerClass: 'example.com/a',
    };
    expect(updated({ ...old, healthCheckNodePort: 30101, loadBalancerClass: 'example.com/b' }, old)).toEqual([
      'spec.loadBalancerClass: Invalid value: "example.com/b": may not change once set',
      'spec.healthCheckNodePort: Forbidden: field is immutable',
    ]);
    expect(
      updated(old, { ...old, externalTrafficPolicy: 'Cluster', healthCheckNodePort: undefined }),
    ).toEqual([]);
  });

  test('keeps the status, except the address of a removed load balancer', () => {
    const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } };
    const old = web({ type: 'LoadBalancer' }, status);
    expect(service.prepareForUpdate(web({ type: 'LoadBalancer' }), old).status).toBe(old.status);
    expect(service.prepareForUpdate(web({ type: 'NodePort' }), old).status).toEqual({ loadBalancer: {} });
  });

  test('can create a Service, and sets no generation', () => {
    expect(service.allowCreateOnUpdate).toBe(true);
    expect(service.sameDesiredState).toBeUndefined();
  });
});

describe('Service status', () => {
  const statusUpdate = (spec: object, status: object) =>
    said(service.validateStatusUpdate?.(web(spec, status), web(spec)) ?? []);
  const ingress = (...points: object[]) => ({ loadBalancer: { ingress: points } });

  test('has addresses only for a LoadBalancer', () => {
    expect(statusUpdate({ type: 'LoadBalancer' }, ingress({ ip: '1.2.3.4' }))).toEqual([]);
    expect(statusUpdate({}, ingress({ ip: '1.2.3.4' }))).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
  });

  test('has valid addresses and hostnames', () => {
    const points = [
      { ip: 'lb.example.com' },
      { hostname: '1.2.3.4' },
      { hostname: 'lb', ipMode: 'VIP' },
      { ip: '1.2.3.4', ipMode: 'NAT' },
    ];
    expect(statusUpdate({ type: 'LoadBalancer' }, ingress(...points))).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "lb.example.com": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      'status.loadBalancer.ingress[2].ipMode: Forbidden: may not be specified when `ip` is not set',
      'status.loadBalancer.ingress[3].ipMode: Unsupported value: "NAT": supported values: "Proxy", "VIP"',
    ]);
  });

  test('is the only part that its subresource writes', () => {
    const status = ingress({ ip: '1.2.3.4' });
    const old = web();
    const next = service.prepareForStatusUpdate?.(web({ type: 'LoadBalancer' }, status), old);
    expect(next).toMatchObject({ spec: old.spec, status });
  });
});
