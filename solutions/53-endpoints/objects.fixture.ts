import type { core, EndpointSlice, Node, Pod, Service } from '#harness';
import { CONTROLLER_NAME, MANAGED_BY, SERVICE_NAME } from './slice-plan.ts';

const stored = { namespace: 'default', resourceVersion: '1', creationTimestamp: '2024-01-01T00:00:00Z' };

/** Returns the Service `web`, which selects pods with the label `app: web`. */
export function service(spec: core.ServiceSpec = {}, labels?: Record<string, string>): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...stored, name: 'web', uid: 'web', ...(labels ? { labels } : {}) },
    spec: {
      selector: { app: 'web' },
      clusterIP: '10.96.0.7',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 80 }],
      ...spec,
    },
    status: {},
  };
}

/** Options of a pod. */
interface PodOptions {
  readonly ready?: boolean;
  readonly terminating?: boolean;
  readonly podIPs?: readonly string[];
  readonly spec?: Partial<core.PodSpec>;
}

/** Returns a pod of {@link service} on `node-1`, with a unique address. */
export function pod(
  name: string,
  { ready = true, terminating = false, podIPs, spec = {} }: PodOptions = {},
): Pod {
  const digits = Number(/\d+$/.exec(name)?.[0] ?? 0);
  const [podIP = '', ...more] = podIPs ?? [`10.244.${digits >> 8}.${digits & 255}`];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ ...stored, name, uid: `uid-${name}`, labels: { app: 'web' } },
      ...(terminating ? { deletionTimestamp: '2024-01-01T00:01:00Z' } : {}),
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main' }], ...spec },
    status: {
      phase: 'Running',
      podIP,
      podIPs: [podIP, ...more].map((ip) => ({ ip })),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  };
}

/** The node of the pods. */
export const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    ...{ name: 'node-1', uid: 'node-1', resourceVersion: '1', creationTimestamp: stored.creationTimestamp },
    labels: { 'topology.kubernetes.io/zone': 'a' },
  },
  spec: {},
  status: {},
};

/** Returns a slice of {@link service}. */
export function slice(name: string, rest: Partial<EndpointSlice> = {}): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...{ ...stored, name, uid: `uid-${name}`, generation: 1 },
      labels: { [SERVICE_NAME]: 'web', [MANAGED_BY]: CONTROLLER_NAME },
      ownerReferences: [
        {
          ...{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'web' },
          ...{ controller: true, blockOwnerDeletion: true },
        },
      ],
    },
    addressType: 'IPv4',
    endpoints: [],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    ...rest,
  };
}
