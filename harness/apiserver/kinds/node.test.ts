import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { deepFreeze } from '../../api/freeze.ts';
import type { Node } from '../../api/objects.ts';
import { node } from './node.ts';
import { lines } from './pod/pod.fixture.ts';

const stored = (spec: core.NodeSpec = {}, status: core.NodeStatus = {}): Node =>
  deepFreeze({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1', uid: 'u', resourceVersion: '1', creationTimestamp: '2024-05-01T10:00:00Z' },
    spec,
    status,
  });
const check = (spec: core.NodeSpec, status: core.NodeStatus = {}) =>
  lines(node.validate(stored(spec, status)));
const checkUpdate = (spec: core.NodeSpec, old: core.NodeSpec) =>
  lines(node.validateUpdate(stored(spec), stored(old)));

describe('Node', () => {
  test('is created with the status that its kubelet sends', () => {
    const sent = stored({}, { capacity: { cpu: '4' } });
    expect(node.prepareForCreate(sent)).toBe(sent);
  });

  test('offers its whole capacity unless its kubelet reserves a part', () => {
    const capacity = { cpu: '4', memory: '8Gi' };
    expect(node.setDefaults(stored({}, { capacity })).status).toEqual({ capacity, allocatable: capacity });
    const allocatable = { cpu: '3500m' };
    expect(node.setDefaults(stored({}, { capacity, allocatable })).status.allocatable).toEqual(allocatable);
    const once = node.setDefaults(stored({ podCIDR: '10.0.0.0/24' }, { capacity }));
    expect(node.setDefaults(once)).toBe(once);
  });

  test('exposes its first pod CIDR in both fields', () => {
    const both = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] };
    expect(node.setDefaults(stored({ podCIDR: '10.0.0.0/24' })).spec).toEqual(both);
    expect(node.setDefaults(stored({ podCIDRs: ['10.0.0.0/24'] })).spec).toEqual(both);
  });

  test('has taints that differ in key or effect', () => {
    const taint = { key: 'a', effect: 'NoSchedule' };
    expect(check({ taints: [taint, { ...taint, effect: 'NoExecute' }] })).toEqual([]);
    expect(check({ taints: [taint, { ...taint, value: 'b' }] })).toEqual([
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ]);
    expect(check({ taints: [{ key: 'a', effect: '' }] })).toEqual([
      'metadata.taints[0].effect: Required value',
    ]);
    expect(check({ taints: [{ key: 'a', effect: 'Never' }] })).toEqual([
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ]);
  });

  test('has at most one pod CIDR per address family', () => {
    expect(check({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] })).toEqual([]);
    expect(check({ podCIDRs: ['10.0.0.0/33'] })).toEqual([
      'spec.podCIDRs[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ]);
    expect(check({ podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] })).toEqual([
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
    ]);
  });

  test('rejects negative amounts, and fractions of a device', () => {
    expect(check({}, { capacity: { pods: '-1' } })).toEqual([
      'status.capacity.pods: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(check({}, { allocatable: { 'example.com/gpu': '500m' } })).toEqual([
      'status.allocatable.example.com/gpu: Invalid value: "500m": must be an integer',
    ]);
  });

  test('sets pod CIDRs and the provider ID only once', () => {
    expect(checkUpdate({ podCIDRs: ['10.0.0.0/24'], providerID: 'a' }, {})).toEqual([]);
    expect(checkUpdate({ podCIDRs: ['10.0.1.0/24'] }, { podCIDRs: ['10.0.0.0/24'] })).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    ]);
    expect(checkUpdate({}, { podCIDRs: ['10.0.0.0/24', 'fd00::/64'] })).toHaveLength(1);
    expect(checkUpdate({ providerID: 'b' }, { providerID: 'a' })).toEqual([
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
  });

  test('can be cordoned and tainted', () => {
    expect(checkUpdate({ unschedulable: true, taints: [{ key: 'a', effect: 'NoExecute' }] }, {})).toEqual([]);
  });

  test('rejects duplicate addresses', () => {
    const address = { type: 'InternalIP', address: '10.0.0.1' };
    const status = { addresses: [address, { type: 'Hostname', address: 'n1' }, { ...address }] };
    expect(lines(node.validateStatusUpdate?.(stored({}, status), stored()) ?? [])).toEqual([
      'status.addresses[2]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
    ]);
  });

  test('keeps its status in an update, and its spec in a status update', () => {
    const old = stored({ unschedulable: true }, { phase: 'old' });
    const sent = stored({}, { phase: 'new' });
    expect(node.prepareForUpdate(sent, old)).toMatchObject({ spec: {}, status: { phase: 'old' } });
    expect(node.prepareForStatusUpdate?.(sent, old)).toMatchObject({
      spec: { unschedulable: true },
      status: { phase: 'new' },
    });
  });

  test('can be selected by whether it is cordoned', () => {
    expect(node.selectableFields(stored())).toEqual({ 'spec.unschedulable': 'false' });
    expect(node.selectableFields(stored({ unschedulable: true }))).toEqual({ 'spec.unschedulable': 'true' });
    expect(node.selectableFieldNames).toEqual(['spec.unschedulable']);
  });

  test('declares features with valid names, sorted', () => {
    const declaredFeatures = ['B', 'A', 'A', 'a/b'];
    expect(check({}, { declaredFeatures })).toEqual([
      'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
      'status.declaredFeatures[2]: Duplicate value: "A"',
      expect.stringContaining(
        'status.declaredFeatures[3]: Invalid value: "a/b": invalid feature name "a/b": must start',
      ),
    ]);
  });

  test('rejects a swap capacity that is not positive', () => {
    const nodeInfo = { swap: { capacity: 0 } };
    expect(check({}, { nodeInfo } as never)).toEqual([
      'metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero',
    ]);
  });
});
