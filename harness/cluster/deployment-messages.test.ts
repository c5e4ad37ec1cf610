import { expect, test } from 'vitest';
import { deployments } from '../api/resource.ts';
import type { Components } from '../contracts/index.ts';
import { createCluster } from './cluster.ts';
import { runWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go syncRolloutStatus, sync.go getNewReplicaSet */
test('Progressing names the ReplicaSet in each message', async () => {
  await using cluster = await createCluster({ components });
  runWholeCluster(cluster, { nodes: 1 });
  const key = { namespace: 'default', name: 'web' };
  const labels = { app: 'web' };
  await cluster.admin.create(deployments, {
    metadata: key,
    spec: {
      replicas: 2,
      progressDeadlineSeconds: 60,
      revisionHistoryLimit: 10,
      strategy: { type: 'RollingUpdate' },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    },
  });
  await cluster.runFor(60_000);
  const broken = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:none' }];
  await cluster.admin.patch(deployments, key, { type: 'json', body: broken });
  await cluster.runFor(90_000);
  const messages = cluster.journal.of(deployments).flatMap(({ object: { status } }) => {
    const condition = status.conditions?.find(({ type }) => type === 'Progressing');
    return condition ? `${condition.reason}: ${condition.message?.replace(/-[a-z0-9]+"/, '-…"')}` : [];
  });
  expect([...new Set(messages)]).toEqual([
    'NewReplicaSetCreated: Created new replica set "web-…"',
    'ReplicaSetUpdated: ReplicaSet "web-…" is progressing.',
    'NewReplicaSetAvailable: ReplicaSet "web-…" has successfully progressed.',
    'ProgressDeadlineExceeded: ReplicaSet "web-…" has timed out progressing.',
  ]);
});
