import { type ApplyRow, other, otherStrategic, row } from './row.ts';

const deployment = (name: string, spec: string, pod: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
${spec}  selector: { matchLabels: { app: ${name} } }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
${pod}`;

const CONTAINER = `      containers:
        - name: web
          image: nginx:1.27
`;

const sidecar = { name: 'injected', image: 'example.com/sidecar:1' };
const inPod = (spec: object): object => ({ spec: { template: { spec } } });

/** Manifests of workloads: the lists and maps of a pod template with their merge rules. */
export const workloadRows: readonly ApplyRow[] = [
  row(
    'env-values',
    deployment(
      'web',
      '  replicas: 2\n',
      `      containers:
        - name: web
          image: nginx:1.27
          env:
            - { name: A, value: "1" }
            - { name: B, value: two }
            - { name: C, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
            - { name: D, value: <d> }
`,
    ),
    {
      change: [
        [
          '{ name: B, value: two }',
          '{ name: B, valueFrom: { configMapKeyRef: { name: settings, key: b } } }',
        ],
        ['{ name: C, valueFrom: { fieldRef: { fieldPath: metadata.name } } }', '{ name: C, value: plain }'],
      ],
      remove: [['            - { name: D, value: <d> }\n', '']],
      others: [
        otherStrategic(
          'apps/v1 Deployment default/web',
          inPod({
            containers: [
              {
                name: 'web',
                env: [
                  { name: 'A', value: 'drift' },
                  { name: 'Z', value: 'added' },
                ],
              },
            ],
          }),
        ),
      ],
    },
  ),
  row(
    'order-of-lists',
    deployment(
      'web',
      '',
      `      containers:
        - { name: web, image: "nginx:1.27", env: [{ name: A, value: a }, { name: B, value: b }, { name: C, value: c }] }
        - { name: log, image: "busybox:1.36" }
        - { name: metrics, image: "exporter:2" }
`,
    ),
    {
      change: [
        [
          '[{ name: A, value: a }, { name: B, value: b }, { name: C, value: c }]',
          '[{ name: C, value: c }, { name: A, value: a }, { name: B, value: b }]',
        ],
        [
          '        - { name: log, image: "busybox:1.36" }\n        - { name: metrics, image: "exporter:2" }\n',
          '        - { name: metrics, image: "exporter:2" }\n        - { name: log, image: "busybox:1.36" }\n',
        ],
      ],
      remove: [['        - { name: log, image: "busybox:1.36" }\n', '']],
      others: [otherStrategic('apps/v1 Deployment default/web', inPod({ containers: [sidecar] }))],
    },
  ),
  row(
    'strategy',
    deployment(
      'web',
      '  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }\n',
      CONTAINER,
    ),
    {
      change: [
        ['{ type: RollingUpdate, rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }', '{ type: Recreate }'],
      ],
      remove: [['  strategy: { type: Recreate }\n', '']],
      others: [
        other('apps/v1 Deployment default/web', {
          spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } } },
        }),
      ],
    },
  ),
  row(
    'strategy-drift',
    deployment('web', '  strategy: { type: RollingUpdate }\n  minReadySeconds: 5\n', CONTAINER),
    {
      change: [['  minReadySeconds: 5\n', '  minReadySeconds: 6\n']],
      remove: [['  minReadySeconds: 6\n', '']],
      others: [
        other('apps/v1 Deployment default/web', {
          spec: { strategy: { type: 'Recreate', rollingUpdate: null }, minReadySeconds: 9 },
        }),
      ],
    },
  ),
  row(
    'volume-sources',
    deployment(
      'web',
      '',
      `      volumes:
        - { name: data, emptyDir: {} }
        - { name: settings, configMap: { name: settings, items: [{ key: a, path: a.conf }] } }
        - { name: cache, emptyDir: { sizeLimit: 1Gi } }
      containers:
        - name: web
          image: nginx:1.27
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: settings, mountPath: /etc/settings, readOnly: true }
            - { name: cache, mountPath: /cache }
`,
    ),
    {
      change: [
        ['{ name: data, emptyDir: {} }', '{ name: data, configMap: { name: data } }'],
        ['items: [{ key: a, path: a.conf }]', 'items: [{ key: a, path: b.conf }]'],
      ],
      remove: [
        ['        - { name: cache, emptyDir: { sizeLimit: 1Gi } }\n', ''],
        ['            - { name: cache, mountPath: /cache }\n', ''],
      ],
      others: [
        otherStrategic(
          'apps/v1 Deployment default/web',
          inPod({
            volumes: [
              { name: 'injected', emptyDir: {} },
              {
                name: 'settings',
                configMap: null,
                secret: { secretName: 's' },
                $retainKeys: ['name', 'secret'],
              },
            ],
          }),
        ),
      ],
    },
  ),
  row('autoscaled', deployment('web', '', CONTAINER), {
    change: [['nginx:1.27', 'nginx:1.28']],
    remove: [['  labels: { app: web }\nspec', 'spec']],
    others: [
      other('apps/v1 Deployment default/web', { spec: { replicas: 7 }, metadata: { labels: { by: 'hpa' } } }),
    ],
  }),
  row('replicas-removed', deployment('web', '  replicas: 3\n  revisionHistoryLimit: 2\n', CONTAINER), {
    change: [['  replicas: 3\n', '  replicas: 4\n']],
    remove: [['  replicas: 4\n', '']],
    others: [other('apps/v1 Deployment default/web', { spec: { replicas: 9, revisionHistoryLimit: null } })],
  }),
  row(
    'container-ports',
    deployment(
      'dns',
      '',
      `      containers:
        - name: dns
          image: coredns:1.12
          ports:
            - { containerPort: 53, protocol: UDP, name: dns }
            - { containerPort: 53, protocol: TCP, name: dns-tcp }
            - { containerPort: 9153, protocol: TCP, name: metrics }
`,
    ),
    {
      change: [['name: metrics', 'name: prometheus']],
      remove: [['            - { containerPort: 53, protocol: TCP, name: dns-tcp }\n', '']],
      others: [
        otherStrategic(
          'apps/v1 Deployment default/dns',
          inPod({ containers: [{ name: 'dns', ports: [{ containerPort: 8080 }] }] }),
        ),
      ],
    },
  ),
  row(
    'resources-notation',
    deployment(
      'web',
      '',
      `      containers:
        - name: web
          image: nginx:1.27
          resources: { requests: { cpu: 1000m, memory: "1073741824" }, limits: { cpu: 2, memory: 2048Mi } }
          livenessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 5 }
          securityContext: { runAsUser: 1000, capabilities: { drop: [ALL], add: [NET_BIND_SERVICE, CHOWN] } }
`,
    ),
    {
      change: [
        ['add: [NET_BIND_SERVICE, CHOWN]', 'add: [CHOWN]'],
        [
          '{ httpGet: { path: /, port: 80 }, periodSeconds: 5 }',
          '{ tcpSocket: { port: 80 }, periodSeconds: 5 }',
        ],
      ],
      remove: [
        ['limits: { cpu: 2, memory: 2048Mi }', 'limits: {}'],
        ['          livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 5 }\n', ''],
      ],
      others: [
        otherStrategic(
          'apps/v1 Deployment default/web',
          inPod({
            containers: [
              {
                name: 'web',
                securityContext: { runAsUser: 0, privileged: true },
                resources: { limits: { 'example.com/gpu': '1' } },
              },
            ],
          }),
        ),
      ],
    },
  ),
  row(
    'pod-lists',
    deployment(
      'web',
      '',
      `      hostAliases:
        - { ip: 10.0.0.1, hostnames: [a, b] }
        - { ip: 10.0.0.2, hostnames: [c] }
      imagePullSecrets: [{ name: one }, { name: two }]
      tolerations:
        - { key: a, operator: Exists, effect: NoSchedule }
        - { key: b, operator: Exists, effect: NoSchedule }
      topologySpreadConstraints:
        - { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }
        - { maxSkew: 1, topologyKey: host, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: web } } }
      initContainers:
        - { name: migrate, image: "migrate:1" }
        - { name: warm, image: "warm:1" }
${CONTAINER}`,
    ),
    {
      change: [
        ['hostnames: [a, b]', 'hostnames: [b]'],
        ['maxSkew: 1, topologyKey: zone', 'maxSkew: 2, topologyKey: zone'],
        ['"migrate:1"', '"migrate:2"'],
      ],
      remove: [
        ['        - { ip: 10.0.0.2, hostnames: [c] }\n', ''],
        ['[{ name: one }, { name: two }]', '[{ name: two }]'],
        ['        - { key: a, operator: Exists, effect: NoSchedule }\n', ''],
        ['        - { name: warm, image: "warm:1" }\n', ''],
      ],
      others: [
        otherStrategic(
          'apps/v1 Deployment default/web',
          inPod({
            hostAliases: [{ ip: '10.0.0.3', hostnames: ['d'] }],
            imagePullSecrets: [{ name: 'three' }],
            tolerations: [{ key: 'z', operator: 'Exists' }],
            initContainers: [{ name: 'init-injected', image: 'example.com/init:1' }],
          }),
        ),
      ],
    },
  ),
];
