import { describe, expect, test } from 'vitest';
import type { Node, NodeSystemInfo } from '#api/core/v1';
import { cells } from './cells.fixture.ts';
import { nodeColumns } from './node.ts';

describe('A Node', () => {
  // Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintNodeStatus
  test.each<[string | undefined, boolean, string]>([
    ['True', false, 'Ready'],
    ['True', true, 'Ready,SchedulingDisabled'],
    ['False', false, 'NotReady'],
    ['Unknown', true, 'NotReady,SchedulingDisabled'],
    [undefined, false, 'Unknown'],
    [undefined, true, 'Unknown,SchedulingDisabled'],
  ])('whose condition Ready is %s, unschedulable %s, has the status %s', (status, unschedulable, told) => {
    const conditions = [
      { type: 'DiskPressure', status: 'True' },
      ...(status ? [{ type: 'Ready', status }] : []),
    ];
    expect(cells(nodeColumns, { spec: { unschedulable }, status: { conditions } }).Status).toBe(told);
  });

  // Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintNodeRole
  test.each<[Record<string, string>, string]>([
    [{}, '<none>'],
    [{ 'node-role.kubernetes.io/': '' }, '<none>'],
    [
      { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' },
      'control-plane,worker',
    ],
    [{ 'kubernetes.io/role': 'node', 'node-role.kubernetes.io/node': '' }, 'node'],
  ])('with the labels %j has the roles %s', (labels, told) => {
    expect(cells(nodeColumns, { metadata: { labels } }).Roles).toBe(told);
  });

  test.each<[Node['status'] & object, string, string]>([
    [{}, '<none>', '<none>'],
    [{ addresses: [{ type: 'Hostname', address: 'n' }] }, '<none>', '<none>'],
    [
      {
        addresses: [
          { type: 'ExternalIP', address: '2.2.2.2' },
          { type: 'InternalIP', address: '1.1.1.1' },
          { type: 'InternalIP', address: '1.1.1.2' },
        ],
      },
      '1.1.1.1',
      '2.2.2.2',
    ],
  ])('with the status %j has the addresses %s and %s', (status, internal, external) => {
    const told = cells(nodeColumns, { status });
    expect([told['Internal-IP'], told['External-IP']]).toEqual([internal, external]);
  });

  test('shows its software', () => {
    const nodeInfo = {
      kubeletVersion: 'v1.36.3',
      osImage: 'Debian',
      kernelVersion: '6.1',
      architecture: 'amd64',
      containerRuntimeVersion: 'containerd://2.1',
    } as NodeSystemInfo;
    expect(cells(nodeColumns, { status: { nodeInfo } })).toMatchObject({
      Version: 'v1.36.3',
      'OS-Image': 'Debian',
      'Kernel-Version': '6.1 (amd64)',
      'Container-Runtime': 'containerd://2.1',
    });
    expect(cells(nodeColumns, {})).toMatchObject({
      Version: '',
      'OS-Image': '<unknown>',
      'Kernel-Version': '<unknown>',
      'Container-Runtime': '<unknown>',
    });
  });
});
