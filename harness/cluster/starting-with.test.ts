import { describe, expect, test } from 'vitest';
import { configMaps } from '../api/resource.ts';
import type { Component } from '../contracts/component.ts';
import { createCluster } from './cluster.ts';
import { startingWith } from './starting-with.ts';

const object = { metadata: { name: 'settings', namespace: 'default' }, data: {} };

describe('a component that starts with the first object of its kind', () => {
  test('waits until an object of the kind is created', async () => {
    await using cluster = await createCluster();
    const starts: number[] = [];
    const component: Component = async () => void starts.push(cluster.sim.elapsedMs);
    cluster.run('keeper', startingWith([configMaps], { storage: cluster.storage, component }));
    await cluster.runFor(1000);
    expect(starts).toEqual([]);
    await cluster.settle(cluster.admin.create(configMaps, object));
    await cluster.runFor(1000);
    expect(starts).toEqual([1000]);
  });

  test('starts at once when an object exists', async () => {
    await using cluster = await createCluster();
    await cluster.settle(cluster.admin.create(configMaps, object));
    let starts = 0;
    const component: Component = async () => void starts++;
    cluster.run('keeper', startingWith([configMaps], { storage: cluster.storage, component }));
    await cluster.runFor(1);
    expect(starts).toBe(1);
  });

  test('does not start when the cluster ends first', async () => {
    let starts = 0;
    {
      await using cluster = await createCluster();
      const component: Component = async () => void starts++;
      cluster.run('keeper', startingWith([configMaps], { storage: cluster.storage, component }));
      await cluster.runFor(1000);
    }
    await Promise.resolve();
    expect(starts).toBe(0);
  });
});
