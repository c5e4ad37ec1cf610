import { type ApplyRow, other, otherStrategic, row } from './row.ts';

const inPod = (spec: object): object => ({ spec: { template: { spec } } });

/** Manifests of other workloads, and of a pod. */
export const controllerRows: readonly ApplyRow[] = [
  row(
    'statefulset',
    `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  replicas: 1
  podManagementPolicy: Parallel
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db }, annotations: { checksum/config: abc } }
    spec:
      terminationGracePeriodSeconds: 10
      containers: [{ name: db, image: "postgres:16", volumeMounts: [{ name: data, mountPath: /var/lib }] }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
    {
      change: [
        ['checksum/config: abc', 'checksum/config: def'],
        ['replicas: 1', 'replicas: 2'],
      ],
      remove: [
        [', annotations: { checksum/config: def }', ''],
        ['      terminationGracePeriodSeconds: 10\n', ''],
      ],
      others: [
        otherStrategic('apps/v1 StatefulSet default/db', {
          spec: { replicas: 5, template: { metadata: { annotations: { restarted: 'now' } } } },
        }),
      ],
    },
  ),
  row(
    'cronjob',
    `apiVersion: batch/v1
kind: CronJob
metadata: { name: backup }
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 1
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{ name: backup, image: "backup:1", command: [sh, -c], args: ["backup | gzip > /out"] }]
`,
    {
      change: [
        ['"0 3 * * *"', '"0 4 * * *"'],
        ['"backup | gzip > /out"', '"backup | xz > /out", "--fast"'],
      ],
      remove: [
        ['  successfulJobsHistoryLimit: 1\n', ''],
        ['command: [sh, -c], ', ''],
      ],
      others: [
        otherStrategic('batch/v1 CronJob default/backup', { spec: { suspend: true, schedule: '0 5 * * *' } }),
      ],
    },
  ),
  row(
    'daemonset',
    `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: kube-system }
spec:
  selector: { matchLabels: { app: agent } }
  updateStrategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 10% } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      hostNetwork: true
      nodeSelector: { kubernetes.io/os: linux, pool: a }
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: x, operator: In, values: [a, b] }] }] } } }
      containers: [{ name: agent, image: "agent:1", lifecycle: { preStop: { exec: { command: [sleep, "1"] } } } }]
      volumes: [{ name: root, hostPath: { path: / } }]
`,
    {
      change: [
        ['values: [a, b]', 'values: [b]'],
        ['maxUnavailable: 10%', 'maxUnavailable: 1'],
        ['hostPath: { path: / }', 'hostPath: { path: /, type: Directory }'],
      ],
      remove: [
        [', pool: a', ''],
        ['      hostNetwork: true\n', ''],
      ],
      others: [
        otherStrategic(
          'apps/v1 DaemonSet kube-system/agent',
          inPod({
            nodeSelector: { pool: 'b' },
            containers: [{ name: 'injected', image: 'example.com/sidecar:1' }],
          }),
        ),
      ],
    },
  ),
  row(
    'pod',
    `apiVersion: v1
kind: Pod
metadata:
  name: one
  labels: { app: one }
  finalizers: [example.com/a, example.com/b]
spec:
  activeDeadlineSeconds: 100
  containers: [{ name: one, image: "one:1" }]
`,
    {
      change: [
        ['"one:1"', '"one:2"'],
        ['[example.com/a, example.com/b]', '[example.com/b, example.com/c]'],
      ],
      remove: [
        ['[example.com/b, example.com/c]', '[example.com/c]'],
        ['  labels: { app: one }\n', ''],
      ],
      others: [
        other('v1 Pod default/one', {
          metadata: { finalizers: ['example.com/c', 'example.com/z'], labels: { by: 'another' } },
        }),
      ],
    },
  ),
];
