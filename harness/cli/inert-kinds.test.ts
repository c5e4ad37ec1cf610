import { describe, expect, test } from 'vitest';
import { resources } from '../api/resource.ts';
import { runSecuredControllers } from '../cluster/controllers/index.ts';
import { createWholeCluster } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { inertKinds, missingEffect, tellingMissingEffects } from './inert-kinds.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('A kind that no component acts on', () => {
  test('is watched by the garbage collector alone', async () => {
    const { cluster: whole } = await createWholeCluster({ components, nodes: 1, names: false });
    await using cluster = whole;
    runSecuredControllers(cluster);
    await cluster.runFor(5_000);
    const inert = resources.filter(({ kind }) => inertKinds.includes(kind)).map(({ plural }) => plural);
    expect(new Set(inert).size).toBe(inertKinds.length);
    const watches = cluster.trace.entries.filter(
      ({ verb, object = '' }) => verb === 'watch' && inert.includes(object),
    );
    expect(new Set(watches.map(({ actor }) => actor))).toEqual(new Set(['garbage-collector-controller']));
  });

  test('is reported once, when its first object is created', async () => {
    const { cluster: whole } = await createWholeCluster({ components, nodes: 1, names: false });
    await using cluster = whole;
    const told: string[] = [];
    tellingMissingEffects(cluster, (line) => told.push(line));
    const budgets = resources.find(({ kind }) => kind === 'PodDisruptionBudget');
    if (!budgets) throw new Error('Failed to find PodDisruptionBudgets: they are not served.');
    for (const name of ['a', 'b']) {
      const metadata = { namespace: 'default', name };
      await cluster.admin.create(budgets, { metadata, spec: { minAvailable: 1 } } as never);
    }
    expect(told).toEqual(['No component here updates the status of a PodDisruptionBudget (docs/limits.md).']);
  });

  test('can depend on the object: only a Service of type LoadBalancer waits for an address', () => {
    const service = (type: string) => missingEffect({ kind: 'Service', spec: { type } } as never);
    expect([service('ClusterIP'), service('LoadBalancer')]).toEqual([
      undefined,
      expect.stringMatching('pending$'),
    ]);
  });
});
