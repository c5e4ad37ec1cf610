import { describe, expect, test } from 'vitest';
import type * as cri from '../../contracts/node/cri/index.ts';
import { describeNode, nodeDescription } from './node-description.ts';
import type { NodeObservation } from './node-observation.ts';

const GIB = 1024 ** 3;

const observed: NodeObservation = {
  node: 'node-1',
  ip: '192.168.0.1',
  machine: {
    cpus: 4,
    memoryBytes: 16 * GIB,
    diskBytes: 100 * GIB,
    inodes: 6_553_600,
    pids: 32_768,
    bootID: 'boot-1',
    kernelVersion: '6.12.0',
    osImage: 'Debian GNU/Linux 13 (trixie)',
  },
  runtime: { runtimeName: 'containerd', runtimeVersion: '2.3.3' },
  images: [],
  runtimeErrors: [],
  networkErrors: [],
  pressure: new Set(),
  nowMs: 0,
};
const fresh = describeNode(undefined, observed);

describe('The description of a node', () => {
  test('has the capacity of the machine, and reserves a part of it', () => {
    expect(fresh.capacity).toEqual({ cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' });
    // The eviction thresholds are reserved: 100Mi of memory, a tenth of the disk.
    expect(fresh.allocatable).toEqual({
      cpu: '4',
      memory: '16284Mi',
      'ephemeral-storage': '90Gi',
      pods: '110',
    });
  });

  test('has the addresses of the node and the versions of its software', () => {
    expect(fresh).toMatchObject({
      addresses: [
        { type: 'InternalIP', address: '192.168.0.1' },
        { type: 'Hostname', address: 'node-1' },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        bootID: 'boot-1',
        containerRuntimeVersion: 'containerd://2.3.3',
        kernelVersion: '6.12.0',
        kubeletVersion: 'v1.36.3',
        operatingSystem: 'linux',
        architecture: 'amd64',
        osImage: 'Debian GNU/Linux 13 (trixie)',
      },
    });
  });

  test('has the labels for node selection', () => {
    expect(nodeDescription('node-1')).toMatchObject({
      name: 'node-1',
      labels: {
        'kubernetes.io/hostname': 'node-1',
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
      },
    });
  });

  test('keeps the fields that other components have written', () => {
    const dongle = { 'example.com/dongle': '4' };
    const before = {
      ...fresh,
      capacity: { ...fresh.capacity, ...dongle },
      allocatable: { ...fresh.allocatable, ...dongle },
      volumesInUse: ['a'],
    };
    expect(describeNode(before, observed)).toEqual(before);
  });

  test('lists the volumes in use, and keeps the previous list while it is unknown', () => {
    const used = describeNode(fresh, { ...observed, volumesInUse: ['kubernetes.io/csi/disks^1'] });
    expect(used.volumesInUse).toEqual(['kubernetes.io/csi/disks^1']);
    expect(describeNode(used, observed).volumesInUse).toEqual(['kubernetes.io/csi/disks^1']);
    // The API omits an empty list.
    expect(describeNode(used, { ...observed, volumesInUse: [] })).toEqual(fresh);
  });

  test('keeps the previous values while the machine and the runtime do not answer', () => {
    const silent = { ...observed, machine: undefined, runtime: undefined, images: undefined };
    expect(describeNode(fresh, silent)).toEqual(fresh);
  });

  test('lists the fifty largest images, the largest first, digests before tags', () => {
    const images = Array.from({ length: 60 }, (_, sizeBytes): cri.Image => {
      const name = `image-${sizeBytes}`;
      return { id: name, repoTags: [`${name}:1`], repoDigests: [`${name}@d`], sizeBytes, pinned: false };
    });
    const status = describeNode(undefined, { ...observed, images });
    expect(status.images).toHaveLength(50);
    expect(status.images?.[0]).toEqual({ names: ['image-59@d', 'image-59:1'], sizeBytes: 59 });
  });
});
