import { describe, expect, test } from 'vitest';
import { type ApplyOptions, LAST_APPLIED, mappingsOf } from '#given/11-apply';
import { configMaps, deployments, type KubeObject } from '#harness';
import { createCluster } from '#harness/testing';
import { apply } from './apply.ts';

const key = { namespace: 'default', name: 'web' };
const OPTIONS: ApplyOptions = { namespace: { name: 'default', required: false } };
const web = (replicas: number | undefined, image = 'nginx:1') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'nginx', image }] },
    },
  },
});

async function started() {
  const cluster = await createCluster();
  const admin = cluster.admin;
  return {
    cluster,
    admin,
    apply: (value: unknown, options: Partial<ApplyOptions> = {}) =>
      apply(
        { client: admin, clock: cluster.sim.clock, mappingOf: mappingsOf() },
        [{ source: 'web.yaml', value }],
        {
          ...OPTIONS,
          ...options,
        },
      ),
  };
}

const outcomes = ({ applied, errors, warnings }: Awaited<ReturnType<typeof apply>>) => [
  ...applied.map(({ outcome }) => outcome),
  ...errors.map(({ message }) => message),
  ...warnings,
];

describe('apply, against an apiserver', () => {
  test('creates, changes, leaves alone, and removes fields', async () => {
    const { cluster, admin, apply: run } = await started();
    await using _ = cluster;
    expect(outcomes(await run(web(3)))).toEqual(['created']);
    expect(outcomes(await run(web(3)))).toEqual(['unchanged']);
    expect(outcomes(await run(web(2, 'nginx:2')))).toEqual(['configured']);
    expect((await admin.get(deployments, key)).spec.replicas).toBe(2);
    expect(outcomes(await run(web(undefined)))).toEqual(['configured']);
    expect((await admin.get(deployments, key)).spec.replicas).toBe(1);
    expect((await run(web(5), { dryRun: 'client' })).applied[0]?.object).toMatchObject({
      spec: { replicas: 5 },
    });
    expect((await admin.get(deployments, key)).spec.replicas).toBe(1);
  });

  test('replaces by force what cannot be patched', async () => {
    const { cluster, admin, apply: run } = await started();
    await using _ = cluster;
    const before = (await run(web(3))).applied[0]?.object as KubeObject;
    const other = web(3);
    other.spec.selector.matchLabels.app = 'other';
    other.spec.template.metadata.labels.app = 'other';
    expect(outcomes(await run(other))[0]).toMatch(/^error when applying patch:\n\{/);
    expect(outcomes(await run(other, { force: true }))).toEqual(['configured']);
    expect((await admin.get(deployments, key)).metadata.uid).not.toBe(before.metadata.uid);
  });

  test('moves to a server-side apply', async () => {
    const { cluster, admin, apply: run } = await started();
    await using _ = cluster;
    await run({ ...web(3), metadata: { name: 'web', labels: { a: 'b' } } });
    expect(outcomes(await run(web(3), { serverSide: true }))).toEqual(['serverside-applied']);
    const { metadata } = await admin.get(deployments, key);
    expect(metadata.labels).toBeUndefined();
    expect(metadata.annotations?.[LAST_APPLIED]).toBeDefined();
    const managers = metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`);
    expect(managers?.toSorted()).toEqual(['kubectl Apply', 'kubectl-last-applied Apply']);
  });

  test('prunes', async () => {
    const { cluster, admin, apply: run } = await started();
    await using _ = cluster;
    const config = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { a: 'b' } },
    });
    await run({ kind: 'List', apiVersion: 'v1', items: [config('one'), config('two')] });
    expect(outcomes(await run(config('two'), { prune: { selector: { a: 'b' } } }))).toEqual([
      'unchanged',
      'pruned',
    ]);
    expect((await admin.list(configMaps, { namespace: 'default', labelSelector: 'a=b' })).items).toHaveLength(
      1,
    );
  });
});
