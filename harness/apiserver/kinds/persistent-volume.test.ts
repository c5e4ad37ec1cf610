import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersistentVolume } from '../../api/objects.ts';
import { kindViolations, parts, said } from './kind-laws.ts';
import { persistentVolume } from './persistent-volume.ts';

const csi = { driver: 'disks.example.com', volumeHandle: '7' };

function volume(spec: object, status?: object): PersistentVolume {
  return persistentVolume.setDefaults({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: 'disk-1',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, csi, ...spec },
    ...(status && { status }),
  } as unknown as PersistentVolume);
}

const causesOf = (spec: object) => said(persistentVolume.validate(volume(spec)));

describe('PersistentVolume', () => {
  test('is a retained file system by default', () => {
    const created = persistentVolume.prepareForCreate(volume({}, { phase: 'Bound' }));
    expect(created.spec).toMatchObject({
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    });
    expect(created.status).toEqual({
      phase: 'Pending',
      lastPhaseTransitionTime: '2024-05-01T10:00:00Z',
    });
    expect(causesOf({})).toEqual([]);
  });

  test('has the time of its last phase, unless the client sends another time', () => {
    const [before, now, own] = ['2024-05-01T10:00:00Z', '2024-05-01T11:00:00Z', '2024-05-01T10:30:00Z'];
    const old = volume({}, { phase: 'Pending', lastPhaseTransitionTime: before });
    const timeOf = (status: object) =>
      persistentVolume.setTimes?.(volume({}, status), old, now).status.lastPhaseTransitionTime;
    expect(timeOf({ phase: 'Available', lastPhaseTransitionTime: before })).toBe(now);
    expect(timeOf({ phase: 'Available' })).toBe(now);
    expect(timeOf({ phase: 'Pending' })).toBe(before);
    expect(timeOf({ phase: 'Available', lastPhaseTransitionTime: own })).toBe(own);
  });

  test.each([
    [{ accessModes: [] }, 'spec.accessModes: Required value'],
    [
      { accessModes: ['Mine'] },
      'spec.accessModes: Unsupported value: "Mine": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
    [
      { accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] },
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ],
    [{ capacity: { storage: '0' } }, 'spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    [
      { volumeMode: 'Tape' },
      'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    ],
    [
      { persistentVolumeReclaimPolicy: 'Burn' },
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"',
    ],
    [{ csi: undefined }, 'spec: Required value: must specify a volume type'],
    [{ hostPath: { path: '/x' } }, 'spec.hostPath: Forbidden: may not specify more than 1 volume type'],
    [{ csi: { driver: '', volumeHandle: '7' } }, 'spec.csi.driver: Required value'],
    [{ csi: { driver: 'a.example' } }, 'spec.csi.volumeHandle: Required value'],
    [
      { csi: undefined, hostPath: { path: '/a/../b' } },
      `spec.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
    ],
    [
      { csi: undefined, local: { path: '/x' } },
      'spec.nodeAffinity: Required value: Local volume requires node affinity',
    ],
  ])('rejects %j', (spec, cause) => {
    expect(causesOf(spec)).toEqual([cause]);
  });

  test('has a capacity of storage only', () => {
    expect(causesOf({ capacity: {} })[0]).toBe('spec.capacity: Required value');
    expect(causesOf({ capacity: { storage: '1', cpu: '1' } })).toHaveLength(1);
  });

  test('never changes its source and its mode', () => {
    const changed = volume({ csi: { ...csi, volumeHandle: '8' }, volumeMode: 'Block' });
    expect(said(persistentVolume.validateUpdate(changed, volume({})))).toEqual([
      expect.stringContaining('spec.persistentvolumesource is immutable after creation'),
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
    const bound = volume({ claimRef: { name: 'data', namespace: 'default' } });
    expect(persistentVolume.validateUpdate(bound, volume({}))).toEqual([]);
  });

  test('sets its node affinity only once, and never removes its attributes class', () => {
    const affinity = (value: string) => ({
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] }],
        },
      },
    });
    expect(persistentVolume.validateUpdate(volume(affinity('x')), volume({}))).toEqual([]);
    expect(said(persistentVolume.validateUpdate(volume(affinity('y')), volume(affinity('x'))))).toEqual([
      expect.stringMatching(
        /^nodeAffinity: .* field is immutable, except for updating from beta label to GA$/,
      ),
    ]);
    const classy = volume({ volumeAttributesClassName: 'gold' });
    expect(said(persistentVolume.validateUpdate(volume({}), classy))).toEqual([
      'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
    ]);
  });

  test('writes its status separately', () => {
    const old = volume({}, { phase: 'Available' });
    const sent = volume({ storageClassName: 'x' }, { phase: 'Bound' });
    expect(persistentVolume.prepareForUpdate(sent, old).status).toBe(old.status);
    const next = persistentVolume.prepareForStatusUpdate?.(sent, old);
    expect([next?.spec, next?.status.phase]).toEqual([old.spec, 'Bound']);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = volume({ hostPath: { path: '/x' }, storageClassName: 'A', mountOptions: ['ro'] });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(persistentVolume, part)).toEqual([]);
      }),
    );
  });
});
