import { describe, expect, test } from 'vitest';
import type { core, EndpointSlice } from '#harness';
import { named, vectors } from '#harness/testing';
import { type AddressType, endpointPorts, podToEndpoint } from './endpoint.ts';
import { node, pod, service, slice } from './objects.fixture.ts';
import { planSlices } from './slice-plan.ts';

interface PodRow {
  readonly podReady?: boolean;
  readonly terminating?: boolean;
  readonly publishNotReadyAddresses?: boolean;
  readonly podIPs?: readonly string[];
  readonly addressType?: AddressType;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly service?: string;
}

describe('An endpoint, as in upstream’s table', () => {
  test.each(named(vectors<PodRow, object>('endpointslice', 'podToEndpoint', 6)))('%s', (_, row) => {
    const { podReady = true, publishNotReadyAddresses = false, addressType = 'IPv4' } = row.input;
    const { podIPs, terminating = false, hostname, subdomain } = row.input;
    const of = service({ publishNotReadyAddresses });
    const endpoint = podToEndpoint(
      pod('web-1', {
        ...{ ready: podReady, terminating, ...(podIPs ? { podIPs } : {}) },
        spec: { ...(hostname ? { hostname } : {}), ...(subdomain ? { subdomain } : {}) },
      }),
      {
        node,
        service: { ...of, metadata: { ...of.metadata, name: row.input.service ?? 'web' } },
        addressType,
      },
    );
    expect(endpoint).toMatchObject(row.expect);
  });
});

interface PortsRow {
  readonly servicePorts: readonly (Partial<core.ServicePort> & { readonly name: string })[];
  readonly containerPorts: core.ContainerPort[];
  readonly sidecarPorts?: core.ContainerPort[];
}

describe('The ports of a Service in a pod, as in upstream’s table', () => {
  test.each(named(vectors<PortsRow, { ports: object[] }>('endpointslice', 'ports', 2)))('%s', (_, row) => {
    const { servicePorts, containerPorts, sidecarPorts } = row.input;
    const ports = servicePorts.map((port) => ({ port: 443, protocol: 'TCP', ...port }));
    const of = pod('web-1', {
      spec: {
        containers: [{ name: 'main', ports: containerPorts }],
        ...(sidecarPorts
          ? { initContainers: [{ name: 'side', restartPolicy: 'Always', ports: sidecarPorts }] }
          : {}),
      },
    });
    const wanted = row.expect.ports.map((port) => ({ protocol: 'TCP', ...port }));
    expect(endpointPorts(of, service({ ports }))).toEqual(wanted);
  });
});

interface PackingRow {
  /** `keep` endpoints that are still desired, or `replaced` endpoints that are not. */
  readonly existing: readonly {
    readonly keep?: number;
    readonly replaced?: number;
    readonly addressType?: string;
  }[];
  readonly add?: number;
  readonly max?: number;
  readonly serviceLabelsChanged?: Record<string, string>;
}

interface Packed {
  readonly sizes?: readonly number[];
  readonly created: number;
  readonly updated?: number;
  readonly deleted: number;
}

describe('The packing of endpoints, as in upstream’s table', () => {
  test.each(named(vectors<PackingRow, Packed>('endpointslice', 'packing', 9)))(
    '%s',
    (_, { input, expect: wanted }) => {
      const { existing, add = 0, max = 100, serviceLabelsChanged } = input;
      const of = service({}, serviceLabelsChanged);
      let pods = 0;
      const somePods = (count: number) => Array.from({ length: count }, () => pod(`web-${++pods}`));
      const kept = existing.map(({ keep = 0 }) => somePods(keep));
      const endpoint = (each: ReturnType<typeof pod>) =>
        podToEndpoint(each, { node, service: of, addressType: 'IPv4' });
      const slices = existing.map(({ replaced = 0, addressType = 'IPv4' }, i): EndpointSlice => {
        if (replaced === 0) return slice(`web-${i}`, { endpoints: (kept[i] ?? []).map(endpoint) });
        const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
        return slice(`web-${i}`, { addressType, ports, endpoints: somePods(replaced).map(endpoint) });
      });
      const plan = planSlices({
        service: of,
        pods: [...kept.flat(), ...somePods(add)],
        nodeCalled: () => node,
        slices,
        maxEndpointsPerSlice: max,
      });
      const counts = [plan.creates.length, plan.updates.length, plan.deletes.length];
      expect(counts).toEqual([wanted.created, wanted.updated ?? 0, wanted.deleted]);
      const written = new Set([...plan.updates, ...plan.deletes].map(({ metadata }) => metadata.name));
      const left = [
        ...slices.filter(({ metadata }) => !written.has(metadata.name)),
        ...plan.updates,
        ...plan.creates,
      ];
      const sizes = left.map(({ endpoints }) => endpoints?.length ?? 0).sort();
      expect(sizes).toEqual([...(wanted.sizes ?? sizes)].sort());
    },
  );
});
