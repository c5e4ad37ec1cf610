import { describe, expect, test } from 'vitest';
import { classifyPod, isPodActive } from '#kata/23-replicaset/replicaset';
import { aPod, aReplicaSet, namesOf, owner, type PodParts, secondsAgo } from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 1 · Which pods count, and what owns them', () => {
  interface FilterRow {
    readonly pods: readonly PodParts[];
  }
  test.each(table<FilterRow, { names: string[] }>('filterActive', 2))(
    'keeps the active pods as Kubernetes does: %s',
    (_, row) => {
      const active = row.input.pods.map(aPod).filter(isPodActive);
      expect(
        namesOf(active),
        'isPodActive: a pod with a deletionTimestamp, or in phase Succeeded or Failed, is inactive',
      ).toEqual(row.expect.names);
    },
  );

  test('counts a pod with phase Unknown or without a phase', () => {
    expect(isPodActive(aPod({ phase: 'Unknown' }))).toBe(true);
    expect(isPodActive(aPod({ phase: null }))).toBe(true);
    expect(isPodActive(aPod({ phase: null, deletionTimestamp: true }))).toBe(false);
  });

  test('keeps its own pod that it selects', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner()] }), aReplicaSet())).toBe('keep');
  });

  test('adopts a selected pod without a controller', () => {
    const { controller, ...mere } = owner('uid-of-friend', 'friend');
    expect(classifyPod(aPod(), aReplicaSet())).toBe('adopt');
    const both = [mere, owner()];
    expect(classifyPod(aPod({ ownerReferences: both }), aReplicaSet())).toBe('keep');
    expect(classifyPod(aPod({ ownerReferences: [mere] }), aReplicaSet())).toBe('adopt');
  });

  test('ignores a pod with another controller, selected or not', () => {
    const database = owner('uid-of-db', 'db', 'StatefulSet');
    expect(classifyPod(aPod({ ownerReferences: [database] }), aReplicaSet())).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [database], labels: {} }), aReplicaSet())).toBe('ignore');
  });

  test('ignores a pod of an earlier ReplicaSet with the same name and another uid', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner('uid-of-former-web')] }), aReplicaSet())).toBe(
      'ignore',
    );
  });

  test('releases its own pod that it no longer selects', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner()], labels: {} }), aReplicaSet())).toBe('release');
  });

  test('ignores an unselected pod without a controller', () => {
    expect(classifyPod(aPod({ labels: { app: 'shop' } }), aReplicaSet())).toBe('ignore');
  });

  test('neither adopts nor releases while it is being deleted, but keeps its own pods', () => {
    const going = aReplicaSet({ deletionTimestamp: secondsAgo(1) });
    expect(classifyPod(aPod(), going)).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [owner()], labels: {} }), going)).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [owner()] }), going)).toBe('keep');
  });

  test('does not adopt a pod that is being deleted', () => {
    expect(classifyPod(aPod({ deletionTimestamp: true }), aReplicaSet())).toBe('ignore');
  });

  test('supports matchExpressions in the selector', () => {
    const plain = aReplicaSet();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const rs = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    expect(classifyPod(aPod({ labels: { app: 'shop' } }), rs)).toBe('adopt');
    expect(classifyPod(aPod({ labels: { app: 'bank' } }), rs)).toBe('ignore');
  });
});
