import { expect, test } from 'vitest';
import { roleBindings } from '../api/plain-resources.ts';
import { endpointSlices } from '../api/resource.ts';
import { Guard } from '../apiserver/handler/guard.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { runInPod } from '../cluster/nodes/run-in-pod.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Access } from '../contracts/access/index.ts';
import type { Components } from '../contracts/component.ts';
import { serveToPods } from './serve-pods.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const API = 'https://kubernetes.default.svc/api/v1/namespaces/default/configmaps';
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

test('A program in a pod reaches the apiserver by its Service, and has the rights of its service account', async () => {
  const { cluster: whole } = await createWholeCluster({ components, secured: true, nodes: 1, schedule: [] });
  await using cluster = whole;
  const { server } = cluster.replica();
  const guard = new Guard({
    access: server.access as Access,
    clientOf: (user) => server.authorized(user),
  });
  await serveToPods(cluster, createHandler(server, { guard }));
  await cluster.runFor(60_000);
  const curl = (name: string, ...options: readonly string[]) =>
    runInPod(cluster, {
      ...{ name, image: 'curlimages/curl' },
      command: ['sh', '-c', ['curl -sk', ...options, API].join(' ')],
    }).then(({ output }) => JSON.parse(output.join('\n')));
  const bearer = `-H "Authorization: Bearer $(cat ${TOKEN})"`;
  expect((await curl('nobody')).message).toBe(
    'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
  );
  expect((await curl('without-role', bearer)).message).toBe(
    'configmaps is forbidden: User "system:serviceaccount:default:default" cannot list resource "configmaps" in API group "" in the namespace "default"',
  );
  await cluster.admin.create(roleBindings, {
    metadata: { name: 'view', namespace: 'default' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
  });
  const body = `'{"metadata":{"name":"made"}}'`;
  expect(await curl('create', bearer, '-H "Content-Type: application/json"', `-d ${body}`)).toMatchObject({
    metadata: { name: 'made' },
  });
  const { items } = await curl('list', bearer);
  expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toContain('made');
  const slices = await cluster.admin.list(endpointSlices, { namespace: 'default' });
  expect(slices.items.map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
});
