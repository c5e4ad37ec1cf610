import { expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { testWebhooks } from '../../serving/hostile/webhooks.fixture.ts';
import { openPrograms } from './programs.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testWebhooks(() => openPrograms(components));

const pem = (type: string): string => `-----BEGIN ${type}-----\nMA==\n-----END ${type}-----\n`;

/** A webhook in a pod that labels every new pod, and its Service. */
const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: hook }
spec:
  selector: { matchLabels: { app: hook } }
  template:
    metadata: { labels: { app: hook } }
    spec:
      containers:
      - name: hook
        image: registry.k8s.io/e2e-test-images/agnhost:2.63.0
        args: [webhook, --tls-cert-file=/tls/tls.crt, --tls-private-key-file=/tls/tls.key, --port=8443]
        volumeMounts: [{ name: tls, mountPath: /tls }]
        readinessProbe: { httpGet: { scheme: HTTPS, port: 8443, path: /readyz }, periodSeconds: 1 }
      volumes: [{ name: tls, secret: { secretName: hook } }]
---
apiVersion: v1
kind: Service
metadata: { name: hook }
spec: { selector: { app: hook }, ports: [{ port: 443, targetPort: 8443 }] }
`;

const configuration = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: hook }
webhooks:
- name: hook.example.com
  clientConfig: { service: { namespace: default, name: hook, path: /add-label } }
  rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods] }]
  sideEffects: None
  admissionReviewVersions: [v1]
  timeoutSeconds: 2
`;

test('A webhook for its own pods locks them out when they are gone; deleting its configuration helps', async () => {
  await using programs = await openPrograms(components);
  const { run, write } = programs;
  const ran = async (command: string): Promise<string> => {
    const { code, out, err } = await run(command);
    expect([command, code, err]).toEqual([command, 0, expect.any(String)]);
    return out;
  };
  await write('hook.yaml', manifest);
  await write('configuration.yaml', configuration);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hook' }, type: 'kubernetes.io/tls' };
  const stringData = { 'tls.crt': pem('CERTIFICATE'), 'tls.key': pem('PRIVATE KEY') };
  await write('secret.json', JSON.stringify({ ...secret, stringData }));
  await ran('kubectl apply -f secret.json -f hook.yaml');
  await ran('kubectl rollout status deployment/hook');
  await ran('kubectl apply -f configuration.yaml');
  await ran('kubectl run web --image=nginx:1.27');
  expect(await ran("kubectl get pod web -o jsonpath='{.metadata.labels.added-label}'")).toBe('yes');
  await ran('kubectl scale deployment/hook --replicas=0');
  await ran('kubectl wait pod -l app=hook --for=delete');
  const refused =
    'failed calling webhook "hook.example.com": failed to call webhook: Post "https://hook.default.svc:443/add-label?timeout=2s": dial tcp';
  expect((await run('kubectl run other --image=nginx:1.27')).err).toContain(refused);
  await ran('kubectl scale deployment/hook --replicas=1');
  await ran(
    'kubectl wait deployment/hook --for=jsonpath=\'{.status.conditions[?(@.type=="ReplicaFailure")].status}\'=True',
  );
  expect(await ran('kubectl describe replicaset -l app=hook')).toContain(`FailedCreate  `);
  await ran('kubectl delete mutatingwebhookconfiguration hook');
  await ran('kubectl rollout restart deployment/hook');
  await ran('kubectl rollout status deployment/hook');
});
