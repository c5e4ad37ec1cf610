import { expect, test } from 'vitest';
import type { KubeObject, New } from '../../api/objects.ts';
import { certificateSigningRequests, clusterRoles } from '../../api/plain-resources.ts';
import { isReady } from '../../api/predicates.ts';
import {
  configMaps,
  deployments,
  endpoints,
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type Resource,
  secrets,
  serviceAccounts,
  services,
} from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { CertificateAuthority } from '../../platform/x509/authority.ts';
import { COMMON_NAME, ORGANIZATION } from '../../platform/x509/name.ts';
import { PrivateKey } from '../../platform/x509/private-key.ts';
import { newRequest } from '../../platform/x509/requests.fixture.ts';
import type { Cluster } from '../cluster.ts';
import { runCertificateControllers } from '../controllers/certificates/index.ts';
import { identityOf } from '../identities.ts';
import { runMetricsServer } from '../metrics-server/metrics-server.ts';
import { kubeletServers } from '../nodes/kubelet-servers.ts';
import { createWholeCluster } from '../whole-cluster.ts';
import { RuleUses } from './rule-uses.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const labels = { app: 'web' };
const container = (more: object = {}) => ({ name: 'web', image: 'nginx:1.27', ...more });
const inDefault = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'default', ...more },
});

/** Objects that give every component work, in the order of their creation. */
const objects: readonly (readonly [Resource, object])[] = [
  [namespaces, { metadata: { name: 'team' }, spec: {} }],
  [configMaps, { ...inDefault('settings'), data: { a: 'b' } }],
  [secrets, { ...inDefault('key'), data: { a: 'YQ==' } }],
  [serviceAccounts, inDefault('builder')],
  [
    persistentVolumes,
    {
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/disk' },
        claimRef: { namespace: 'default', name: 'disk' },
        storageClassName: '',
      },
    },
  ],
  [
    persistentVolumeClaims,
    {
      ...inDefault('disk'),
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeName: 'disk',
        storageClassName: '',
      },
    },
  ],
  [
    pods,
    {
      ...inDefault('volumes'),
      spec: {
        serviceAccountName: 'builder',
        containers: [
          container({
            env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'key', key: 'a' } } }],
            volumeMounts: ['settings', 'disk'].map((name) => ({ name, mountPath: `/${name}` })),
          }),
        ],
        volumes: [
          { name: 'settings', configMap: { name: 'settings' } },
          { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } },
        ],
      },
    },
  ],
  [
    deployments,
    {
      ...inDefault('web'),
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [container({ ports: [{ containerPort: 80 }] })] },
        },
      },
    },
  ],
  [services, { ...inDefault('web'), spec: { selector: labels, ports: [{ port: 80 }] } }],
  [services, { ...inDefault('outside'), spec: { ports: [{ port: 80 }] } }],
  [
    endpoints,
    { ...inDefault('outside'), subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] },
  ],
  [
    clusterRoles,
    {
      metadata: { name: 'crons', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['crons'], verbs: ['get'] }],
    },
  ],
];

const web = { namespace: 'default', name: 'web' };
const scaled = (replicas: number) => ({ type: 'merge', body: { spec: { replicas } } }) as const;

/** Lets each component do what it can do without a fault. */
async function useEverything(cluster: Cluster): Promise<void> {
  const { admin } = cluster;
  await cluster.runFor(30_000);
  for (const [resource, object] of objects) await admin.create(resource, object as New<KubeObject>);
  await bindClaim(cluster);
  await cluster.runFor(60_000);
  for (const pod of (await admin.list(pods)).items) expect([pod.metadata.name, isReady(pod)]).toContain(true);
  const image = { spec: { template: { spec: { containers: [container({ image: 'nginx:1.28' })] } } } };
  await admin.patch(deployments, web, { type: 'strategic', body: image });
  await cluster.runFor(60_000);
  await admin.patch(deployments, web, scaled(1));
  await admin.delete(pods, { namespace: 'default', name: 'volumes' });
  await cluster.runFor(60_000);
  await runStaticPod(cluster);
  await admin.delete(deployments, web, { propagationPolicy: 'Foreground' });
  await admin.delete(services, web);
  await admin.delete(endpoints, { namespace: 'default', name: 'outside' });
  await admin.delete(namespaces, { name: 'team' });
  await cluster.runFor(120_000);
}

/** Binds the claim to its volume, because no component does. */
async function bindClaim({ admin }: Cluster): Promise<void> {
  const claim = await admin.get(persistentVolumeClaims, { namespace: 'default', name: 'disk' });
  await admin.updateStatus(persistentVolumeClaims, { ...claim, status: { phase: 'Bound' } });
  const body = { spec: { claimRef: { uid: claim.metadata.uid } } };
  await admin.patch(persistentVolumes, { name: 'disk' }, { type: 'merge', body });
}

async function runStaticPod(cluster: Cluster): Promise<void> {
  const files = cluster.machine('node-1')?.files;
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'static' },
    spec: { containers: [container()] },
  };
  await cluster.settle(files?.mkdirAll('/etc/kubernetes/manifests') as Promise<void>);
  await cluster.settle(
    files?.writeFile('/etc/kubernetes/manifests/static.json', JSON.stringify(manifest)) as Promise<void>,
  );
  await cluster.runFor(60_000);
}

/** Requests a new certificate, as a kubelet does before its old one expires. */
async function renewCertificate(cluster: Cluster): Promise<void> {
  const { user } = identityOf('kubelet-node-1', 'node-1');
  const subject = [
    { type: ORGANIZATION, value: 'system:nodes' },
    { type: COMMON_NAME, value: user.name },
  ];
  await cluster
    .replica()
    .server.as(user)
    .create(certificateSigningRequests, {
      metadata: { name: 'renewal' },
      spec: {
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
        request: Buffer.from(newRequest({ subject })).toString('base64'),
      },
    });
  await cluster.runFor(10_000);
  const { status } = await cluster.admin.get(certificateSigningRequests, { name: 'renewal' });
  expect(status.certificate).toBeDefined();
}

/** An authority that is valid at the time of a simulation. */
const authority = CertificateAuthority.create(
  {
    subject: [{ type: COMMON_NAME, value: 'kubernetes' }],
    serial: 1n,
    notBeforeMs: Date.UTC(2020, 0),
    notAfterMs: Date.UTC(2040, 0),
  },
  PrivateKey.random(),
);

test('Each process of a secured cluster needs only rules that upstream gives to it', async () => {
  const uses = new RuleUses();
  const access = uses.recording(components.access);
  const created = await createWholeCluster({
    ...{ components: { ...components, access }, secured: true, nodes: 2, schedule: [] },
  });
  await using cluster = created.cluster;
  runMetricsServer(cluster, kubeletServers(cluster));
  runCertificateControllers(cluster, authority);
  await useEverything(cluster);
  await renewCertificate(cluster);
  for (const { name, failure } of cluster.processes) expect([name, failure]).toEqual([name, undefined]);
  expect(uses.refused).toEqual([]);
  await expect(`${uses.account(cluster.storage)}\n`).toMatchFileSnapshot('rule-uses.txt');
});
