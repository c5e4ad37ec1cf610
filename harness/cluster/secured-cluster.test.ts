import { expect, test } from 'vitest';
import { type Deployment, keyOf, type New, type Pod } from '../api/objects.ts';
import { clusterRoleBindings } from '../api/plain-resources.ts';
import { isReady } from '../api/predicates.ts';
import { deployments, pods } from '../api/resource.ts';
import type { Components } from '../contracts/component.ts';
import { RuleUses } from './bootstrap-policy/rule-uses.fixture.ts';
import type { Cluster } from './cluster.ts';
import { createWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** A secured cluster of one node, which has settled. */
async function secured(): Promise<{ readonly cluster: Cluster; readonly uses: RuleUses }> {
  const uses = new RuleUses();
  const access = uses.recording(components.access);
  const { cluster } = await createWholeCluster({
    ...{ components: { ...components, access }, secured: true, nodes: 1, schedule: [] },
  });
  const stands = (): boolean =>
    (cluster.storage.list(deployments) as Deployment[]).every(({ status }) => status?.availableReplicas);
  await cluster.runUntil(stands, 120_000);
  return { cluster, uses };
}

const readyPods = ({ storage }: Cluster) =>
  (storage.list(pods) as Pod[]).filter(isReady).map((pod) => keyOf(pod).namespace);
const failures = ({ processes }: Cluster) => processes.flatMap(({ name, failure }) => (failure ? name : []));

const web = { namespace: 'default', name: 'web' };
const spec = { containers: [{ name: 'web', image: 'nginx:1.27' }] };
const labels = { app: 'web' };
const deployment = {
  metadata: web,
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
} as unknown as New<Deployment>;

test('Each process of a secured cluster has the rights that it needs', async () => {
  const { cluster: whole, uses } = await secured();
  await using cluster = whole;
  const kubectl = cluster.connect('kubectl');
  await cluster.settle(kubectl.create(deployments, deployment));
  await cluster.runFor(30_000);
  expect(readyPods(cluster)).toEqual(['default', 'kube-system', 'kube-system']);
  expect(failures(cluster)).toEqual([]);
  expect(uses.refused).toEqual([]);
});

test('A pod has the token, the certificate and the namespace of its service account', async () => {
  const { cluster: whole } = await secured();
  await using cluster = whole;
  const { admin } = cluster;
  const { metadata } = await admin.create(pods, { metadata: web, spec } as New<Pod>);
  await cluster.runFor(30_000);
  const volume = (await admin.get(pods, web)).spec.volumes?.[0]?.name;
  const read = (file: string): Promise<string> => {
    const folder = `/var/lib/kubelet/pods/${metadata.uid}/volumes/kubernetes.io~projected/${volume}`;
    return cluster.settle(cluster.machine('node-1')?.files.readFile(`${folder}/${file}`) as Promise<string>);
  };
  expect(await read('namespace')).toBe('default');
  expect(await read('ca.crt')).toMatch(/^-----BEGIN CERTIFICATE-----/);
  const authorization = `Bearer ${await read('token')}`;
  const login = () => cluster.replica().server.access?.authenticate({ authorization, path: '/' });
  expect(login()).toMatchObject({
    user: {
      name: 'system:serviceaccount:default:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/pod-name': ['web'] },
    },
  });
  await admin.delete(pods, web, { gracePeriodSeconds: 0 });
  expect(login()).toEqual({ rejected: ['service account token has been invalidated'] });
});

test('A process without its role logs each refusal, and goes on when it has the role again', async () => {
  const { cluster: whole } = await secured();
  await using cluster = whole;
  const { admin, trace } = cluster;
  const name = 'system:controller:replicaset-controller';
  const { roleRef, subjects = [] } = await admin.get(clusterRoleBindings, { name });
  await admin.delete(clusterRoleBindings, { name });
  await admin.create(deployments, deployment);
  await cluster.runFor(10_000);
  const logged = trace.entries.find(
    ({ actor, verb, note }) =>
      actor === 'replicaset-controller' && verb === 'log' && note?.startsWith('sync of default/web-'),
  );
  expect(logged?.note).toMatch(
    /^sync of default\/web-\w+ failed: StatusError: replicasets.apps "web-\w+" is forbidden: User "system:serviceaccount:kube-system:replicaset-controller" cannot get resource "replicasets" in API group "apps" in the namespace "default"$/,
  );
  expect(failures(cluster)).toEqual([]);
  await admin.create(clusterRoleBindings, { metadata: { name }, roleRef, subjects });
  await cluster.runFor(60_000);
  expect(readyPods(cluster)).toContain('default');
});
