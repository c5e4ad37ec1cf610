import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lease } from '../../api/objects.ts';
import { kindViolations, parts, said } from './kind-laws.ts';
import { lease } from './lease.ts';

function held(spec: Lease['spec']): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: 'node-1',
      namespace: 'kube-node-lease',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec,
  };
}

describe('Lease', () => {
  test('can record its holder, its duration, and its number of transitions', () => {
    const spec = { holderIdentity: 'node-1', leaseDurationSeconds: 1, leaseTransitions: 0 };
    expect(lease.validate(held(spec))).toEqual([]);
    expect(lease.validate(held({}))).toEqual([]);
  });

  test('has a positive duration', () => {
    expect(said(lease.validate(held({ leaseDurationSeconds: 0 })))).toEqual([
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ]);
  });

  test('rejects a negative number of transitions', () => {
    expect(said(lease.validateUpdate(held({ leaseTransitions: -1 }), held({})))).toEqual([
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('can be created by an update, and requires a resourceVersion for an update', () => {
    expect(lease.allowCreateOnUpdate).toBe(true);
    expect(lease.allowUnconditionalUpdate).toBe(false);
  });

  test('drops the fields of coordinated leader election', () => {
    const object = held({
      holderIdentity: 'a',
      strategy: 'OldestEmulationVersion',
      preferredHolder: 'b',
    } as never);
    expect(lease.prepareForCreate(object).spec).toEqual({ holderIdentity: 'a' });
    expect(lease.prepareForUpdate(object, held({})).spec).toEqual({ holderIdentity: 'a' });
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = held({ holderIdentity: 'node-1', leaseDurationSeconds: -40, leaseTransitions: -1 });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(lease, part)).toEqual([]);
      }),
    );
  });
});
