import { describe, expect, test } from 'vitest';
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from '#api/autoscaling/v2';
import { cells, row } from './cells.fixture.ts';
import { horizontalPodAutoscalerColumns } from './horizontal-pod-autoscaler.ts';

const metric = { name: 'some' };
const average: MetricTarget = { type: 'AverageValue', averageValue: '100m' };
const value: MetricTarget = { type: 'Value', value: '100m' };
const utilization: MetricTarget = { type: 'Utilization', averageUtilization: 80 };
const describedObject = { kind: 'Service', name: 'web' };

const external = (target: MetricTarget): MetricSpec => ({ type: 'External', external: { metric, target } });
const object = (target: MetricTarget): MetricSpec => ({
  type: 'Object',
  object: { metric, target, describedObject },
});
const podsMetric: MetricSpec = { type: 'Pods', pods: { metric, target: average } };
const resource = (target: MetricTarget): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target },
});
const containerResource = (target: MetricTarget): MetricSpec => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: 'c', target },
});

/** Returns the status of a metric. */
const measured = (spec: MetricSpec, current: MetricValueStatus): MetricStatus => ({
  type: spec.type,
  external: { metric, current },
  object: { metric, current, describedObject },
  pods: { metric, current },
  resource: { name: 'cpu', current },
  containerResource: { name: 'cpu', container: 'c', current },
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintHPA
describe('A HorizontalPodAutoscaler', () => {
  const scaleTargetRef = { kind: 'Deployment', name: 'web' };
  const hpa = (metrics: MetricSpec[], currentMetrics: MetricStatus[] = []) => ({
    metadata: { name: 'a' },
    spec: { scaleTargetRef, maxReplicas: 10, metrics },
    status: { currentReplicas: 4, desiredReplicas: 5, currentMetrics },
  });

  test('shows all columns', () => {
    expect(row(horizontalPodAutoscalerColumns, hpa([]))).toEqual([
      ...['a', 'Deployment/web', '<none>', '<unset>', 10, 4, '<unknown>'],
    ]);
    const { spec, ...rest } = hpa([]);
    expect(
      cells(horizontalPodAutoscalerColumns, { ...rest, spec: { ...spec, minReplicas: 2 } }).MinPods,
    ).toBe('2');
  });

  test.each<[string, MetricSpec, MetricValueStatus, string, string]>([
    [
      'an external average',
      external(average),
      { averageValue: '50m' },
      '<unknown>/100m (avg)',
      '50m/100m (avg)',
    ],
    ['an external value', external(value), { value: '50m' }, '<unknown>/100m', '50m/100m'],
    [
      'an average of an object',
      object(average),
      { averageValue: '50m' },
      '<unknown>/100m (avg)',
      '50m/100m (avg)',
    ],
    ['a value of an object', object(value), { value: '50m' }, '<unknown>/100m', '50m/100m'],
    ['an average of pods', podsMetric, { averageValue: '50m' }, '<unknown>/100m', '50m/100m'],
    [
      'a resource by value',
      resource(average),
      { averageValue: '50m' },
      'cpu: <unknown>/100m',
      'cpu: 50m/100m',
    ],
    [
      'a resource by utilization',
      resource(utilization),
      { averageUtilization: 50 },
      'cpu: <unknown>/80%',
      'cpu: 50%/80%',
    ],
    [
      'a resource without a target',
      resource({ type: 'Utilization' }),
      { averageUtilization: 50 },
      'cpu: <unknown>/<auto>',
      'cpu: 50%/<auto>',
    ],
    [
      'a container by value',
      containerResource(average),
      { averageValue: '50m' },
      'cpu: <unknown>/100m',
      'cpu: 50m/100m',
    ],
    [
      'a container by utilization',
      containerResource(utilization),
      { averageUtilization: 50 },
      'cpu: <unknown>/80%',
      'cpu: 50%/80%',
    ],
    ['an unknown kind of metric', { type: 'Other' }, {}, '<unknown type>', '<unknown type>'],
    ['a missing value', external(value), {}, '<unknown>/100m', '<nil>/100m'],
  ])('shows %s before and after the first measurement', (_, spec, current, before, after) => {
    const targets = (...statuses: MetricStatus[]) =>
      cells(horizontalPodAutoscalerColumns, hpa([spec], statuses)).Targets;
    expect([targets(), targets(measured(spec, current))]).toEqual([before, after]);
  });

  test('shows the first two metrics', () => {
    const metrics = [podsMetric, resource(utilization), resource(average)];
    expect(cells(horizontalPodAutoscalerColumns, hpa(metrics)).Targets).toBe(
      '<unknown>/100m, cpu: <unknown>/80% + 1 more...',
    );
  });
});
