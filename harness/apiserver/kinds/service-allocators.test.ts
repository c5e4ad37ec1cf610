import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../api/freeze.ts';
import type { Service } from '../../api/objects.ts';
import { StatusError } from '../../api/status.ts';
import { service } from './service.ts';
import { ServiceAllocators } from './service-allocators.ts';

function sent(spec: object = {}, name = 'web'): Service {
  return deepFreeze(
    service.setDefaults({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', creationTimestamp: '' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
      status: {},
    }),
  );
}

/** Allocates and records a new Service. */
function create(allocators: ServiceAllocators, spec: object = {}, name?: string): Service {
  const created = deepFreeze(allocators.allocate(sent(spec, name)));
  allocators.record(created, undefined);
  return created;
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'not refused';
}

const small = () =>
  new ServiceAllocators({
    serviceClusterIPRange: '10.0.0.0/29',
    serviceNodePortRange: { first: 30000, last: 30003 },
  });

describe('ServiceAllocators: cluster IPs', () => {
  test('assign an address and the IP family of the cluster', () => {
    expect(create(new ServiceAllocators()).spec).toMatchObject({
      clusterIP: '10.96.1.1',
      clusterIPs: ['10.96.1.1'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
  });

  test('assign the next address to the next Service', () => {
    const allocators = new ServiceAllocators();
    create(allocators);
    expect(create(allocators).spec.clusterIP).toBe('10.96.1.2');
  });

  test('keep no trace of an allocation that is not written', () => {
    const allocators = new ServiceAllocators();
    allocators.allocate(sent());
    expect(allocators.allocate(sent()).spec.clusterIP).toBe('10.96.1.1');
  });

  test('accept a requested address, also in the reserved part', () => {
    expect(create(new ServiceAllocators(), { clusterIP: '10.96.0.10' }).spec).toMatchObject({
      clusterIP: '10.96.0.10',
      clusterIPs: ['10.96.0.10'],
    });
  });

  test('reject an address that is allocated or out of range', () => {
    const allocators = new ServiceAllocators();
    create(allocators, { clusterIP: '10.96.0.10' });
    const invalid = 'Invalid: Service "web" is invalid: spec.clusterIPs: Invalid value:';
    expect(refusal(() => create(allocators, { clusterIP: '10.96.0.10' }))).toBe(
      `${invalid} ["10.96.0.10"]: failed to allocate IP 10.96.0.10: provided IP is already allocated`,
    );
    expect(refusal(() => create(allocators, { clusterIP: '10.0.0.1' }))).toBe(
      `${invalid} ["10.0.0.1"]: failed to allocate IP 10.0.0.1: the provided network does not match the current range`,
    );
  });

  test('never assign the network address or the broadcast address', () => {
    const allocators = small();
    const ips = Array.from({ length: 6 }, () => create(allocators).spec.clusterIP);
    expect(ips).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6']);
    expect(refusal(() => create(allocators))).toBe(
      'InternalError: Internal error occurred: failed to allocate a serviceIP for Service "web": range is full',
    );
  });

  test('release the address of a deleted Service', () => {
    const allocators = small();
    const all = Array.from({ length: 6 }, () => create(allocators));
    allocators.record(undefined, all[2]);
    expect(create(allocators).spec.clusterIP).toBe('10.0.0.3');
  });

  test('assign no address to a headless Service or an ExternalName', () => {
    const allocators = new ServiceAllocators();
    expect(create(allocators, { clusterIP: 'None' }).spec).toMatchObject({
      clusterIPs: ['None'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
    const external = create(allocators, { type: 'ExternalName', externalName: 'db.example.com' });
    expect(external.spec).not.toHaveProperty('clusterIP');
    expect(external.spec).not.toHaveProperty('ipFamilies');
    expect(create(allocators).spec.clusterIP).toBe('10.96.1.1');
  });

  test('give both families to a headless Service without a selector: its endpoints can have any address', () => {
    expect(create(new ServiceAllocators(), { clusterIP: 'None', selector: {} }).spec).toMatchObject({
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    });
  });

  test('reject two families if they are required, and assign one if they are preferred', () => {
    const allocators = new ServiceAllocators();
    expect(create(allocators, { ipFamilyPolicy: 'PreferDualStack' }).spec.ipFamilies).toEqual(['IPv4']);
    expect(refusal(() => create(allocators, { ipFamilyPolicy: 'RequireDualStack' }))).toBe(
      'Invalid: Service "web" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is ' +
        'not configured for dual-stack services',
    );
    expect(refusal(() => create(allocators, { ipFamilies: ['IPv6'] }))).toBe(
      'Invalid: Service "web" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    );
    expect(refusal(() => create(allocators, { clusterIP: 'fd00::7' }))).toBe(
      'Invalid: Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::7"]: IPv6 is not configured on ' +
        'this cluster',
    );
  });

  test('reject two families for a single stack', () => {
    const spec = { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] };
    expect(refusal(() => create(new ServiceAllocators(), spec))).toBe(
      'Invalid: Service "web" is invalid: spec.ipFamilyPolicy: Invalid value: "SingleStack": must be ' +
        "'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    );
  });

  test('allocate nothing for contradictory addresses', () => {
    expect(refusal(() => create(new ServiceAllocators(), { clusterIPs: ['10.96.0.7'] }))).toBe(
      'Invalid: Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.7"]: must be empty when ' +
        '`clusterIP` is not specified',
    );
  });
});

describe('ServiceAllocators: node ports', () => {
  const nodePortsOf = ({ spec }: Service) => spec.ports?.map(({ nodePort }) => nodePort);
  const type = 'NodePort';

  test('assign one to each port, above the reserved part', () => {
    const ports = [
      { port: 80, name: 'a' },
      { port: 443, name: 'b' },
    ];
    expect(nodePortsOf(create(new ServiceAllocators(), { type, ports }))).toEqual([30086, 30087]);
  });

  test('assign one to ports of the same number, even if only the second requests it', () => {
    const dns = (nodePort?: number) => [
      { port: 53, name: 'a', protocol: 'UDP' },
      { port: 53, name: 'b', protocol: 'TCP', ...(nodePort ? { nodePort } : {}) },
    ];
    expect(nodePortsOf(create(new ServiceAllocators(), { type, ports: dns() }))).toEqual([30086, 30086]);
    expect(nodePortsOf(create(new ServiceAllocators(), { type, ports: dns(30053) }))).toEqual([30053, 30053]);
  });

  test('reject a port that is allocated or out of range', () => {
    const allocators = new ServiceAllocators();
    const asking = (nodePort: number) => create(allocators, { type, ports: [{ port: 80, nodePort }] });
    asking(30080);
    const invalid = 'Invalid: Service "web" is invalid: spec.ports[0].nodePort: Invalid value:';
    expect(refusal(() => asking(30080))).toBe(`${invalid} 30080: provided port is already allocated`);
    expect(refusal(() => asking(80))).toBe(
      `${invalid} 80: provided port is not in the valid range. The range of valid ports is 30000-32767`,
    );
  });

  test('reject one node port for different port numbers in a new Service', () => {
    const ports = [
      { port: 80, name: 'a', nodePort: 30080 },
      { port: 81, name: 'b', nodePort: 30080, protocol: 'UDP' },
    ];
    expect(refusal(() => create(new ServiceAllocators(), { type, ports }))).toBe(
      'Invalid: Service "web" is invalid: spec.ports[1].nodePort: Invalid value: 30080: provided port is already allocated',
    );
  });

  test('fail when the range is full', () => {
    const allocators = small();
    const ports = [1, 2, 3, 4].map((port) => ({ port, name: `p${port}` }));
    expect(nodePortsOf(create(allocators, { type, ports }))).toEqual([30000, 30001, 30002, 30003]);
    expect(refusal(() => create(allocators, { type }))).toBe(
      'InternalError: Internal error occurred: failed to allocate a nodePort: range is full',
    );
  });

  test('assign none to a LoadBalancer that opts out', () => {
    const spec = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
    expect(nodePortsOf(create(new ServiceAllocators(), spec))).toEqual([undefined]);
  });

  test('assign a health check port to a LoadBalancer with local endpoints', () => {
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    const created = create(new ServiceAllocators(), spec);
    expect([nodePortsOf(created), created.spec.healthCheckNodePort]).toEqual([[30086], 30087]);
  });
});

describe('ServiceAllocators: updates', () => {
  const type = 'NodePort';

  test('keep a Service unchanged when its original YAML replaces it', () => {
    const allocators = new ServiceAllocators();
    for (const spec of [
      {},
      { type },
      { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
      { clusterIP: 'None' },
    ]) {
      const old = create(allocators, spec);
      expect(allocators.allocate(sent(spec), old)).toEqual(old);
      expect(allocators.allocate(old, old)).toBe(old);
    }
  });

  test('keep the IP family policy that an update omits', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators, { ipFamilyPolicy: 'PreferDualStack' });
    expect(allocators.allocate(sent(), old).spec.ipFamilyPolicy).toBe('PreferDualStack');
  });

  test('keep the node port of a port by name, and assign another to a new port', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators, { type, ports: [{ port: 80, name: 'web' }] });
    const ports = [
      { port: 443, name: 'tls' },
      { port: 8080, name: 'web' },
    ];
    const { spec } = allocators.allocate(sent({ type, ports }), old);
    expect(spec.ports?.map(({ nodePort }) => nodePort)).toEqual([30087, 30086]);
  });

  test('assign a new node port to a port whose old one moved to another port', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators, { type, ports: [{ port: 80, name: 'a' }] });
    const ports = [
      { port: 80, name: 'a' },
      { port: 81, name: 'b', nodePort: 30086 },
    ];
    const { spec } = allocators.allocate(sent({ type, ports }), old);
    expect(spec.ports?.map(({ nodePort }) => nodePort)).toEqual([30087, 30086]);
  });

  test('accept one node port for two protocols', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators);
    const ports = [
      { port: 53, name: 'a', nodePort: 30053, protocol: 'UDP' },
      { port: 53, name: 'b', nodePort: 30053, protocol: 'TCP' },
    ];
    expect(allocators.allocate(sent({ type, ports }), old).spec.ports).toMatchObject(ports);
  });

  test('assign node ports to a Service that becomes a NodePort', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators);
    expect(allocators.allocate(sent({ type }), old).spec).toMatchObject({
      clusterIP: '10.96.1.1',
      ports: [{ nodePort: 30086 }],
    });
  });

  test('assign an address to a Service that was an ExternalName', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators, { type: 'ExternalName', externalName: 'db.example.com' });
    expect(allocators.allocate(sent(), old).spec).toMatchObject({
      clusterIPs: ['10.96.1.1'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
  });

  test('release the values that a written update removes', () => {
    const allocators = small();
    const old = create(allocators, { type });
    const next = service.prepareForUpdate(
      allocators.allocate({ ...old, spec: { ...old.spec, type: 'ClusterIP' } }, old),
      old,
    );
    expect(next.spec.ports?.[0]).not.toHaveProperty('nodePort');
    allocators.record(next, old);
    const ports = [{ port: 80, nodePort: 30000 }];
    expect(create(allocators, { type, ports }).spec.ports).toMatchObject(ports);
  });

  test('accept a changed cluster IP, which validation rejects', () => {
    const allocators = new ServiceAllocators();
    const old = create(allocators);
    const next = allocators.allocate(sent({ clusterIP: '10.96.0.9' }), old);
    expect(service.validateUpdate(next, old).map(({ message }) => message)).toContain(
      'Invalid value: ["10.96.0.9"]: may not change once set',
    );
  });
});

describe('ServiceAllocators: laws', () => {
  const step = fc.record({
    op: fc.constantFrom('create', 'update', 'delete', 'dry run'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
    nodePort: fc.option(fc.integer({ min: 29999, max: 30004 }), { nil: undefined }),
    clusterIP: fc.option(fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.9', 'None'), { nil: undefined }),
  });

  test('Unique: no address and no port has two owners, and both replicas agree', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const [one, other] = [small(), small()];
        const stored = new Map<string, Service>();
        for (const { op, name, type, nodePort, clusterIP } of steps) {
          const old = stored.get(name);
          const port = { port: 80, ...(nodePort ? { nodePort } : {}) };
          const spec = { type, ports: [port], ...(clusterIP ? { clusterIP } : {}), externalName: 'x' };
          const next = op === 'delete' ? undefined : attempt(one, other, sent(spec, name), old);
          if (op === 'dry run' || (op !== 'delete' && !next)) continue;
          if (next) stored.set(name, next);
          else stored.delete(name);
          for (const allocators of [one, other]) allocators.record(next, old);
        }
        const specs = [...stored.values()].map(({ spec }) => spec);
        const ips = specs.flatMap(({ clusterIPs = [] }) => clusterIPs.filter((ip) => ip !== 'None'));
        const ports = specs.flatMap(({ ports = [] }) => ports.flatMap(({ nodePort }) => nodePort ?? []));
        expect(new Set(ips).size).toBe(ips.length);
        expect(new Set(ports).size).toBe(ports.length);
      }),
    );
  });

  /** Returns the Service that an apiserver would write; `undefined` if it would reject it. */
  function attempt(one: ServiceAllocators, other: ServiceAllocators, object: Service, old?: Service) {
    let next: Service;
    try {
      next = one.allocate(object, old);
    } catch {
      expect(refusal(() => other.allocate(object, old))).toBe(refusal(() => one.allocate(object, old)));
      return undefined;
    }
    expect(other.allocate(object, old)).toEqual(next);
    const prepared = deepFreeze(old ? service.prepareForUpdate(next, old) : service.prepareForCreate(next));
    const causes = old ? service.validateUpdate(prepared, old) : service.validate(prepared);
    return causes.length > 0 ? undefined : prepared;
  }
});
