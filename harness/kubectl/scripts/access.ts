import { fails, name, names, object, run, type Script, type Step } from '../script.ts';

const verbs = '{{range .rules}}{{range .verbs}}{{.}}:{{end}}{{end}}';
const resources = '{{range .rules}}{{range .resources}}{{.}}:{{end}}{{end}}';
const groups = '{{range .rules}}{{range .apiGroups}}{{.}}:{{end}}{{end}}';
const subjects = '{{range .subjects}}{{.name}}:{{end}}';
const taints =
  '{{range .spec.taints}}{{if eq .key "dedicated"}}{{.key}}={{.value}}:{{.effect}}{{end}}{{end}}';
const templated = "--template='{{.metadata.name}}:'";
const pod = (of: string): string =>
  `echo '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"test-pod-${of}","labels":{"e":"${of}","type":"test-pod"}},"spec":{"nodeName":"drained","containers":[{"name":"c","image":"i"}]}}' | kubectl create -f -`;

/** Creates a certificate request, decides it, shows it and deletes it. */
const decided = (verdict: string, told: string): readonly Step[] => [
  run('kubectl create -f csr.yaml'),
  object('csr/foo', '{{range .status.conditions}}{{.type}}{{end}}', ''),
  run(`kubectl certificate ${verdict}`),
  run('kubectl get csr -o json', { out: `"type": "${told}"` }),
  object('csr/foo', '{{range .status.conditions}}{{.type}}{{end}}', told),
  run('kubectl describe csr --chunk-size=1', { out: 'Requesting User:' }),
  run('kubectl delete -f csr.yaml'),
  fails('kubectl get csr/foo'),
];

/** Roles, reviews and certificates; nodes; and output by template. */
export const access: readonly Script[] = [
  {
    source: 'rbac.sh run_clusterroles_tests',
    steps: [
      fails('kubectl get clusterrole pod-admin', {
        err: 'clusterroles.rbac.authorization.k8s.io "pod-admin" not found',
      }),
      run("kubectl create clusterrole pod-admin --dry-run=server --verb='*' --resource=pods"),
      fails('kubectl get clusterrole pod-admin'),
      run("kubectl create clusterrole pod-admin --verb='*' --resource=pods"),
      object('clusterrole/pod-admin', verbs, '*:'),
      run('kubectl delete clusterrole pod-admin -n test', {
        out: 'clusterrole.rbac.authorization.k8s.io "pod-admin" deleted',
        err: 'deleting cluster-scoped resources',
      }),
      run('kubectl create clusterrole resource-reader --verb=get,list --resource=pods,deployments.apps'),
      object('clusterrole/resource-reader', verbs, 'get:list:get:list:'),
      object('clusterrole/resource-reader', resources, 'pods:deployments:'),
      object('clusterrole/resource-reader', groups, ':apps:'),
      run(
        'kubectl create clusterrole url-reader --verb=get --non-resource-url=/logs/* --non-resource-url=/healthz/*',
      ),
      object(
        'clusterrole/url-reader',
        '{{range .rules}}{{range .nonResourceURLs}}{{.}}:{{end}}{{end}}',
        '/logs/*:/healthz/*:',
      ),
      run('kubectl create clusterrole aggregation-reader --aggregation-rule=foo1=foo2'),
      object('clusterrole/aggregation-reader', name, 'aggregation-reader'),
      run(
        'kubectl create clusterrolebinding super-admin --dry-run=server --clusterrole=admin --user=super-admin',
      ),
      run('kubectl create clusterrolebinding super-admin --clusterrole=admin --user=super-admin'),
      run('kubectl set subject --dry-run=server clusterrolebinding super-admin --user=foo'),
      object('clusterrolebinding/super-admin', subjects, 'super-admin:'),
      run('kubectl set subject clusterrolebinding super-admin --user=foo'),
      object('clusterrolebinding/super-admin', subjects, 'super-admin:foo:'),
      run('kubectl create clusterrolebinding super-sa --clusterrole=admin --serviceaccount=otherns:sa-name'),
      run('kubectl set subject clusterrolebinding super-sa --serviceaccount=otherfoo:foo'),
      object('clusterrolebinding/super-sa', '{{range .subjects}}{{.namespace}}:{{end}}', 'otherns:otherfoo:'),
      run('kubectl create rolebinding admin --clusterrole=admin --user=default-admin'),
      object('rolebinding/admin', '{{.roleRef.kind}}', 'ClusterRole'),
      run('kubectl create rolebinding localrole --role=localrole --group=the-group'),
      object('rolebinding/localrole', '{{.roleRef.kind}}', 'Role'),
      run('kubectl set subject rolebinding --all --user=test-all-user'),
      object('rolebinding/localrole', subjects, 'the-group:test-all-user:'),
      run('kubectl describe clusterroles --chunk-size=1', { out: 'PolicyRule:' }),
    ],
  },
  {
    source: 'rbac.sh run_clusterroles_tests: what every cluster has',
    steps: [
      object('clusterroles/cluster-admin', name, 'cluster-admin'),
      object('clusterrolebindings/cluster-admin', name, 'cluster-admin'),
    ],
  },
  {
    source: 'rbac.sh run_role_tests',
    steps: [
      run("kubectl create role pod-admin --dry-run=server --verb='*' --resource=pods"),
      fails('kubectl get role/pod-admin', { err: ' not found' }),
      run("kubectl create role pod-admin --verb='*' --resource=pods"),
      object('role/pod-admin', resources, 'pods:'),
      fails("kubectl create role invalid --verb='*' --resource=invalid-resource", {
        err: `the server doesn't have a resource type "invalid-resource"`,
      }),
      run('kubectl create role group-reader --verb=get,list --resource=deployments.apps'),
      object('role/group-reader', groups, 'apps:'),
      fails('kubectl create role invalid --verb=get,list --resource=deployments.invalid-group', {
        err: `the server doesn't have a resource type "deployments" in group "invalid-group"`,
      }),
      run('kubectl create role subresource-reader --verb=get,list --resource=pods/status'),
      object('role/subresource-reader', resources, 'pods/status:'),
      run('kubectl create role group-subresource-reader --verb=get,list --resource=replicasets.apps/scale'),
      object('role/group-subresource-reader', resources, 'replicasets/scale:'),
      run('kubectl create role resourcename-reader --verb=get,list --resource=pods --resource-name=foo'),
      object(
        'role/resourcename-reader',
        '{{range .rules}}{{range .resourceNames}}{{.}}:{{end}}{{end}}',
        'foo:',
      ),
      run('kubectl describe roles', { out: 'Resource Names' }),
    ],
  },
  {
    source: 'authorization.sh run_authorization_tests',
    steps: [
      // Upstream's cluster also has the authorizer AlwaysAllow.
      run('kubectl create rolebinding jane --clusterrole=edit --user=jane -n default'),
      run('kubectl create -f subject-access-review.json --validate=false -o yaml', { out: 'allowed: true' }),
    ],
  },
  {
    source: 'authorization.sh run_impersonation_tests',
    steps: [
      fails('kubectl get pods --as-group=foo', { err: 'without impersonating a user' }),
      fails('kubectl get pods --as-uid=abc123', { err: 'without impersonating a user' }),
      run('kubectl create clusterrole requesters --verb=create --resource=certificatesigningrequests'),
      run('kubectl create clusterrolebinding requesters --clusterrole=requesters --user=user1'),
      run("sed 's/name: foo/name: impersonated/' csr.yaml | kubectl create -f - --as=user1"),
      object('csr/impersonated', '{{.spec.username}}', 'user1'),
    ],
  },
  {
    source: 'auth_whoami.sh run_kubectl_auth_whoami_tests',
    steps: [run('kubectl auth whoami -o json', { out: '"kind": "SelfSubjectReview"' })],
  },
  {
    source: 'certificate.sh run_certificates_tests',
    steps: [
      ...['approve foo', 'approve -f csr.yaml'].flatMap((verdict) => decided(verdict, 'Approved')),
      ...['deny foo', 'deny -f csr.yaml'].flatMap((verdict) => decided(verdict, 'Denied')),
    ],
  },
  {
    source: 'storage.sh',
    steps: [
      run('kubectl create -f persistent-volume.yaml'),
      object('pv', names, 'pv0001:'),
      run('kubectl describe persistentvolumes', { out: 'pv0001' }),
      run('kubectl delete pv -n test --all', {
        out: 'persistentvolume "pv0001" deleted',
        err: 'deleting cluster-scoped resources',
      }),
      object('pv', names, ''),
      run('kubectl create -f claim.yaml'),
      object('pvc', names, 'myclaim-1:'),
      run('kubectl describe persistentvolumeclaims', { out: 'Access Modes' }),
      run('kubectl delete pvc myclaim-1'),
      object('pvc', names, ''),
      run('kubectl create -f storage-class.yaml'),
      object('storageclass', names, 'storage-class-name:'),
      object('sc', names, 'storage-class-name:'),
      run('kubectl describe storageclasses', { out: 'Provisioner:' }),
      run('kubectl delete storageclass storage-class-name'),
    ],
  },
  {
    source: 'node-management.sh run_cluster_management_tests',
    steps: [
      run(`echo '{"kind":"Node","apiVersion":"v1","metadata":{"name":"drained"}}' | kubectl create -f -`),
      run(pod('f')),
      run(pod('g')),
      run('kubectl taint node drained --dry-run=client dedicated=foo:PreferNoSchedule'),
      run('kubectl taint node drained --dry-run=server dedicated=foo:PreferNoSchedule'),
      object('nodes drained', taints, ''),
      run('kubectl taint node drained dedicated=foo:PreferNoSchedule'),
      object('nodes drained', taints, 'dedicated=foo:PreferNoSchedule'),
      run('kubectl taint node drained dedicated-'),
      run('kubectl taint node drained dedicated:PreferNoSchedule'),
      object('nodes drained', taints, 'dedicated=<no value>:PreferNoSchedule'),
      run('kubectl taint node drained dedicated-'),
      object('nodes drained', taints, ''),
      run('kubectl cordon drained --dry-run=client'),
      run('kubectl cordon drained --dry-run=server'),
      run('kubectl drain drained --dry-run=client --force'),
      run('kubectl drain drained --dry-run=server --force'),
      object('nodes drained', '{{.spec.unschedulable}}', '<no value>'),
      run("kubectl drain drained --pod-selector 'e in (f)' --dry-run=server --force"),
      object('pods', names, 'test-pod-f:test-pod-g:'),
      run("kubectl drain drained --force --pod-selector 'e in (f)' --skip-wait-for-delete-timeout=1", {
        out: /evicting pod .*\/test-pod-f/,
      }),
      object('pods/test-pod-g', '{{.metadata.deletionTimestamp}}', '<no value>'),
      object('nodes drained', '{{.spec.unschedulable}}', 'true'),
      run('kubectl uncordon drained', { is: 'node/drained uncordoned' }),
      run('kubectl uncordon drained --dry-run=client', { out: 'already uncordoned' }),
      run('kubectl uncordon drained --dry-run=server', { out: 'already uncordoned' }),
      run('kubectl label node drained test=label'),
      fails('kubectl drain drained --selector test=label', { err: 'cannot specify both a node name' }),
      run(
        'kubectl --v=6 drain --force --pod-selector type=test-pod --selector test=label --chunk-size=1 --dry-run=client',
        {
          err: [
            'v1/nodes?labelSelector=test%3Dlabel&limit=1',
            'v1/pods?fieldSelector=spec.nodeName%3Ddrained&labelSelector=type%3Dtest-pod&limit=1',
            /v1\/pods\?continue=.*limit=1/,
          ],
        },
      ),
      fails('kubectl cordon', { err: 'error: USAGE: cordon NODE' }),
      fails('kubectl cordon --selector=', { err: 'must provide one or more resources' }),
      run('kubectl cordon --selector test=label', { is: 'node/drained cordoned' }),
      run('kubectl cordon --selector invalid=label', { without: 'cordoned' }),
      run('kubectl delete pods --all --force'),
      run(`kubectl patch nodes drained -p='{"spec":{"unschedulable":null}}'`),
      object('nodes drained', '{{.spec.unschedulable}}', '<no value>'),
    ],
  },
  {
    source: 'exec.sh',
    steps: [
      fails('kubectl exec abc -- date', { err: 'pods "abc" not found' }),
      fails('kubectl exec -f multi-pod.yaml -- echo test', {
        err: 'cannot exec into multiple objects at a time',
      }),
      run('kubectl create -f pod.yaml -f set-env-configmap.yaml'),
      fails('kubectl exec test-pod -- date', { without: ['not found', 'must be specified'] }),
      fails('kubectl exec test-pod -c nonexistent -- date', {
        err: 'container nonexistent is not valid for pod test-pod',
      }),
      // Another script may have defined the kind Foo: then only the object is missing.
      fails('kubectl exec foo/bar -- date', { err: /^error:|\(NotFound\)/ }),
      fails('kubectl exec deployments/bar -- date', { err: '"bar" not found' }),
      fails('kubectl exec configmap/test-set-env-config -- date', { err: 'not implemented' }),
      fails('kubectl exec pods/test-pod -- date', { without: 'not found' }),
    ],
  },
  {
    source: 'debug.sh run_kubectl_debug_tests',
    steps: [
      run('kubectl run target --image=nginx:1.25'),
      run('kubectl debug target --image=busybox --attach=false -c debug-container --profile=general'),
      object(
        'pod/target',
        '{{range .spec.ephemeralContainers}}{{.name}}:{{.image}}{{end}}',
        'debug-container:busybox',
      ),
      run(
        'kubectl debug target --copy-to=target-copy --image=busybox --container=debug-container --attach=false --profile=general',
      ),
      object(
        'pod/target-copy',
        '{{range .spec.containers}}{{.name}}:{{.image}}:{{end}}',
        'target:nginx:1.25:debug-container:busybox:',
      ),
      object('pod/target-copy', '{{.spec.shareProcessNamespace}}', 'true'),
      run('kubectl debug node/127.0.0.1 --image=busybox --attach=false --profile=general -- true', {
        out: 'Creating debugging pod node-debugger-127.0.0.1',
      }),
      object(
        'pods',
        '{{range .items}}{{.spec.nodeName}} {{.spec.hostPID}} {{end}}',
        '127.0.0.1 true <no value> <no value> <no value> <no value>',
      ),
    ],
  },
  {
    source: 'template-output.sh run_template_output_tests',
    steps: [
      run('kubectl create -f valid-pod.yaml'),
      run(
        `kubectl patch --dry-run=client pods/valid-pod -p '{"patched":"value3"}' --type=merge ${templated}`,
        { is: 'valid-pod:' },
      ),
      run(`kubectl label --dry-run=client pods/valid-pod label=value ${templated}`, { is: 'valid-pod:' }),
      run(`kubectl annotate --dry-run=client pods/valid-pod a=value ${templated}`, { is: 'valid-pod:' }),
      run(`kubectl apply --dry-run=client -f pod.yaml ${templated}`, { is: 'test-pod:' }),
      run(`kubectl create -f pod.yaml --dry-run=client ${templated}`, { is: 'test-pod:' }),
      run(
        `kubectl expose -f redis-slave-replicaset.yaml --save-config --port=80 --dry-run=client ${templated}`,
        { is: 'redis-slave:' },
      ),
      run(`kubectl run --dry-run=client ${templated} pi --image=perl --restart=OnFailure -- perl`, {
        is: 'pi:',
      }),
      run(`kubectl taint node 127.0.0.1 dedicated=foo:PreferNoSchedule ${templated}`, { is: '127.0.0.1:' }),
      run('kubectl taint node 127.0.0.1 dedicated-'),
      run(`kubectl auth reconcile --dry-run=client -f rbac.yaml ${templated}`, {
        is: 'testing-CR:testing-CRB:',
      }),
      run(
        `kubectl create clusterrole ${templated} --verb get myclusterrole --non-resource-url /logs/ --resource pods`,
        { is: 'myclusterrole:' },
      ),
      run(`kubectl create clusterrolebinding foo --clusterrole=myclusterrole ${templated}`, { is: 'foo:' }),
      run(`kubectl create deployment deploy --image=nginx ${templated}`, { is: 'deploy:' }),
      run(`kubectl set env pod/valid-pod --dry-run=client A=B ${templated}`, { is: 'valid-pod:' }),
      run(`kubectl set image pod/valid-pod --dry-run=client kubernetes-serve-hostname=nginx ${templated}`, {
        is: 'valid-pod:',
      }),
      run(`kubectl set serviceaccount pod/valid-pod deployer --dry-run=client ${templated}`, {
        is: 'valid-pod:',
      }),
      run(`kubectl set subject clusterrolebinding/foo --user=foo --dry-run=client ${templated}`, {
        is: 'foo:',
      }),
      run(`kubectl create service nodeport foo --dry-run=client --tcp=8080 ${templated}`, { is: 'foo:' }),
      run(`kubectl rollout pause deploy/deploy ${templated}`, { is: 'deploy:' }),
      run(`kubectl rollout resume deploy/deploy ${templated}`, { is: 'deploy:' }),
      run('kubectl config view', { out: 'kind: Config' }),
      run("kubectl config view --template='{{.kind}}:'", { is: 'Config:' }),
    ],
  },
];
