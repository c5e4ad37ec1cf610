import type { Pod } from '../../api/objects.ts';

/** Returns a pod of realistic size, like one of a small Deployment, with defaults and a status. */
export function runningPod(index: number): Pod {
  const name = 'main';
  const condition = (type: string) => ({
    type,
    status: 'True',
    lastProbeTime: null as unknown as string,
    lastTransitionTime: '2024-04-17T00:00:00Z',
  });
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      namespace: 'default',
      name: `web-${index}`,
      generateName: 'web-7c5ddbdf54-',
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: '',
      creationTimestamp: '2024-04-17T00:00:00Z',
      labels: { app: 'web', 'pod-template-hash': '7c5ddbdf54' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web-7c5ddbdf54',
          uid: '00000000-0000-4000-9000-000000000001',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [
        {
          name,
          image: 'nginx:1.25',
          imagePullPolicy: 'IfNotPresent',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '128Mi' } },
          readinessProbe: {
            httpGet: { path: '/', port: 80, scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      nodeName: `node-${index % 100}`,
      securityContext: {},
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map((taint) => ({
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      hostIP: '10.0.0.7',
      podIP: '10.244.1.17',
      podIPs: [{ ip: '10.244.1.17' }],
      startTime: '2024-04-17T00:00:00Z',
      containerStatuses: [
        {
          name,
          state: { running: { startedAt: '2024-04-17T00:00:00Z' } },
          lastState: {},
          ready: true,
          restartCount: 0,
          image: 'nginx:1.25',
          imageID: 'docker.io/library/nginx@sha256:4c0fdaa8b6341bfdeca5f18f7837462c',
          containerID: 'containerd://7f4b2c0e9d1a',
          started: true,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}
