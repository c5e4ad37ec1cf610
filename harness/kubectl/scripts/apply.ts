import { eventually, fails, name, names, object, run, type Script } from '../script.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const managers =
  "kubectl get -f pod.yaml --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'";
const same = (command: string): string =>
  `before=$(kubectl get -f pod.yaml -o go-template='{{.metadata.resourceVersion}}') && ${command} >$HOME/said && test $(kubectl get -f pod.yaml -o go-template='{{.metadata.resourceVersion}}') = $before && cat $HOME/said`;
const configMap = (data: string, named = 'test'): string =>
  `echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${named}"},"data":${data}}' | kubectl`;

/** Client-side `kubectl apply`, `kubectl diff`, and server-side apply. */
export const apply: readonly Script[] = [
  {
    source: 'apply.sh run_kubectl_apply_tests: the annotation',
    steps: [
      run('kubectl apply -f pod.yaml', { is: 'pod/test-pod created' }),
      object('pods test-pod', '{{.metadata.labels.name}}', 'test-pod-label'),
      run('kubectl get pods test-pod -o yaml', { out: lastApplied }),
      run(managers, { out: 'kubectl-client-side-apply' }),
      run('kubectl delete pods test-pod'),
      run('kubectl create -f pod.yaml'),
      run('kubectl get pods test-pod -o yaml', { without: lastApplied }),
      run('kubectl apply set-last-applied --dry-run=client -f pod.yaml --create-annotation=true'),
      run('kubectl apply set-last-applied --dry-run=server -f pod.yaml --create-annotation=true'),
      run('kubectl get pods test-pod -o yaml', { without: lastApplied }),
      run('kubectl apply set-last-applied -f pod.yaml --create-annotation=true'),
      run('kubectl get pods test-pod -o yaml', { out: lastApplied }),
      run('kubectl delete pods test-pod'),
      run('kubectl apply -l unique-label=bingbang -f filter'),
      object('pods selector-test-pod', '{{.metadata.labels.name}}', 'selector-test-pod'),
      fails('kubectl get pods selector-test-pod-dont-apply', {
        err: 'pods "selector-test-pod-dont-apply" not found',
      }),
      run('kubectl delete pods selector-test-pod'),
      run('kubectl apply --dry-run=client -f pod.yaml'),
      run('kubectl apply --dry-run=server -f pod.yaml'),
      object('pods', names, ''),
      run('kubectl apply -f pod.yaml'),
      run(same('kubectl apply --dry-run=client -f pod-apply.yaml'), {
        is: 'pod/test-pod configured (dry run)',
      }),
      run(same('kubectl apply --dry-run=server -f pod-apply.yaml'), {
        is: 'pod/test-pod configured (server dry run)',
      }),
      object('pods test-pod', '{{.metadata.labels.name}}', 'test-pod-label'),
    ],
  },
  {
    source: 'apply.sh run_kubectl_apply_tests: retained keys, prune and namespaces',
    steps: [
      run('kubectl apply -f deployment.yaml'),
      run('kubectl get deployments nginx-deployment -o yaml', {
        out: ['RollingUpdate', 'maxSurge', 'maxUnavailable'],
      }),
      run("sed 's/^spec:/spec:\\n  strategy: { type: Recreate }/' deployment.yaml | kubectl apply -f -", {
        is: 'deployment.apps/nginx-deployment configured',
      }),
      run('kubectl get deployments nginx-deployment -o yaml', {
        out: 'Recreate',
        without: ['RollingUpdate', 'maxSurge'],
      }),
      run('kubectl delete deployment nginx-deployment'),
      run('kubectl apply -l prune-group=true -f prune/a.yaml'),
      object('pods a', name, 'a'),
      run('kubectl diff -l prune-group=true -f prune/b.yaml', { code: 1, without: 'name: a' }),
      run('kubectl diff --prune -l prune-group=true -f prune/b.yaml', { code: 1, out: 'name: a' }),
      run('kubectl apply --prune -l prune-group=true -f prune/b.yaml', {
        out: ['pod/b created', 'pod/a pruned'],
      }),
      eventually('pods -l prune-group', names, 'b:'),
      run('kubectl diff --prune -l prune-group=true -f prune/b.yaml'),
      fails('kubectl apply --prune -f prune', {
        err: 'all resources selected for prune without explicitly passing --all',
      }),
      fails("sed 's/name: a/name: a\\n  namespace: nsb/' prune/a.yaml | kubectl apply -n foo -f -", {
        err: 'the namespace from the provided object "nsb" does not match the namespace "foo".',
      }),
      run('kubectl apply -f service-revision1.yaml'),
      fails('kubectl apply -f service-revision2.yaml', { err: 'may not change once set' }),
      run('kubectl apply -f service-revision2.yaml --force'),
      object('services a', '{{.spec.clusterIP}}', '10.96.77.12'),
      run('kubectl apply -k kustomize'),
      object('configmap test-the-map', name, 'test-the-map'),
      object('deployment test-the-deployment', name, 'test-the-deployment'),
      object('service test-the-service', name, 'test-the-service'),
      run('kubectl delete -k kustomize'),
    ],
  },
  {
    source: 'apply.sh run_kubectl_apply_tests: several in one file, some of which fail',
    steps: [
      fails('kubectl get namespace multi-resource-ns', { err: 'namespaces "multi-resource-ns" not found' }),
      fails('kubectl apply -f multi-resource-1.yaml', { err: 'namespaces "multi-resource-ns" not found' }),
      fails('kubectl get pods test-pod -n multi-resource-ns', { err: 'pods "test-pod" not found' }),
      run('kubectl apply -f multi-resource-1.yaml'),
      object('pods test-pod -n multi-resource-ns', name, 'test-pod'),
      run('kubectl delete -f multi-resource-1.yaml'),
      fails('kubectl apply -f multi-resource-2.yaml', {
        err: 'no matches for kind "Bogus" in version "example.com/v1"',
      }),
      object('configmaps foo', name, 'foo'),
      fails('kubectl apply -f multi-resource-3.yaml', { err: 'The Pod "POD-B" is invalid' }),
      object('pods pod-a', name, 'pod-a'),
      object('pods pod-c', name, 'pod-c'),
    ],
  },
  {
    source: 'apply.sh run_kubectl_server_side_apply_tests: pods',
    steps: [
      run('kubectl apply --server-side -f pod.yaml', { is: 'pod/test-pod serverside-applied' }),
      object('pods test-pod', '{{.metadata.labels.name}}', 'test-pod-label'),
      run(managers, { is: 'kubectl' }),
      run('kubectl apply --server-side --field-manager=my-field-manager --force-conflicts -f pod.yaml'),
      run(managers, { out: 'my-field-manager' }),
      run('kubectl apply --server-side --subresource=status --field-manager=mine -f pod-apply-status.yaml'),
      run("kubectl get -f pod.yaml -o=jsonpath='{.status.conditions[*].type}'", { out: 'example.io/Foo' }),
      run('kubectl delete pods test-pod'),
      run('kubectl apply --server-side --dry-run=server -f pod.yaml'),
      object('pods', names, ''),
      run('kubectl apply --server-side -f pod.yaml'),
      run(same('kubectl apply --server-side --dry-run=server -f pod-apply.yaml')),
      object('pods test-pod', '{{.metadata.labels.name}}', 'test-pod-label'),
      run('kubectl delete -f pod.yaml'),
      run('kubectl apply -f pod.yaml'),
      fails('kubectl apply --server-side --field-manager=not-kubectl -f pod-apply.yaml', {
        err: 'Apply failed with 1 conflict',
      }),
      run('kubectl apply --server-side -f pod-apply.yaml'),
      run('kubectl apply view-last-applied pod/test-pod -o json', { out: '"name": "test-pod-applied"' }),
      run('kubectl apply --server-side -f pod.yaml'),
      run('kubectl apply view-last-applied pod/test-pod -o json', { out: '"name": "test-pod-label"' }),
      run('kubectl apply -f pod-apply.yaml'),
    ],
  },
  {
    source: 'apply.sh run_kubectl_server_side_apply_tests: from one side to the other',
    steps: [
      run(`${configMap('{"key":"value","legacy":"unused"}')} apply --server-side=false -f -`, {
        is: 'configmap/test created',
      }),
      run(`${configMap('{"key":"value","legacy":"unused"}')} apply --server-side -f -`, {
        is: 'configmap/test serverside-applied',
      }),
      run(`${configMap('{"key":"value","ssaKey":"ssaValue"}')} apply --server-side -f -`),
      object('configmap test', '{{.data}}', 'map[key:value ssaKey:ssaValue]'),
      run(`${configMap('{"key":"value","newKey":"newValue"}')} apply --server-side=false -f -`),
      object('configmap test', '{{.data}}', 'map[key:value newKey:newValue]'),
      run(`${configMap('{"key":"value","ssaKey":"ssaValue"}')} apply --server-side -f -`),
      object('configmap test', '{{.data}}', 'map[key:value ssaKey:ssaValue]'),
      run(`${configMap('{"key":"value","newKey":"newValue"}')} diff --server-side -f -`, {
        code: 1,
        out: ['+  newKey: newValue', '-  ssaKey: ssaValue'],
      }),
      run(`${configMap('{"key":"value1","legacy":"value2"}', 'ssa')} apply --field-manager=myfm -f -`),
      run('kubectl get configmap ssa -o yaml', { out: lastApplied }),
      run(
        `${configMap('{"key":"value1","legacy":"value2"}', 'ssa')} apply --server-side=true --field-manager=myfm -f -`,
      ),
      run('kubectl get configmap ssa -o yaml', { without: lastApplied }),
      run(`${configMap('{"key":"value2"}', 'ssa')} apply --server-side=true --field-manager=myfm -f -`),
      object('configmap ssa', '{{.data}}', 'map[key:value2]'),
    ],
  },
  {
    source: 'diff.sh run_kubectl_diff_tests',
    steps: [
      run('kubectl diff -f pod.yaml', { code: 1, out: 'test-pod' }),
      object('pod', names, ''),
      run('kubectl apply -f pod.yaml'),
      run(same('kubectl diff -f pod.yaml'), { is: '' }),
      run('kubectl diff -f pod-changed.yaml', {
        code: 1,
        out: 'registry.k8s.io/pause:3.4',
        without: 'exit status 1',
      }),
      run('kubectl diff -f pod-changed.yaml --server-side', { code: 1, out: 'registry.k8s.io/pause:3.4' }),
      fails('kubectl diff -f invalid-pod.yaml'),
      run('kubectl delete -f pod.yaml'),
      run('kubectl diff --server-side -f pod.yaml', { code: 1, out: 'test-pod' }),
      object('pod', names, ''),
      run('kubectl apply --server-side -f pod.yaml'),
      run('kubectl diff --server-side -f pod.yaml', { is: '' }),
      run('kubectl diff --server-side -f pod-changed.yaml', { code: 1, out: 'registry.k8s.io/pause:3.4' }),
    ],
  },
  {
    source: 'diff.sh run_kubectl_diff_same_names',
    steps: [
      run('KUBECTL_EXTERNAL_DIFF=find kubectl diff -Rf diff', {
        out: [
          /v1\.Pod\..*\.test/,
          /apps\.v1\.Deployment\..*\.test/,
          /v1\.ConfigMap\..*\.test/,
          /v1\.Secret\..*\.test/,
        ],
      }),
    ],
  },
  {
    source: 'save-config.sh run_save_config_tests',
    steps: [
      run('kubectl create -f pod.yaml --save-config'),
      run('kubectl get pods test-pod -o yaml', { out: lastApplied }),
      run('kubectl delete -f pod.yaml'),
      run('kubectl create -f pod.yaml'),
      run('KUBE_EDITOR="sed -i s/test-pod-label/edited/g" kubectl edit pod test-pod --save-config'),
      run('kubectl get pods test-pod -o yaml', { out: lastApplied }),
      run('kubectl delete -f pod.yaml'),
      run('kubectl create -f pod.yaml'),
      run('kubectl replace -f pod.yaml --save-config'),
      run('kubectl get pod/test-pod -o yaml', { out: lastApplied }),
      run('kubectl run nginx --image=nginx --save-config'),
      run('kubectl get pod nginx -o yaml', { out: lastApplied }),
      run('kubectl expose pod nginx --save-config --port=80 --target-port=8000'),
      run('kubectl get svc nginx -o yaml', { out: lastApplied }),
      run('kubectl delete pod,svc nginx'),
    ],
  },
];
