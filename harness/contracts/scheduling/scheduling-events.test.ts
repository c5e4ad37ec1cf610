import { describe, expect, test } from 'vitest';
import type { Labels } from '../../api/label-selector.ts';
import type { Node, Pod } from '../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod, type SchedulingPodParts } from '../../laws/scheduling/index.ts';
import { nodeSchedulingPropertiesChange, podSchedulingPropertiesChange } from './scheduling-events.ts';

describe('Scheduling events', () => {
  const nodeChange = (before: object, after: object): string[] => {
    const node = (parts: object) =>
      ({ ...aSchedulingNode('node-1'), spec: {}, status: {}, ...parts }) as unknown as Node;
    const found = nodeSchedulingPropertiesChange(node(after), node(before));
    expect(found.map(({ resource }) => resource)).toEqual(found.map(() => 'Node'));
    return found.map(({ actionType }) => actionType);
  };
  const meta = (parts: object) => ({ metadata: { name: 'node-1', ...parts } });
  const conditions = (...all: readonly object[]) => ({ status: { conditions: all } });
  const ready = { type: 'Ready', status: 'True' };
  const taint = { key: 'a', effect: 'NoSchedule' };

  test.each([
    ['it becomes schedulable', { spec: { unschedulable: true } }, {}, ['UpdateNodeTaint']],
    ['its allocatable', {}, { status: { allocatable: { cpu: '1' } } }, ['UpdateNodeAllocatable']],
    ['its labels', {}, meta({ labels: { disk: 'ssd' } }), ['UpdateNodeLabel']],
    ['its taints', { spec: { taints: [taint] } }, {}, ['UpdateNodeTaint']],
    [
      'a taint, while their number stays',
      { spec: { taints: [taint] } },
      { spec: { taints: [{ ...taint, effect: 'PreferNoSchedule' }] } },
      ['UpdateNodeTaint'],
    ],
    ['a condition', conditions(ready), conditions({ ...ready, status: 'False' }), ['UpdateNodeCondition']],
    ['a new condition', conditions(), conditions(ready), ['UpdateNodeCondition']],
    ['its annotations', meta({ annotations: { a: 'b' } }), meta({}), ['UpdateNodeAnnotation']],
  ])('detects a change of a node: %s', (_, before, after, wanted) =>
    expect(nodeChange(before, after)).toEqual(wanted),
  );

  test.each([
    ['it becomes unschedulable', {}, { spec: { unschedulable: true } }],
    [
      'another spelling of the same amounts',
      { status: { allocatable: { cpu: '1' } } },
      { status: { allocatable: { cpu: '1000m' } } },
    ],
    ['empty instead of absent labels', meta({}), meta({ labels: {}, annotations: {} })],
    ['absent instead of empty taints', { spec: { taints: [] } }, {}],
    [
      'a heartbeat',
      conditions({ ...ready, lastHeartbeatTime: '1' }),
      conditions({ ...ready, lastHeartbeatTime: '2', message: 'hi' }),
    ],
    [
      'conditions in another order',
      conditions(ready, { type: 'A', status: 'True' }),
      conditions({ type: 'A', status: 'True' }, ready),
    ],
    ['its images', {}, { status: { images: [{ names: ['nginx'] }] } }],
    ['its capacity', {}, { status: { capacity: { cpu: '2' } } }],
  ])('ignores a change of a node that does not matter to pods: %s', (_, before, after) =>
    expect(nodeChange(before, after)).toEqual([]),
  );

  test('returns all changes of a node', () => {
    const before = { ...meta({}), spec: { unschedulable: true, taints: [taint] }, status: {} };
    const after = {
      ...meta({ labels: { a: 'b' }, annotations: { a: 'b' } }),
      spec: {},
      status: { allocatable: { cpu: '1' }, conditions: [ready] },
    };
    expect(nodeChange(before, after)).toEqual([
      'UpdateNodeTaint',
      'UpdateNodeAllocatable',
      'UpdateNodeLabel',
      'UpdateNodeTaint',
      'UpdateNodeCondition',
      'UpdateNodeAnnotation',
    ]);
  });

  const podChange = (before: object, after: object, labels: { before?: Labels; after?: Labels } = {}) => {
    const pod = (spec: object, parts: SchedulingPodParts) => {
      const plain = aSchedulingPod({ name: 'web', ...parts });
      return { ...plain, spec: { ...plain.spec, ...spec } } as Pod;
    };
    return podSchedulingPropertiesChange(
      pod(after, labels.after ? { labels: labels.after } : {}),
      pod(before, labels.before ? { labels: labels.before } : {}),
    ).map(({ resource, actionType }) => `${resource}/${actionType}`);
  };
  const asks = (...requests: readonly object[]) => ({
    containers: requests.map((each, i) => ({ name: `c${i}`, image: 'nginx', resources: { requests: each } })),
  });

  test.each([
    ['a smaller request', asks({ cpu: '2' }), asks({ cpu: '1' }), ['Pod/UpdatePodScaleDown']],
    ['a removed request', asks({ 'example.com/gpu': '1' }), asks({}), ['Pod/UpdatePodScaleDown']],
    [
      'a smaller request for one resource',
      asks({ cpu: '1', memory: '2Gi' }),
      asks({ cpu: '4', memory: '1Gi' }),
      ['Pod/UpdatePodScaleDown'],
    ],
    ['a larger request', asks({ cpu: '1' }), asks({ cpu: '2', memory: '1Gi' }), []],
    ['the same request from another container', asks({ cpu: '2' }, {}), asks({ cpu: '1' }, { cpu: '1' }), []],
    [
      'its last gate',
      { schedulingGates: [{ name: 'a' }] },
      { schedulingGates: [] },
      ['Pod/UpdatePodSchedulingGatesEliminated'],
    ],
    [
      'one of its gates',
      { schedulingGates: [{ name: 'a' }, { name: 'b' }] },
      { schedulingGates: [{ name: 'b' }] },
      [],
    ],
    [
      'an added toleration',
      {},
      { tolerations: [{ key: 'a', operator: 'Exists' }] },
      ['Pod/UpdatePodToleration'],
    ],
    ['an irrelevant field', {}, { activeDeadlineSeconds: 5 }, []],
  ])('detects a change of a pod: %s', (_, before, after, wanted) =>
    expect(podChange(before, after)).toEqual(wanted),
  );

  test('returns all changes of a pod, and whether it has a node', () => {
    expect(podChange({}, {}, { before: { a: 'b' }, after: { a: 'c' } })).toEqual(['Pod/UpdatePodLabel']);
    expect(podChange({}, {}, { after: {} })).toEqual([]);
    const placed = podChange(
      { ...asks({ cpu: '2' }) },
      { ...asks({ cpu: '1' }), nodeName: 'node-1' },
      { after: { a: 'b' } },
    );
    expect(placed).toEqual(['AssignedPod/UpdatePodLabel', 'AssignedPod/UpdatePodScaleDown']);
    const all = podChange(
      { ...asks({ cpu: '2' }), schedulingGates: [{ name: 'a' }] },
      { ...asks({ cpu: '1' }), nodeName: '', tolerations: [{ key: 'a', operator: 'Exists' }] },
      { after: { a: 'b' } },
    );
    expect(all).toEqual([
      'Pod/UpdatePodLabel',
      'Pod/UpdatePodScaleDown',
      'Pod/UpdatePodSchedulingGatesEliminated',
      'Pod/UpdatePodToleration',
    ]);
  });
});
