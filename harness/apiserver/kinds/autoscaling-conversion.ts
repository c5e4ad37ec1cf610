import type * as v1 from '#api/autoscaling/v1';
import type * as v2 from '#api/autoscaling/v2';
import type { ObjectMeta } from '#api/meta/v1';
import { horizontalPodAutoscalers } from '../../api/plain-resources.ts';
import { StatusError } from '../../api/status.ts';
import { without } from '../copy-on-write.ts';
import { decode } from '../decode.ts';
import { isRecord, specConversions, statusConversions, type Untyped } from './autoscaling-metrics.ts';

/**
 * Prefix of annotations: version 1 of an autoscaler stores the fields of other versions there, as JSON.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/annotations.go
 */
const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
const ANNOTATIONS = [
  ...[METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR],
  ...[`${PREFIX}scale-down-tolerance`, `${PREFIX}scale-up-tolerance`],
];

interface Annotated {
  readonly metadata?: ObjectMeta;
}

/**
 * Returns the object without the annotations of version 1: version 2 has fields for their contents.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/helpers.go DropRoundTripHorizontalPodAutoscalerAnnotations
 */
export function withoutAnnotationsOfV1<T extends object>(object: T): T {
  const { metadata } = object as Annotated;
  const annotations = metadata?.annotations;
  if (!isRecord(annotations) || !ANNOTATIONS.some((name) => name in annotations)) return object;
  return { ...object, metadata: withAnnotations(metadata, without(annotations, ...ANNOTATIONS)) };
}

function withAnnotations(
  metadata: ObjectMeta = {},
  annotations: Readonly<Record<string, string>>,
): ObjectMeta {
  const rest = without(metadata, 'annotations');
  return Object.keys(annotations).length > 0 ? { ...rest, annotations } : rest;
}

/**
 * Converts an autoscaler of version 1 to version 2. Fields may be absent or of another type, because the object may
 * be an apply configuration.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/v1/conversion.go
 * Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler, except that what is measured by default is
 * left to the defaults of version 2, which are the same
 */
export function autoscalerToV2(object: object): object {
  const { metadata, spec, status, ...rest } = object as Partial<v1.HorizontalPodAutoscaler>;
  const annotations = isRecord(metadata?.annotations) ? metadata.annotations : {};
  const told: object = {
    ...rest,
    ...(metadata === undefined ? {} : { metadata }),
    ...(isRecord(spec) ? { spec: specToV2(spec, annotations) } : {}),
    ...(isRecord(status) ? { status: statusToV2(status, annotations) } : {}),
  };
  return withoutAnnotationsOfV1(told);
}

type Annotations = Readonly<Record<string, string>>;

function specToV2(spec: v1.HorizontalPodAutoscalerSpec, annotations: Annotations): object {
  const { targetCPUUtilizationPercentage: percent, ...rest } = spec;
  const others = listIn(annotations[METRICS], specConversions.toV2, (metrics) => ({ spec: { metrics } }));
  const metrics = [...(others ?? []), ...(percent === undefined ? [] : [cpuAt(percent)])];
  const behavior = behaviorIn(annotations[BEHAVIOR]);
  return { ...rest, ...(metrics.length > 0 ? { metrics } : {}), ...(behavior ? { behavior } : {}) };
}

const cpuAt = (averageUtilization: number): v2.MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

function statusToV2(status: v1.HorizontalPodAutoscalerStatus, annotations: Annotations): object {
  const { currentCPUUtilizationPercentage: percent, ...rest } = status;
  const cpu = { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: percent } } };
  const inAnnotation = listIn(annotations[CURRENT_METRICS], statusConversions.toV2, (currentMetrics) => ({
    status: { currentMetrics },
  }));
  const currentMetrics = inAnnotation ?? (percent === undefined ? undefined : [cpu]);
  const conditions = listIn(
    annotations[CONDITIONS],
    (condition) => condition,
    (list) => ({ status: { conditions: list } }),
  );
  return { ...rest, ...(currentMetrics ? { currentMetrics } : {}), ...(conditions ? { conditions } : {}) };
}

/**
 * Converts a stored autoscaler (version 2) to version 1.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/v1/conversion.go
 * Convert_autoscaling_HorizontalPodAutoscaler_To_v1_HorizontalPodAutoscaler
 */
export function autoscalerFromV2(object: object): object {
  const { metadata, spec, status, ...rest } = object as v2.HorizontalPodAutoscaler;
  const { metrics: asked, behavior, ...plainSpec } = spec;
  const { currentMetrics: measured, conditions: told, ...plainStatus } = status ?? { desiredReplicas: 0 };
  // Go prints null for an empty list.
  const [metrics, currentMetrics, conditions] = [asked ?? [], measured ?? [], told ?? []];
  const target = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  const current = currentMetrics.findLast(
    ({ type, resource }) =>
      type === 'Resource' &&
      resource?.name === 'cpu' &&
      typeof resource.current.averageUtilization === 'number',
  )?.resource?.current.averageUtilization;
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const kept = Object.entries({
    [METRICS]: others.length > 0 && others.map(specConversions.fromV2),
    [CURRENT_METRICS]: currentMetrics.length > 0 && currentMetrics.map(statusConversions.fromV2),
    [BEHAVIOR]: behavior && behaviorText(behavior),
    [CONDITIONS]:
      conditions.length > 0 &&
      conditions.map(({ type, status: is, lastTransitionTime = null, reason, message }) => ({
        ...{ type, status: is, lastTransitionTime },
        ...{ reason: reason || undefined, message: message || undefined },
      })),
  }).flatMap(([name, value]) => (value ? [[name, JSON.stringify(value)] as const] : []));
  return {
    ...rest,
    metadata: withAnnotations(metadata, { ...metadata?.annotations, ...Object.fromEntries(kept) }),
    spec: { ...plainSpec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      ...plainStatus,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

/** The one metric for which version 1 has a field. */
function isCpuUtilization({ type, resource }: v2.MetricSpec): boolean {
  return (
    type === 'Resource' && resource?.name === 'cpu' && typeof resource.target.averageUtilization === 'number'
  );
}

/** Returns the list in an annotation; undefined if the annotation is absent or cannot be parsed. */
function listIn(
  text: string | undefined,
  convert: (item: Untyped) => object,
  placed: (list: readonly object[]) => object,
): readonly object[] | undefined {
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
  const converted = list.map((item) => convert(withoutNulls(item)));
  return isReadable(placed(converted)) ? converted : undefined;
}

const withoutNulls = (object: Untyped): Untyped =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      value === null ? [] : [[name, isRecord(value) ? withoutNulls(value) : value]],
    ),
  );

function isReadable(part: object): boolean {
  try {
    decode(horizontalPodAutoscalers, part, { fieldValidation: 'Ignore' });
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/**
 * Returns all fields of a behaviour under their Go names, as the annotation stores them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/autoscaling/types.go HorizontalPodAutoscalerBehavior
 */
function behaviorText({ scaleUp, scaleDown }: v2.HorizontalPodAutoscalerBehavior): object {
  const rules = (told: v2.HPAScalingRules | undefined) =>
    told
      ? {
          StabilizationWindowSeconds: told.stabilizationWindowSeconds ?? null,
          SelectPolicy: told.selectPolicy ?? null,
          Policies:
            told.policies?.map(({ type, value, periodSeconds }) => ({
              ...{ Type: type, Value: value, PeriodSeconds: periodSeconds },
            })) ?? null,
          Tolerance: told.tolerance ?? null,
        }
      : null;
  return { ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) };
}

const BEHAVIOR_FIELDS = new Map(
  [
    ...['scaleUp', 'scaleDown', 'stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance'],
    ...['type', 'value', 'periodSeconds'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** Returns the behaviour in an annotation; undefined if the annotation is absent or cannot be parsed. */
function behaviorIn(text: string | undefined): object | undefined {
  const told = parsed(text);
  if (!isRecord(told)) return undefined;
  const behavior = inWireNames(told);
  const isSaid = isRecord(behavior) && Object.keys(behavior).length > 0;
  return isSaid && isReadable({ spec: { behavior } }) ? behavior : undefined;
}

function inWireNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inWireNames);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const known = BEHAVIOR_FIELDS.get(name.toLowerCase());
      return known && part !== null ? [[known, inWireNames(part)]] : [];
    }),
  );
}

function parsed(text: string | undefined): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
