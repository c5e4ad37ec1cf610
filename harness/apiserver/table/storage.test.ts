import { expect, test } from 'vitest';
import { cells, daysAgo, row } from './cells.fixture.ts';
import { csiDriverColumns, csiNodeColumns, storageClassColumns, volumeAttachmentColumns } from './storage.ts';

const metadata = { name: 'a', creationTimestamp: daysAgo(3) };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintStorageClass
test('A StorageClass shows the properties of its volumes', () => {
  const storageClass = {
    metadata,
    provisioner: 'nfs',
    reclaimPolicy: 'Retain',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  };
  expect(row(storageClassColumns, storageClass)).toEqual([
    ...['a', 'nfs', 'Retain', 'WaitForFirstConsumer', true, '3d'],
  ]);
  expect(row(storageClassColumns, { metadata, provisioner: 'nfs' })).toEqual([
    ...['a', 'nfs', 'Delete', 'Immediate', false, '3d'],
  ]);
});

test.each([
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
])('A StorageClass can be the default by %s', (annotation) => {
  const named = (value: string) =>
    cells(storageClassColumns, {
      metadata: { name: 'a', annotations: { [annotation]: value } },
      provisioner: '',
    }).Name;
  expect([named('true'), named('false')]).toEqual(['a (default)', 'a']);
});

test('A VolumeAttachment shows the volume and the node', () => {
  const spec = { attacher: 'csi', nodeName: 'node-1', source: { persistentVolumeName: 'pv' } };
  expect(row(volumeAttachmentColumns, { metadata, spec, status: { attached: true } })).toEqual([
    ...['a', 'csi', 'pv', 'node-1', true, '3d'],
  ]);
  expect(row(volumeAttachmentColumns, { metadata, spec: { ...spec, source: {} } }).slice(2, 5)).toEqual([
    ...['', 'node-1', false],
  ]);
});

test('A CSIDriver shows its requirements', () => {
  expect(row(csiDriverColumns, { metadata, spec: {} })).toEqual([
    ...['a', true, false, false, '<unset>', false, '<none>', '3d'],
  ]);
  const spec = {
    attachRequired: false,
    podInfoOnMount: true,
    storageCapacity: true,
    tokenRequests: [{ audience: 'x' }, { audience: 'y' }],
    requiresRepublish: true,
    volumeLifecycleModes: ['Persistent', 'Ephemeral'],
  };
  expect(row(csiDriverColumns, { metadata, spec })).toEqual([
    ...['a', false, true, true, 'x,y', true, 'Persistent,Ephemeral', '3d'],
  ]);
});

test('A CSINode shows the number of its drivers', () => {
  const drivers = [{ name: 'x', nodeID: '1' }];
  expect(row(csiNodeColumns, { metadata, spec: { drivers } })).toEqual(['a', 1, '3d']);
});
