import { EVENTS, READ, READ_WRITE, type RuleRow, WRITE } from './rules.ts';

/**
 * The rules of every cluster's default roles, except `cluster-admin`, controllers' roles and aggregates.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go ClusterRoles, NodeRules, with the
 * feature gates of 1.36
 */
export const clusterRoleRules: Readonly<Record<string, readonly RuleRow[]>> = {
  'system:aggregate-to-admin': [
    ['create', 'localsubjectaccessreviews', 'authorization.k8s.io'],
    [READ_WRITE, 'rolebindings roles', 'rbac.authorization.k8s.io'],
  ],
  'system:aggregate-to-edit': [
    [READ, 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'],
    ['impersonate', 'serviceaccounts'],
    [WRITE, 'pods pods/attach pods/exec pods/portforward pods/proxy'],
    ['create', 'pods/eviction'],
    [
      WRITE,
      `
      configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets
      serviceaccounts services services/proxy`,
    ],
    ['create', 'serviceaccounts/token'],
    [WRITE, 'events', 'core events.k8s.io'],
    [
      WRITE,
      `
      daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale
      statefulsets statefulsets/scale`,
      'apps',
    ],
    [WRITE, 'horizontalpodautoscalers', 'autoscaling'],
    [WRITE, 'cronjobs jobs', 'batch'],
    [
      WRITE,
      `
      daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets
      replicasets/scale replicationcontrollers/scale`,
      'extensions',
    ],
    [WRITE, 'poddisruptionbudgets', 'policy'],
    [WRITE, 'ingresses networkpolicies', 'networking.k8s.io'],
    [READ_WRITE, 'leases', 'coordination.k8s.io'],
    [WRITE, 'resourceclaims resourceclaimtemplates', 'resource.k8s.io'],
  ],
  'system:aggregate-to-view': [
    [
      READ,
      `
      configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods
      replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status`,
    ],
    [
      READ,
      `
      bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status
      resourcequotas resourcequotas/status`,
    ],
    [READ, 'namespaces'],
    [READ, 'events', 'core events.k8s.io'],
    [READ, 'endpointslices', 'discovery.k8s.io'],
    [
      READ,
      `
      controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status
      replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status`,
      'apps',
    ],
    [READ, 'horizontalpodautoscalers horizontalpodautoscalers/status', 'autoscaling'],
    [READ, 'cronjobs cronjobs/status jobs jobs/status', 'batch'],
    [
      READ,
      `
      daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses
      ingresses/status networkpolicies replicasets replicasets/scale replicasets/status
      replicationcontrollers/scale`,
      'extensions',
    ],
    [READ, 'poddisruptionbudgets poddisruptionbudgets/status', 'policy'],
    [READ, 'ingresses ingresses/status networkpolicies', 'networking.k8s.io'],
    [READ, 'resourceclaims resourceclaims/status resourceclaimtemplates', 'resource.k8s.io'],
  ],
  'system:auth-delegator': [
    ['create', 'tokenreviews', 'authentication.k8s.io'],
    ['create', 'subjectaccessreviews', 'authorization.k8s.io'],
  ],
  'system:basic-user': [
    ['create', 'selfsubjectaccessreviews selfsubjectrulesreviews', 'authorization.k8s.io'],
    ['create', 'selfsubjectreviews', 'authentication.k8s.io'],
  ],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    ['create', 'certificatesigningrequests/nodeclient', 'certificates.k8s.io'],
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    ['create', 'certificatesigningrequests/selfnodeclient', 'certificates.k8s.io'],
  ],
  'system:certificates.k8s.io:kube-apiserver-client-approver': [
    ['approve', 'signers', 'certificates.k8s.io', 'kubernetes.io/kube-apiserver-client'],
  ],
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': [
    ['approve', 'signers', 'certificates.k8s.io', 'kubernetes.io/kube-apiserver-client-kubelet'],
  ],
  'system:certificates.k8s.io:kubelet-serving-approver': [
    ['approve', 'signers', 'certificates.k8s.io', 'kubernetes.io/kubelet-serving'],
  ],
  'system:certificates.k8s.io:legacy-unknown-approver': [
    ['approve', 'signers', 'certificates.k8s.io', 'kubernetes.io/legacy-unknown'],
  ],
  'system:discovery': [
    ['get', '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'],
  ],
  'system:heapster': [
    [READ, 'events namespaces nodes pods'],
    [READ, 'deployments', 'extensions'],
  ],
  'system:kube-aggregator': [[READ, 'endpoints services']],
  'system:kube-controller-manager': [
    EVENTS,
    ['create', 'leases', 'coordination.k8s.io'],
    ['get update', 'leases', 'coordination.k8s.io', 'kube-controller-manager'],
    ['create', 'secrets serviceaccounts'],
    ['delete', 'secrets'],
    ['get', 'configmaps namespaces secrets serviceaccounts'],
    ['update', 'secrets serviceaccounts'],
    ['create', 'tokenreviews', 'authentication.k8s.io'],
    ['create', 'subjectaccessreviews', 'authorization.k8s.io'],
    ['list watch', '*', '*'],
    ['create', 'serviceaccounts/token'],
  ],
  'system:kube-dns': [['list watch', 'endpoints services']],
  'system:kube-scheduler': [
    EVENTS,
    ['create', 'leases', 'coordination.k8s.io'],
    ['get list update watch', 'leases', 'coordination.k8s.io', 'kube-scheduler'],
    [READ_WRITE, 'leasecandidates', 'coordination.k8s.io'],
    [READ, 'nodes'],
    ['delete get list watch', 'pods'],
    ['create', 'bindings pods/binding'],
    ['patch update', 'pods/status'],
    [READ, 'replicationcontrollers services'],
    [READ, 'replicasets', 'apps extensions'],
    [READ, 'statefulsets', 'apps'],
    [READ, 'poddisruptionbudgets', 'policy'],
    [READ, 'persistentvolumeclaims persistentvolumes'],
    ['create', 'tokenreviews', 'authentication.k8s.io'],
    ['create', 'subjectaccessreviews', 'authorization.k8s.io'],
    [READ, 'csinodes', 'storage.k8s.io'],
    [READ, 'volumeattachments', 'storage.k8s.io'],
    [READ, 'namespaces'],
    [READ, 'csidrivers', 'storage.k8s.io'],
    [READ, 'csistoragecapacities', 'storage.k8s.io'],
    [READ, 'deviceclasses', 'resource.k8s.io'],
    ['get list patch update watch', 'resourceclaims', 'resource.k8s.io'],
    ['get list patch update watch', 'resourceclaims/status', 'resource.k8s.io'],
    ['update', 'pods/finalizers'],
    [READ, 'resourceslices', 'resource.k8s.io'],
    ['create delete', 'resourceclaims', 'resource.k8s.io'],
    ['patch update', 'resourceclaims/binding', 'resource.k8s.io'],
  ],
  'system:kubelet-api-admin': [
    [READ, 'nodes'],
    ['proxy', 'nodes'],
    ['*', 'nodes/log nodes/metrics nodes/proxy nodes/stats'],
    ['*', 'nodes/configz nodes/healthz nodes/pods'],
  ],
  'system:monitoring': [
    ['get', '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz'],
    ['get', 'nodes/metrics'],
  ],
  'system:node': [
    ['create', 'tokenreviews', 'authentication.k8s.io'],
    ['create', 'localsubjectaccessreviews subjectaccessreviews', 'authorization.k8s.io'],
    [READ, 'services'],
    ['create get list watch', 'nodes'],
    ['patch update', 'nodes/status'],
    ['patch update', 'nodes'],
    EVENTS,
    [READ, 'pods'],
    ['create delete', 'pods'],
    ['patch update', 'pods/status'],
    ['create', 'pods/eviction'],
    [READ, 'configmaps secrets'],
    ['get', 'persistentvolumeclaims persistentvolumes'],
    ['get', 'endpoints'],
    ['create get list watch', 'certificatesigningrequests', 'certificates.k8s.io'],
    ['create delete get patch update', 'leases', 'coordination.k8s.io'],
    ['get', 'volumeattachments', 'storage.k8s.io'],
    ['create', 'serviceaccounts/token'],
    ['get patch update', 'persistentvolumeclaims/status'],
    [READ, 'csidrivers', 'storage.k8s.io'],
    ['create delete get patch update', 'csinodes', 'storage.k8s.io'],
    [READ, 'runtimeclasses', 'node.k8s.io'],
    ['get', 'resourceclaims', 'resource.k8s.io'],
    ['deletecollection', 'resourceslices', 'resource.k8s.io'],
    ['get', 'serviceaccounts'],
  ],
  'system:node-bootstrapper': [
    ['create get list watch', 'certificatesigningrequests', 'certificates.k8s.io'],
  ],
  'system:node-problem-detector': [['get', 'nodes'], ['patch', 'nodes/status'], EVENTS],
  'system:node-proxier': [
    ['list watch', 'endpoints services'],
    [READ, 'nodes'],
    EVENTS,
    ['list watch', 'servicecidrs', 'networking.k8s.io'],
    ['list watch', 'endpointslices', 'discovery.k8s.io'],
  ],
  'system:persistent-volume-provisioner': [
    ['create delete get list watch', 'persistentvolumes'],
    ['get list update watch', 'persistentvolumeclaims'],
    [READ, 'storageclasses', 'storage.k8s.io'],
    ['watch', 'events'],
    EVENTS,
  ],
  'system:public-info-viewer': [['get', '/healthz /livez /readyz /version /version/']],
  'system:service-account-issuer-discovery': [
    [
      'get',
      `
      /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks
      /openid/v1/jwks/`,
    ],
  ],
  'system:volume-scheduler': [
    ['get list patch update watch', 'persistentvolumes'],
    [READ, 'storageclasses', 'storage.k8s.io'],
    ['get list patch update watch', 'persistentvolumeclaims'],
  ],
};
