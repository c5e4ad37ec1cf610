import { fails, name, names, object, run, type Script } from '../script.ts';

const order = (...of: readonly number[]): RegExp =>
  new RegExp(of.map((one) => `sorted-pod${one}`).join('[^]*'));
const get = (path: string): string => `"Response" verb="GET" url="[^"]*${path}" status="200 OK"`;
const response = (path: string): RegExp =>
  new RegExp(`${get(path)}|GET \\S*${path.replaceAll('\\?', '[?]')} 200 OK`);

/** The forms of `kubectl get`, and the apiserver's information about itself. */
export const reading: readonly Script[] = [
  {
    source: 'get.sh run_kubectl_get_tests: nothing to show',
    steps: [
      fails('kubectl get pods abc', { err: 'pods "abc" not found' }),
      fails('kubectl get pods abc -o name', { err: 'pods "abc" not found' }),
      run('kubectl get pods -o json', { without: 'No resources found' }),
      run('kubectl get pods -o yaml', { without: 'No resources found' }),
      run('kubectl get pods -o name', { without: 'No resources found' }),
      run("kubectl get pods -o jsonpath='{.items}'", { without: 'No resources found' }),
      run("kubectl get pods -o go-template='{{.items}}'", { without: 'No resources found' }),
      run('kubectl get pods -o custom-columns=NAME:.metadata.name', { without: 'No resources found' }),
      fails('kubectl get foobar', { without: 'No resources found' }),
      run('kubectl get pods', { err: 'No resources found' }),
      run('kubectl get pods --ignore-not-found', { without: 'No resources found' }),
      run('kubectl get pods -o wide', { err: 'No resources found' }),
      fails('kubectl get pods abc -o json', { err: 'pods "abc" not found', without: 'List' }),
    ],
  },
  {
    source: 'get.sh run_kubectl_get_tests: requests',
    steps: [
      run('kubectl --v=6 --namespace default get all --chunk-size=0', {
        err: [
          '/api/v1/namespaces/default/pods',
          '/api/v1/namespaces/default/replicationcontrollers',
          '/api/v1/namespaces/default/services',
          '/apis/apps/v1/namespaces/default/daemonsets',
          '/apis/apps/v1/namespaces/default/deployments',
          '/apis/apps/v1/namespaces/default/replicasets',
          '/apis/apps/v1/namespaces/default/statefulsets',
          '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
          '/apis/batch/v1/namespaces/default/jobs',
        ],
        without: '/apis/extensions/v1beta1',
      }),
      run('kubectl create clusterrole get-one --verb=get --resource=pods'),
      run('kubectl create clusterrole get-two --verb=get --resource=pods'),
      run('kubectl --v=6 get clusterrole --chunk-size=1', {
        err: ['clusterroles?limit=1', 'clusterroles?continue='],
      }),
      run('kubectl --v=6 get clusterrole', { err: response('/clusterroles\\?limit=500') }),
      run('kubectl get namespaces --chunk-size=1 --no-headers', {
        out: ['default', 'kube-public', 'kube-system'],
      }),
      run('for cm in one two three; do kubectl create cm $cm; done'),
      run('kubectl get configmap --chunk-size=1 --watch --request-timeout=1s', {
        out: ['one', 'three', 'two'],
      }),
      run('kubectl get configmap --chunk-size=1 --watch-only --request-timeout=1s', {
        without: 'watch is only supported on individual resources',
      }),
    ],
  },
  {
    source: 'get.sh run_kubectl_get_tests: one pod',
    steps: [
      run('kubectl create -f valid-pod.yaml'),
      run("kubectl get pod valid-pod -o jsonpath='{.missing}'", { is: '' }),
      run("kubectl get pod valid-pod -o go-template='{{.missing}}'", { is: '<no value>' }),
      run("kubectl get pod valid-pod --template='{{.metadata.name}}:'", { is: 'valid-pod:' }),
      fails("kubectl get pod valid-pod --allow-missing-template-keys=false -o jsonpath='{.missing}'", {
        err: 'missing is not found',
      }),
      fails("kubectl get pod valid-pod --allow-missing-template-keys=false -o go-template='{{.missing}}'", {
        out: 'map has no entry for key "missing"',
      }),
      run('kubectl get pod valid-pod --subresource=status', { out: 'valid-pod' }),
      fails('kubectl get pod valid-pod --subresource=scale', {
        err: 'the server could not find the requested resource',
      }),
      run('kubectl get pods -w --request-timeout=1', { out: ['STATUS', 'valid-pod'] }),
      run('kubectl get pods/valid-pod -o name -w --request-timeout=1', { is: 'pod/valid-pod' }),
      run('kubectl get pods/valid-pod -o yaml -w --request-timeout=1', {
        out: 'name: valid-pod',
        without: 'STATUS',
      }),
      fails('kubectl get pods/invalid-pod -w --request-timeout=1', { err: '"invalid-pod" not found' }),
      run('kubectl create -f configmap.yaml'),
      run("kubectl get -f valid-pod.yaml -f configmap.yaml -o jsonpath='{..metadata.name}'", {
        out: ['valid-pod', 'test-configmap'],
      }),
      run('kubectl apply -k kustomize'),
      run("kubectl get -k kustomize -o jsonpath='{..metadata.name}'", {
        out: ['test-the-map', 'test-the-deployment', 'test-the-service'],
      }),
    ],
  },
  {
    source: 'get.sh run_retrieve_multiple_tests',
    steps: [object('nodes/127.0.0.1 service/kubernetes -n default', names, '127.0.0.1:kubernetes:')],
  },
  {
    source: 'get.sh run_kubectl_sort_by_tests',
    steps: [
      run("kubectl get pods --sort-by='{metadata.name}'", { err: 'No resources found' }),
      run('kubectl create -f sorted-pod1.yaml -f sorted-pod2.yaml -f sorted-pod3.yaml'),
      object('pods', names, 'sorted-pod1:sorted-pod2:sorted-pod3:'),
      run("kubectl get pods --v=8 --sort-by='{metadata.name}'", {
        out: order(1, 2, 3),
        err: ['as=Table', 'includeObject=Object'],
      }),
      run("kubectl get pods --sort-by='{metadata.labels.name}'", { out: order(3, 2, 1) }),
      run("kubectl get pods --sort-by='{spec.containers[0].name}'", { out: order(2, 1, 3) }),
      run("kubectl get pods --sort-by='{.spec.containers[0].resources.limits.memory}'", {
        out: order(3, 1, 2),
      }),
      run("kubectl get pods --sort-by='{.spec.containers[0].resources.requests.cpu}'", {
        out: order(3, 1, 2),
      }),
      run("kubectl get pods --sort-by='{spec.containers[0].name}' --server-print=false", {
        out: order(2, 1, 3),
      }),
    ],
  },
  {
    source: 'get.sh run_kubectl_all_namespace_tests',
    steps: [
      run('kubectl create namespace all-ns-test-1'),
      run('kubectl create namespace all-ns-test-2'),
      run('kubectl create serviceaccount test -n all-ns-test-1'),
      run('kubectl create serviceaccount test -n all-ns-test-2'),
      run('kubectl get serviceaccounts --all-namespaces', { out: ['all-ns-test-1', 'all-ns-test-2'] }),
      run('kubectl get serviceaccounts -A', { out: ['NAMESPACE', 'all-ns-test-2'] }),
      run('kubectl get nodes --all-namespaces', { without: 'NAMESPACE' }),
    ],
  },
  {
    source: 'get.sh run_kubectl_response_compression_tests',
    steps: [
      run(
        'head -c 150000 /dev/zero | base64 > $HOME/large && kubectl create configmap cm-one --from-file=$HOME/large',
      ),
      run('kubectl get configmaps', { out: 'cm-one' }),
      // YAML, because a table omits the data.
      run('kubectl get configmaps -o yaml --v=8', { err: 'Vary: Accept-Encoding' }),
      // Over plain HTTP, as here, kubectl accepts gzip anyway.
      run('kubectl get configmaps -o yaml --disable-compression=true', { out: 'large: |' }),
    ],
  },
  {
    source: 'request-timeout.sh run_kubectl_request_timeout_tests',
    steps: [
      run('kubectl create -f valid-pod.yaml'),
      run('kubectl get pod valid-pod --request-timeout=1', { out: 'valid-pod' }),
      run('kubectl get pod valid-pod --request-timeout=1 --watch --v=5', {
        err: /Timeout|context deadline exceeded/,
      }),
      fails('kubectl get pod valid-pod --request-timeout=1p', { err: 'Invalid timeout value' }),
    ],
  },
  {
    source: 'discovery.sh',
    steps: [
      fails('kubectl get unknownresourcetype', { err: "the server doesn't have a resource type" }),
      run('kubectl get --raw=/api/v1', {
        out: [
          /\{"name":"configmaps","singularName":"configmap","namespaced":true,"kind":"ConfigMap","verbs":\["create","delete","deletecollection","get","list","patch","update","watch"\],"shortNames":\["cm"\],"storageVersionHash":/,
          /"name":"pods"[^}]*"categories":\["all"\]/,
        ],
      }),
      run('kubectl create -f frontend-controller.yaml'),
      run('kubectl create service clusterip frontend --tcp=80'),
      run("kubectl get all -l app=frontend -o jsonpath='{..metadata.labels.app}'", {
        out: 'frontend frontend',
      }),
      run('kubectl delete all -l app=frontend'),
      run('kubectl explain pods', { out: 'FIELDS' }),
      run('kubectl explain po', { out: 'FIELDS' }),
      run('kubectl explain po.status.message', { out: 'message' }),
      run('kubectl explain cronjob', { out: 'CronJob' }),
      run("kubectl get --raw /openapi/v2 | grep -c 'list of returned'"),
    ],
  },
  {
    source: 'version.sh run_kubectl_version_tests',
    steps: [
      run('kubectl get --raw /version', { out: 'v1.36' }),
      run('kubectl version', {
        out: [/Client Version: v1/, /Kustomize Version: v\d+\.\d+\.\d+/, /Server Version: v1/],
      }),
      run('kubectl version --client', { out: 'Kustomize Version', without: 'Server Version' }),
      run('kubectl version -o yaml', { out: ['kustomizeVersion', 'serverVersion'] }),
      run('kubectl version -o json', { out: ['kustomizeVersion', 'serverVersion'] }),
      run('kubectl version --client -o json', { without: 'serverVersion' }),
    ],
  },
  {
    source: 'core.sh run_nodes_tests',
    steps: [
      object('nodes 127.0.0.1', name, '127.0.0.1'),
      run('kubectl describe nodes 127.0.0.1', {
        out: ['Name:', 'Labels:', 'CreationTimestamp:', 'Addresses:', 'Capacity:', 'Pods:', 'Events:'],
      }),
      run('kubectl describe nodes 127.0.0.1 --show-events=true', { out: 'Conditions:' }),
      run('kubectl describe nodes --show-events=false', { without: 'Events:' }),
      run('kubectl create -f token-review.json --validate=false', { out: 'created' }),
    ],
  },
];
