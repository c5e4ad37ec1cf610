import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepEqual } from '../../api/freeze.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { KubeObject, New } from '../../api/objects.ts';
import * as resources from '../../api/resource.ts';
import { createCluster } from '../cluster.ts';
import * as objects from './objects.ts';
import * as workloads from './workloads.ts';

type Made = readonly [resource: resources.Resource, arbitrary: fc.Arbitrary<New<KubeObject>>];

const made: readonly Made[] = [
  [resources.configMaps, objects.configMaps()],
  [resources.pods, objects.pods()],
  [resources.nodes, objects.nodes],
  [resources.services, objects.services()],
  [resources.leases, objects.leases()],
  [resources.priorityClasses, objects.priorityClasses],
  [resources.replicaSets, workloads.replicaSets()],
  [resources.deployments, workloads.deployments()],
  [resources.podDisruptionBudgets, workloads.podDisruptionBudgets()],
] as unknown as readonly Made[];

describe.each(made.map(([resource, arbitrary]) => ({ kind: resource.kind, resource, arbitrary })))(
  'Generated $kind',
  ({ resource, arbitrary }) => {
    test('Accepted: the apiserver takes each of them, and keeps what was sent', async () => {
      const cluster = await createCluster();
      await fc.assert(
        fc.asyncProperty(arbitrary, async (object) => {
          const { name, ...metadata } = object.metadata;
          const sent = { ...object, metadata: { ...metadata, generateName: `${name}-` } };
          const stored = await cluster.admin.create(resource, sent);
          const { status, ...rest } = sent as { status?: unknown };
          expect(missing(rest, stored)).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });
  },
);

describe('Label selectors', () => {
  test('match some labels and not others', () => {
    const pairs = fc.sample(fc.tuple(objects.labelSelectors, objects.labelSets), { numRuns: 200, seed: 1 });
    const matching = pairs.filter(([selector, labels]) => labelSelectorAsSelector(selector).matches(labels));
    expect(matching.length).toBeGreaterThan(40);
    expect(matching.length).toBeLessThan(160);
  });
});

describe('Workloads', () => {
  const sample = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, { numRuns: 300, seed: 1 });

  test('vary in what later katas turn on', () => {
    const deployments = sample(workloads.deployments());
    expect(deployments.some(({ spec }) => spec.strategy.type === 'Recreate')).toBe(true);
    expect(deployments.some(({ spec }) => String(spec.strategy.rollingUpdate?.maxSurge).endsWith('%'))).toBe(
      true,
    );
    expect(deployments.some(({ spec }) => spec.replicas === 0)).toBe(true);
    const pods = sample(objects.pods());
    expect(pods.some(({ spec }) => (spec.tolerations ?? []).length > 0)).toBe(true);
    expect(pods.some(({ spec }) => spec.affinity?.podAntiAffinity)).toBe(true);
    expect(pods.some(({ spec }) => spec.containers.length > 1)).toBe(true);
    expect(sample(objects.nodes).some(({ spec }) => spec.unschedulable)).toBe(true);
  });

  test('are edited in every way, some time after one another', () => {
    const edits = sample(workloads.timed(workloads.deploymentEdits));
    const kinds = new Set(edits.map(({ edit }) => edit));
    expect([...kinds].sort()).toEqual(['delete', 'image', 'pause', 'resume', 'scale', 'strategy', 'undo']);
    expect(edits.every(({ afterMs }) => afterMs >= 0)).toBe(true);
  });
});

/** What of `sent` is not in `stored`, path by path. Quantities here are sent as they are stored. */
function missing(sent: unknown, stored: unknown, path = ''): string[] {
  if (typeof sent !== 'object' || sent === null) return deepEqual(sent, stored) ? [] : [path];
  return Object.entries(sent).flatMap(([key, value]) =>
    missing(value, (stored as Record<string, unknown> | undefined)?.[key], `${path}.${key}`),
  );
}
