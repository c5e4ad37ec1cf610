import { describe, expect, test } from 'vitest';
import type { ReplicaSet } from '#harness';
import { newPod } from '#kata/23-replicaset/replicaset';
import { aReplicaSet, container, owner } from './objects.fixture.ts';

describe('Level 2 · What a new pod looks like', () => {
  test('sets the kind of the owner, which ReplicaSets in a list lack', () => {
    const { apiVersion, kind, ...item } = aReplicaSet();
    expect(
      newPod(item as ReplicaSet).metadata.ownerReferences,
      'the ReplicaSet comes from a list, so it lacks apiVersion and kind; the owner reference needs both',
    ).toEqual([owner()]);
  });

  test('makes a pod that it controls, in its namespace, with a generateName', () => {
    const { metadata } = newPod(aReplicaSet({ namespace: 'shop' }));
    expect(metadata.namespace, 'metadata.namespace: the ReplicaSet is in namespace shop').toBe('shop');
    expect(metadata.generateName, 'metadata.generateName: the name of the ReplicaSet and a hyphen').toBe(
      'web-',
    );
    expect(metadata.name, 'metadata.name: the server generates it').toBeUndefined();
    expect(metadata.ownerReferences, 'metadata.ownerReferences: only the ReplicaSet, as controller').toEqual([
      owner(),
    ]);
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
    expect(
      made.metadata,
      'metadata of the pod: labels, annotations and finalizers of the template, and not its name',
    ).toEqual({
      namespace: 'default',
      generateName: 'web-',
      labels,
      annotations,
      finalizers,
      ownerReferences: [owner()],
    });
    expect(made.spec, 'spec of the pod: that of the template').toEqual(template.spec);
  });

  test('omits the fields that the template lacks, and the status', () => {
    const made = newPod(aReplicaSet({ template: { spec: { containers: [container] } } }));
    expect(
      Object.keys(made.metadata).sort(),
      'fields of metadata: the template has no metadata, so omit labels, annotations and finalizers',
    ).toEqual(['generateName', 'namespace', 'ownerReferences']);
    expect(made.status, 'status: kubelets write it').toBeUndefined();
  });
});
