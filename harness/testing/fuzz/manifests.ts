import { groupVersion, type Resource } from '../../api/resource.ts';
import { samples } from '../../apiserver/kinds/samples.fixture.ts';
import type { Chance } from './chance.ts';
import type { JsonObject } from './mutate.ts';

/** A few names, so that objects collide. */
export const NAMES = ['a', 'a', 'a', 'b', 'web-1'];

/** Existing namespaces, and a missing one. */
export const NAMESPACES = [...Array<string>(8).fill('default'), 'kube-system', 'absent'];

/** Generates an object that the apiserver accepts, small or with many of its kind's fields. */
export function manifest(chance: Chance, resource: Resource, place: Place): JsonObject {
  const { apiVersion, kind } = { apiVersion: groupVersion(resource), kind: resource.kind };
  const metadata = {
    name: place.name,
    ...(resource.namespaced ? { namespace: place.namespace } : {}),
    ...(chance.oneIn(2) ? { labels: labels(chance) } : {}),
    ...(chance.oneIn(4) ? { annotations: { note: 'x', 'example.com/when': 'now' } } : {}),
    ...(chance.oneIn(8) ? { finalizers: ['example.com/hold'] } : {}),
    ...(chance.oneIn(8) ? { ownerReferences: [owner] } : {}),
  };
  return structuredClone({ apiVersion, kind, metadata, ...(bodies[kind]?.(chance) ?? samples[kind]) });
}

/** Namespace and name of an object. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u-1', controller: true };

const labels = (chance: Chance): JsonObject => ({ app: chance.one(['web', 'db']), tier: 'front' });

const container = (chance: Chance, name: string): JsonObject => ({
  name,
  image: chance.one(['nginx:1.25', 'busybox']),
  ...(chance.oneIn(2)
    ? { resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: 1 } } }
    : {}),
  ...(chance.oneIn(3) ? { ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] } : {}),
  ...(chance.oneIn(3) ? { env: [{ name: 'A', value: '1' }, field] } : {}),
  ...(chance.oneIn(3) ? { readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 } } : {}),
  ...(chance.oneIn(3) ? { volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] } : {}),
  ...(chance.oneIn(4) ? { securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } } } : {}),
});

const field = { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };

const podSpec = (chance: Chance): JsonObject => ({
  containers: chance.many(1 + chance.int(2), (i) => container(chance, `c${i}`)),
  ...(chance.oneIn(4) ? { initContainers: [container(chance, 'init')] } : {}),
  ...(chance.oneIn(2) ? { volumes: [{ name: 'tmp', emptyDir: {} }] } : {}),
  ...(chance.oneIn(4) ? { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] } : {}),
  ...(chance.oneIn(4) ? { nodeSelector: { disk: 'ssd' }, nodeName: 'a' } : {}),
  ...(chance.oneIn(4) ? { topologySpreadConstraints: [spread] } : {}),
  ...(chance.oneIn(4) ? { affinity: { podAntiAffinity: antiAffinity } } : {}),
  ...(chance.oneIn(8) ? { terminationGracePeriodSeconds: 0, hostNetwork: true } : {}),
});

const matching = { matchLabels: { app: 'web' } };
const spread = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: matching,
};
const antiAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'host', labelSelector: matching }],
};

const podStatus = {
  phase: 'Running',
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null }],
  containerStatuses: [{ name: 'c0', ready: true, restartCount: 0, image: 'x', imageID: '' }],
};

const replicated = (chance: Chance): JsonObject => ({
  replicas: chance.int(4),
  selector: chance.oneIn(3)
    ? { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }
    : matching,
  template: { metadata: { labels: { app: 'web' } }, spec: podSpec(chance) },
});

const rollingUpdate = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } };

/** The fields of a kind besides its metadata. */
const bodies: Readonly<Record<string, (chance: Chance) => JsonObject>> = {
  ConfigMap: () => ({ data: { a: '1', b: 'two\nlines\n' }, binaryData: { c: 'aGVsbG8=' } }),
  PersistentVolume: (chance) => ({
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      ...chance.one([{ hostPath: { path: '/data' } }, { csi: { driver: 'a.example', volumeHandle: '1' } }]),
    },
  }),
  PersistentVolumeClaim: () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, selector: matching },
  }),
  ServiceAccount: () => ({ secrets: [{ name: 'a', kind: 'Secret' }], imagePullSecrets: [{ name: 'b' }] }),
  Secret: (chance) => ({
    data: { a: 'aGVsbG8=' },
    type: chance.one(['Opaque', 'kubernetes.io/dockerconfigjson']),
    ...(chance.oneIn(2) ? { stringData: { '.dockerconfigjson': '{"auths":{}}' } } : {}),
  }),
  Event: () => ({
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
    reason: 'Failed',
    message: 'no luck',
    type: 'Warning',
    count: 2,
    firstTimestamp: '2026-01-02T03:04:05Z',
  }),
  Namespace: () => ({ spec: {} }),
  Node: () => ({
    spec: { taints: [{ key: 'a', effect: 'NoSchedule' }], unschedulable: true },
    status: { capacity: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
  }),
  Pod: (chance) => ({ spec: podSpec(chance), ...(chance.oneIn(3) ? { status: podStatus } : {}) }),
  Service: (chance) => ({
    spec: {
      selector: { app: 'web' },
      type: chance.one(['ClusterIP', 'NodePort', 'LoadBalancer']),
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
      ...(chance.oneIn(4) ? { clusterIP: 'None', type: 'ClusterIP' } : {}),
    },
  }),
  Deployment: (chance) => ({
    spec: { ...replicated(chance), strategy: rollingUpdate, minReadySeconds: 1 },
    ...(chance.oneIn(3) ? { status: { replicas: 1, observedGeneration: 1 } } : {}),
  }),
  ReplicaSet: (chance) => ({ spec: replicated(chance) }),
  Endpoints: () => ({
    subsets: [{ addresses: [{ ip: '10.1.2.3', nodeName: 'a' }], ports: [{ name: 'http', port: 80 }] }],
  }),
  EndpointSlice: (chance) => ({
    addressType: chance.one(['IPv4', 'IPv4', 'FQDN']),
    endpoints: [
      { addresses: ['10.1.2.3'], conditions: { ready: true }, hints: { forZones: [{ name: 'a' }] } },
    ],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  }),
  Lease: () => ({
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.000006Z' },
  }),
  PodDisruptionBudget: () => ({ spec: { minAvailable: '50%', selector: matching } }),
  PriorityClass: () => ({ value: 1000, globalDefault: false, preemptionPolicy: 'Never' }),
};
