import { type ApplyRow, other, otherStrategic, row } from './row.ts';

const settings = (data: string, metadata = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n${metadata}data:\n${data}`;

const touchedData = other('v1 ConfigMap default/settings', { data: { a: 'drift', z: 'added' } });

/** Manifests of other built-in kinds: maps, lists, empty values, notations. */
export const objectRows: readonly ApplyRow[] = [
  row('configmap', settings('  a: one\n  b: two\n  c: three\n'), {
    change: [['a: one', 'a: 1st']],
    remove: [['  b: two\n', '']],
    others: [touchedData],
  }),
  row(
    'characters',
    settings(
      `  a: "<b>&amp; 'c' \\"d\\" \\\\ \\u2028\\u2029 \\u0001\\u007f é 😀 /"
  b: |
    first
      second	tab
  a.b-c_d: ""
`,
      '  annotations: { note: "x < y && z" }\n',
    ),
    {
      change: [['first', 'First <1>']],
      remove: [['  a.b-c_d: ""\n', '']],
      others: [touchedData],
    },
  ),
  row('empty-values', `${settings('  a: one\n', '  labels: {}\n  annotations: {}\n')}binaryData: {}\n`, {
    change: [['  a: one\n', '  a: ""\n']],
    remove: [
      ['binaryData: {}\n', ''],
      ['  labels: {}\n', ''],
    ],
    others: [touchedData],
  }),
  row(
    'null-values',
    settings('  a: null\n  b: two\n', '  labels: null\n  annotations: { x: null, y: why }\n'),
    {
      change: [['b: two', 'b: null']],
      remove: [['  a: null\n', '']],
      others: [touchedData],
    },
  ),
  row('data-removed', `${settings('  a: one\n')}immutable: false\n`, {
    change: [['immutable: false\n', 'immutable: null\n']],
    remove: [['data:\n  a: one\n', '']],
    others: [touchedData],
  }),
  row(
    'secret',
    `apiVersion: v1
kind: Secret
metadata: { name: token, labels: { a: "1", b: "2" } }
type: Opaque
data: { password: cGFzcw== }
stringData: { user: admin }
`,
    {
      change: [
        ['user: admin', 'user: root'],
        ['cGFzcw==', 'd29yZA=='],
      ],
      remove: [
        ['stringData: { user: root }\n', ''],
        ['a: "1", ', ''],
      ],
      others: [other('v1 Secret default/token', { data: { extra: 'eA==', password: null } })],
    },
  ),
  row(
    'service-protocols',
    `apiVersion: v1
kind: Service
metadata: { name: dns }
spec:
  selector: { app: dns }
  ports:
    - { name: dns, port: 53, protocol: UDP }
    - { name: dns-tcp, port: 53, protocol: TCP }
    - { name: metrics, port: 9153 }
`,
    {
      change: [['{ name: metrics, port: 9153 }', '{ name: metrics, port: 9153, targetPort: metrics }']],
      remove: [['    - { name: metrics, port: 9153, targetPort: metrics }\n', '']],
      others: [
        otherStrategic('v1 Service default/dns', {
          spec: { ports: [{ name: 'extra', port: 8181 }], sessionAffinity: 'ClientIP' },
        }),
      ],
    },
  ),
  row(
    'service',
    `apiVersion: v1
kind: Service
metadata: { name: web, annotations: { lb: internal } }
spec:
  type: NodePort
  selector: { app: web }
  ports: [{ name: http, port: 80, targetPort: http }, { name: https, port: 443, targetPort: https }]
  externalIPs: [1.2.3.4]
`,
    {
      change: [
        ['name: https, port: 443', 'name: https, port: 8443'],
        ['  externalIPs: [1.2.3.4]', '  externalIPs: [1.2.3.4, 5.6.7.8]'],
      ],
      remove: [
        ['  type: NodePort\n', ''],
        [', { name: https, port: 8443, targetPort: https }', ''],
        ['  externalIPs: [1.2.3.4, 5.6.7.8]\n', ''],
      ],
      others: [
        other('v1 Service default/web', {
          spec: { selector: { app: 'other', track: 'canary' } },
          metadata: { annotations: { lb: null } },
        }),
      ],
    },
  ),
  row(
    'service-account',
    `apiVersion: v1
kind: ServiceAccount
metadata: { name: builder }
secrets: [{ name: a }, { name: b }]
imagePullSecrets: [{ name: one }, { name: two }]
automountServiceAccountToken: false
`,
    {
      change: [['[{ name: one }, { name: two }]', '[{ name: two }, { name: three }]']],
      remove: [
        ['automountServiceAccountToken: false\n', ''],
        ['[{ name: a }, { name: b }]', '[{ name: b }]'],
      ],
      others: [
        otherStrategic('v1 ServiceAccount default/builder', {
          secrets: [{ name: 'builder-token' }],
          imagePullSecrets: [{ name: 'injected' }],
        }),
      ],
    },
  ),
  row(
    'owners',
    `apiVersion: v1
kind: ConfigMap
metadata:
  name: owned
  ownerReferences:
    - { apiVersion: v1, kind: ConfigMap, name: a, uid: 11111111-1111-1111-1111-111111111111 }
    - { apiVersion: v1, kind: ConfigMap, name: b, uid: 22222222-2222-2222-2222-222222222222, controller: true }
data: { a: one }
`,
    {
      change: [['controller: true', 'controller: false']],
      remove: [
        [
          '    - { apiVersion: v1, kind: ConfigMap, name: a, uid: 11111111-1111-1111-1111-111111111111 }\n',
          '',
        ],
      ],
      others: [
        otherStrategic('v1 ConfigMap default/owned', {
          metadata: {
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: '33333333-3333-3333-3333-333333333333' },
            ],
          },
        }),
      ],
    },
  ),
  row(
    'ingress',
    `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, annotations: { nginx.ingress.kubernetes.io/rewrite-target: /$2 } }
spec:
  rules:
    - host: a.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
    - host: b.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { name: http } } } }] }
  tls: [{ hosts: [a.example.com], secretName: tls }]
`,
    {
      change: [['host: b.example.com', 'host: c.example.com']],
      remove: [['  tls: [{ hosts: [a.example.com], secretName: tls }]\n', '']],
      others: [
        other('networking.k8s.io/v1 Ingress default/web', {
          spec: { rules: [{ host: 'drift.example.com' }], ingressClassName: 'nginx' },
        }),
      ],
    },
  ),
  row(
    'network-policy',
    `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: deny }
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]
  ingress: [{ from: [{ podSelector: { matchLabels: { a: b } } }, { ipBlock: { cidr: 10.0.0.0/8 } }] }]
  egress: []
`,
    {
      change: [
        ['cidr: 10.0.0.0/8', 'cidr: 10.0.0.0/16'],
        ['podSelector: {}', 'podSelector: { matchLabels: { app: web } }'],
      ],
      remove: [
        ['  egress: []\n', ''],
        ['[Ingress, Egress]', '[Ingress]'],
      ],
      others: [
        other('networking.k8s.io/v1 NetworkPolicy default/deny', {
          spec: { ingress: null, podSelector: { matchLabels: { b: 'c' } } },
        }),
      ],
    },
  ),
  row(
    'autoscaler',
    `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 2
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } } }]
  behavior: { scaleDown: { stabilizationWindowSeconds: 60 } }
`,
    {
      change: [['averageUtilization: 80', 'averageUtilization: 70']],
      remove: [
        ['  behavior: { scaleDown: { stabilizationWindowSeconds: 60 } }\n', ''],
        ['  minReplicas: 2\n', ''],
      ],
      others: [
        other('autoscaling/v2 HorizontalPodAutoscaler default/web', {
          spec: { maxReplicas: 50, metrics: null },
        }),
      ],
    },
  ),
  row(
    'rbac',
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: auditor, labels: { a: b } }
rules:
  - { apiGroups: [""], resources: [pods, pods/log], verbs: [get, list] }
  - { nonResourceURLs: [/metrics], verbs: [get] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: auditor }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: auditor }
subjects: [{ kind: User, name: ann, apiGroup: rbac.authorization.k8s.io }, { kind: ServiceAccount, name: bot, namespace: default }]
`,
    {
      change: [
        ['verbs: [get, list]', 'verbs: [get, list, watch]'],
        ['name: ann', 'name: eve'],
      ],
      remove: [
        ['  - { nonResourceURLs: [/metrics], verbs: [get] }\n', ''],
        [', { kind: ServiceAccount, name: bot, namespace: default }', ''],
      ],
      others: [
        other('rbac.authorization.k8s.io/v1 ClusterRole auditor', { rules: [] }),
        other('rbac.authorization.k8s.io/v1 ClusterRoleBinding auditor', { subjects: null }),
      ],
    },
  ),
  row(
    'disruption-budget',
    `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 50%, selector: { matchLabels: { app: web } } }
`,
    {
      change: [['minAvailable: 50%', 'maxUnavailable: 1']],
      remove: [['matchLabels: { app: web }', 'matchLabels: {}']],
      others: [
        other('policy/v1 PodDisruptionBudget default/web', {
          spec: { maxUnavailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
        }),
      ],
    },
  ),
  row(
    'limits-and-claims',
    `apiVersion: v1
kind: ResourceQuota
metadata: { name: quota }
spec: { hard: { cpu: "4", requests.memory: 8Gi, pods: 10 } }
---
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, default: { cpu: 500m }, max: { cpu: "2" } }] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /data }, persistentVolumeReclaimPolicy: Retain }
`,
    {
      change: [
        ['pods: 10', 'pods: 0.02k'],
        ['cpu: 500m', 'cpu: 0.5'],
      ],
      remove: [
        ['cpu: "4", ', ''],
        [', persistentVolumeReclaimPolicy: Retain', ''],
      ],
      others: [
        other('v1 ResourceQuota default/quota', { spec: { hard: { cpu: '100', services: '3' } } }),
        other('v1 LimitRange default/limits', { spec: { limits: [] } }),
      ],
    },
  ),
  row(
    'webhooks',
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: checks }
webhooks:
  - name: b.example.com
    clientConfig: { service: { name: hook, namespace: default, path: /b } }
    rules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
    sideEffects: None
    admissionReviewVersions: [v1]
  - name: a.example.com
    clientConfig: { service: { name: hook, namespace: default, path: /a } }
    rules: [{ apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods], scope: Namespaced }]
    sideEffects: None
    admissionReviewVersions: [v1, v1beta1]
    failurePolicy: Ignore
`,
    {
      change: [
        ['operations: [CREATE]', 'operations: [CREATE, UPDATE]'],
        ['path: /a', 'path: /a2'],
      ],
      remove: [['    failurePolicy: Ignore\n', '']],
      others: [
        otherStrategic('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration checks', {
          webhooks: [
            { name: 'a.example.com', clientConfig: { caBundle: 'Y2E=' } },
            { name: 'b.example.com', timeoutSeconds: 3 },
          ],
        }),
      ],
    },
  ),
  row(
    'numbers',
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"numbers","annotations":{"big":"1e3"}},"spec":{"priority":0,"terminationGracePeriodSeconds":1e2,"activeDeadlineSeconds":2147483647,"containers":[{"name":"n","image":"n:1","ports":[{"containerPort":8.0e1}]}]}}`,
    {
      change: [['"n:1"', '"n:2"']],
      remove: [['"terminationGracePeriodSeconds":1e2,', '']],
      others: [other('v1 Pod default/numbers', { metadata: { labels: { a: 'b' } } })],
    },
  ),
];
