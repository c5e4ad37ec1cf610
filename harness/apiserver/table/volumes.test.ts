import { describe, expect, test } from 'vitest';
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from '#api/core/v1';
import { cells, daysAgo, row, secondsAgo } from './cells.fixture.ts';
import { persistentVolumeClaimColumns, persistentVolumeColumns } from './volumes.ts';

const metadata = { name: 'a', creationTimestamp: daysAgo(3) };
const deleted = { ...metadata, deletionTimestamp: secondsAgo(1) };
const annotated = { ...metadata, annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintPersistentVolume
describe('A PersistentVolume', () => {
  const spec: PersistentVolumeSpec = {
    capacity: { storage: '4Gi' },
    accessModes: ['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteMany'],
    persistentVolumeReclaimPolicy: 'Retain',
    claimRef: { namespace: 'default', name: 'data' },
    storageClassName: 'fast',
    volumeAttributesClassName: 'gold',
    volumeMode: 'Block',
  };

  test('shows all columns', () => {
    const status = { phase: 'Bound', reason: 'because' };
    expect(row(persistentVolumeColumns, { metadata, spec, status })).toEqual([
      ...['a', '4Gi', 'ROX,RWX', 'Retain', 'Bound', 'default/data', 'fast', 'gold', 'because', '3d', 'Block'],
    ]);
  });

  test('shows unset fields', () => {
    expect(row(persistentVolumeColumns, { metadata, spec: {} })).toEqual([
      ...['a', '0', '', '', '', '', '', '<unset>', '', '3d', '<unset>'],
    ]);
  });

  test('shows its deletion and the class in its annotation', () => {
    expect(cells(persistentVolumeColumns, { metadata: deleted, spec }).Status).toBe('Terminating');
    expect(cells(persistentVolumeColumns, { metadata: annotated, spec }).StorageClass).toBe('old');
  });

  test('shows each access mode', () => {
    const accessModes = ['ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce'];
    expect(cells(persistentVolumeColumns, { spec: { accessModes } })['Access Modes']).toBe(
      'RWO,ROX,RWX,RWOP',
    );
  });
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintPersistentVolumeClaim
describe('A PersistentVolumeClaim', () => {
  const spec: PersistentVolumeClaimSpec = {
    volumeName: 'pv',
    storageClassName: 'fast',
    volumeMode: 'Filesystem',
  };
  const status = { phase: 'Bound', accessModes: ['ReadOnlyMany'], capacity: { storage: '4Gi' } };

  test('shows the properties of its volume', () => {
    expect(row(persistentVolumeClaimColumns, { metadata, spec, status })).toEqual([
      ...['a', 'Bound', 'pv', '4Gi', 'ROX', 'fast', '<unset>', '3d', 'Filesystem'],
    ]);
  });

  test('shows no properties without a volume name', () => {
    expect(row(persistentVolumeClaimColumns, { metadata, spec: {}, status })).toEqual([
      ...['a', 'Bound', '', '', '', '', '<unset>', '3d', '<unset>'],
    ]);
    expect(cells(persistentVolumeClaimColumns, { metadata, spec }).Capacity).toBe('0');
  });

  test('shows its deletion and the class in its annotation', () => {
    expect(cells(persistentVolumeClaimColumns, { metadata: deleted, spec }).Status).toBe('Terminating');
    expect(cells(persistentVolumeClaimColumns, { metadata: annotated, spec }).StorageClass).toBe('old');
  });
});
