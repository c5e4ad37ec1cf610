import { eventually, fails, name, names, object, run, type Script } from '../script.ts';

const labels = '{{range .metadata.labels}}{{.}}:{{end}}';
const images = '{{range.items}}{{(index .spec.containers 0).image}}:{{end}}';
const described = ['Name:', 'Image:', 'Node:', 'Labels:', 'Status:'];
const patched = (image: string): string =>
  `'{"spec":{"containers":[{"name":"kubernetes-serve-hostname","image":"${image}"}]}}'`;
const node = (annotated: string): string =>
  `echo '{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-v1-test"${annotated}}}'`;
const annotated = ',"annotations":{"a":"b"},"resourceVersion":"0"';

/** The function about pods, in parts. */
export const pods: readonly Script[] = [
  {
    source: 'core.sh run_pod_tests: create, show and delete',
    steps: [
      object('pods', names, ''),
      run('kubectl create -f valid-pod.yaml', { is: 'pod/valid-pod created' }),
      run('kubectl get pods -o json', { out: '"kind": "List"' }),
      object('pods', names, 'valid-pod:'),
      object('pod valid-pod', name, 'valid-pod'),
      object('pod/valid-pod', name, 'valid-pod'),
      object('pods/valid-pod', name, 'valid-pod'),
      run(
        "kubectl get --show-managed-fields -f valid-pod.yaml -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-create' },
      ),
      run("kubectl get pods -o jsonpath='{.items[*].metadata.name}'", { is: 'valid-pod' }),
      run("kubectl get pod/valid-pod -o jsonpath='{.metadata.name}'", { is: 'valid-pod' }),
      run('kubectl describe pods valid-pod', { out: [...described, 'Events:'] }),
      run('kubectl describe pods valid-pod --show-events=false', { out: described, without: 'Events:' }),
      run('kubectl describe pods valid-pod --show-events=true', { out: 'Events:' }),
      run('kubectl describe pods', { out: [...described, 'Events:'] }),
      run('kubectl describe pods --show-events=false', { without: 'Events:' }),
      run('kubectl describe pods --show-events=true --chunk-size=1', { out: 'Events:' }),
      run("kubectl get pod valid-pod -o yaml | sed '/namespace:/d' > $HOME/valid-pod.yaml"),
      run('kubectl delete pod valid-pod --grace-period=0 --force', {
        out: 'pod "valid-pod" force deleted',
        err: 'Warning: Immediate deletion does not wait',
      }),
      object('pods', names, ''),
      run('kubectl create -f valid-pod.yaml'),
      run('kubectl delete pod valid-pod --now'),
      object('pods', names, ''),
      run('kubectl create -f valid-pod.yaml'),
      run('kubectl delete pod valid-pod --grace-period=0'),
      object('pods', names, ''),
      run('kubectl create -f $HOME/valid-pod.yaml'),
      object('pods', names, 'valid-pod:'),
      run('kubectl delete -f valid-pod.yaml --grace-period=0 --force'),
      object('pods', names, ''),
      run('kubectl create -f valid-pod.yaml'),
      object('pods -lname=valid-pod', names, 'valid-pod:'),
      run('kubectl delete pods -lname=valid-pod --grace-period=0 --force'),
      object('pods -lname=valid-pod', names, ''),
      run('kubectl create -f valid-pod.yaml'),
      run('kubectl get pods --field-selector metadata.name=valid-pod', { out: 'valid-pod' }),
      run(
        "kubectl get pods --field-selector status.phase=$(kubectl get pod valid-pod -o go-template='{{.status.phase}}')",
        { out: 'valid-pod' },
      ),
      fails('kubectl delete pods', { err: 'resource(s) were provided, but no name was specified' }),
      object('pods', names, 'valid-pod:'),
      fails('kubectl delete --all pods -lname=valid-pod', { err: 'found a non empty selector' }),
      object('pods', names, 'valid-pod:'),
      run('kubectl delete --all pods --grace-period=0 --force'),
      object('pods', names, ''),
    ],
  },
  {
    source: 'core.sh run_pod_tests: describe what a pod takes from others',
    steps: [
      run(
        'kubectl create secret generic test-secret --dry-run=server --from-literal=key-1=value1 --type=test-type',
      ),
      object('secrets', names, ''),
      run('kubectl create secret generic test-secret --from-literal=key-1=value1 --type=test-type'),
      object('secret/test-secret', '{{.type}}', 'test-type'),
      run('kubectl create configmap test-configmap --from-literal=key-2=value2'),
      run('kubectl create -f pod-with-api-env.yaml'),
      run('kubectl describe pods env-test-pod', {
        out: [
          'TEST_CMD_1',
          "<set to the key 'key-1' in secret 'test-secret'>",
          'TEST_CMD_2',
          "<set to the key 'key-2' of config map 'test-configmap'>",
          'TEST_CMD_3',
          'env-test-pod (v1:metadata.name)',
        ],
      }),
      run('kubectl delete pod env-test-pod'),
    ],
  },
  {
    source: 'core.sh run_pod_tests: disruption budgets and priorities',
    steps: [
      run('kubectl create pdb test-pdb-1 --dry-run=client --selector=app=rails --min-available=2'),
      run('kubectl create pdb test-pdb-1 --dry-run=server --selector=app=rails --min-available=2'),
      object('pdb', names, ''),
      run('kubectl create pdb test-pdb-1 --selector=app=rails --min-available=2'),
      object('pdb/test-pdb-1', '{{.spec.minAvailable}}', '2'),
      run('kubectl create pdb test-pdb-2 --selector=app=rails --min-available=50%'),
      object('pdb/test-pdb-2', '{{.spec.minAvailable}}', '50%'),
      run('kubectl create pdb test-pdb-3 --selector=app=rails --max-unavailable=2'),
      object('pdb/test-pdb-3', '{{.spec.maxUnavailable}}', '2'),
      run('kubectl create pdb test-pdb-4 --selector=app=rails --max-unavailable=50%'),
      object('pdb/test-pdb-4', '{{.spec.maxUnavailable}}', '50%'),
      run('kubectl describe pdb --chunk-size=1', { out: 'Min available:  50%' }),
      fails('kubectl create pdb test-pdb --selector=app=rails --min-available=2 --max-unavailable=3'),
      run('kubectl delete pdb/test-pdb-1 pdb/test-pdb-2 pdb/test-pdb-3 pdb/test-pdb-4'),
      run('kubectl create priorityclass test-priorityclass --dry-run=client'),
      run('kubectl create priorityclass test-priorityclass --dry-run=server'),
      fails('kubectl get priorityclass test-priorityclass'),
      run('kubectl create priorityclass test-priorityclass'),
      object('priorityclass/test-priorityclass', name, 'test-priorityclass'),
      run('kubectl delete priorityclass test-priorityclass'),
    ],
  },
  {
    source: 'core.sh run_pod_tests: label and annotate',
    steps: [
      run('kubectl create -f multi-pod.yaml'),
      object('pods', names, 'redis-master:valid-pod:'),
      run('kubectl delete pods redis-master --grace-period=0 --force'),
      run('kubectl label pods valid-pod new-name=new-valid-pod --dry-run=client'),
      run('kubectl label pods valid-pod new-name=new-valid-pod --dry-run=server'),
      object('pod valid-pod', labels, 'valid-pod:'),
      run('kubectl label pods valid-pod new-name=new-valid-pod', { is: 'pod/valid-pod labeled' }),
      object('pod valid-pod', labels, 'valid-pod:new-valid-pod:'),
      run('kubectl label pods valid-pod emptylabel=""'),
      object('pod valid-pod', '{{.metadata.labels.emptylabel}}', ''),
      run('kubectl annotate pods valid-pod emptyannotation="" --dry-run=client'),
      run('kubectl annotate pods valid-pod emptyannotation="" --dry-run=server'),
      object('pod valid-pod', '{{.metadata.annotations.emptyannotation}}', '<no value>'),
      run('kubectl annotate pods valid-pod emptyannotation=""'),
      object('pod valid-pod', '{{.metadata.annotations.emptyannotation}}', ''),
      run(
        "kubectl get pod valid-pod --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-annotate' },
      ),
      run('kubectl label pods valid-pod record-change=true --record=true'),
      run("kubectl get pod valid-pod -o go-template='{{range .metadata.annotations}}{{.}}:{{end}}'", {
        out: '--record=true',
      }),
      run('kubectl label pods valid-pod new-record-change=true --record=true'),
      run("kubectl get pod valid-pod -o go-template='{{range .metadata.annotations}}{{.}}:{{end}}'", {
        out: 'new-record-change=true',
      }),
      fails('kubectl label pods valid-pod name=valid-pod-super', { err: '--overwrite is false' }),
      object('pod valid-pod', '{{.metadata.labels.name}}', 'valid-pod'),
      run('kubectl label --overwrite pods --all name=valid-pod-super'),
      object('pod valid-pod', '{{.metadata.labels.name}}', 'valid-pod-super'),
      run('kubectl delete pods -lnew-name=new-valid-pod --grace-period=0 --force'),
      object('pods', names, ''),
      run('kubectl create -f pod-with-precision.json'),
      run(`kubectl patch pod pod-with-precision -p='{"metadata":{"annotations":{"patchkey":"patchvalue"}}}'`),
      object('pod pod-with-precision', '{{.metadata.annotations.patchkey}}', 'patchvalue'),
      object('pod pod-with-precision', '{{.spec.activeDeadlineSeconds}}', '2147483647'),
      run('kubectl create -f pod.yaml'),
      run('kubectl annotate -f pod.yaml annotatekey=annotatevalue'),
      run('kubectl annotate --local -f pod.yaml annotatekey=localvalue -o yaml', { out: 'localvalue' }),
      object('pod test-pod', '{{.metadata.annotations.annotatekey}}', 'annotatevalue'),
      run('kubectl label --local --overwrite -f pod.yaml name=localonlyvalue -o yaml', {
        out: 'localonlyvalue',
      }),
      object('pod test-pod', '{{.metadata.labels.name}}', 'test-pod-label'),
    ],
  },
  {
    source: 'core.sh run_pod_tests: edit while creating',
    steps: [
      run('KUBE_EDITOR="sed -i s/mock/modified/g" kubectl create --edit -f multi-resource.yaml'),
      object('service', names, 'modified:'),
      object('rc', names, 'modified:'),
      run(
        "kubectl get service/modified --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-create' },
      ),
      run('kubectl delete service/modified rc/modified'),
      run('KUBE_EDITOR=cat kubectl create --edit -f valid-pod.yaml -o json', { err: 'Edit cancelled' }),
      eventually('pods', names, ''),
    ],
  },
  {
    source: 'core.sh run_pod_tests: patch and replace',
    steps: [
      run('kubectl create -f valid-pod.yaml'),
      run(`kubectl patch --local -f valid-pod.yaml --patch='{"spec":{"restartPolicy":"Never"}}' -o yaml`, {
        out: 'Never',
      }),
      fails(`kubectl patch pod valid-pod -p='{"metadata":{"labels":"invalid"}}'`, {
        err: 'cannot restore map from string',
      }),
      run(`kubectl patch pod valid-pod -p='{"metadata":{"labels":{"name":"valid-pod"}}}'`, {
        out: 'patched (no change)',
      }),
      run(`kubectl patch pod valid-pod --record -p=${patched('nginx')}`),
      object('pods', images, 'nginx:'),
      run("kubectl get pods -o go-template='{{range.items}}{{.metadata.annotations}}:{{end}}'", {
        out: 'kubernetes.io/change-cause',
      }),
      run(
        `kubectl patch pod valid-pod --type=json -p='[{"op":"replace","path":"/spec/containers/0/image","value":"nginx2"}]'`,
      ),
      object('pods', images, 'nginx2:'),
      run(`kubectl patch pod valid-pod --dry-run=client -p=${patched('not-nginx')}`),
      run(`kubectl patch pod valid-pod --dry-run=server -p=${patched('not-nginx')}`),
      object('pods', images, 'nginx2:'),
      run(
        `kubectl patch pod valid-pod -p="$(printf 'spec:\\n  containers:\\n  - name: kubernetes-serve-hostname\\n    image: changed-with-yaml\\n')"`,
      ),
      object('pods', images, 'changed-with-yaml:'),
      run(`kubectl patch -f valid-pod.yaml -p=${patched('nginx')}`),
      object('pods', images, 'nginx:'),
      run(
        "kubectl get pod valid-pod --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-patch' },
      ),
      fails(`kubectl patch pod valid-pod -p='{"metadata":{"resourceVersion":"999999","labels":{"a":"b"}}}'`, {
        err: 'please apply your changes to the latest version and try again',
      }),
      run(
        "kubectl get pod valid-pod -o json | sed 's/kubernetes-serve-hostname/replaced-hostname/g' > $HOME/replaced.json && kubectl replace --force -f $HOME/replaced.json",
        { out: 'pod/valid-pod replaced' },
      ),
      object('pod valid-pod', '{{(index .spec.containers 0).name}}', 'replaced-hostname'),
      run(
        "kubectl get pod valid-pod --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-replace' },
      ),
      fails('kubectl replace --grace-period=1 -f valid-pod.yaml', {
        err: '--grace-period must have --force specified',
      }),
      fails('kubectl replace --timeout=1s -f valid-pod.yaml', {
        err: '--timeout must have --force specified',
      }),
      run(`${node('')} | kubectl create -f -`),
      run(`${node(annotated)} | kubectl replace --dry-run=server -f -`),
      run(`${node(annotated)} | kubectl replace --dry-run=client -f -`),
      object('node node-v1-test', '{{.metadata.annotations.a}}', '<no value>'),
      run(`${node(annotated)} | kubectl replace -f -`),
      object('node node-v1-test', '{{.metadata.annotations.a}}', 'b'),
      run('kubectl delete node node-v1-test'),
    ],
  },
  {
    source: 'core.sh run_pod_tests: edit, and apply what was created',
    steps: [
      run('kubectl create -f valid-pod.yaml'),
      run('KUBE_EDITOR="sed -i s/serve_hostname/nginx/g" kubectl edit pods/valid-pod --output-patch=true', {
        out: 'Patch:',
      }),
      object('pods', images, 'registry.k8s.io/nginx:'),
      run(
        "kubectl get pod valid-pod --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-edit' },
      ),
      run('KUBE_EDITOR=cat kubectl edit pod/valid-pod', { out: 'name: valid-pod', err: 'Edit cancelled' }),
      run("KUBE_EDITOR=cat kubectl edit --windows-line-endings pod/valid-pod | grep -c '\r'", {
        out: /\d\d/,
      }),
      run('KUBE_EDITOR=cat kubectl edit ns', { out: 'kind: List' }),
      run('kubectl create -f pod.yaml'),
      run('kubectl get pods test-pod -o yaml', {
        without: 'kubectl.kubernetes.io/last-applied-configuration',
      }),
      run(
        "kubectl get pods test-pod -o yaml | sed 's/test-pod-label/test-pod-replaced/g' | kubectl replace -f -",
      ),
      object('pods test-pod', '{{.metadata.labels.name}}', 'test-pod-replaced'),
      run('kubectl apply -f pod-apply.yaml', {
        is: 'pod/test-pod configured',
        err: 'is missing the kubectl.kubernetes.io/last-applied-configuration annotation',
      }),
      object('pods test-pod', '{{.metadata.labels.name}}', 'test-pod-applied'),
      run('kubectl get pods test-pod -o yaml', { out: 'kubectl.kubernetes.io/last-applied-configuration' }),
      run(
        "kubectl get pods test-pod -o yaml | sed 's/test-pod-applied/test-pod-replaced/g' | kubectl replace -f -",
      ),
      run('kubectl get pods test-pod -o yaml', { out: 'kubectl.kubernetes.io/last-applied-configuration' }),
    ],
  },
];
