import { type Group, not, prepare, works } from './row.ts';

/** Commands on the cluster itself. */
export const cluster: readonly Group[] = [
  {
    title: 'Nodes',
    rows: [
      prepare('kubectl create deployment filler --image=nginx:1.25 --replicas=2'),
      prepare('kubectl wait --for=condition=Available deployment/filler --timeout=60s'),
      works('kubectl cordon node-2', { is: 'node/node-2 cordoned' }),
      prepare("kubectl get node node-2 -o jsonpath='{.spec.taints[*].key}'", {
        out: 'node.kubernetes.io/unschedulable',
        eventually: true,
      }),
      works('kubectl drain node-2 --ignore-daemonsets --delete-emptydir-data --force --timeout=60s', {
        out: 'node/node-2 drained',
      }),
      works('kubectl uncordon node-2', { is: 'node/node-2 uncordoned' }),
      works('kubectl taint nodes node-2 dedicated=gpu:NoSchedule', { out: 'tainted' }),
      works('kubectl taint nodes node-2 dedicated-', { out: 'untainted' }),
      prepare(
        `kubectl run leaves --image=busybox --restart=Never --overrides='{"spec":{"nodeName":"node-2"}}' -- sleep 600`,
      ),
      prepare('kubectl wait --for=condition=Ready pod/leaves --timeout=60s'),
      works('kubectl taint nodes node-2 maintenance=now:NoExecute', { out: 'tainted' }),
      works('kubectl wait --for=delete pod/leaves --timeout=60s'),
      prepare('kubectl taint nodes node-2 maintenance-'),
      works('kubectl label node node-2 disk=ssd', { out: 'labeled' }),
      works('kubectl delete node node-2', { out: 'node "node-2" deleted' }),
    ],
  },
  {
    title: 'Access',
    rows: [
      works('kubectl auth can-i create deployments', { is: 'yes' }),
      works('kubectl auth can-i delete nodes --as=jane', { is: 'no', code: 1 }),
      works('kubectl auth can-i --list', {
        out: [/^\*\.\*\s/m, /^selfsubjectreviews\.authentication\.k8s\.io\s/m],
      }),
      works('kubectl auth can-i --list --as=jane', { out: 'selfsubjectrulesreviews', without: '*.*' }),
      works('kubectl auth whoami', { out: [/Username\s+kubernetes-admin/, 'kubeadm:cluster-admins'] }),
      works('kubectl get secrets --as=jane', { code: 1, err: 'User "jane" cannot list resource "secrets"' }),
      works('kubectl get clusterroles', { out: ['cluster-admin', 'system:kube-scheduler'] }),
      works('kubectl describe clusterrole admin', {
        out: [/kubernetes.io\/bootstrapping=rbac-defaults/, /deployments\.apps\s+\[\]\s+\[\]\s+\[/],
      }),
      works('kubectl get clusterrolebinding cluster-admin -o wide', { out: 'system:masters' }),
      works('kubectl get roles,rolebindings -n kube-system', { out: 'system:controller:token-cleaner' }),
      works(
        'kubectl create clusterrole r --verb=get --resource=pods --dry-run=client -o yaml | kubectl auth reconcile -f -',
        { out: 'reconciled' },
      ),
      prepare(`sed 's/name: foo/name: jane/' ../harness/kubectl/manifests/csr.yaml | kubectl create -f -`),
      works('kubectl get csr', { out: 'Pending' }),
      works('kubectl certificate approve jane', { out: 'approved' }),
      works('kubectl get csr jane', { out: 'Approved' }),
      works('kubectl describe csr jane', { out: ['Requesting User:', 'Common Name:'] }),
      prepare(`sed 's/name: foo/name: joe/' ../harness/kubectl/manifests/csr.yaml | kubectl create -f -`),
      works('kubectl certificate deny joe', { out: 'denied' }),
    ],
  },
  {
    title: 'The API',
    rows: [
      works('kubectl version', { out: 'Server Version: v1.36' }),
      works('kubectl cluster-info', { out: 'Kubernetes control plane' }),
      works('kubectl cluster-info dump --namespaces=everyday', { out: '"kind": "PodList"' }),
      works('kubectl api-resources', { out: ['deployments', 'apps/v1'] }),
      works('kubectl api-resources --namespaced=false --verbs=list -o name', { out: 'nodes' }),
      works('kubectl get servicecidrs', { out: ['kubernetes', '10.96.0.0/12'] }),
      works('kubectl get ipaddresses', { out: ['10.96.0.1', 'services/default/kubernetes'] }),
      works('kubectl api-versions', { out: ['apps/v1', 'batch/v1'] }),
      works('kubectl config view', { out: 'kind: Config' }),
      works('kubectl config current-context', { is: 'kubernetes-katas' }),
      works('kubectl config set-context --current --namespace=default', { out: 'modified' }),
      not('kubectl get componentstatuses', 'the kind is not served'),
      prepare('kubectl apply -f ../harness/kubectl/manifests/crontab-definition.yaml'),
      works('kubectl wait --for=condition=Established crd/crontabs.stable.example.com', {
        out: 'condition met',
      }),
      works('kubectl get crds', { out: 'crontabs.stable.example.com' }),
      prepare('kubectl apply -f ../harness/kubectl/manifests/crontab.yaml'),
      works('kubectl get crontabs', { out: ['SCHEDULE', '0 * * * *'] }),
      works('kubectl explain crontab.spec', { out: ['schedule', 'When it runs.'] }),
    ],
  },
];
