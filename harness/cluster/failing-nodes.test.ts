import { describe, expect, test } from 'vitest';
import { isReady } from '../api/predicates.ts';
import { endpointSlices, nodes, pods, services } from '../api/resource.ts';
import type { Components } from '../contracts/index.ts';
import { createWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const NAMESPACE = 'default';

/** A secured cluster of two nodes, with the pod `web` on `node-2` behind a Service. */
async function opened() {
  const { cluster } = await createWholeCluster({
    ...{ components, nodes: 2, names: false, secured: true, schedule: [] },
  });
  const { admin } = cluster;
  await cluster.runFor(15_000);
  await admin.create(services, {
    metadata: { namespace: NAMESPACE, name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  } as never);
  const spec = { nodeName: 'node-2', containers: [{ name: 'main', image: 'nginx:1.27' }] };
  await admin.create(pods, { metadata: { namespace: NAMESPACE, name: 'web', labels: { app: 'web' } }, spec });
  await cluster.runFor(15_000);
  return {
    cluster,
    /** Returns the status of `Ready` of node-2, whether the pod is ready, and the ready endpoints of the Service. */
    async seen() {
      const { status } = await admin.get(nodes, { name: 'node-2' });
      const pod = (await admin.list(pods, { namespace: NAMESPACE })).items[0];
      const { items } = await admin.list(endpointSlices, { namespace: NAMESPACE });
      const endpoints = items
        .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web')
        .flatMap((slice) => slice.endpoints ?? [])
        .filter(({ conditions }) => conditions?.ready);
      const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status;
      return [ready, pod !== undefined && isReady(pod), endpoints.length];
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

describe('A node of a whole cluster', () => {
  test('that is cut off for two minutes gets its traffic back', async () => {
    await using one = await opened();
    const { cluster, seen } = one;
    cluster.nemesis.strike({ fault: 'partition', node: 'node-2', forMs: 120_000 });
    await cluster.runFor(65_000);
    expect(await seen()).toEqual(['Unknown', false, 0]);
    await cluster.runFor(85_000);
    expect(await seen()).toEqual(['True', true, 1]);
    const { spec } = await cluster.admin.get(nodes, { name: 'node-2' });
    expect(spec.taints).toBeUndefined();
  });

  test('that joins is tainted until it is ready', async () => {
    const { cluster: whole } = await createWholeCluster({
      ...{ components, nodes: 1, names: false, secured: true, schedule: [] },
    });
    await using cluster = whole;
    const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    await cluster.runFor(1_000);
    const { spec } = await cluster.admin.get(nodes, { name: 'node-1' });
    expect(spec.taints).toEqual([taint]);
    await cluster.runFor(15_000);
    expect((await cluster.admin.get(nodes, { name: 'node-1' })).spec.taints).toBeUndefined();
  });
});
