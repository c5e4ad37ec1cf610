import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deployment, New } from '../api/objects.ts';
import { deployments, replicaSets } from '../api/resource.ts';
import type { Components } from '../contracts/component.ts';
import { deploymentEdits } from '../testing/arbitraries/workloads.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { DeploymentEdit } from './edit-deployment.ts';
import { editDeployment } from './edit-deployment.ts';

const { components } = (await import('#components')) as { components: Components };

const key = { namespace: 'default', name: 'web' };
const labels = { app: 'web' };

/** Creates a cluster with a Deployment of nginx:1 and its controller. */
async function withDeployment(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  cluster.runComponents('deploymentController');
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
  const web = { metadata: key, spec: { replicas: 2, selector: { matchLabels: labels }, template } };
  await cluster.admin.create(deployments, web as unknown as New<Deployment>);
  await cluster.runFor(1_000);
  return cluster;
}

const imageOf = ({ spec }: Deployment): string | undefined => spec.template.spec?.containers[0]?.image;

async function edited(cluster: Cluster, ...edits: readonly DeploymentEdit[]): Promise<Deployment> {
  for (const edit of edits) {
    await editDeployment(cluster.admin, key, edit);
    await cluster.runFor(1_000);
  }
  return cluster.admin.get(deployments, key);
}

describe('An edit of a Deployment', () => {
  test('scales', async () => {
    await using cluster = await withDeployment();
    expect((await edited(cluster, { edit: 'scale', replicas: 7 })).spec.replicas).toBe(7);
  });

  test('changes only the image', async () => {
    await using cluster = await withDeployment();
    const before = await cluster.admin.get(deployments, key);
    const after = await edited(cluster, { edit: 'image', image: 'nginx:2' });
    const [container] = before.spec.template.spec?.containers ?? [];
    expect(after.spec.template.spec?.containers).toEqual([{ ...container, image: 'nginx:2' }]);
  });

  test('undoes the last roll-out, and then the undo', async () => {
    await using cluster = await withDeployment();
    const { spec } = await cluster.admin.get(deployments, key);
    const after = await edited(cluster, { edit: 'image', image: 'nginx:2' }, { edit: 'undo' });
    expect(after.spec.template).toEqual(spec.template);
    expect(imageOf(await edited(cluster, { edit: 'undo' }))).toBe('nginx:2');
    expect(cluster.storage.list(replicaSets)).toHaveLength(2);
  });

  test('has nothing to undo at first', async () => {
    await using cluster = await withDeployment();
    const { revision } = cluster.storage;
    await edited(cluster, { edit: 'undo' });
    expect(cluster.storage.revision).toBe(revision);
  });

  test('pauses and resumes', async () => {
    await using cluster = await withDeployment();
    expect((await edited(cluster, { edit: 'pause' })).spec.paused).toBe(true);
    expect((await edited(cluster, { edit: 'resume' })).spec.paused).toBeUndefined();
  });

  test('replaces the whole strategy', async () => {
    await using cluster = await withDeployment();
    const strategy = { type: 'Recreate' };
    expect((await edited(cluster, { edit: 'strategy', strategy })).spec.strategy).toEqual(strategy);
  });

  test('deletes with the requested propagation policy', async () => {
    await using cluster = await withDeployment();
    const gone = await edited(cluster, { edit: 'delete', propagationPolicy: 'Foreground' });
    expect(gone.metadata.finalizers).toEqual(['foregroundDeletion']);
  });

  test('is always accepted by the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deploymentEdits, { maxLength: 8 }), async (edits) => {
        await using cluster = await withDeployment();
        const lasting = edits.filter(({ edit }) => edit !== 'delete');
        expect((await edited(cluster, ...lasting)).metadata.name).toBe('web');
      }),
    );
  });
});
