import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { horizontalPodAutoscaler as hpa } from './horizontal-pod-autoscaler.ts';

describe('HorizontalPodAutoscaler', () => {
  test('targets 80 % CPU utilization by default, with at least one pod', () => {
    const { spec } = sampleOf(hpa, { 'spec.metrics': undefined, 'spec.minReplicas': undefined });
    expect(spec.minReplicas).toBe(1);
    expect(spec.metrics).toEqual([
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ]);
  });

  test('defaults both scale directions once `behavior` is set', () => {
    expect(sampleOf(hpa, { 'spec.behavior': undefined }).spec.behavior).toBeUndefined();
    expect(sampleOf(hpa).spec.behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: {
        stabilizationWindowSeconds: 60,
        selectPolicy: 'Max',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      },
    });
  });

  const target = 'spec.metrics.0.resource.target';
  const at = 'spec.metrics[0].resource.target';
  test.each([
    [
      { 'spec.maxReplicas': 0 },
      ['spec.maxReplicas: Required value: must be set and greater than 0', expect.anything()],
    ],
    [
      { 'spec.maxReplicas': 1 },
      ['spec.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`'],
    ],
    [
      { 'spec.minReplicas': 0 },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [{ 'spec.scaleTargetRef.kind': '' }, ['spec.scaleTargetRef.kind: Required value']],
    [
      { 'spec.scaleTargetRef.apiVersion': 'v1' },
      ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group'],
    ],
    [
      { 'spec.metrics.0.type': 'constructor' },
      Array(2).fill(
        'spec.metrics[0].type: Unsupported value: "constructor": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ),
    ],
    [
      { 'spec.metrics.0.type': 'Weather' },
      [
        ...Array(2).fill(
          'spec.metrics[0].type: Unsupported value: "Weather": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        ),
      ],
    ],
    [
      { 'spec.metrics.0.type': 'Pods' },
      ['spec.metrics[0].pods: Required value: must populate information for the given metric source'],
    ],
    [
      { 'spec.metrics.0.pods': { metric: { name: 'a' }, target: { type: 'Value', averageValue: '1' } } },
      ['spec.metrics[0].pods: Forbidden: must populate the given metric source only'],
    ],
    [
      { [`${target}.type`]: 'Mean' },
      [`${at}.type: Invalid value: "Mean": must be either Utilization, Value, or AverageValue`],
    ],
    [
      { [`${target}.averageUtilization`]: 0 },
      [`${at}.averageUtilization: Invalid value: 0: must be greater than 0`],
    ],
    [
      { [`${target}.averageUtilization`]: undefined },
      [
        `${at}.averageUtilization: Required value: must set either a target raw value or a target utilization`,
      ],
    ],
    [
      { [`${target}.averageValue`]: '1' },
      [`${at}.averageValue: Forbidden: may not set both a target raw value and a target utilization`],
    ],
    [
      { 'spec.metrics.1.pods.target.averageValue': '0' },
      ['spec.metrics[1].pods.target.averageValue: Invalid value: "0": must be positive'],
    ],
    [
      { 'spec.behavior.scaleDown.stabilizationWindowSeconds': 3601 },
      [
        'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
      ],
    ],
    [
      { 'spec.behavior.scaleDown.policies': [{ type: 'Some', value: 0, periodSeconds: 1801 }] },
      [
        'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Some": supported values: "Percent", "Pods"',
        'spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
    ],
    [
      { 'spec.behavior.scaleUp': { selectPolicy: 'Any' } },
      [
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"',
      ],
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(hpa, changes)).toEqual(why);
  });

  test('scales ReplicationControllers of the core group, and keeps an existing target', () => {
    const core = { 'spec.scaleTargetRef': { apiVersion: 'v1', kind: 'ReplicationController', name: 'a' } };
    expect(refused(hpa, core)).toEqual([]);
    const strange = { 'spec.scaleTargetRef': { kind: 'Thing', name: 'a' } };
    expect(refusedUpdate(hpa, {}, strange)).toEqual([]);
    expect(refusedUpdate(hpa, strange)).toEqual([
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ]);
  });

  test('rejects negative counts in its status', () => {
    expect(refusedStatus(hpa, { 'status.desiredReplicas': -1 })).toEqual([
      'status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});
