import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { configMaps } from '#harness';
import { createCluster } from '#harness/testing';
import { nodeLifecycleController, nodeLifecycleAnnotation } from '#kata/61-node-lifecycle/node-lifecycle';

// AUTHOR: a `describe` for each level. A test is a sentence about its subject, and the simplest comes first.
describe('Level 1 · Count', () => {
  const metadata = { namespace: 'default', name: 'web' };

  test('counts the keys of a ConfigMap, and 0 without data', async () => {
    await using cluster = await createCluster();
    const web = await cluster.admin.create(configMaps, { metadata, data: { a: '1', b: '2' } });
    const { data: _, ...empty } = web;
    expect([web, empty].map(nodeLifecycleAnnotation)).toEqual(['2', '0']);
  });

  test('the controller annotates a ConfigMap', async () => {
    await using cluster = await createCluster({ components });
    cluster.run('node-lifecycle', nodeLifecycleController);
    await cluster.admin.create(configMaps, { metadata, data: { a: '1', b: '2' } });
    await cluster.runFor(1_000);
    const { metadata: annotated } = await cluster.admin.get(configMaps, metadata);
    expect(annotated.annotations).toEqual({ 'katas.example.com/keys': '2' });
  });
});
