import { eventually, fails, found, name, names, object, run, type Script } from '../script.ts';

const invalid = 'invalid-deployment.yaml';
const refused = /strict decoding error|error validating data/;
const pi = `--image=perl -- perl -Mbignum=bpi -wle 'print bpi(20)'`;

/** `kubectl create`, `delete`, `run`, `scale` and `wait`. */
export const creating: readonly Script[] = [
  {
    source: 'create.sh run_kubectl_create_dry_run_tests',
    steps: [
      run('kubectl create --dry-run=client -f pod.yaml', { is: 'pod/test-pod created (dry run)' }),
      run('kubectl create --dry-run=server -f pod.yaml', { is: 'pod/test-pod created (server dry run)' }),
      object('pods', names, ''),
    ],
  },
  {
    source: 'create.sh run_kubectl_create_filter_tests',
    steps: [
      run('kubectl create -l unique-label=bingbang -f filter'),
      object('pods selector-test-pod', '{{.metadata.labels.name}}', 'selector-test-pod'),
      fails('kubectl get pods selector-test-pod-dont-apply', {
        err: 'pods "selector-test-pod-dont-apply" not found',
      }),
    ],
  },
  {
    source: 'create.sh run_kubectl_create_error_tests',
    steps: [
      fails('kubectl create'),
      fails('kubectl create --raw /api/v1/namespaces -f valid-pod.yaml --v=8', {
        err: 'the object provided is unrecognized (must be of type Namespace)',
      }),
      fails('kubectl create --raw /api/v1/namespaces -f valid-pod.yaml --edit', {
        err: 'raw and --edit are mutually exclusive',
      }),
    ],
  },
  {
    source: 'create.sh run_create_job_tests',
    steps: [
      run('kubectl create job test-job --image=registry.k8s.io/nginx:test-cmd'),
      object(
        'job test-job',
        '{{(index .spec.template.spec.containers 0).image}}',
        'registry.k8s.io/nginx:test-cmd',
      ),
      run('kubectl delete job test-job'),
      run(`kubectl create job test-job-pi ${pi}`),
      object('job test-job-pi', '{{(index .spec.template.spec.containers 0).image}}', 'perl'),
      run(`kubectl create cronjob test-pi --schedule='* */5 * * *' ${pi}`),
      run('kubectl create job my-pi --from=cronjob/test-pi'),
      object(
        'job my-pi',
        '{{(index .spec.template.spec.containers 0).command}}',
        '[perl -Mbignum=bpi -wle print bpi(20)]',
      ),
      run('kubectl delete job my-pi'),
      run('kubectl delete cronjob test-pi'),
    ],
  },
  {
    source: 'create.sh run_kubectl_create_kustomization_directory_tests',
    steps: [
      run('kubectl create -k kustomize', { out: 'configmap/test-the-map created' }),
      object('deployment test-the-deployment', name, 'test-the-deployment'),
      run('kubectl delete -k kustomize'),
    ],
  },
  {
    source: 'create.sh run_kubectl_create_validate_tests',
    steps: [
      fails(`kubectl create -f ${invalid} --validate`, { err: refused }),
      fails(`kubectl create -f ${invalid} --validate=true`, { err: refused }),
      run(`kubectl create -f ${invalid} --validate=false`, {
        is: 'deployment.apps/invalid-nginx-deployment created',
      }),
      run('kubectl delete deployment invalid-nginx-deployment'),
      fails(`kubectl create -f ${invalid} --validate=strict`, { err: refused }),
      run(`kubectl create -f ${invalid} --validate=warn`, { err: 'unknown field "spec.unknown"' }),
      run('kubectl delete deployment invalid-nginx-deployment'),
      run(`kubectl create -f ${invalid} --validate=ignore`, { without: 'unknown field' }),
      run('kubectl delete deployment invalid-nginx-deployment'),
      fails(`kubectl create -f ${invalid}`, { err: refused }),
      fails(`kubectl create -f ${invalid} --validate=foo`, { err: 'invalid - validate option "foo"' }),
    ],
  },
  {
    source: 'delete.sh run_kubectl_delete_allnamespaces_tests',
    steps: [
      run('kubectl create namespace delete-one'),
      run('kubectl create configmap one --namespace=delete-one'),
      run('kubectl create configmap two'),
      run('kubectl label configmap one --namespace=delete-one deletetest=true'),
      run('kubectl label configmap two deletetest=true'),
      run('kubectl delete configmap --dry-run=client -l deletetest=true --all-namespaces'),
      run('kubectl delete configmap --dry-run=server -l deletetest=true --all-namespaces'),
      object('configmap -n delete-one -l deletetest', names, 'one:'),
      object('configmap -l deletetest', names, 'two:'),
      run('kubectl delete configmap -l deletetest=true --all-namespaces'),
      object('configmap -A -l deletetest', names, ''),
    ],
  },
  {
    source: 'delete.sh run_kubectl_delete_interactive_tests',
    steps: [
      run('kubectl create configmap one'),
      run('kubectl create configmap two'),
      run('kubectl label configmap one two deletetest4=true'),
      run('echo n | kubectl delete configmap --dry-run=server --interactive -l deletetest4=true', {
        out: ['configmap/one', 'configmap/two'],
      }),
      run('echo y | kubectl delete configmap --dry-run=server --interactive -l deletetest4=true'),
      run('echo n | kubectl delete configmap --interactive -l deletetest4=true'),
      object('configmap -l deletetest4', names, 'one:two:'),
      run('echo y | kubectl delete configmap --interactive -l deletetest4=true --wait'),
      object('configmap -l deletetest4=true', names, ''),
    ],
  },
  {
    source: 'run.sh run_kubectl_run_tests',
    steps: [
      run('kubectl run --dry-run=client nginx-extensions --image=nginx'),
      run('kubectl run --dry-run=server nginx-extensions --image=nginx'),
      object('pods', names, ''),
      run('kubectl run nginx-extensions --image=nginx', { is: 'pod/nginx-extensions created' }),
      run('kubectl delete pod nginx-extensions'),
      run('kubectl run test1 --image=validname', { out: 'pod/test1 created' }),
      fails('kubectl run test2 --image=InvalidImageName', {
        err: 'error: Invalid image name "InvalidImageName": invalid reference format',
      }),
    ],
  },
  {
    source: 'scale.sh run_kubectl_scale_tests',
    steps: [
      run('kubectl create deployment test-scale-deploy --image=busybox'),
      run('kubectl scale deployment test-scale-deploy --replicas=2 --dry-run=client'),
      run('kubectl scale deployment test-scale-deploy --replicas=3 --dry-run=server'),
      object('deployment test-scale-deploy', '{{.spec.replicas}}', '1'),
      run('kubectl scale deployment test-scale-deploy --replicas=2 -o yaml'),
      object('deployment test-scale-deploy', '{{.spec.replicas}}', '2'),
      run('kubectl create -f frontend-replicaset.yaml -f frontend-controller.yaml -f statefulset.yaml'),
      run('kubectl scale -f frontend-replicaset.yaml --replicas=2 -o yaml'),
      run('kubectl scale rc frontend --replicas=3 -o yaml'),
      run('kubectl scale statefulset nginx-set --replicas=2 -o yaml'),
    ],
  },
  {
    source: 'batch.sh run_job_tests',
    steps: [
      run(`kubectl create cronjob pi --dry-run=client --schedule='59 23 31 2 *' ${pi}`),
      run(`kubectl create cronjob pi --dry-run=server --schedule='59 23 31 2 *' ${pi}`),
      object('cronjob', found('pi'), ':'),
      run(`kubectl create cronjob pi --schedule='59 23 31 2 *' ${pi}`),
      run('kubectl get cronjob/pi', { out: '59 23 31 2 *' }),
      run('kubectl describe cronjob/pi', { out: 'Schedule:' }),
      run('kubectl create job test-job --from=cronjob/pi --dry-run=client -o name', {
        is: 'job.batch/test-job',
      }),
      run('kubectl create job test-job --from=cronjob/pi --dry-run=server'),
      object('jobs', names, ''),
      run('kubectl create job test-job --from=cronjob/pi'),
      object('job/test-job', name, 'test-job'),
      run('kubectl get job/test-job', { out: 'COMPLETIONS' }),
      run('kubectl describe job/test-job', { out: /Controlled By: +CronJob\/pi/ }),
      run('kubectl delete job test-job'),
      run('kubectl delete cronjob pi'),
    ],
  },
  {
    source: 'wait.sh run_wait_tests',
    steps: [
      fails('kubectl wait --for=create deploy/test-1 --timeout=1s', {
        err: 'timed out waiting for the condition',
      }),
      run('kubectl create deployment test-1 --image=busybox'),
      run('kubectl create deployment test-2 --image=busybox'),
      object('deployments', names, 'test-1:test-2:'),
      fails("kubectl wait --for=jsonpath='{.status.readyReplicas}'=1 deploy/test-1 --timeout=1s", {
        err: 'timed out',
      }),
      run("kubectl wait --for=jsonpath='{.status.unavailableReplicas}'=1 deploy/test-1", {
        is: 'deployment.apps/test-1 condition met',
      }),
      run(
        '(sleep 0.3; kubectl delete deployment --all >$HOME/wait) & kubectl wait deployment --for=delete --all',
        {
          out: ['test-1 condition met', 'test-2 condition met'],
        },
      ),
      run(
        '(sleep 0.3; kubectl create deployment test-label --image=busybox >$HOME/wait) & kubectl wait --for=create deploy/test-label --timeout=40s',
        {
          is: 'deployment.apps/test-label condition met',
        },
      ),
      fails('kubectl wait pod --selector=app=test-label --for=condition=InvalidCondition --timeout=1s', {
        err: 'timed out waiting for the condition',
      }),
      run("kubectl wait --for=jsonpath='{.status.replicas}' deploy/test-label", {
        is: 'deployment.apps/test-label condition met',
      }),
      run(
        `kubectl wait --for='jsonpath={.spec.template.spec.containers[?(@.name=="busybox")].image}=busybox' deploy/test-label`,
        { is: 'deployment.apps/test-label condition met' },
      ),
      run('kubectl wait deployment/test-label --for=condition=Progressing --timeout=30s', {
        out: 'condition met',
      }),
    ],
  },
  {
    source: 'generic-resources.sh run_multi_resources_tests',
    steps: [
      run('kubectl create -f multi-resource.yaml'),
      object('services,rc', names, 'mock:mock:'),
      run('kubectl get -f multi-resource.yaml', { out: ['service/mock', 'replicationcontroller/mock'] }),
      fails('kubectl get -f multi-resource.yaml --watch', {
        err: 'watch is only supported on individual resources and resource collections',
      }),
      run('kubectl describe -f multi-resource.yaml', { out: ['Session Affinity', 'Pods Status'] }),
      run('kubectl replace -f multi-resource-modify.yaml --force --cascade=background'),
      object('services,rc', '{{range .items}}{{.metadata.labels.status}}:{{end}}', 'replaced:replaced:'),
      run('KUBE_EDITOR="sed -i s/status:.replaced/status:\\ edited/g" kubectl edit -f multi-resource.yaml'),
      object('services,rc', '{{range .items}}{{.metadata.labels.status}}:{{end}}', 'edited:edited:'),
      run('kubectl label -f multi-resource.yaml labeled=true --overwrite'),
      run('kubectl annotate -f multi-resource.yaml annotated=true --overwrite'),
      object(
        'services,rc',
        '{{range .items}}{{.metadata.labels.labeled}}:{{.metadata.annotations.annotated}}:{{end}}',
        'true:true:true:true:',
      ),
      run('kubectl delete -f multi-resource.yaml'),
      run('kubectl create -f multi-resource-svclist.yaml'),
      object('services', names, 'mock:mock2:'),
      run('kubectl delete -f multi-resource-svclist.yaml'),
    ],
  },
  {
    source: 'generic-resources.sh run_recursive_resources_tests',
    steps: [
      fails('kubectl create -f recursive/pod --recursive', { err: 'kind not set' }),
      object('pods', names, 'busybox0:busybox1:'),
      fails('kubectl replace -f recursive/pod-modify --recursive', { err: 'kind not set' }),
      object('pods', '{{range.items}}{{.metadata.labels.status}}:{{end}}', 'replaced:replaced:'),
      fails('kubectl describe -f recursive/pod --recursive', {
        out: ['app=busybox0', 'app=busybox1'],
        err: "Object 'Kind' is missing",
      }),
      fails('kubectl annotate -f recursive/pod annotatekey=annotatevalue --recursive', {
        err: "Object 'Kind' is missing",
      }),
      object(
        'pods',
        '{{range.items}}{{.metadata.annotations.annotatekey}}:{{end}}',
        'annotatevalue:annotatevalue:',
      ),
      fails('kubectl apply -f recursive/pod --recursive', { err: 'kind not set' }),
      fails(`kubectl get -f recursive/pod --recursive -o go-template='${names}'`, {
        out: 'busybox0:busybox1:',
        err: "Object 'Kind' is missing",
      }),
      fails('kubectl label -f recursive/pod mylabel=myvalue --recursive', {
        err: "Object 'Kind' is missing",
      }),
      fails(
        `kubectl patch -f recursive/pod -p='{"spec":{"containers":[{"name":"busybox-container","image":"prom/busybox"},{"name":"busybox","image":"prom/busybox"}]}}' --recursive`,
      ),
      fails('kubectl delete -f recursive/pod --recursive --grace-period=0 --force', {
        err: "Object 'Kind' is missing",
      }),
      object('pods', names, ''),
      fails('kubectl create -f recursive/rc --recursive'),
      object('rc', names, 'busybox0:busybox1:'),
      fails('kubectl expose -f recursive/rc --recursive --port=80', { err: "Object 'Kind' is missing" }),
      object('service', names, 'busybox0:busybox1:'),
      fails('kubectl scale --current-replicas=1 --replicas=2 -f recursive/rc --recursive'),
      object('rc', '{{range.items}}{{.spec.replicas}}:{{end}}', '2:2:'),
      fails('kubectl rollout undo -f recursive/rc --recursive --to-revision=1', {
        err: 'no rollbacker has been implemented for "ReplicationController"',
      }),
      fails('kubectl rollout pause -f recursive/rc --recursive', {
        err: 'replicationcontrollers "busybox0" pausing is not supported',
      }),
      fails('kubectl delete -f recursive/rc --recursive --grace-period=0 --force'),
      eventually('rc', names, ''),
    ],
  },
];
