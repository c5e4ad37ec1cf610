import type * as v2 from '#api/autoscaling/v2';

/** An object from JSON that has not been validated yet. */
export type Untyped = Readonly<Record<string, unknown>>;

/**
 * Conversions of the metrics in a spec; version 1 has the same values in one flat list of fields.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/v1/conversion.go, and kubernetes/api@v0.36.3
 * autoscaling/v1/types.go MetricSpec
 */
export const specConversions = {
  fromV2: ({ type, object, pods, resource, containerResource, external }: v2.MetricSpec): object => ({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? '0',
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? '0',
      selector: pods.metric.selector,
    },
    resource: resource && resourceTarget(resource),
    containerResource: containerResource && {
      ...resourceTarget(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  }),

  toV2: ({ type = '', object, pods, resource, containerResource, external }: Untyped): object => ({
    type,
    ...withSource('object', object, (source) => ({
      describedObject: source.target,
      metric: { name: source.metricName, selector: source.selector },
      target: objectTarget(source),
    })),
    ...withSource('pods', pods, (source) => ({
      metric: { name: source.metricName, selector: source.selector },
      target: { type: 'AverageValue', averageValue: source.targetAverageValue ?? '0' },
    })),
    ...withSource('resource', resource, (source) => ({
      name: source.name,
      target: targetOf('Utilization', source.targetAverageUtilization, source),
    })),
    ...withSource('containerResource', containerResource, (source) => ({
      name: source.name,
      container: source.container,
      target: targetOf('Utilization', source.targetAverageUtilization, source),
    })),
    ...withSource('external', external, (source) => ({
      metric: { name: source.metricName, selector: source.metricSelector },
      target: targetOf('Value', source.targetValue, source),
    })),
  }),
};

const resourceTarget = ({ name, target }: v2.ResourceMetricSource): object => ({
  name,
  targetAverageUtilization: target.averageUtilization,
  targetAverageValue: target.averageValue,
});

function objectTarget({ targetValue = '0', averageValue }: Untyped): object {
  if (averageValue === undefined) return { type: 'Value', value: targetValue };
  // Version 1 cannot leave the value out.
  const value = targetValue === '0' || targetValue === 0 ? undefined : targetValue;
  return { type: 'AverageValue', value, averageValue };
}

function targetOf(type: 'Utilization' | 'Value', said: unknown, source: Untyped): object {
  const averageValue = source.targetAverageValue;
  if (said === undefined) return { type: 'AverageValue', averageValue };
  return { type, [type === 'Value' ? 'value' : 'averageUtilization']: said, averageValue };
}

/** Conversions of the current metrics in a status. */
export const statusConversions = {
  fromV2: ({ type, object, pods, resource, containerResource, external }: v2.MetricStatus): object => ({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? '0',
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? '0',
      selector: pods.metric.selector,
    },
    resource: resource && resourceCurrent(resource),
    containerResource: containerResource && {
      ...resourceCurrent(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value ?? '0',
      currentAverageValue: external.current.averageValue,
    },
  }),

  toV2: ({ type = '', object, pods, resource, containerResource, external }: Untyped): object => ({
    type,
    ...withSource('object', object, (source) => ({
      describedObject: source.target,
      metric: { name: source.metricName, selector: source.selector },
      current: { value: source.currentValue ?? '0', averageValue: source.averageValue },
    })),
    ...withSource('pods', pods, (source) => ({
      metric: { name: source.metricName, selector: source.selector },
      current: { averageValue: source.currentAverageValue ?? '0' },
    })),
    ...withSource('resource', resource, (source) => ({ name: source.name, current: currentOf(source) })),
    ...withSource('containerResource', containerResource, (source) => ({
      name: source.name,
      container: source.container,
      current: currentOf(source),
    })),
    ...withSource('external', external, (source) => ({
      metric: { name: source.metricName, selector: source.metricSelector },
      current: { value: source.currentValue ?? '0', averageValue: source.currentAverageValue },
    })),
  }),
};

const resourceCurrent = ({ name, current }: v2.ResourceMetricStatus): object => ({
  name,
  currentAverageUtilization: current.averageUtilization,
  currentAverageValue: current.averageValue ?? '0',
});

const currentOf = ({ currentAverageValue = '0', currentAverageUtilization }: Untyped): object => ({
  averageValue: currentAverageValue,
  averageUtilization: currentAverageUtilization,
});

function withSource(name: string, source: unknown, convert: (source: Untyped) => object): object {
  return isRecord(source) ? { [name]: convert(source) } : {};
}

/** Is the value an object, and not a list? */
export function isRecord<T>(value: T): value is T & Untyped {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
