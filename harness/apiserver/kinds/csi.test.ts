import { describe, expect, test } from 'vitest';
import { csiDriver, csiNode } from './csi.ts';
import { refused, refusedUpdate, sampleOf } from './declared.fixture.ts';

describe('CSIDriver', () => {
  test('attaches volumes by default, and serves claims', () => {
    expect(sampleOf(csiDriver, { spec: {} }).spec).toEqual({
      ...{ attachRequired: true, podInfoOnMount: false, storageCapacity: false, requiresRepublish: false },
      ...{
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        seLinuxMount: false,
      },
    });
  });

  test.each([
    [
      { 'spec.fsGroupPolicy': 'Some' },
      'spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    ],
    [
      { 'spec.tokenRequests.0.expirationSeconds': 5 },
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    ],
    [
      { 'spec.tokenRequests.1': { audience: 'vault' } },
      'spec.tokenRequests[1].audience: Duplicate value: "vault"',
    ],
    [
      { 'spec.volumeLifecycleModes': ['Some'] },
      'spec.volumeLifecycleModes: Unsupported value: "Some": supported values: "Persistent", "Ephemeral"',
    ],
    [
      { 'spec.nodeAllocatableUpdatePeriodSeconds': 9 },
      'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
    ],
    [
      { 'spec.tokenRequests': undefined, 'spec.serviceAccountTokenInSecrets': true },
      'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(csiDriver, changes)).toEqual([why]);
  });

  test('never changes whether it attaches', () => {
    expect(refusedUpdate(csiDriver, { 'spec.attachRequired': true })).toEqual([
      'spec.attachedRequired: Invalid value: true: field is immutable',
    ]);
  });
});

describe('CSINode', () => {
  const driver = 'spec.drivers.0';
  const at = 'spec.drivers[0]';
  test.each([
    [{ [`${driver}.name`]: '' }, `${at}.name: Required value`],
    [{ [`${driver}.name`]: 'a'.repeat(64) }, `${at}.name: Too long: may not be more than 63 bytes`],
    [{ [`${driver}.nodeID`]: '' }, `${at}.nodeID: Required value`],
    [
      { [`${driver}.allocatable.count`]: -1 },
      `${at}.allocatable.count: Invalid value: -1: must be greater than or equal to 0`,
    ],
    [{ [`${driver}.topologyKeys`]: ['a', 'a'] }, `${at}: Duplicate value: "a"`],
    [
      { 'spec.drivers.1': { name: 'disks.example.com', nodeID: 'n1' } },
      'spec.drivers[1].name: Duplicate value: "disks.example.com"',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(csiNode, changes)).toEqual([why]);
  });

  test('accepts added and removed drivers, but no changed one', () => {
    expect(refusedUpdate(csiNode, { 'spec.drivers': [] })).toEqual([]);
    expect(refusedUpdate(csiNode, { [`${driver}.allocatable.count`]: 9 })).toEqual([]);
    expect(refusedUpdate(csiNode, { [`${driver}.nodeID`]: 'n2' })).toEqual([
      'spec.drivers: Invalid value: {"Name":"disks.example.com","NodeID":"n2","TopologyKeys":["zone"],"Allocatable":null}: field is immutable',
    ]);
  });
});
