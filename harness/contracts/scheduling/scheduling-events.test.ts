import { describe, expect, test } from 'vitest';
import type { Labels } from '../../api/label-selector.ts';
import type { Node, Pod } from '../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod, type SchedulingPodParts } from '../../laws/scheduling/index.ts';
import { nodeSchedulingPropertiesChange, podSchedulingPropertiesChange } from './scheduling-events.ts';

describe('What has happened', () => {
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
    ['that it takes pods again', { spec: { unschedulable: true } }, {}, ['UpdateNodeTaint']],
    ['what there is for pods', {}, { status: { allocatable: { cpu: '1' } } }, ['UpdateNodeAllocatable']],
    ['its labels', {}, meta({ labels: { disk: 'ssd' } }), ['UpdateNodeLabel']],
    ['its taints', { spec: { taints: [taint] } }, {}, ['UpdateNodeTaint']],
    [
      'a taint, of which there are as many as before',
      { spec: { taints: [taint] } },
      { spec: { taints: [{ ...taint, effect: 'PreferNoSchedule' }] } },
      ['UpdateNodeTaint'],
    ],
    ['a condition', conditions(ready), conditions({ ...ready, status: 'False' }), ['UpdateNodeCondition']],
    ['a new condition', conditions(), conditions(ready), ['UpdateNodeCondition']],
    ['its annotations', meta({ annotations: { a: 'b' } }), meta({}), ['UpdateNodeAnnotation']],
  ])('notices what changes about a node: %s', (_, before, after, wanted) =>
    expect(nodeChange(before, after)).toEqual(wanted),
  );

  test.each([
    ['that it takes no pods any more', {}, { spec: { unschedulable: true } }],
    [
      'the same amounts, written otherwise',
      { status: { allocatable: { cpu: '1' } } },
      { status: { allocatable: { cpu: '1000m' } } },
    ],
    ['nothing, written otherwise', meta({}), meta({ labels: {}, annotations: {} })],
    ['no taints, written otherwise', { spec: { taints: [] } }, {}],
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
  ])('leaves be what makes no difference to a pod: %s', (_, before, after) =>
    expect(nodeChange(before, after)).toEqual([]),
  );

  test('tells all that has changed about a node, one after the other', () => {
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
    ['that it asks for less', asks({ cpu: '2' }), asks({ cpu: '1' }), ['Pod/UpdatePodScaleDown']],
    [
      'that it does not ask for something any more',
      asks({ 'example.com/gpu': '1' }),
      asks({}),
      ['Pod/UpdatePodScaleDown'],
    ],
    [
      'that it asks for less of one thing',
      asks({ cpu: '1', memory: '2Gi' }),
      asks({ cpu: '4', memory: '1Gi' }),
      ['Pod/UpdatePodScaleDown'],
    ],
    ['that it asks for more', asks({ cpu: '1' }), asks({ cpu: '2', memory: '1Gi' }), []],
    ['which container asks for it', asks({ cpu: '2' }, {}), asks({ cpu: '1' }, { cpu: '1' }), []],
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
      'one toleration more',
      {},
      { tolerations: [{ key: 'a', operator: 'Exists' }] },
      ['Pod/UpdatePodToleration'],
    ],
    ['nothing that matters', {}, { activeDeadlineSeconds: 5 }, []],
  ])('notices what changes about a pod: %s', (_, before, after, wanted) =>
    expect(podChange(before, after)).toEqual(wanted),
  );

  test('tells all that has changed about a pod, and whether it has a node', () => {
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
