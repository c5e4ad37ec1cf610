import { describe, expect, test } from 'vitest';
import type { Pod, ReplicaSet } from '../../api/objects.ts';
import { named, vectors } from '../../testing/vectors.ts';
import { getPodReplicaSets } from './selector.ts';

interface Named {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly selector?: Record<string, string>;
}

const aPod = ({ labels = { app: 'web' }, namespace = 'default' }: Named): Pod =>
  ({ metadata: { name: 'pod', uid: 'pod', namespace, labels } }) as unknown as Pod;
const aReplicaSet = ({ name = 'web', namespace = 'default', selector = { app: 'web' } }: Named): ReplicaSet =>
  ({ metadata: { name, namespace }, spec: { selector: { matchLabels: selector } } }) as unknown as ReplicaSet;

describe('The ReplicaSets that might adopt a pod', () => {
  interface Row {
    readonly replicaSets: readonly Named[];
    readonly pod: Named;
  }
  test.each(named(vectors<Row, { name: string | null }>('replicaset', 'podReplicaSets', 2)))(
    'are the same as in Kubernetes: %s',
    (_, { input, expect: { name } }) => {
      const found = getPodReplicaSets(aPod(input.pod), input.replicaSets.map(aReplicaSet));
      expect(found.map(({ metadata }) => metadata.name)).toEqual(name === null ? [] : [name]);
    },
  );

  test('are the ReplicaSets of its namespace that select it, in the given order', () => {
    const all = [
      { name: 'web' },
      { name: 'shop', selector: { app: 'shop' } },
      { name: 'canary', selector: { app: 'web', track: 'canary' } },
      { name: 'elsewhere', namespace: 'other' },
    ].map(aReplicaSet);
    const found = getPodReplicaSets(aPod({ labels: { app: 'web', track: 'canary' } }), all);
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['web', 'canary']);
  });
});
