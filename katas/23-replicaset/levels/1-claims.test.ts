import { describe, expect, test } from 'vitest';
import type { Pod, ReplicaSet } from '#harness';
import { type Claim, classifyPod, isPodActive } from '#kata/23-replicaset/replicaset';
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
    expect(isPodActive(aPod({ phase: 'Unknown' })), 'phase Unknown, no deletionTimestamp').toBe(true);
    expect(isPodActive(aPod({ phase: null })), 'no phase, no deletionTimestamp').toBe(true);
    expect(isPodActive(aPod({ phase: null, deletionTimestamp: true })), 'no phase, a deletionTimestamp').toBe(
      false,
    );
  });

  test('keeps its own pod that it selects', () => {
    expectClaim(aPod({ ownerReferences: [owner()] }), aReplicaSet(), 'keep');
  });

  test('adopts a selected pod without a controller', () => {
    const { controller, ...mere } = owner('uid-of-friend', 'friend');
    expectClaim(aPod(), aReplicaSet(), 'adopt');
    const both = [mere, owner()];
    expectClaim(aPod({ ownerReferences: both }), aReplicaSet(), 'keep');
    expectClaim(aPod({ ownerReferences: [mere] }), aReplicaSet(), 'adopt');
  });

  test('ignores a pod with another controller, selected or not', () => {
    const database = owner('uid-of-db', 'db', 'StatefulSet');
    expectClaim(aPod({ ownerReferences: [database] }), aReplicaSet(), 'ignore');
    expectClaim(aPod({ ownerReferences: [database], labels: {} }), aReplicaSet(), 'ignore');
  });

  test('ignores a pod of an earlier ReplicaSet with the same name and another uid', () => {
    expectClaim(aPod({ ownerReferences: [owner('uid-of-former-web')] }), aReplicaSet(), 'ignore');
  });

  test('releases its own pod that it no longer selects', () => {
    expectClaim(aPod({ ownerReferences: [owner()], labels: {} }), aReplicaSet(), 'release');
  });

  test('ignores an unselected pod without a controller', () => {
    expectClaim(aPod({ labels: { app: 'shop' } }), aReplicaSet(), 'ignore');
  });

  test('neither adopts nor releases while it is being deleted, but keeps its own pods', () => {
    const going = aReplicaSet({ deletionTimestamp: secondsAgo(1) });
    expectClaim(aPod(), going, 'ignore');
    expectClaim(aPod({ ownerReferences: [owner()], labels: {} }), going, 'ignore');
    expectClaim(aPod({ ownerReferences: [owner()] }), going, 'keep');
  });

  test('does not adopt a pod that is being deleted', () => {
    expectClaim(aPod({ deletionTimestamp: true }), aReplicaSet(), 'ignore');
  });

  test('supports matchExpressions in the selector', () => {
    const plain = aReplicaSet();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const rs = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    expectClaim(aPod({ labels: { app: 'shop' } }), rs, 'adopt');
    expectClaim(aPod({ labels: { app: 'bank' } }), rs, 'ignore');
  });
});

/** Checks the claim of a ReplicaSet on a pod; the message of a failure shows both. */
function expectClaim(pod: Pod, rs: ReplicaSet, claim: Claim): void {
  const { labels, ownerReferences = [], deletionTimestamp } = pod.metadata;
  const owners = ownerReferences.map(
    ({ kind, name, uid, controller }) => `${kind} ${name} (${uid}${controller ? ', controller' : ''})`,
  );
  const message = [
    `a pod with labels ${JSON.stringify(labels)} and ${owners.length > 0 ? `owners ${owners.join(', ')}` : 'no owner'}`,
    ...(deletionTimestamp ? ['which is being deleted'] : []),
    `for ReplicaSet web (${rs.metadata.uid})`,
    ...(rs.metadata.deletionTimestamp ? ['which is being deleted'] : []),
    `with selector ${JSON.stringify(rs.spec.selector)}`,
  ];
  expect(classifyPod(pod, rs), message.join(', ')).toBe(claim);
}
