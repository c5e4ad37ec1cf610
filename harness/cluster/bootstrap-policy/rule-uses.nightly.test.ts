import { expect, test } from 'vitest';
import type { KubeObject, New, Pod } from '../../api/objects.ts';
import { clusterRoles } from '../../api/plain-resources.ts';
import {
  configMaps,
  deployments,
  endpoints,
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  priorityClasses,
  type Resource,
  secrets,
  serviceAccounts,
  services,
} from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import type { Cluster } from '../cluster.ts';
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
  await cluster.runFor(60_000);
  const image = { spec: { template: { spec: { containers: [container({ image: 'nginx:1.28' })] } } } };
  await admin.patch(deployments, web, { type: 'strategic', body: image });
  await cluster.runFor(60_000);
  await admin.patch(deployments, web, scaled(1));
  await admin.delete(pods, { namespace: 'default', name: 'volumes' });
  await cluster.runFor(60_000);
  await preempt(cluster);
  await runStaticPod(cluster);
  await admin.delete(deployments, web, { propagationPolicy: 'Foreground' });
  await admin.delete(services, web);
  await admin.delete(endpoints, { namespace: 'default', name: 'outside' });
  await admin.delete(namespaces, { name: 'team' });
  await cluster.runFor(120_000);
}

/** Fills each node, and then creates a pod that is more important. */
async function preempt(cluster: Cluster): Promise<void> {
  const { admin } = cluster;
  const large = (name: string, more: object = {}) => ({
    ...inDefault(name),
    spec: { ...more, containers: [container({ resources: { requests: { cpu: '3' } } })] },
  });
  await admin.create(priorityClasses, { metadata: { name: 'high' }, value: 1_000 });
  for (const name of ['low-1', 'low-2']) await admin.create(pods, large(name) as New<Pod>);
  await cluster.runFor(30_000);
  await admin.create(pods, large('high', { priorityClassName: 'high' }) as New<Pod>);
  await cluster.runFor(60_000);
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

test('Each process of a secured cluster needs only rules that upstream gives to it', async () => {
  const uses = new RuleUses();
  const access = uses.recording(components.access);
  const created = await createWholeCluster({
    ...{ components: { ...components, access }, secured: true, nodes: 2, schedule: [] },
  });
  await using cluster = created.cluster;
  runMetricsServer(cluster, kubeletServers(cluster));
  await useEverything(cluster);
  for (const { name, failure } of cluster.processes) expect([name, failure]).toEqual([name, undefined]);
  expect(uses.refused).toEqual([]);
  await expect(`${uses.account(cluster.storage)}\n`).toMatchFileSnapshot('rule-uses.txt');
});
