import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersistentVolumeClaim } from '../../api/objects.ts';
import { kindViolations, parts, received, said } from './kind-laws.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';

const storage = (amount: string) => ({ resources: { requests: { storage: amount } } });

function claim(spec: object, status?: object): PersistentVolumeClaim {
  return received(persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'data',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec: { accessModes: ['ReadWriteOnce'], ...storage('1Gi'), ...spec },
    ...(status && { status }),
  } as unknown as PersistentVolumeClaim);
}

const causesOf = (spec: object) => said(persistentVolumeClaim.validate(claim(spec)));
const updated = (now: PersistentVolumeClaim, old: PersistentVolumeClaim) =>
  said(persistentVolumeClaim.validateUpdate(now, old));

const IMMUTABLE =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

describe('PersistentVolumeClaim', () => {
  test('requests a file system by default', () => {
    const created = persistentVolumeClaim.prepareForCreate(claim({}, { phase: 'Bound' }));
    expect([created.spec.volumeMode, created.status]).toEqual(['Filesystem', { phase: 'Pending' }]);
    expect(causesOf({ storageClassName: '' })).toEqual([]);
  });

  test.each([
    [{ accessModes: [] }, 'spec.accessModes: Required value: at least 1 access mode is required'],
    [{ resources: {} }, 'spec.resources[storage]: Required value'],
    [storage('0'), 'spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ])('rejects %j', (spec, cause) => {
    expect(causesOf(spec)).toEqual([cause]);
  });

  test('sets its volume and its class only once', () => {
    const bound = claim({ volumeName: 'disk-1', storageClassName: 'fast' });
    expect(updated(bound, claim({}))).toEqual([]);
    expect(updated(claim({ volumeName: 'disk-2', storageClassName: 'fast' }), bound)).toEqual([
      expect.stringContaining(IMMUTABLE),
    ]);
  });

  test('can request more when it is bound, and can lower an earlier request down to its capacity', () => {
    const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
    const old = claim(storage('3Gi'), status);
    expect(updated(claim(storage('4Gi'), status), old)).toEqual([]);
    expect(updated(claim(storage('2Gi'), status), old)).toEqual([]);
    expect(updated(claim(storage('1Gi'), status), old)).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
    expect(updated(claim(storage('4Gi')), claim(storage('3Gi')))).toEqual([
      expect.stringContaining(IMMUTABLE),
    ]);
    const limited = claim(
      { resources: { requests: { storage: '3Gi' }, limits: { storage: '9Gi' } } },
      status,
    );
    expect(updated(limited, old)).toEqual([expect.stringContaining(IMMUTABLE)]);
  });

  test('can change its attributes class when it is bound, but not remove it', () => {
    const status = { phase: 'Bound', currentVolumeAttributesClassName: 'gold' };
    const old = claim({ volumeAttributesClassName: 'gold' }, status);
    expect(updated(claim({ volumeAttributesClassName: 'silver' }, status), old)).toEqual([]);
    expect(updated(claim({}, status), old)).toEqual([
      'spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil',
    ]);
    expect(updated(claim({ volumeAttributesClassName: '' }, status), old)).toEqual([
      'spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil',
    ]);
  });

  test('writes its status separately', () => {
    const old = claim({});
    const sent = claim({ volumeName: 'x' }, { phase: 'Bound', capacity: { storage: '-1' } });
    const next = persistentVolumeClaim.prepareForStatusUpdate?.(sent, old) ?? old;
    expect([next.spec, next.status.phase]).toEqual([old.spec, 'Bound']);
    expect(said(persistentVolumeClaim.validateStatusUpdate?.(next, old) ?? [])).toEqual([
      'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
    ]);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = claim({ selector: { matchLabels: { a: 'b' } }, storageClassName: 'A', volumeMode: 'x' });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(persistentVolumeClaim, part)).toEqual([]);
      }),
    );
  });
});
