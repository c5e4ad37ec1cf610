import { expect, test } from 'vitest';
import type { Job } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { observedCluster } from './observed.fixture.ts';

test('A controller waits for the first object of its kind, then has caches and makes pods', async () => {
  await using observed = await observedCluster({ nodes: 1 });
  const { cluster, observer } = observed;
  const controller = () => observer.view().components.find(({ name }) => name === 'job-controller');
  expect(controller()).toMatchObject({ state: 'running', waitsFor: 'jobs.batch', caches: [] });
  const details = await observed.look({ kind: 'component', name: 'job-controller' });
  expect(details.waitsFor[0]).toEqual({ text: 'the first object of jobs.batch' });
  const template = {
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'busybox:1.36', command: ['true'] }],
    },
  };
  const job = { metadata: { namespace: 'default', name: 'once' }, spec: { template } };
  observed.kubectl.create(jobs, job as unknown as Job).catch(() => {});
  await cluster.runFor(3_000);
  expect(controller()).not.toHaveProperty('waitsFor');
  expect(controller()?.caches.map(({ resource }) => resource)).toContain('jobs.batch');
  expect(observer.view().workloads).toEqual([
    {
      ...{ kind: 'Job', resource: 'jobs.batch', namespace: 'default', name: 'once' },
      ...{ done: 1, wanted: 1, state: 'complete' },
    },
  ]);
  expect(observer.newMoments().map(({ text }) => text)).toContain('Job once is complete');
  expect(observer.view().nodes[0]?.pods).toEqual([expect.objectContaining({ owner: 'Job once' })]);
});
