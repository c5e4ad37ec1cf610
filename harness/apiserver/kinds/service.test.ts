import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindViolations, parts } from './kind-laws.ts';
import { addressed, causesOf, sent, web } from './service.fixture.ts';
import { service } from './service.ts';

describe('Service defaults', () => {
  test('set ClusterIP, no affinity, and the Cluster policy for internal traffic', () => {
    expect(web()).toMatchObject({
      spec: { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' },
      status: { loadBalancer: {} },
    });
    expect(web().spec).not.toHaveProperty('externalTrafficPolicy');
  });

  test('set TCP, and the same target port in the pod', () => {
    const ports = [
      { port: 80 },
      { port: 53, protocol: 'UDP', targetPort: 'dns' },
      { port: 81, targetPort: 0 },
    ];
    expect(web({ ports }).spec.ports).toEqual([
      { port: 80, protocol: 'TCP', targetPort: 80 },
      { port: 53, protocol: 'UDP', targetPort: 'dns' },
      { port: 81, protocol: 'TCP', targetPort: 81 },
    ]);
  });

  test('set an affinity of three hours', () => {
    const three = { clientIP: { timeoutSeconds: 10800 } };
    expect(web({ sessionAffinity: 'ClientIP' }).spec.sessionAffinityConfig).toEqual(three);
    expect(web({ sessionAffinityConfig: three }).spec).not.toHaveProperty('sessionAffinityConfig');
  });

  test('set the policy for external traffic for a Service that is reachable from outside', () => {
    expect(web({ type: 'NodePort' }).spec).toMatchObject({ externalTrafficPolicy: 'Cluster' });
    expect(web({ type: 'LoadBalancer' }).spec).toMatchObject({
      externalTrafficPolicy: 'Cluster',
      allocateLoadBalancerNodePorts: true,
    });
  });

  test('set no policy for an ExternalName', () => {
    expect(web({ type: 'ExternalName', ports: undefined }).spec).toEqual({
      selector: { app: 'web' },
      ports: undefined,
      type: 'ExternalName',
      sessionAffinity: 'None',
    });
  });

  test("set the mode VIP for a load balancer's address", () => {
    const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'lb.example.com' }] } };
    const { ingress } = web({ type: 'LoadBalancer' }, status).status.loadBalancer ?? {};
    expect(ingress).toEqual([{ ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'lb.example.com' }]);
    expect(web({}, status).status).toEqual(status);
  });
});

describe('Service name', () => {
  test('is a DNS label, and can start with a digit', () => {
    expect(service.validateName('web-1')).toEqual([]);
    expect(service.validateName('1-web')).toEqual([]);
    expect(service.validateName('web.example')).toHaveLength(1);
  });
});

describe('Service ports', () => {
  test('are required, unless the Service has no address', () => {
    expect(causesOf({ ports: [] })).toEqual(['spec.ports: Required value']);
    expect(causesOf({ ports: [], clusterIP: 'None', clusterIPs: ['None'] })).toEqual([]);
    expect(causesOf({ ports: [], type: 'ExternalName', externalName: 'db.example.com.' })).toEqual([]);
  });

  test('have distinct names when there are several', () => {
    expect(causesOf({ ports: [{ port: 80 }, { port: 81, name: 'a' }, { port: 82, name: 'a' }] })).toEqual([
      'spec.ports[0].name: Required value',
      'spec.ports[2].name: Duplicate value: "a"',
    ]);
  });

  test('have valid numbers, protocols and targets', () => {
    const port = { port: 0, protocol: 'ICMP', targetPort: 'a-name-far-too-long', appProtocol: 'a b' };
    const causes = causesOf({ ports: [port] });
    expect(causes.slice(0, 3)).toEqual([
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      'spec.ports[0].targetPort: Invalid value: "a-name-far-too-long": must be no more than 15 characters',
    ]);
    expect(causes.slice(3)).toEqual([
      expect.stringContaining('spec.ports[0].appProtocol: Invalid value: "a b":'),
    ]);
  });

  test('can share a number only if their protocols differ', () => {
    const dns = (protocol: string, name: string, nodePort: number) => ({
      port: 53,
      protocol,
      name,
      nodePort,
    });
    const type = 'NodePort';
    expect(causesOf({ type, ports: [dns('UDP', 'a', 30053), dns('TCP', 'b', 30053)] })).toEqual([]);
    expect(causesOf({ type, ports: [dns('UDP', 'a', 30053), dns('UDP', 'b', 30053)] })).toEqual([
      'spec.ports[1].nodePort: Duplicate value: 30053',
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"UDP","AppProtocol":null,"Port":53,"TargetPort":0,"NodePort":0}',
    ]);
  });

  test('have no node port for a ClusterIP', () => {
    expect(causesOf({ ports: [{ port: 80, nodePort: 30080 }] })).toEqual([
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ]);
  });
});

describe('Service type', () => {
  test('is one of four', () => {
    expect(causesOf({ type: 'Ingress' })).toEqual([
      'spec.type: Unsupported value: "Ingress": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ]);
  });

  test.each(['NodePort', 'LoadBalancer'])('%s cannot be headless', (type) => {
    expect(causesOf({ type, clusterIP: 'None', clusterIPs: ['None'] })).toEqual([
      `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for ${type} services`,
    ]);
  });

  test('ExternalName requires a name and rejects an address', () => {
    expect(
      causesOf({ type: 'ExternalName', clusterIPs: ['10.96.0.7'], ipFamilyPolicy: 'SingleStack' }),
    ).toEqual([
      'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
      'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
      'spec.externalName: Required value',
    ]);
  });

  test('rejects policies for external traffic if it has none', () => {
    expect(causesOf({ externalTrafficPolicy: 'Local', healthCheckNodePort: 30100 })).toEqual([
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      "spec.healthCheckNodePort: Invalid value: 30100: may only be set when `type` is 'LoadBalancer' and " +
        "`externalTrafficPolicy` is 'Local'",
    ]);
    expect(causesOf({ externalIPs: ['198.51.100.1'], externalTrafficPolicy: 'Local' })).toEqual([]);
    expect(
      causesOf({ type: 'NodePort', externalTrafficPolicy: 'Near', internalTrafficPolicy: 'Near' }),
    ).toEqual([
      'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
      'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
    ]);
  });

  test('rejects load balancer fields unless it is LoadBalancer', () => {
    const only = "Forbidden: may only be used when `type` is 'LoadBalancer'";
    const balancing = {
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      allocateLoadBalancerNodePorts: true,
      loadBalancerClass: 'example.com/lb',
    };
    expect(causesOf(balancing)).toEqual([
      `spec.LoadBalancerSourceRanges: ${only}`,
      `spec.allocateLoadBalancerNodePorts: ${only}`,
      `spec.loadBalancerClass: ${only}`,
    ]);
    expect(causesOf({ ...balancing, type: 'LoadBalancer' })).toEqual([]);
  });
});

describe('Service affinity', () => {
  test('is ClientIP or None', () => {
    expect(causesOf({ sessionAffinity: 'Cookie' })).toEqual([
      'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
    ]);
  });

  test.each([0, 86401])('rejects a timeout of %i seconds', (timeoutSeconds) => {
    const sessionAffinityConfig = { clientIP: { timeoutSeconds } };
    expect(causesOf({ sessionAffinity: 'ClientIP', sessionAffinityConfig })).toEqual([
      `spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: ${timeoutSeconds}: ` +
        'must be greater than 0 and less than 86400',
    ]);
  });
});

describe('Service addresses', () => {
  test.each([
    [{ clusterIP: '10.96.0.7' }, 'Required value'],
    [
      { clusterIPs: ['10.96.0.7'] },
      'Invalid value: ["10.96.0.7"]: must be empty when `clusterIP` is not specified',
    ],
    [
      { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.7'] },
      'Invalid value: ["10.96.0.7"]: first value must match `clusterIP`',
    ],
    [
      { clusterIP: 'None', clusterIPs: ['None', '10.96.0.7'] },
      'Invalid value: ["None","10.96.0.7"]: \'None\' must be the first and only value',
    ],
    [
      { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', '10.96.0.8'] },
      'Invalid value: ["10.96.0.7","10.96.0.8"]: may specify no more than one IP for each IP family',
    ],
  ])('%o are inconsistent', (spec, message) => {
    expect(causesOf(spec)).toEqual([`spec.clusterIPs: ${message}`]);
  });

  test('are valid, and of the named IP family', () => {
    expect(causesOf({ clusterIP: 'web', clusterIPs: ['web'] })).toEqual([
      'spec.clusterIPs[0]: Invalid value: "web": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    expect(causesOf({ ...addressed, ipFamilies: ['IPv6'], ipFamilyPolicy: 'Any' })).toEqual([
      'spec.ipFamilyPolicy: Unsupported value: "Any": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      'spec.clusterIPs[0]: Invalid value: "10.96.0.7": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ]);
    expect(causesOf({ ipFamilies: ['IPv5', 'IPv4', 'IPv4'] })).toEqual([
      'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
      'spec.ipFamilies[2]: Duplicate value: "IPv4"',
    ]);
  });

  test('reject loopback, link-local and unspecified addresses as external IPs', () => {
    const externalIPs = ['127.0.0.1', '169.254.1.1', '224.0.0.1', '0.0.0.0', '8.8.8.8', '2001:db8::1', 'x'];
    expect(causesOf({ externalIPs })).toEqual([
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'spec.externalIPs[1]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'spec.externalIPs[2]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      'spec.externalIPs[3]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
      'spec.externalIPs[6]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });
});

describe('Service of a load balancer', () => {
  test('accepts CIDRs as sources, with spaces around them', () => {
    const loadBalancerSourceRanges = [' 10.0.0.0/8 ', '10.9.8.7/24', '10.0.0.0/08'];
    expect(causesOf({ type: 'LoadBalancer', loadBalancerSourceRanges })).toEqual([
      'spec.LoadBalancerSourceRanges[1]: Invalid value: "10.9.8.7/24": must not have bits set beyond the prefix length',
      'spec.LoadBalancerSourceRanges[2]: Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length',
    ]);
  });
});

describe('Service traffic', () => {
  test('can prefer nearby endpoints', () => {
    expect(causesOf({ trafficDistribution: 'PreferSameNode' })).toEqual([]);
    expect(causesOf({ trafficDistribution: 'PreferFar' })).toEqual([
      'spec.trafficDistribution: Unsupported value: "PreferFar": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ]);
  });
});

describe('Service selection', () => {
  test('supports the cluster IP and the type', () => {
    expect(service.selectableFields(web(addressed))).toEqual({
      'spec.clusterIP': '10.96.0.7',
      'spec.type': 'ClusterIP',
    });
  });
});

describe('Service laws', () => {
  test('hold for any part of a Service that is sent', () => {
    const whole = sent(
      {
        ...addressed,
        type: 'LoadBalancer',
        ports: [{ port: 80, name: 'a', targetPort: 'web', protocol: 'TCP', nodePort: 30080 }, { port: 0 }],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
        externalTrafficPolicy: 'Local',
        trafficDistribution: 'PreferClose',
        externalIPs: ['8.8.8.8'],
      },
      { loadBalancer: {} },
    );
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(service, part)).toEqual([]);
      }),
    );
  });
});
