import { describe, expect, test } from 'vitest';
import {
  classifyPod,
  filterActivePods,
  getControllerOf,
  getPodReplicaSets,
  isPodActive,
} from '#kata/23-replicaset/replicaset';
import {
  aPod,
  aReplicaSet,
  namesOf,
  owner,
  type PodParts,
  type ReplicaSetParts,
  secondsAgo,
} from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 1 · Which pods count, and whose they are', () => {
  interface FilterRow {
    readonly pods: readonly PodParts[];
  }
  test.each(table<FilterRow, { names: string[] }>('filterActive', 2))(
    'keeps the active pods as Kubernetes does: %s',
    (_, row) => {
      const active = filterActivePods(row.input.pods.map(aPod));
      expect(namesOf(active)).toEqual(row.expect.names);
    },
  );

  test('counts a pod whose node is not heard of, and one that has no phase yet', () => {
    expect(isPodActive(aPod({ phase: 'Unknown' }))).toBe(true);
    expect(isPodActive(aPod({ phase: null }))).toBe(true);
    expect(isPodActive(aPod({ phase: null, deletionTimestamp: true }))).toBe(false);
  });

  test('takes for the controller the one owner that says so, not the first one', () => {
    const { controller, ...mere } = owner('uid-of-friend', 'friend');
    const both = [{ ...mere, controller: false }, mere, owner()];
    expect(getControllerOf(aPod({ ownerReferences: both }))).toEqual(owner());
    expect(getControllerOf(aPod({ ownerReferences: [mere] }))).toBeUndefined();
    expect(getControllerOf(aPod())).toBeUndefined();
  });

  test('keeps a pod that is its own and matches', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner()] }), aReplicaSet())).toBe('keep');
  });

  test('adopts a pod that matches and that nobody controls', () => {
    const { controller, ...mere } = owner('uid-of-friend', 'friend');
    expect(classifyPod(aPod(), aReplicaSet())).toBe('adopt');
    expect(classifyPod(aPod({ ownerReferences: [mere] }), aReplicaSet())).toBe('adopt');
  });

  test('ignores a pod that somebody else controls, however well it matches', () => {
    const database = owner('uid-of-db', 'db', 'StatefulSet');
    expect(classifyPod(aPod({ ownerReferences: [database] }), aReplicaSet())).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [database], labels: {} }), aReplicaSet())).toBe('ignore');
  });

  test('ignores a pod of a former ReplicaSet of the same name: the uid says whose it is', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner('uid-of-former-web')] }), aReplicaSet())).toBe(
      'ignore',
    );
  });

  test('releases a pod of its own that matches no longer', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner()], labels: {} }), aReplicaSet())).toBe('release');
  });

  test('ignores a pod that nobody controls and that does not match', () => {
    expect(classifyPod(aPod({ labels: { app: 'shop' } }), aReplicaSet())).toBe('ignore');
  });

  test('takes nothing and lets go of nothing while it is being deleted, but keeps what it has', () => {
    const going = aReplicaSet({ deletionTimestamp: secondsAgo(1) });
    expect(classifyPod(aPod(), going)).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [owner()], labels: {} }), going)).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [owner()] }), going)).toBe('keep');
  });

  test('adopts no pod that is being deleted', () => {
    expect(classifyPod(aPod({ deletionTimestamp: true }), aReplicaSet())).toBe('ignore');
  });

  test('understands selectors with expressions', () => {
    const plain = aReplicaSet();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const rs = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    expect(classifyPod(aPod({ labels: { app: 'shop' } }), rs)).toBe('adopt');
    expect(classifyPod(aPod({ labels: { app: 'bank' } }), rs)).toBe('ignore');
  });

  interface PodReplicaSetsRow {
    readonly replicaSets: readonly ReplicaSetParts[];
    readonly pod: PodParts;
  }
  test.each(table<PodReplicaSetsRow, { name: string | null }>('podReplicaSets', 2))(
    'finds who selects a pod as Kubernetes does: %s',
    (_, { input, expect: { name } }) => {
      const found = getPodReplicaSets(aPod(input.pod), input.replicaSets.map(aReplicaSet));
      expect(namesOf(found)).toEqual(name === null ? [] : [name]);
    },
  );

  test('finds all who select a pod, in the order given', () => {
    const all = [
      aReplicaSet({ name: 'web' }),
      aReplicaSet({ name: 'shop', selector: { app: 'shop' } }),
      aReplicaSet({ name: 'canary', selector: { app: 'web', track: 'canary' } }),
      aReplicaSet({ name: 'elsewhere', namespace: 'other' }),
    ];
    const found = getPodReplicaSets(aPod({ labels: { app: 'web', track: 'canary' } }), all);
    expect(namesOf(found)).toEqual(['web', 'canary']);
  });
});
