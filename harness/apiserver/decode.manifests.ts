import {
  configMaps,
  deployments,
  endpointSlices,
  endpoints,
  events,
  leases,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  priorityClasses,
  type Resource,
  replicaSets,
  secrets,
  serviceAccounts,
  services,
} from '../api/resource.ts';

const labels = { app: 'nginx', tier: 'web' };

const podSpec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  securityContext: { runAsNonRoot: true, runAsUser: 101, fsGroup: 101, supplementalGroups: [1, 2] },
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 100,
          podAffinityTerm: {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['nginx'] }] },
          },
        },
      ],
    },
  },
  tolerations: [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: labels },
    },
  ],
  initContainers: [{ name: 'init', image: 'busybox:1.36', command: ['sh', '-c', 'true'], resources: {} }],
  containers: [
    {
      name: 'nginx',
      image: 'nginx:1.25',
      imagePullPolicy: 'IfNotPresent',
      ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
      env: [
        { name: 'MODE', value: 'fast' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'key', optional: true } } },
      ],
      resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10, failureThreshold: 3 },
      readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 5 },
      startupProbe: { exec: { command: ['true'] } },
      lifecycle: { preStop: { sleep: { seconds: 5 } } },
      volumeMounts: [{ name: 'settings', mountPath: '/etc/settings', readOnly: true }],
    },
  ],
  volumes: [
    { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'a', mode: 420 }] } },
    { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
    {
      name: 'token',
      projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }] },
    },
  ],
};

const template = { metadata: { labels, annotations: { note: '' } }, spec: podSpec };

const condition = {
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '2024-05-01T12:00:00Z',
  reason: 'Because',
};

/**
 * Each has a title, a resource and a manifest.
 *
 * Ordinary manifests, at least one per resource, as Go prints them: decoding must not change them.
 */
export const manifests: readonly (readonly [string, Resource, Record<string, unknown>])[] = [
  [
    'a deployment',
    deployments as Resource,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'nginx', namespace: 'default', labels },
      spec: {
        replicas: 3,
        paused: true,
        selector: { matchLabels: { app: 'nginx' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
        template,
      },
      status: {},
    },
  ],
  [
    'a replica set',
    replicaSets as Resource,
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: 'nginx-5d',
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'nginx',
            uid: 'u',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
      status: { replicas: 0, observedGeneration: 1 },
    },
  ],
  [
    'a pod with its status',
    pods as Resource,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'nginx-',
        labels,
        finalizers: ['example.com/hold'],
        deletionTimestamp: '2024-05-01T12:00:30Z',
        deletionGracePeriodSeconds: 30,
        managedFields: [
          { manager: 'kubectl', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } },
        ],
      },
      spec: { ...podSpec, nodeName: 'n1' },
      status: {
        phase: 'Running',
        podIP: '10.0.0.7',
        podIPs: [{ ip: '10.0.0.7' }],
        conditions: [{ ...condition, lastProbeTime: null }],
        containerStatuses: [
          {
            name: 'nginx',
            image: 'nginx:1.25',
            imageID: '',
            ready: true,
            restartCount: 0,
            state: { running: { startedAt: '2024-05-01T12:00:00Z' } },
            lastState: {},
          },
        ],
      },
    },
  ],
  [
    'a service',
    services as Resource,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: {
        selector: labels,
        ports: [
          { port: 80, targetPort: 'http' },
          { name: 'x', port: 81, targetPort: 8081 },
        ],
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'a config map',
    configMaps as Resource,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      immutable: true,
      data: { a: 'b' },
      binaryData: { bytes: 'AAECAw==' },
    },
  ],
  [
    'a namespace',
    namespaces as Resource,
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'web' },
      spec: { finalizers: ['kubernetes'] },
      status: {},
    },
  ],
  [
    'a node',
    nodes as Resource,
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1' },
      spec: {
        podCIDR: '10.0.0.0/24',
        taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: '2024-05-01T12:00:00Z' }],
      },
      status: {
        capacity: { cpu: '4', memory: '8Gi', pods: '110' },
        allocatable: { cpu: '3920m', memory: '8Gi', pods: '110' },
        conditions: [{ ...condition, lastHeartbeatTime: null }],
        addresses: [{ type: 'InternalIP', address: '192.168.0.1' }],
        images: [{ names: ['nginx:1.25'], sizeBytes: 5_000_000_000 }],
        daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
        nodeInfo: {
          ...{ machineID: '', systemUUID: '', bootID: '', kernelVersion: '6.1', osImage: '' },
          ...{ containerRuntimeVersion: '', kubeletVersion: 'v1.36.3', kubeProxyVersion: '' },
          ...{ operatingSystem: 'linux', architecture: 'amd64' },
        },
      },
    },
  ],
  [
    'an event',
    events as Resource,
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'nginx.17' },
      involvedObject: {
        kind: 'Pod',
        namespace: 'default',
        name: 'nginx',
        fieldPath: 'spec.containers{nginx}',
      },
      reason: 'Pulled',
      source: {},
      count: 2,
      firstTimestamp: '2024-05-01T12:00:00Z',
      lastTimestamp: null,
      eventTime: '2024-05-01T12:00:00.000001Z',
      reportingComponent: '',
      reportingInstance: '',
    },
  ],
  [
    'a lease',
    leases as Resource,
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'n1', namespace: 'kube-node-lease' },
      spec: { holderIdentity: 'n1', leaseDurationSeconds: 40, renewTime: '2024-05-01T12:00:00.123456Z' },
    },
  ],
  [
    'a pod disruption budget',
    podDisruptionBudgets as Resource,
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: '50%', selector: { matchLabels: labels } },
      status: {
        ...{ disruptedPods: { nginx: '2024-05-01T12:00:00Z' }, disruptionsAllowed: 1 },
        ...{ currentHealthy: 2, desiredHealthy: 1, expectedPods: 0 },
      },
    },
  ],
  [
    'endpoints',
    endpoints as Resource,
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'web', namespace: 'default' },
      subsets: [
        {
          addresses: [{ ip: '10.244.1.2', nodeName: 'node-1', targetRef: { kind: 'Pod', name: 'web-0' } }],
          notReadyAddresses: [{ ip: '10.244.1.3', hostname: 'web-1' }],
          ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        },
      ],
    },
  ],
  [
    'an endpoint slice',
    endpointSlices as Resource,
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'web-abcde', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.244.1.2'],
          conditions: { ready: true, serving: true, terminating: false },
          nodeName: 'node-1',
          zone: 'a',
          hints: { forZones: [{ name: 'a' }] },
          targetRef: { kind: 'Pod', namespace: 'default', name: 'web-0' },
        },
      ],
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    },
  ],
  [
    'a secret',
    secrets as Resource,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'login', namespace: 'default' },
      immutable: true,
      data: { password: 'aHVudGVyMg==' },
      type: 'Opaque',
    },
  ],
  [
    'a volume',
    persistentVolumes as Resource,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk-1' },
      spec: {
        capacity: { storage: '10Gi' },
        csi: { driver: 'disks.example.com', volumeHandle: '7', volumeAttributes: { tier: 'fast' } },
        accessModes: ['ReadWriteOnce'],
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' },
        persistentVolumeReclaimPolicy: 'Delete',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound' },
    },
  ],
  [
    'a claim',
    persistentVolumeClaims as Resource,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '10Gi' } },
        volumeName: 'disk-1',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '10Gi' } },
    },
  ],
  [
    'a service account',
    serviceAccounts as Resource,
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'web', namespace: 'default' },
      secrets: [{ name: 'web-token' }],
      imagePullSecrets: [{ name: 'registry' }],
      automountServiceAccountToken: false,
    },
  ],
  [
    'a priority class',
    priorityClasses as Resource,
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1_000_000,
      globalDefault: true,
      preemptionPolicy: 'Never',
    },
  ],
];
