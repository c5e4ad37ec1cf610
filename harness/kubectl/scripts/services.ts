import { fails, found, names, object, run, type Script } from '../script.ts';

const selector = '{{range .spec.selector}}{{.}}:{{end}}';
const port = '{{(index .spec.ports 0).port}}';

/** Services, and commands that derive them from other objects. */
export const services: readonly Script[] = [
  {
    source: 'core.sh run_service_tests',
    steps: [
      run('kubectl get -n default service kubernetes', { out: '443/TCP' }),
      object('services', names, ''),
      run('kubectl create -f redis-master-service.yaml'),
      object('services', names, 'redis-master:'),
      run('kubectl describe services redis-master', {
        out: ['Name:', 'Labels:', 'Selector:', 'IP:', 'Port:', 'Endpoints:', 'Session Affinity:', 'Events:'],
      }),
      run('kubectl describe services --show-events=false', { without: 'Events:' }),
      object('services redis-master', selector, 'redis:master:backend:'),
      run('kubectl set selector -f redis-master-service.yaml role=padawan --local -o yaml', {
        out: 'role: padawan',
      }),
      run('kubectl set selector -f redis-master-service.yaml role=padawan --dry-run=client -o yaml', {
        out: 'role: padawan',
      }),
      run('kubectl set selector -f redis-master-service.yaml role=padawan'),
      object('services redis-master', selector, 'padawan:'),
      run('kubectl set selector -f redis-master-service.yaml app=redis,role=master,tier=backend'),
      object('services redis-master', selector, 'redis:master:backend:'),
      run('kubectl set selector services redis-master role=padawan --dry-run=server -o yaml'),
      fails('kubectl set selector services redis-master role=padawan --local -o yaml'),
      object('services redis-master', selector, 'redis:master:backend:'),
      run(
        `kubectl set selector services redis-master rvtest1=true --resource-version="$(kubectl get services redis-master -o jsonpath='{.metadata.resourceVersion}')"`,
      ),
      fails('kubectl set selector services redis-master rvtest1=true --resource-version=1', {
        err: 'Conflict',
      }),
      run('kubectl get service redis-master -o json > $HOME/redis-master.json'),
      run('kubectl delete service redis-master'),
      object('services', names, ''),
      run('kubectl create -f $HOME/redis-master.json'),
      object('services', names, 'redis-master:'),
      run(
        `echo '{"kind":"Service","apiVersion":"v1","metadata":{"name":"service-v1-test"},"spec":{"ports":[{"protocol":"TCP","port":80,"targetPort":80}]}}' | kubectl create -f -`,
      ),
      run('kubectl get service service-v1-test -o json | kubectl replace -f -'),
      object('services', names, 'redis-master:service-v1-test:'),
      run('kubectl get services -o=custom-columns=NAME:.metadata.name,RSRC:.metadata.resourceVersion', {
        out: ['RSRC', /redis-master +\d+/],
      }),
      run('kubectl delete service redis-master service-v1-test'),
      run('kubectl create service externalname beep-boop --dry-run=server --external-name bar.com'),
      object('services', names, ''),
      run('kubectl create service externalname beep-boop --external-name bar.com'),
      object('services', names, 'beep-boop:'),
      run('kubectl run testmetadata --image=nginx --port=80 --expose --dry-run=client', {
        out: ['service/testmetadata created (dry run)', 'pod/testmetadata created (dry run)'],
      }),
      run('kubectl run testmetadata --image=nginx --port=80 --expose --dry-run=server'),
      run('kubectl run testmetadata --image=nginx --port=80 --expose'),
      object('pods', names, 'testmetadata:'),
      object('service testmetadata', port, '80'),
      run(
        `kubectl expose pod testmetadata --port=1000 --target-port=80 --type=NodePort --name=exposemetadata --overrides='{"metadata":{"annotations":{"zone-context":"work"}}}'`,
        { is: 'service/exposemetadata exposed' },
      ),
      object('service exposemetadata', '{{.metadata.annotations}}', 'map[zone-context:work]'),
      run(
        "kubectl get service exposemetadata --show-managed-fields -o=jsonpath='{.metadata.managedFields[*].manager}'",
        { out: 'kubectl-expose' },
      ),
    ],
  },
  {
    source: 'core.sh run_rc_tests: scale',
    steps: [
      run('kubectl create -f frontend-controller.yaml'),
      object('rc', names, 'frontend:'),
      run('kubectl describe rc frontend', {
        out: ['Name:', 'Pod Template:', 'Labels:', 'Selector:', 'Replicas:', 'Pods Status:', 'Volumes:'],
      }),
      run('kubectl describe rc', { out: 'GET_HOSTS_FROM:' }),
      object('rc frontend', '{{.spec.replicas}}', '3'),
      run('kubectl scale --current-replicas=3 --replicas=2 replicationcontrollers frontend'),
      object('rc frontend', '{{.spec.replicas}}', '2'),
      fails('kubectl scale --current-replicas=3 --replicas=2 replicationcontrollers frontend', {
        err: 'Expected replicas to be 3, was 2',
      }),
      object('rc frontend', '{{.spec.replicas}}', '2'),
      run('kubectl scale --replicas=3 replicationcontrollers frontend'),
      object('rc frontend', '{{.spec.replicas}}', '3'),
      run('kubectl scale --replicas=2 -f frontend-controller.yaml'),
      object('rc frontend', '{{.spec.replicas}}', '2'),
      run('kubectl create -f redis-master-controller.yaml -f redis-slave-controller.yaml'),
      run('kubectl scale rc/redis-master rc/redis-slave --replicas=4 --dry-run=client', {
        out: ['redis-master scaled (dry run)', 'redis-slave scaled (dry run)'],
      }),
      run('kubectl scale rc/redis-master rc/redis-slave --replicas=4 --dry-run=server', {
        out: ['redis-master scaled (server dry run)', 'redis-slave scaled (server dry run)'],
      }),
      object('rc redis-master', '{{.spec.replicas}}', '1'),
      run('kubectl scale rc/redis-master rc/redis-slave --replicas=4'),
      object('rc redis-slave', '{{.spec.replicas}}', '4'),
      run('kubectl delete rc frontend redis-master redis-slave'),
      object('rc', names, ''),
      run('kubectl create -f deployment.yaml'),
      run('kubectl scale --current-replicas=3 --replicas=1 deployment/nginx-deployment --dry-run=server', {
        out: 'nginx-deployment scaled (server dry run)',
      }),
      object('deployment nginx-deployment', '{{.spec.replicas}}', '3'),
      run('kubectl scale --current-replicas=3 --replicas=1 deployment/nginx-deployment'),
      object('deployment nginx-deployment', '{{.spec.replicas}}', '1'),
      run('kubectl get deployment/nginx-deployment -o json | kubectl scale --replicas=2 -f -'),
      object('deployment nginx-deployment', '{{.spec.replicas}}', '2'),
    ],
  },
  {
    source: 'core.sh run_rc_tests: expose',
    steps: [
      run('kubectl expose -f expose-deployment.yaml --port 80', {
        out: 'service/expose-test-deployment exposed',
      }),
      run('kubectl create -f deployment.yaml'),
      run('kubectl expose deployment/nginx-deployment'),
      object('service nginx-deployment', port, '80'),
      run('kubectl create -f frontend-controller.yaml'),
      run('kubectl expose rc frontend --port=80'),
      object('service frontend', `{{(index .spec.ports 0).name}} ${port}`, '<no value> 80'),
      run('kubectl expose service frontend --port=443 --name=frontend-2'),
      object('service frontend-2', port, '443'),
      run('kubectl create -f valid-pod.yaml'),
      run('kubectl expose pod valid-pod --port=444 --name=frontend-3'),
      object('service frontend-3', port, '444'),
      run('kubectl expose service frontend --name=frontend-4'),
      object('service frontend-4', port, '80'),
      fails('kubectl expose nodes 127.0.0.1', { err: 'cannot expose' }),
      fails(
        'kubectl expose -f valid-pod.yaml --name=invalid-large-service-name-that-has-more-than-sixty-three-characters --port=8081',
        { err: 'metadata.name: Invalid value' },
      ),
    ],
  },
  {
    source: 'core.sh run_rc_tests: autoscale',
    steps: [
      run('kubectl create -f frontend-controller.yaml'),
      run('kubectl autoscale -f frontend-controller.yaml --max=2 --cpu-percent=70'),
      object('hpa frontend', '{{.spec.minReplicas}} {{.spec.maxReplicas}}', '1 2'),
      run('kubectl delete hpa frontend'),
      run('kubectl autoscale rc frontend --min=2 --max=3'),
      object('hpa frontend', '{{.spec.minReplicas}} {{.spec.maxReplicas}}', '2 3'),
      fails('kubectl autoscale rc frontend'),
    ],
  },
  {
    source: 'core.sh run_rc_tests: set resources',
    steps: [
      run(
        'kubectl set resources -f deployment-multicontainer-resources.yaml -c=perl --limits=cpu=300m --requests=cpu=300m --local -o yaml',
        { out: 'cpu: 300m' },
      ),
      fails(
        'kubectl set resources -f deployment-multicontainer-resources.yaml -c=perl --limits=cpu=300m --dry-run=client -o yaml',
      ),
      run('kubectl create -f deployment-multicontainer-resources.yaml'),
      run('kubectl set resources deployment nginx-deployment-resources --limits=cpu=100m'),
      object(
        'deployment',
        '{{range.items}}{{range .spec.template.spec.containers}}{{.resources.limits.cpu}}:{{end}}{{end}}',
        '100m:100m:',
      ),
      fails('kubectl set resources deployment nginx-deployment-resources -c=redis --limits=cpu=100m'),
      run('kubectl set resources deployment nginx-deployment-resources -c=nginx --limits=cpu=200m'),
      run(
        'kubectl set resources -f deployment-multicontainer-resources.yaml -c=perl --limits=cpu=300m --requests=cpu=300m',
      ),
      run(
        'kubectl set resources deployment nginx-deployment-resources -c=perl --limits=cpu=400m --dry-run=server -o yaml',
        { out: 'cpu: 400m' },
      ),
      object(
        'deployment',
        '{{range.items}}{{range .spec.template.spec.containers}}{{.resources.limits.cpu}}:{{end}}{{end}}',
        '200m:300m:',
      ),
    ],
  },
  {
    source: 'core.sh run_pod_templates_tests',
    steps: [
      object('podtemplates', names, ''),
      run('kubectl create -f podtemplate.json', { is: 'podtemplate/nginx created' }),
      object('podtemplates', names, 'nginx:'),
      run('kubectl get podtemplates', { out: ['CONTAINERS', 'nginx'] }),
      run('kubectl get podtemplates -o yaml', { out: 'nginx' }),
      run('kubectl describe podtemplates'),
      run('kubectl delete podtemplate nginx'),
      object('podtemplate', names, ''),
    ],
  },
  {
    source: 'core.sh run_namespace_tests',
    steps: [
      fails('kubectl get ns/my-namespace', { err: ' not found' }),
      run('kubectl create namespace my-namespace --dry-run=client'),
      run('kubectl create namespace my-namespace --dry-run=server'),
      fails('kubectl get ns/my-namespace', { err: ' not found' }),
      run('kubectl create namespace my-namespace'),
      run('kubectl describe namespaces my-namespace', { out: 'Active' }),
      run('kubectl delete namespace my-namespace --wait=false'),
      run('kubectl wait --for=delete ns/my-namespace'),
      fails('kubectl get ns/my-namespace', { err: ' not found' }),
      object('quota', found('test-quota'), ':'),
      run('kubectl create quota test-quota --dry-run=client'),
      run('kubectl create quota test-quota --dry-run=server'),
      object('quota', found('test-quota'), ':'),
      run('kubectl create quota test-quota'),
      object('quota', found('test-quota'), 'found:'),
      run('kubectl describe resourcequotas'),
      run('kubectl delete quota test-quota'),
      run('kubectl create namespace other'),
      run('kubectl create --namespace=other -f valid-pod.yaml'),
      object('pods --namespace=other', names, 'valid-pod:'),
      object('pods -n other', names, 'valid-pod:'),
      fails('kubectl get pod valid-pod --all-namespaces', {
        err: 'a resource cannot be retrieved by name across all namespaces',
      }),
      run('kubectl delete pod --namespace=other valid-pod --grace-period=0 --force'),
      object('pods --namespace=other', names, ''),
      run('kubectl delete namespace other', { out: 'namespace "other" deleted' }),
    ],
  },
];
