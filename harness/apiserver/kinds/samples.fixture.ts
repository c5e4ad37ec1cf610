/** An object of each plain kind without its metadata, as a client may send it, with many of its fields. */
export const samples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  LimitRange: {
    spec: {
      limits: [
        { type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' }, default: { memory: '1Gi' } },
        { type: 'PersistentVolumeClaim', max: { storage: '10Gi' } },
      ],
    },
  },
  PodTemplate: { template: template() },
  ReplicationController: {
    spec: { replicas: 2, minReadySeconds: 5, selector: { app: 'web' }, template: template() },
    status: { replicas: 2, readyReplicas: 1 },
  },
  ResourceQuota: {
    spec: { hard: { pods: '10', 'requests.cpu': '0.5', cpu: '1' }, scopes: ['NotTerminating'] },
    status: { hard: { pods: '10' }, used: { pods: '3' } },
  },
  ControllerRevision: { data: { spec: { template: { $patch: 'replace' } } }, revision: 3 },
  DaemonSet: {
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: template(),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      minReadySeconds: 1,
    },
    status: { currentNumberScheduled: 1, numberReady: 1 },
  },
  StatefulSet: {
    spec: {
      replicas: 3,
      serviceName: 'web',
      selector: { matchLabels: { app: 'web' } },
      template: template(),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      ordinals: { start: 1 },
      updateStrategy: { rollingUpdate: { partition: 1 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
    },
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 1, collisionCount: 0 },
  },
  SelfSubjectReview: {},
  TokenReview: { spec: { token: 'x', audiences: ['vault'] } },
  LocalSubjectAccessReview: {
    spec: { user: 'jane', resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } },
  },
  SelfSubjectAccessReview: { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } } },
  SelfSubjectRulesReview: { spec: { namespace: 'default' } },
  SubjectAccessReview: {
    spec: { groups: ['devs'], nonResourceAttributes: { path: '/version', verb: 'get' } },
  },
  HorizontalPodAutoscaler: {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
        {
          type: 'Pods',
          pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '1k' } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    },
    status: { currentReplicas: 2, desiredReplicas: 3 },
  },
  CronJob: {
    spec: {
      schedule: '*/5 * * * mon-fri',
      timeZone: 'Europe/Zurich',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 60,
      jobTemplate: { spec: { backoffLimit: 2, template: template('Never') } },
    },
    status: { lastScheduleTime: '2024-05-01T10:00:00Z' },
  },
  Job: {
    spec: {
      completions: 4,
      parallelism: 2,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 2,
      podFailurePolicy: {
        rules: [
          { action: 'FailIndex', onExitCodes: { operator: 'In', values: [1, 42] } },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: '0,2-3', succeededCount: 2 }] },
      template: template('Never'),
    },
    status: { active: 2, startTime: '2024-05-01T10:00:00Z' },
  },
  CertificateSigningRequest: {
    spec: {
      request: Buffer.from(
        [
          '-----BEGIN CERTIFICATE REQUEST-----',
          'MIGdMFECAQAwHjENMAsGA1UECgwEdGVhbTENMAsGA1UEAwwEamFuZTAqMAUGAytl',
          'cAMhAGI+XO7AEgXQr04ZowVJOCqX6BHH6c3D7QAZqDgPO9s0oAAwBQYDK2VwA0EA',
          'JBSfqbJ9yFjvXtNIVnVe99+ECrT7iJhRAPGCR3nuj97+CTKVJdNSUYIctU1XO9KH',
          'TShVIBrydBLBIQ/r9FgVDg==',
          '-----END CERTIFICATE REQUEST-----',
        ].join('\n'),
      ).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      expirationSeconds: 3600,
    },
    status: { conditions: [{ type: 'Failed', status: 'True', reason: 'NoLuck' }] },
  },
  IngressClass: {
    spec: {
      controller: 'example.com/ingress',
      parameters: { apiGroup: 'example.com', kind: 'Parameters', name: 'a' },
    },
  },
  IPAddress: {
    spec: { parentRef: { resource: 'services', namespace: 'kube-system', name: 'kube-dns' } },
  },
  ServiceCIDR: {
    spec: { cidrs: ['10.96.0.0/12', 'fd00:10:96::/112'] },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: '2024-05-01T10:00:00Z',
          reason: '',
          message: '',
        },
      ],
    },
  },
  Ingress: {
    spec: {
      ingressClassName: 'public',
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      rules: [
        {
          host: '*.example.com',
          http: {
            paths: [
              {
                path: '/api',
                pathType: 'Prefix',
                backend: { service: { name: 'api', port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
      tls: [{ hosts: ['web.example.com'], secretName: 'cert' }],
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
  },
  NetworkPolicy: {
    spec: {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 'http' }] }],
      egress: [
        {
          to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
          ports: [{ port: 1, endPort: 9 }],
        },
      ],
    },
  },
  ClusterRole: {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { app: 'web' } }] },
    rules: [
      { verbs: ['get'], apiGroups: [''], resources: ['nodes'] },
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
    ],
  },
  ClusterRoleBinding: {
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'Group', name: 'devs' },
      { kind: 'ServiceAccount', namespace: 'default', name: 'web' },
    ],
  },
  Role: { rules: [{ verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments'] }] },
  RoleBinding: {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'edit' },
    subjects: [{ kind: 'User', name: 'jane' }],
  },
  CSIDriver: {
    spec: { attachRequired: false, tokenRequests: [{ audience: 'vault', expirationSeconds: 600 }] },
  },
  CSINode: {
    spec: {
      drivers: [
        { name: 'disks.example.com', nodeID: 'n1', topologyKeys: ['zone'], allocatable: { count: 8 } },
      ],
    },
  },
  StorageClass: {
    provisioner: 'disks.example.com',
    parameters: { tier: 'fast' },
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
  },
  VolumeAttachment: {
    spec: { attacher: 'disks.example.com', nodeName: 'node-1', source: { persistentVolumeName: 'disk-1' } },
    status: { attached: true, attachmentMetadata: { device: 'sdb' } },
  },
  RuntimeClass: {
    handler: 'runsc',
    overhead: { podFixed: { memory: '64Mi', cpu: '0.25' } },
    scheduling: { nodeSelector: { sandbox: 'gvisor' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
  },
  MutatingWebhookConfiguration: {
    webhooks: [
      {
        name: 'sidecar.shop.example.com',
        clientConfig: { service: { namespace: 'shop', name: 'injector', path: '/inject' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        reinvocationPolicy: 'IfNeeded',
      },
    ],
  },
  ValidatingAdmissionPolicy: {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        resourceRules: [
          {
            operations: ['CREATE', 'UPDATE'],
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments'],
            resourceNames: ['web'],
          },
        ],
      },
      matchConditions: [{ name: 'not-system', expression: "object.metadata.namespace != 'kube-system'" }],
      variables: [{ name: 'replicas', expression: 'object.spec.replicas' }],
      validations: [{ expression: 'variables.replicas <= 5', message: 'too many', reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'replicas', valueExpression: 'string(variables.replicas)' }],
    },
    status: {
      observedGeneration: 1,
      typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'no' }] },
    },
  },
  ValidatingAdmissionPolicyBinding: {
    spec: {
      policyName: 'few-replicas',
      paramRef: { name: 'limits', namespace: 'shop', parameterNotFoundAction: 'Deny' },
      matchResources: { namespaceSelector: { matchLabels: { env: 'test' } } },
      validationActions: ['Deny', 'Audit'],
    },
  },
  ValidatingWebhookConfiguration: {
    webhooks: [
      {
        name: 'images.policy.example.com',
        clientConfig: { url: 'https://policy.example.com/validate', caBundle: 'Q0E=' },
        rules: [
          { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['pods', 'pods/status'] },
        ],
        failurePolicy: 'Ignore',
        objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
        sideEffects: 'NoneOnDryRun',
        timeoutSeconds: 5,
        admissionReviewVersions: ['v1', 'v1beta1'],
        matchConditions: [{ name: 'policy.example.com/users', expression: 'request.userInfo.uid != ""' }],
      },
    ],
  },
  APIService: {
    spec: {
      group: 'metrics.example.com',
      version: 'v1beta1',
      service: { namespace: 'kube-system', name: 'metrics' },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
    status: { conditions: [{ type: 'Available', status: 'False', reason: 'ServiceNotFound' }] },
  },
  CustomResourceDefinition: {
    status: { acceptedNames: { plural: 'tabs', kind: 'Tab' }, storedVersions: ['v1'] },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'tabs', kind: 'Tab' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  },
};

/** Names of the samples whose kind restricts the name. All others can have any name. */
export const sampleNames: Readonly<Record<string, string>> = {
  APIService: 'v1beta1.metrics.example.com',
  CustomResourceDefinition: 'tabs.example.com',
  IPAddress: '10.96.0.10',
};

function template(restartPolicy?: string): object {
  return {
    metadata: { labels: { app: 'web' } },
    spec: {
      containers: [{ name: 'web', image: 'nginx:1.27' }],
      ...(restartPolicy && { restartPolicy }),
    },
  };
}
