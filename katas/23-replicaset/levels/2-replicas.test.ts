import { describe, expect, test } from 'vitest';
import type { ReplicaSet } from '#harness';
import { newPod } from '#kata/23-replicaset/replicaset';
import { aReplicaSet, container, owner } from './objects.fixture.ts';

describe('Level 2 · What a new pod looks like', () => {
  test('sets the kind of the owner, which ReplicaSets in a list lack', () => {
    const { apiVersion, kind, ...item } = aReplicaSet();
    expect(newPod(item as ReplicaSet).metadata.ownerReferences).toEqual([owner()]);
  });

  test('makes a pod that it controls, in its namespace, with a generateName', () => {
    const { metadata } = newPod(aReplicaSet({ namespace: 'shop' }));
    expect(metadata.namespace).toBe('shop');
    expect(metadata.generateName).toBe('web-');
    expect(metadata.name).toBeUndefined();
    expect(metadata.ownerReferences).toEqual([owner()]);
  });

  test('copies labels, annotations, finalizers and spec from the template', () => {
    const template = {
      metadata: {
        name: 'passed-over',
        labels: { app: 'web', version: '1' },
        annotations: { note: 'hello' },
        finalizers: ['example.com/last-words'],
      },
      spec: { containers: [container], terminationGracePeriodSeconds: 5 },
    };
    const made = newPod(aReplicaSet({ template }));
    const { labels, annotations, finalizers } = template.metadata;
    expect(made.metadata).toEqual({
      namespace: 'default',
      generateName: 'web-',
      labels,
      annotations,
      finalizers,
      ownerReferences: [owner()],
    });
    expect(made.spec).toEqual(template.spec);
  });

  test('omits the fields that the template lacks, and the status', () => {
    const made = newPod(aReplicaSet({ template: { spec: { containers: [container] } } }));
    expect(Object.keys(made.metadata).sort()).toEqual(['generateName', 'namespace', 'ownerReferences']);
    expect(made.status).toBeUndefined();
  });
});
