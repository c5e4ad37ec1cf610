/** A body and the object that it encodes. */
interface KubectlBody {
  /** The command line after `kubectl`. */
  readonly command: string;
  /** The body in base64. */
  readonly bytes: string;
  readonly object: { readonly kind: string; readonly apiVersion: string; readonly [field: string]: unknown };
}

/** Protobuf bodies that kubectl 1.33.1 sends, and the objects that it prints with `--dry-run=client -o json`. */
export const kubectlBodies: readonly KubectlBody[] = [
  {
    command: 'create deployment web --image=nginx --replicas=2 --port=80',
    bytes:
      'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErgBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEoYBCAISDAoKCgNhcHASA3dlYhpsChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkwSLgoFbmdpbngSBW5naW54KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=',
    object: {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], resources: {} }],
          },
        },
        strategy: {},
      },
      status: {},
    },
  },
  {
    command: 'create namespace team',
    bytes: 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhwKFAoEdGVhbRIAGgAiACoAMgA4AEIAEgAaAgoAGgAiAA==',
    object: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'team' }, spec: {}, status: {} },
  },
  {
    command: 'create configmap settings --from-literal=colour=blue --from-literal=empty=',
    bytes:
      'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEjUKGAoIc2V0dGluZ3MSABoAIgAqADIAOABCABIOCgZjb2xvdXISBGJsdWUSCQoFZW1wdHkSABoAIgA=',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'settings' },
      data: { colour: 'blue', empty: '' },
    },
  },
  {
    command: 'create secret generic token --from-literal=password=s3cr3t',
    bytes: 'azhzAAoMCgJ2MRIGU2VjcmV0Ei0KFQoFdG9rZW4SABoAIgAqADIAOABCABISCghwYXNzd29yZBIGczNjcjN0GgAaACIA',
    object: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'token' }, data: { password: 'czNjcjN0' } },
  },
  {
    command: 'create service clusterip web --tcp=80:8080',
    bytes:
      'azhzAAoNCgJ2MRIHU2VydmljZRJpCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkIKGwoHODAtODA4MBIDVENQGFAiBwgAEJA/GgAoABIKCgNhcHASA3dlYhoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==',
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        ports: [{ name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 }],
        selector: { app: 'web' },
        type: 'ClusterIP',
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'create service nodeport web --tcp=80:http --node-port=30080',
    bytes:
      'azhzAAoNCgJ2MRIHU2VydmljZRJtCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkYKIAoHODAtaHR0cBIDVENQGFAiCggBEAAaBGh0dHAogOsBEgoKA2FwcBIDd2ViGgAiCE5vZGVQb3J0OgBCAFIAWgBgAGgAGgIKABoAIgA=',
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        ports: [{ name: '80-http', protocol: 'TCP', port: 80, targetPort: 'http', nodePort: 30080 }],
        selector: { app: 'web' },
        type: 'NodePort',
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'create serviceaccount builder',
    bytes: 'azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSGQoXCgdidWlsZGVyEgAaACIAKgAyADgAQgAaACIA',
    object: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'builder' } },
  },
  {
    command: 'create job once --image=busybox -- echo hi',
    bytes:
      'azhzAAoPCghiYXRjaC92MRIDSm9iEogBChQKBG9uY2USABoAIgAqADIAOABCABJmMmQKEAoAEgAaACIAKgAyADgAQgASUBItCgRvbmNlEgdidXN5Ym94GgRlY2hvGgJoaSoAQgBqAHIAgAEAiAEAkAEAogEAGgVOZXZlcjIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAGgggACgAMAA6ABoAIgA=',
    object: {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'once' },
      spec: {
        template: {
          metadata: {},
          spec: {
            containers: [{ name: 'once', image: 'busybox', command: ['echo', 'hi'], resources: {} }],
            restartPolicy: 'Never',
          },
        },
      },
      status: {},
    },
  },
  {
    command: 'create cronjob nightly --image=busybox --schedule=0 3 * * * -- date',
    bytes:
      'azhzAAoTCghiYXRjaC92MRIHQ3JvbkpvYhKyAQoXCgduaWdodGx5EgAaACIAKgAyADgAQgASlAEKCTAgMyAqICogKhoAKoQBChcKB25pZ2h0bHkSABoAIgAqADIAOABCABJpMmcKEAoAEgAaACIAKgAyADgAQgASUxIsCgduaWdodGx5EgdidXN5Ym94GgRkYXRlKgBCAGoAcgCAAQCIAQCQAQCiAQAaCU9uRmFpbHVyZTIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAGgAaACIA',
    object: {
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: { name: 'nightly' },
      spec: {
        schedule: '0 3 * * *',
        jobTemplate: {
          metadata: { name: 'nightly' },
          spec: {
            template: {
              metadata: {},
              spec: {
                containers: [{ name: 'nightly', image: 'busybox', command: ['date'], resources: {} }],
                restartPolicy: 'OnFailure',
              },
            },
          },
        },
      },
      status: {},
    },
  },
  {
    command: 'create ingress web --rule=example.com/*=web:80,tls=cert --class=nginx --annotation=a=b',
    bytes:
      'azhzAAofChRuZXR3b3JraW5nLms4cy5pby92MRIHSW5ncmVzcxJuChsKA3dlYhIAGgAiACoAMgA4AEIAYgYKAWESAWISSxITCgtleGFtcGxlLmNvbRIEY2VydBotCgtleGFtcGxlLmNvbRIeChwKGgoBLxINIgsKA3dlYhIECgAQUBoGUHJlZml4IgVuZ2lueBoCCgAaACIA',
    object: {
      kind: 'Ingress',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: 'web', annotations: { a: 'b' } },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['example.com'], secretName: 'cert' }],
        rules: [
          {
            host: 'example.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'create quota limits --hard=cpu=1,memory=1.5Gi,pods=2 --scopes=BestEffort',
    bytes:
      'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRJVChYKBmxpbWl0cxIAGgAiACoAMgA4AEIAEjkKCgoDY3B1EgMKATEKEgoGbWVtb3J5EggKBjE1MzZNaQoLCgRwb2RzEgMKATISCkJlc3RFZmZvcnQaABoAIgA=',
    object: {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: { name: 'limits' },
      spec: { hard: { cpu: '1', memory: '1536Mi', pods: '2' }, scopes: ['BestEffort'] },
      status: {},
    },
  },
  {
    command: 'create rolebinding readers --role=reader --user=ann --serviceaccount=default:builder',
    bytes:
      'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxKUAQoXCgdyZWFkZXJzEgAaACIAKgAyADgAQgASKAoEVXNlchIZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxoDYW5uIgASJAoOU2VydmljZUFjY291bnQSABoHYnVpbGRlciIHZGVmYXVsdBopChlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvEgRSb2xlGgZyZWFkZXIaACIA',
    object: {
      kind: 'RoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'readers' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' },
        { kind: 'ServiceAccount', name: 'builder', namespace: 'default' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    },
  },
  {
    command: 'create clusterrole admin --verb=get --non-resource-url=/healthz',
    bytes:
      'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIoChUKBWFkbWluEgAaACIAKgAyADgAQgASDwoDZ2V0KggvaGVhbHRoehoAIgA=',
    object: {
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'admin' },
      rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
    },
  },
  {
    command: 'create pdb web --selector=app=web --min-available=50%',
    bytes:
      'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSPAoTCgN3ZWISABoAIgAqADIAOABCABIZCgkIARAAGgM1MCUSDAoKCgNhcHASA3dlYhoKCAAYACAAKAAwABoAIgA=',
    object: {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name: 'web' },
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    command: 'create priorityclass high --value=1000 --description=important --preemption-policy=Never',
    bytes:
      'azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxItChQKBGhpZ2gSABoAIgAqADIAOABCABDoBxgAIglpbXBvcnRhbnQqBU5ldmVyGgAiAA==',
    object: {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name: 'high' },
      value: 1000,
      description: 'important',
      preemptionPolicy: 'Never',
    },
  },
  {
    command: 'create configmap bin --from-file=x=bin',
    bytes: 'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEh8KEwoDYmluEgAaACIAKgAyADgAQgAaCAoBeBID//4AGgAiAA==',
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'bin' }, binaryData: { x: '//4A' } },
  },
  {
    command: 'create role reader --verb=get,list --resource=pods,deployments.apps',
    bytes:
      'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEk0KFgoGcmVhZGVyEgAaACIAKgAyADgAQgASEwoDZ2V0CgRsaXN0EgAaBHBvZHMSHgoDZ2V0CgRsaXN0EgRhcHBzGgtkZXBsb3ltZW50cxoAIgA=',
    object: {
      kind: 'Role',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'reader' },
      rules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments'] },
      ],
    },
  },
  {
    command: 'create token builder --duration=10m --audience=x',
    bytes:
      'azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBIgChAKABIAGgAiACoAMgA4AEIAEgYKAXgg2AQaBAoAEgAaACIA',
    object: {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {},
      spec: { audiences: ['x'], expirationSeconds: 600 },
    },
  },
  {
    command: 'drain n1 --grace-period=5 --disable-eviction',
    bytes: 'azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxICCAUaACIA',
    object: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 5 },
  },
  {
    command: 'auth can-i list pods',
    bytes:
      'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSPQoQCgASABoAIgAqADIAOABCABIfCh0KB2RlZmF1bHQSBGxpc3QaACIAKgRwb2RzMgA6ABoICAASABoAIAAaACIA',
    object: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {
        resourceAttributes: { namespace: 'default', verb: 'list', group: '', version: '', resource: 'pods' },
      },
    },
  },
  {
    command: 'auth whoami',
    bytes:
      'azhzAAotChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESEVNlbGZTdWJqZWN0UmV2aWV3EhoKEAoAEgAaACIAKgAyADgAQgASBgoECgASABoAIgA=',
    object: { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1', metadata: {} },
  },
];
