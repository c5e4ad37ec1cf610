import { type Group, not, prepare, works } from './row.ts';

/** What is done with what runs. */
export const workloads: readonly Group[] = [
  {
    title: 'Roll out',
    rows: [
      works('kubectl rollout status deployment/web --timeout=60s', { out: 'successfully rolled out' }),
      works('kubectl rollout history deployment/web', { out: 'CHANGE-CAUSE' }),
      works('kubectl rollout history deployment/web --revision=1', { out: 'nginx:1.25' }),
      works('kubectl rollout undo deployment/web', { out: 'rolled back' }),
      works('kubectl rollout undo deployment/web --to-revision=2', { out: 'rolled back' }),
      works('kubectl rollout pause deployment/web', { out: 'paused' }),
      works('kubectl rollout resume deployment/web', { out: 'resumed' }),
      works('kubectl rollout restart deployment/web', { out: 'restarted' }),
      prepare('kubectl rollout status deployment/web --timeout=60s'),
      prepare('kubectl rollout status deployment/api --timeout=60s'),
      works('kubectl wait --for=condition=Available deployment/web --timeout=60s', { out: 'condition met' }),
      works("kubectl wait --for=jsonpath='{.status.readyReplicas}'=3 deployment/web --timeout=60s"),
      works('kubectl wait --for=condition=Ready pod/shell --timeout=60s'),
    ],
  },
  {
    title: 'Look into pods',
    rows: [
      prepare('kubectl exec deployment/web -- curl -s http://localhost/'),
      works('kubectl logs deployment/web', { out: 'GET / HTTP', err: 'Found' }),
      works('kubectl logs deployment/web --tail=2'),
      works('kubectl logs -l app.kubernetes.io/name=web --prefix', { out: '[pod/web-' }),
      works('kubectl logs deployment/web -c nginx --timestamps', { out: /^\d{4}-\d\d-\d\dT/ }),
      works('kubectl logs deployment/web --since=1h'),
      works('kubectl logs deployment/web --all-containers'),
      works('kubectl logs deployment/web -f --request-timeout=1', { code: 1 }),
      works('kubectl logs shell --previous', {
        code: 1,
        err: 'previous terminated container "shell" in pod "shell" not found',
      }),
      works('kubectl exec deployment/web -- hostname', { out: 'web-' }),
      works('kubectl exec shell -- cat /etc/resolv.conf', { out: 'svc.cluster.local' }),
      works("kubectl exec shell -- sh -c 'exit 3'", { code: 3 }),
      works('echo hello | kubectl exec -i shell -- cat', { out: 'hello' }),
      works('timeout 2 kubectl attach shell', { code: 124 }),
      not('kubectl cp shell:/etc/hostname $HOME/hostname', 'the images have no tar', { err: '"tar"' }),
      works('kubectl debug shell --image=busybox -c looks --profile=general -- sleep 60', {}),
      works(
        'kubectl debug shell --image=busybox --copy-to=shell-copy -c looks --profile=general -- sleep 60',
      ),
      works('kubectl debug node/node-1 --image=busybox --profile=general -- sleep 60', {
        out: 'Creating debugging pod',
      }),
      works('timeout 5 kubectl port-forward deployment/web :80', {
        out: 'Forwarding from 127.0.0.1',
        code: 124,
      }),
      not('kubectl top pods', 'there is no metrics server', { err: 'Metrics API not available' }),
      not('kubectl top nodes', 'there is no metrics server', { err: 'Metrics API not available' }),
    ],
  },
  {
    title: 'Delete',
    rows: [
      works('kubectl delete pod shell-copy --grace-period=0 --force', { out: 'force deleted' }),
      works('kubectl delete pod -l app=api', { out: 'deleted' }),
      works('kubectl delete service plain outside', { out: 'deleted' }),
      works('kubectl delete pod shell --now', { out: 'deleted' }),
      works('kubectl delete deployment api --cascade=orphan', { out: 'deleted' }),
      works('kubectl delete replicaset -l app=api --cascade=foreground', { out: 'deleted' }),
      works('kubectl delete configmap --all', { out: 'deleted' }),
      works('kubectl delete secret missing --ignore-not-found', { is: '' }),
      works('kubectl delete -f web.yaml --dry-run=server', { out: 'server dry run' }),
      works('kubectl delete -f web.yaml', { out: 'service "web" deleted' }),
      works('kubectl delete namespace team', { out: 'deleted' }),
    ],
  },
];
