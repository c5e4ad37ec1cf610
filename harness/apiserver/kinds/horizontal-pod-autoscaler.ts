import type * as autoscaling from '#api/autoscaling/v2';
import { isDNS1123Label, isValidPathSegmentName } from '../../api/names.ts';
import type { HorizontalPodAutoscaler } from '../../api/objects.ts';
import { horizontalPodAutoscalers } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import {
  all,
  each,
  fields,
  named,
  nonnegative,
  oneOf,
  optional,
  type Rule,
  required,
} from '../declare/rules.ts';
import { forbidden, invalid, required as missing, notSupported } from '../validation/field-error.ts';
import { withoutAnnotationsOfV1 } from './autoscaling-conversion.ts';
import { quantityOf } from './pod/quantities.ts';
import { validateContainerResourceName, validateResourceQuantity } from './pod/resources.ts';

/**
 * The kind HorizontalPodAutoscaler, version 2, which is also the storage version.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go,
 * pkg/apis/autoscaling/v2/defaults.go, pkg/apis/autoscaling/validation/validation.go
 */
export const horizontalPodAutoscaler = declareKind<HorizontalPodAutoscaler>({
  resource: horizontalPodAutoscalers,
  setDefaults: (object) => withChanged(withoutAnnotationsOfV1(object), 'spec', setSpecDefaults),
  rules: [({ spec }) => validateSpec(spec, 'spec')],
  createRules: [({ spec }) => validateTargetVersion(spec)],
  updateRules({ spec }, { spec: old }) {
    const { apiVersion, kind } = spec.scaleTargetRef;
    const isSame = apiVersion === old.scaleTargetRef.apiVersion && kind === old.scaleTargetRef.kind;
    return isSame ? [] : validateTargetVersion(spec);
  },
  statusRules: [
    fields<HorizontalPodAutoscaler>({
      status: fields<autoscaling.HorizontalPodAutoscalerStatus>({
        currentReplicas: nonnegative,
        desiredReplicas: nonnegative,
      }),
    }),
  ],
});

const CPU_80: autoscaling.MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const PERCENT_100: autoscaling.HPAScalingPolicy = { type: 'Percent', value: 100, periodSeconds: 15 };
const PODS_4: autoscaling.HPAScalingPolicy = { type: 'Pods', value: 4, periodSeconds: 15 };

function setSpecDefaults(
  spec: autoscaling.HorizontalPodAutoscalerSpec,
): autoscaling.HorizontalPodAutoscalerSpec {
  const complete = withDefaults(spec, { minReplicas: 1, metrics: [CPU_80] });
  return withChanged(complete, 'behavior', (behavior) =>
    withChanged(
      withChanged(withDefaults(behavior, { scaleUp: {}, scaleDown: {} }), 'scaleUp', (rules) =>
        withDefaults(rules, {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [PODS_4, PERCENT_100],
        }),
      ),
      'scaleDown',
      // The stabilization window has no default: a flag of the controller sets it.
      (rules) => withDefaults(rules, { selectPolicy: 'Max', policies: [PERCENT_100] }),
    ),
  );
}

/** Upstream: validateHorizontalPodAutoscalerSpec */
function validateSpec(spec: autoscaling.HorizontalPodAutoscalerSpec, path: string): Cause[] {
  const { minReplicas = 1, maxReplicas = 0, metrics = [] } = spec;
  const [atMin, atMax] = [`${path}.minReplicas`, `${path}.maxReplicas`];
  const causes: Cause[] = [];
  if (minReplicas < 1) causes.push(invalid(atMin, minReplicas, 'must be greater than or equal to 1'));
  if (maxReplicas === 0) causes.push(missing(atMax, 'must be set and greater than 0'));
  if (maxReplicas < 0) causes.push(invalid(atMax, maxReplicas, 'must be greater than or equal to 1'));
  if (maxReplicas < minReplicas) {
    causes.push(invalid(atMax, maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  causes.push(
    ...reference(spec.scaleTargetRef, `${path}.scaleTargetRef`),
    ...each(metric)(metrics, `${path}.metrics`),
  );
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    causes.push(forbidden(`${path}.metrics`, detail));
  }
  return [...causes, ...behavior(spec.behavior, `${path}.behavior`)];
}

/** Upstream: ValidateCrossVersionObjectReference */
const reference = fields<autoscaling.CrossVersionObjectReference>({
  kind: required(named(isValidPathSegmentName)),
  name: required(named(isValidPathSegmentName)),
});

/** Only one kind of the core group can be scaled. Upstream: ValidateAPIVersion */
function validateTargetVersion({ scaleTargetRef }: autoscaling.HorizontalPodAutoscalerSpec): Cause[] {
  const { apiVersion = '', kind } = scaleTargetRef;
  const slashes = apiVersion.split('/').length - 1;
  const refuse = (why: string) => [invalid('spec.scaleTargetRef.apiVersion', apiVersion, why)];
  if (slashes > 1) return refuse(`unexpected GroupVersion string: ${apiVersion}`);
  const hasGroup = slashes === 1 && !apiVersion.startsWith('/');
  return hasGroup || kind === 'ReplicationController' ? [] : refuse('apiVersion must specify API group');
}

const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
type Source = (typeof SOURCES)[number];

/** The source field of each metric type. */
const FIELD_OF: Readonly<Record<string, Source>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** Upstream: validateMetricSpec */
const metric: Rule<autoscaling.MetricSpec> = (spec, path) => {
  const { type = '' } = spec ?? {};
  const supported = Object.keys(FIELD_OF);
  const expected = Object.hasOwn(FIELD_OF, type) ? FIELD_OF[type] : undefined;
  const causes: Cause[] = [];
  if (!type) causes.push(missing(`${path}.type`, 'must specify a metric source type'));
  if (!expected) causes.push(notSupported(`${path}.type`, type, supported));
  const present = SOURCES.filter((source) => spec?.[source] !== undefined);
  const [first] = present;
  if (spec && first) causes.push(...sourceFields(spec, first, path));
  if (!expected) causes.push(notSupported(`${path}.type`, type, supported));
  else if (!spec?.[expected]) {
    causes.push(missing(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return causes;
  const others = present.filter((source) => source !== expected);
  const detail = 'must populate the given metric source only';
  return [...causes, ...others.map((source) => forbidden(`${path}.${source}`, detail))];
};

function sourceFields(spec: autoscaling.MetricSpec, source: Source, path: string): readonly Cause[] {
  const at = `${path}.${source}`;
  switch (source) {
    case 'object':
      return objectSource(spec.object, at);
    case 'external':
      return externalSource(spec.external, at);
    case 'pods':
      return podsSource(spec.pods, at);
    case 'resource':
      return resourceSource(spec.resource, at);
    case 'containerResource':
      return containerResourceSource(spec.containerResource, at);
  }
}

const positiveQuantity: Rule<string> = (text, path) =>
  text !== undefined && (quantityOf(text)?.sign() ?? 0) <= 0 ? [invalid(path, text, 'must be positive')] : [];

const TYPES = ['Utilization', 'Value', 'AverageValue'];

/** Upstream: validateMetricTarget */
const target = fields<autoscaling.MetricTarget>({
  type: (type = '', path) => [
    ...(type ? [] : [missing(path, 'must specify a metric target type')]),
    ...(TYPES.includes(type)
      ? []
      : [invalid(path, type, 'must be either Utilization, Value, or AverageValue')]),
  ],
  value: positiveQuantity,
  averageValue: positiveQuantity,
  averageUtilization: (percent = 1, path) =>
    percent < 1 ? [invalid(path, percent, 'must be greater than 0')] : [],
});

const identifier = fields<autoscaling.MetricIdentifier>({
  name: required(named(isValidPathSegmentName), 'must specify a metric name'),
});

type HasTarget = { readonly target: autoscaling.MetricTarget };

/** Requires at least one of two fields in a target. */
const eitherOf =
  (
    asked: keyof autoscaling.MetricTarget,
    other: keyof autoscaling.MetricTarget,
    detail: string,
  ): Rule<HasTarget> =>
  (source, path) => {
    const { target = {} as autoscaling.MetricTarget } = source ?? {};
    if (target[asked] !== undefined || target[other] !== undefined) return [];
    return [missing(`${path}.target.${asked}`, detail)];
  };

/** Rejects a target that has both fields. */
const notBoth =
  (
    refused: keyof autoscaling.MetricTarget,
    other: keyof autoscaling.MetricTarget,
    detail: string,
  ): Rule<HasTarget> =>
  (source, path) => {
    const { target = {} as autoscaling.MetricTarget } = source ?? {};
    if (target[refused] === undefined || target[other] === undefined) return [];
    return [forbidden(`${path}.target.${refused}`, detail)];
  };

const objectSource: Rule<autoscaling.ObjectMetricSource> = all<autoscaling.ObjectMetricSource>(
  fields<autoscaling.ObjectMetricSource>({
    describedObject: all(reference, anyVersion),
    metric: identifier,
    target,
  }),
  eitherOf('averageValue', 'value', 'must set either a target value or averageValue'),
);

/** The described object can be of any group, but its version must be valid. */
function anyVersion(
  { apiVersion = '' }: autoscaling.CrossVersionObjectReference = { kind: '', name: '' },
  path: string,
): Cause[] {
  if (apiVersion.split('/').length <= 2) return [];
  return [invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

const externalSource: Rule<autoscaling.ExternalMetricSource> = all<autoscaling.ExternalMetricSource>(
  fields<autoscaling.ExternalMetricSource>({ metric: identifier, target }),
  eitherOf('averageValue', 'value', 'must set either a target value for metric or a per-pod target'),
  notBoth('value', 'averageValue', 'may not set both a target value for metric and a per-pod target'),
);

const podsSource: Rule<autoscaling.PodsMetricSource> = all<autoscaling.PodsMetricSource>(
  fields<autoscaling.PodsMetricSource>({ metric: identifier, target }),
  eitherOf('averageValue', 'averageValue', 'must specify a positive target averageValue'),
);

const rawOrUtilization: readonly Rule<HasTarget>[] = [
  eitherOf(
    'averageUtilization',
    'averageValue',
    'must set either a target raw value or a target utilization',
  ),
  notBoth(
    'averageValue',
    'averageUtilization',
    'may not set both a target raw value and a target utilization',
  ),
];

const resourceSource: Rule<autoscaling.ResourceMetricSource> = all<autoscaling.ResourceMetricSource>(
  fields<autoscaling.ResourceMetricSource>({
    name: required(() => [], 'must specify a resource name'),
    target,
  }),
  ...rawOrUtilization,
);

const containerResourceSource: Rule<autoscaling.ContainerResourceMetricSource> =
  all<autoscaling.ContainerResourceMetricSource>(
    fields<autoscaling.ContainerResourceMetricSource>({
      name: required(
        (name = '', path) => validateContainerResourceName(name, path),
        'must specify a resource name',
      ),
      container: required(named(isDNS1123Label), 'must specify a container'),
      target,
    }),
    ...rawOrUtilization,
  );

const between =
  (why: string, max: number, isLow: (value: number) => boolean): Rule<number> =>
  (value, path) => [
    ...(isLow(value ?? 0) ? [invalid(path, value ?? 0, why)] : []),
    ...((value ?? 0) > max ? [invalid(path, value, `must be less than or equal to ${max}`)] : []),
  ];

/** Upstream: validateScalingRules */
const scalingRules = fields<autoscaling.HPAScalingRules>({
  stabilizationWindowSeconds: optional(
    between('must be greater than or equal to zero', 3600, (seconds) => seconds < 0),
  ),
  selectPolicy: oneOf('Disabled', 'Max', 'Min'),
  policies: required(
    each(
      fields<autoscaling.HPAScalingPolicy>({
        type: (type = '', path) => oneOf('Percent', 'Pods')(type, path),
        value: between('must be greater than zero', Number.POSITIVE_INFINITY, (value) => value <= 0),
        periodSeconds: between('must be greater than zero', 1800, (seconds) => seconds <= 0),
      }),
    ),
    'must specify at least one Policy',
  ),
  tolerance: (text, path) => (text === undefined ? [] : validateResourceQuantity('', text, path)),
});

const behavior = optional(
  fields<autoscaling.HorizontalPodAutoscalerBehavior>({
    scaleUp: optional(scalingRules),
    scaleDown: optional(scalingRules),
  }),
);
