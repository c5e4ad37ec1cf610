import { describe, expect, test } from 'vitest';
import { events, pods } from '../api/resource.ts';
import { createCluster } from '../cluster/cluster.ts';
import type { Components } from '../contracts/component.ts';
import { podTimeline } from './pod-timeline.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const key = { namespace: 'default', name: 'web' };
const web = { metadata: key, spec: { containers: [{ name: 'a', image: 'nginx' }] } };

/** Records a pod that becomes ready, has an event that occurs twice, is deleted and is created again. */
async function lived() {
  await using cluster = await createCluster({ components });
  const { admin } = cluster;
  cluster.runStandIn('kubelet', { node: 'node-1', script: () => ({ readyAfterMs: 100, stopsAfterMs: 50 }) });
  await cluster.runFor(100);
  const pod = await admin.create(pods, { ...web, spec: { ...web.spec, nodeName: 'node-1' } });
  const event = await admin.create(events, {
    metadata: { namespace: 'default', name: 'web.1' },
    involvedObject: { ...key, kind: 'Pod', uid: pod.metadata.uid, fieldPath: 'spec.containers{a}' },
    source: { component: 'kubelet' },
    type: 'Normal',
    reason: 'Pulling',
    message: 'Pulling image "nginx"',
    count: 1,
  });
  await cluster.runFor(200);
  await admin.update(events, { ...event, count: 2 });
  await admin.delete(pods, key, { gracePeriodSeconds: 1 });
  await cluster.runFor(1_000);
  await admin.create(pods, web);
  return cluster.journal.entries;
}

describe('The timeline of a pod', () => {
  test('shows the changes of its row, with the events between them', async () => {
    expect(podTimeline(await lived(), { ...key, sinceMs: 100 })).toEqual([
      '   t=0ms  0/1  Pending            0',
      '   t=0ms                             Normal  Pulling       kubelet: spec.containers{a}: Pulling image "nginx"',
      '   t=2ms  0/1  ContainerCreating  0',
      ' t=102ms  1/1  Running            0',
      ' t=200ms                             Normal  Pulling (x2)  kubelet: spec.containers{a}: Pulling image "nginx"',
      ' t=200ms  1/1  Terminating        0',
      ' t=252ms  0/1  Completed          0',
      ' t=254ms       gone',
      't=1200ms  0/1  Pending            0                        a new pod',
    ]);
  });

  test('ignores other pods', async () => {
    expect(podTimeline(await lived(), { namespace: 'default', name: 'we' })).toEqual([]);
  });
});
